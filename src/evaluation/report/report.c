/* The report, its figures, and its tables for other programs: results.csv, timings.csv, clicks.csv. */
#include "evaluation/report/report.h"
#include "base/base.h"
#include "base/name_text.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/text.h"
#include "image/file.h"

#include <inttypes.h>
#include <string.h>

/* Write a CSV field: quoted if necessary [RFC 4180], without line ends and in UTF-8, whatever a name contains. */
static void put_field(FILE *to, const char *text) {
    const int quoted = strpbrk(text, ",\"") != NULL;
    if (quoted)
        putc('"', to);
    char piece[SEG_NAME_PIECE];
    size_t size;
    while (*text) {
        text += seg_name_piece(text, SEG_NAME_LINE, piece, &size);
        if (*piece == '"')
            putc('"', to);
        fwrite(piece, 1, size, to);
    }
    if (quoted)
        putc('"', to);
}

static void put_results(FILE *to, const seg_results *results, int unused) {
    (void)unused;
    fputs("item,outcome,k,pairs,marked,method,accuracy,clustering_error,nmi,pairwise_f,dice,error,"
          "scored,scored_share,message\n",
          to);
    for (size_t i = 0; i < results->items; i++) {
        const seg_item_result *one = &results->item[i].result;
        for (int m = 0; m < one->attempts || m == 0; m++) {
            const seg_attempt *a = m < one->attempts ? &one->attempt[m] : NULL;
            put_field(to, results->item[i].name);
            fprintf(to, ",%s,%d,%zu,%zu,", a && a->status ? "failed" : seg_outcome_names[one->outcome], one->k,
                    one->pairs, one->marked);
            if (a)
                put_field(to, results->settings->label[m]);
            if (a && a->status == SEG_OK)
                fprintf(to, ",%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%" PRIu64 ",%.6f,", a->scores.pairwise_accuracy,
                        a->scores.clustering_error, a->scores.nmi, a->scores.pairwise_f, a->scores.mean_dice,
                        a->scores.error_rate, a->scores.scored, seg_scored_share(one, a));
            else
                fputs(",,,,,,,,,", to);
            put_field(to, a ? a->message : one->message);
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
                put_field(to, results->item[i].name);
                putc(',', to);
                put_field(to, results->settings->label[m]);
                if (clicks)
                    fprintf(to, ",%d,%.6f\n", c + 1, a->curve[c]);
                else
                    fprintf(to, ",%.4f,%zu\n", a->seconds, a->memory);
            }
        }
}

static seg_status write_table(seg_context *ctx, const seg_report *report, const char *name,
                              void (*put)(FILE *, const seg_results *, int), int clicks) {
    SEG_FREED char *path = seg_format(ctx, "%s/%s", report->out, name);
    seg_writer writer;
    SEG_TRY(seg_allocated(path));
    SEG_TRY(seg_writer_open(ctx, path, &writer));
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
    SEG_FREED seg_series *series = seg_alloc_zero(ctx, methods, sizeof *series);
    SEG_FREED double *x = seg_alloc(ctx, clicks + 3 * methods * (clicks + 1), sizeof *x);
    SEG_TRY(seg_allocated(series && x));
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
    const seg_panel accuracy = {.kind = SEG_PANEL_BARS,
                                .x = {.category = results->settings->label, .categories = methods},
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
    SEG_TRY(seg_report_json(ctx, &report));
    SEG_TRY(draw_figures(ctx, &report));
    return seg_report_html(ctx, &report);
}
