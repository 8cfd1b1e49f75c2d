/* results.json: everything except what depends on the machine. */
#include "base/base.h"
#include "evaluation/report/report.h"
#include "evaluation/report/text.h"
#include "image/file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Put the columns of a table into an object. */
static void put_columns(const seg_results *results, const seg_standing *s, seg_table table, json_t *object) {
    for (int c = 0; c < SEG_COLUMNS; c++) {
        const seg_column *column = seg_results_column(results, c, table, 0);
        if (column && column->key)
            json_object_set_new(object, column->key,
                                isnan(s->value[c])      ? json_null()
                                : c == SEG_COLUMN_STEPS ? json_integer((json_int_t)s->value[c])
                                                        : json_real(s->value[c]));
    }
}

static json_t *method_json(const seg_results *results, int method) {
    const seg_standing *s = &results->standing[method];
    const int clicks = results->settings->clicks;
    json_t *object = json_pack("{s:s, s:I, s:I}", "method", results->settings->label[method], "images",
                               (json_int_t)s->value[SEG_COLUMN_IMAGES], "failed", (json_int_t)s->failed);
    if (!object || s->value[SEG_COLUMN_IMAGES] == 0)
        return object;
    put_columns(results, s, SEG_TABLE_JSON, object);
    json_object_set_new(object, "interval", json_pack("[f, f]", s->value[SEG_COLUMN_LOW], s->value[SEG_COLUMN_HIGH]));
    json_object_set_new(object, "worst_item", seg_json_text(s->worst, SEG_NAME_JSON));
    if (clicks) {
        json_t *values = json_object(), *iou = json_array(), *interval = json_array();
        for (int c = 0; c < clicks; c++) {
            json_array_append_new(iou, json_real(s->iou[c].mean));
            json_array_append_new(interval, json_pack("[f, f]", s->iou[c].low, s->iou[c].high));
        }
        put_columns(results, s, SEG_TABLE_CLICKS, values);
        json_object_set_new(values, "iou", iou);
        json_object_set_new(values, "iou_interval", interval);
        json_object_set_new(object, "clicks", values);
    }
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
    errno = 0; /* as seg_json_dump requires */
    json_t *methods = json_array(), *compared = json_array(), *items = json_array();
    const seg_status status = comparisons(ctx, results, compared);
    for (int m = 0; m < settings->labels; m++)
        json_array_append_new(methods, method_json(results, m));
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
    SEG_FREED char *text = seg_json_dump(ctx, object, JSON_INDENT(1));
    SEG_FREED char *path = seg_format(ctx, "%s/results.json", report->out);
    SEG_TRY(status);
    return text && path ? seg_file_write(ctx, path, text, strlen(text)) : SEG_ERR_MEMORY;
}
