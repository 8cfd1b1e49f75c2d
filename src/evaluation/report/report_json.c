/* results.json: everything but what the machine decides. */
#include "base/base.h"
#include "evaluation/report/report.h"
#include "evaluation/runner/report_folder.h"
#include "image/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a table into an object. */
static void put_columns(const seg_results *results, const seg_standing *s, seg_table table, json_t *object) {
    for (int c = 0; c < SEG_COLUMNS; c++) {
        const seg_column *column = seg_results_column(results, c, table, 0);
        if (column && column->key)
            json_object_set_new(object, column->key,
                                isnan(s->value[c])                              ? json_null()
                                : c == SEG_COLUMN_GOAL || c == SEG_COLUMN_STEPS ? json_integer((json_int_t)s->value[c])
                                                                                : json_real(s->value[c]));
    }
}

static json_t *method_json(seg_context *ctx, const seg_results *results, const seg_standing *s, int method,
                           seg_status *status) {
    const int clicks = results->settings->clicks, corrections = results->settings->corrections;
    json_t *object = json_pack("{s:s, s:I, s:I}", "method", results->settings->label[method], "images",
                               (json_int_t)s->value[SEG_COLUMN_IMAGES], "failed", (json_int_t)s->failed);
    if (!object || s->value[SEG_COLUMN_IMAGES] == 0)
        return object;
    put_columns(results, s, SEG_TABLE_JSON, object);
    json_object_set_new(object, "interval", json_pack("[f, f]", s->value[SEG_COLUMN_LOW], s->value[SEG_COLUMN_HIGH]));
    json_object_set_new(object, "worst_item", seg_json_text(s->worst, SEG_NAME_JSON));
    json_t *curve = json_array(), *interval = json_array();
    for (int c = 0; c < (clicks ? clicks : corrections ? corrections + 1 : 0) && *status == SEG_OK; c++) {
        seg_interval at;
        *status = seg_results_after(ctx, results, method, c, &at);
        json_array_append_new(curve, json_real(at.mean));
        json_array_append_new(interval, json_pack("[f, f]", at.low, at.high));
    }
    if (clicks) {
        json_t *values = json_object();
        put_columns(results, s, SEG_TABLE_CLICKS, values);
        json_object_set(values, "iou", curve);
        json_object_set(values, "iou_interval", interval);
        json_object_set_new(object, "clicks", values);
    }
    if (corrections)
        json_object_set(object, "accuracy_after_corrections", curve);
    json_decref(curve);
    json_decref(interval);
    return object;
}

static seg_status comparisons(seg_context *ctx, const seg_results *results, json_t *array) {
    seg_status status = SEG_OK;
    for (int a = 0; a < results->settings->labels; a++)
        for (int b = a + 1; b < results->settings->labels && status == SEG_OK; b++) {
            seg_paired paired;
            status = seg_results_compare(ctx, results, a, b, &paired);
            json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I, s:I, s:f}", "a", results->settings->label[a],
                                                   "b", results->settings->label[b], "a_better",
                                                   (json_int_t)paired.above, "b_better", (json_int_t)paired.below,
                                                   "equal", (json_int_t)paired.tied, "wilcoxon_p", paired.p));
        }
    return status;
}

static json_t *item_json(const seg_results *results, size_t number) {
    const seg_results_item *item = &results->item[number];
    json_t *object = seg_item_result_json(&item->result), *methods = json_object();
    for (int m = 0; m < item->result.attempts; m++) {
        const seg_attempt *one = &item->result.attempt[m];
        json_t *attempt = seg_attempt_json(one);
        json_object_del(attempt, "seconds");
        json_object_del(attempt, "memory");
        if (one->status == SEG_OK)
            json_object_set_new(attempt, "scored_share", json_real(seg_scored_share(&item->result, one)));
        json_object_set_new(methods, results->settings->label[m], attempt);
    }
    json_object_set_new(object, "item", seg_json_text(item->name, SEG_NAME_JSON));
    json_object_set_new(object, "methods", methods);
    return object;
}

seg_status seg_report_json(seg_context *ctx, const seg_report *report) {
    const seg_results *results = report->results;
    const seg_settings *settings = results->settings;
    errno = 0; /* Jansson leaves out what it has no memory for; only malloc tells */
    json_t *methods = json_array(), *compared = json_array(), *items = json_array();
    seg_status status = comparisons(ctx, results, compared);
    for (int m = 0; m < settings->labels && status == SEG_OK; m++)
        json_array_append_new(methods, method_json(ctx, results, &report->standing[m], m, &status));
    for (size_t i = 0; i < results->items; i++)
        json_array_append_new(items, item_json(results, i));
    json_t *object =
        json_pack("{s:s, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "program", "segment eval", "dataset",
                  settings->dataset, "title", seg_json_text(settings->title, SEG_NAME_JSON), "constraints",
                  seg_json_text(settings->source, SEG_NAME_JSON), "seed", (json_int_t)settings->seed, "scored",
                  (json_int_t)results->scored, "skipped", (json_int_t)results->skipped, "broken",
                  (json_int_t)results->broken, "methods", methods, "comparisons", compared, "items", items);
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
