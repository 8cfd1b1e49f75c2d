/* The report: its tables for other programs, results.json, results.csv, timings.csv and clicks.csv, and its figures. */
#include "evaluation/report/report.h"
#include "base/base.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/text.h"

#include <inttypes.h>

/* Put the columns of a table into an object. */
static void put_columns(const seg_results *results, const seg_standing *s, unsigned table, json_t *object) {
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
    for (int a = 0; a < results->settings->labels; a++)
        for (int b = a + 1; b < results->settings->labels; b++) {
            seg_paired paired;
            SEG_TRY(seg_results_compare(ctx, results, a, b, &paired));
            json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I, s:I, s:f}", "a", results->settings->label[a],
                                                   "b", results->settings->label[b], "a_better",
                                                   (json_int_t)paired.above, "b_better", (json_int_t)paired.below,
                                                   "equal", (json_int_t)paired.tied, "wilcoxon_p", paired.p));
        }
    return SEG_OK;
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

static seg_status write_json(seg_context *ctx, const seg_report *report) {
    const seg_results *results = report->results;
    const seg_settings *settings = results->settings;
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
    SEG_FREED char *text = seg_json_dump(object, JSON_INDENT(1));
    SEG_FREED char *path = seg_format(ctx, "%s/results.json", report->out);
    SEG_TRY(status);
    return text && path ? seg_file_write(ctx, path, text, strlen(text))
                        : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing the results");
}

static void put_results(FILE *to, const seg_results *results, SEG_UNUSED int unused) {
    fputs("item,outcome,k,pairs,marked,method,accuracy,clustering_error,nmi,pairwise_f,dice,error,"
          "scored,scored_share,message\n",
          to);
    for (size_t i = 0; i < results->items; i++) {
        const seg_item_result *one = &results->item[i].result;
        for (int m = 0; m < one->attempts || m == 0; m++) {
            const seg_attempt *a = m < one->attempts ? &one->attempt[m] : NULL;
            seg_csv_put(to, results->item[i].name);
            fprintf(to, ",%s,%d,%zu,%zu,", a && a->status ? "failed" : seg_outcome_names[one->outcome], one->k,
                    one->pairs, one->marked);
            if (a)
                seg_csv_put(to, results->settings->label[m]);
            if (a && a->status == SEG_OK)
                fprintf(to, ",%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%" PRIu64 ",%.6f,", a->scores.pairwise_accuracy,
                        a->scores.clustering_error, a->scores.nmi, a->scores.pairwise_f, a->scores.mean_dice,
                        a->scores.error_rate, a->scores.scored, seg_scored_share(one, a));
            else
                fputs(",,,,,,,,,", to);
            seg_csv_put(to, a ? a->message : one->message);
            putc('\n', to);
        }
    }
}

/* The attempts of timings.csv, or of clicks.csv if `clicks`. */
static void put_attempts(FILE *to, const seg_results *results, int clicks) {
    fputs(clicks ? "item,method,click,iou\n" : "item,method,seconds,memory\n", to);
    for (size_t i = 0; i < results->items; i++)
        for (int m = 0; m < results->item[i].result.attempts; m++) {
            const seg_attempt *a = &results->item[i].result.attempt[m];
            for (int c = 0; c < (clicks ? a->curve_count : a->status == SEG_OK); c++) {
                seg_csv_put(to, results->item[i].name);
                putc(',', to);
                seg_csv_put(to, results->settings->label[m]);
                if (clicks)
                    fprintf(to, ",%d,%.6f\n", c + 1, a->curve[c]);
                else
                    fprintf(to, ",%.4f,%zu\n", a->seconds, a->memory);
            }
        }
}

static seg_status write_table(seg_context *ctx, const seg_report *report, const char *name,
                              void (*put)(FILE *, const seg_results *, int), int clicks) {
    seg_writer writer;
    SEG_TRY(seg_report_open(ctx, report->out, name, &writer));
    put(writer.file, report->results, clicks);
    return seg_writer_commit(ctx, &writer);
}

/* figures/: mean accuracies, and IoU against clicks, with the intervals of the means. */
static seg_status draw(seg_context *ctx, const seg_report *report, const char *name, const seg_panel *panel) {
    const double wide = 34.0 * report->results->settings->labels;
    const seg_figure figure = {
        .panel = panel, .panel_count = 1, .width = panel->x.category && wide > 190 ? wide : 260, .height = 180};
    return seg_figure_write(ctx, &figure, report->out, name);
}

static seg_status draw_figures(seg_context *ctx, const seg_report *report) {
    const seg_results *results = report->results;
    const size_t methods = (size_t)results->settings->labels, clicks = (size_t)results->settings->clicks;
    if (results->scored == 0)
        return SEG_OK; /* nothing to draw */
    SEG_LOCAL(seg_series, series, seg_alloc_zero(ctx, methods, sizeof *series));
    SEG_LOCAL(double, x, seg_alloc(ctx, clicks + 3 * methods * (clicks + 1), sizeof *x));
    double *y = x + clicks, *low = y + methods, *high = low + methods, *iou = high + methods;
    for (size_t c = 0; c < clicks; c++)
        x[c] = (double)(c + 1);
    for (size_t m = 0; m < methods; m++, iou += 3 * clicks) {
        const seg_standing *s = &results->standing[m];
        y[m] = s->value[SEG_COLUMN_MEAN];
        low[m] = s->value[SEG_COLUMN_LOW];
        high[m] = s->value[SEG_COLUMN_HIGH];
        for (size_t c = 0; c < clicks; c++) {
            iou[c] = s->iou[c].mean;
            iou[clicks + c] = s->iou[c].low;
            iou[2 * clicks + c] = s->iou[c].high;
        }
        series[m] = (seg_series){.name = results->settings->label[m],
                                 .count = clicks,
                                 .x = x,
                                 .y = iou,
                                 .low = iou + clicks,
                                 .high = iou + 2 * clicks,
                                 .style = (int)m};
    }
    const seg_series bars = {.count = methods, .y = y, .low = low, .high = high};
    const seg_panel accuracy = {.x = {.category = results->settings->label, .categories = methods},
                                .y = {.label = "mean pairwise accuracy"},
                                .series = &bars,
                                .series_count = 1};
    const seg_panel effort = {
        .x = {.label = "clicks"}, .y = {.label = "mean IoU"}, .series = series, .series_count = methods};
    SEG_TRY(draw(ctx, report, "figures/accuracy", &accuracy));
    return clicks ? draw(ctx, report, "figures/clicks", &effort) : SEG_OK;
}

seg_status seg_report_write(seg_context *ctx, const seg_results *results, int timing, const char *out) {
    const seg_report report = {results, timing, out};
    SEG_TRY(write_table(ctx, &report, "results.csv", put_results, 0));
    if (timing)
        SEG_TRY(write_table(ctx, &report, "timings.csv", put_attempts, 0));
    if (results->settings->clicks)
        SEG_TRY(write_table(ctx, &report, "clicks.csv", put_attempts, 1));
    SEG_TRY(write_json(ctx, &report));
    SEG_TRY(draw_figures(ctx, &report));
    return seg_report_html(ctx, &report);
}
