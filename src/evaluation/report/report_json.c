/* results.json: everything but what the machine decides. */
#include "base/base.h"
#include "evaluation/report/report.h"
#include "evaluation/runner/report_folder.h"
#include "image/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static json_t *method_json(seg_context *ctx, const seg_results *results, const seg_standing *s, int method,
                           seg_status *status) {
    const char *label = results->settings.label[method];
    if (s->accuracy.count == 0)
        return json_pack("{s:s, s:i, s:I}", "method", label, "images", 0, "failed", (json_int_t)s->failed);
    json_t *object = json_pack("{s:s, s:I, s:I, s:f, s:[f,f], s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:f}", "method", label,
                               "images", (json_int_t)s->accuracy.count, "failed", (json_int_t)s->failed, "mean",
                               s->accuracy.mean, "interval", s->low, s->high, "deviation", s->accuracy.deviation,
                               "first_quartile", s->accuracy.first_quartile, "median", s->accuracy.median,
                               "third_quartile", s->accuracy.third_quartile, "worst", s->accuracy.least, "worst_item",
                               seg_json_text(s->worst, SEG_NAME_JSON), "mean_dice", s->dice, "mean_error", s->error);
    const int clicks = results->settings.clicks;
    json_t *curve = json_array(), *interval = json_array();
    for (int c = 0; c < (clicks ? clicks : results->settings.corrections + 1) && *status == SEG_OK; c++) {
        double mean, low, high;
        *status = seg_results_after(ctx, results, method, c, &mean, &low, &high);
        json_array_append_new(curve, json_real(mean));
        json_array_append_new(interval, json_pack("[f, f]", low, high));
    }
    if (object && clicks) {
        const seg_click_column *column[SEG_CLICK_COLUMNS];
        const int columns = seg_click_columns(results, 0, column);
        json_t *values = json_object();
        for (int c = 0; c < columns; c++)
            json_object_set_new(values, column[c]->key, json_real(s->click[column[c]->at]));
        json_object_set_new(values, "iou", json_incref(curve));
        json_object_set_new(values, "iou_interval", json_incref(interval));
        json_object_set_new(object, "clicks", values);
    }
    if (object && results->settings.corrections) {
        json_object_set_new(object, "reached_goal", json_integer((json_int_t)s->goal));
        json_object_set_new(object, "median_strokes", s->goal ? json_real(s->strokes) : json_null());
        json_object_set_new(object, "accuracy_after_corrections", json_incref(curve));
    }
    json_decref(curve);
    json_decref(interval);
    return object;
}

static seg_status comparisons(seg_context *ctx, const seg_results *results, json_t *array) {
    seg_status status = SEG_OK;
    for (int a = 0; a < results->settings.labels; a++)
        for (int b = a + 1; b < results->settings.labels && status == SEG_OK; b++) {
            seg_paired paired;
            status = seg_results_compare(ctx, results, a, b, &paired);
            json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I, s:I, s:f}", "a", results->settings.label[a],
                                                   "b", results->settings.label[b], "a_better",
                                                   (json_int_t)paired.above, "b_better", (json_int_t)paired.below,
                                                   "equal", (json_int_t)paired.tied, "wilcoxon_p", paired.p));
        }
    return status;
}

static json_t *item_json(const seg_results *results, size_t number) {
    const seg_results_item *item = &results->item[number];
    json_t *repeats = json_array();
    for (int r = 0; r < item->repeats; r++) {
        const seg_item_result *one = &item->repeat[r];
        json_t *methods = json_object();
        for (int m = 0; m < one->attempts; m++) {
            json_t *attempt = seg_attempt_json(&one->attempt[m]);
            json_object_del(attempt, "seconds");
            json_object_del(attempt, "memory");
            if (one->attempt[m].status == SEG_OK)
                json_object_set_new(attempt, "scored_share", json_real(seg_scored_share(one, &one->attempt[m])));
            json_object_set_new(methods, results->settings.label[m], attempt);
        }
        json_array_append_new(repeats, json_pack("{s:s, s:o, s:i, s:i, s:I, s:I, s:o}", "outcome",
                                                 seg_outcome_names[one->outcome], "message",
                                                 seg_json_text(one->message, SEG_NAME_JSON), "k", one->k, "annotators",
                                                 one->annotators, "pairs", (json_int_t)one->pairs, "marked",
                                                 (json_int_t)one->marked, "methods", methods));
    }
    return json_pack("{s:o, s:i, s:i, s:o}", "item", seg_json_text(item->name, SEG_NAME_JSON), "width",
                     item->repeat[0].width, "height", item->repeat[0].height, "repeats", repeats);
}

seg_status seg_report_json(seg_context *ctx, const seg_report *report) {
    const seg_results *results = report->results;
    const seg_settings *settings = &results->settings;
    errno = 0; /* Jansson leaves out what it has no memory for; only malloc tells */
    json_t *methods = json_array(), *compared = json_array(), *items = json_array();
    seg_status status = comparisons(ctx, results, compared);
    for (int m = 0; m < settings->labels && status == SEG_OK; m++)
        json_array_append_new(methods, method_json(ctx, results, &report->standing[m], m, &status));
    for (size_t i = 0; i < results->items; i++)
        json_array_append_new(items, item_json(results, i));
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:i, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "program", "segment eval", "dataset",
        settings->dataset, "title", seg_json_text(settings->title, SEG_NAME_JSON), "constraints",
        seg_json_text(settings->source, SEG_NAME_JSON), "void", settings->void_is, "repeats", settings->repeats, "seed",
        (json_int_t)settings->seed, "scored", (json_int_t)results->scored, "skipped", (json_int_t)results->skipped,
        "broken", (json_int_t)results->broken, "methods", methods, "comparisons", compared, "items", items);
    if (object && *settings->how)
        json_object_set_new(object, "how", seg_json_text(settings->how, SEG_NAME_JSON));
    char *text = object ? json_dumps(object, JSON_INDENT(1)) : NULL;
    char *path = seg_format(ctx, "%s/results.json", report->out);
    json_decref(object);
    if (status == SEG_OK && (!text || !path || errno == ENOMEM))
        status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing results.json");
    if (status == SEG_OK)
        status = seg_file_write(ctx, path, text, strlen(text));
    free(text);
    free(path);
    return status;
}
