/* figures/: accuracy as boxes, accuracy against time, accuracy against strokes or IoU against clicks. */
#include "base/base.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/report.h"

#include <stdlib.h>
#include <string.h>

static seg_status draw(seg_context *ctx, const seg_report *report, const char *name, const seg_panel *panel,
                       double width, double height) {
    const seg_figure figure = {.panel = panel, .panel_count = 1, .columns = 1, .width = width, .height = height};
    return seg_figure_write(ctx, &figure, report->out, name);
}

static seg_status draw_boxes(seg_context *ctx, const seg_report *report, seg_series *series, double *value) {
    const seg_results *results = report->results;
    const int methods = results->settings->labels;
    for (int m = 0; m < methods; m++) {
        double *own = value + (size_t)m * results->items;
        series[m] =
            (seg_series){.count = seg_results_values(results, m, SEG_FIGURE_ACCURACY, own), .y = own, .style = m};
    }
    const seg_panel panel = {.kind = SEG_PANEL_BOXES,
                             .x = {.category = results->settings->label, .categories = (size_t)methods},
                             .y = {.label = "pairwise accuracy"},
                             .series = series,
                             .series_count = (size_t)methods};
    return draw(ctx, report, "figures/accuracy", &panel, 34.0 * methods > 190 ? 34.0 * methods : 190, 200);
}

static seg_status draw_time(seg_context *ctx, const seg_report *report, seg_series *series, double *value) {
    const int methods = report->results->settings->labels;
    for (int m = 0; m < methods; m++) {
        const seg_standing *s = &report->standing[m];
        double *own = value + (size_t)m * 4;
        own[0] = s->value[SEG_COLUMN_SECONDS];
        memcpy(own + 1, &s->value[SEG_COLUMN_MEAN], 3 * sizeof *own); /* and its interval */
        series[m] = (seg_series){.name = report->results->settings->label[m],
                                 .count = own[0] > 0,
                                 .x = own,
                                 .y = own + 1,
                                 .low = own + 2,
                                 .high = own + 3,
                                 .style = m};
    }
    const seg_panel panel = {.kind = SEG_PANEL_SCATTER,
                             .x = {.label = "processor seconds per image", .logarithmic = 1},
                             .y = {.label = "mean pairwise accuracy"},
                             .series = series,
                             .series_count = (size_t)methods};
    return draw(ctx, report, "figures/time", &panel, 260, 180);
}

/* The simulated user: accuracy after strokes, or IoU after clicks, with the intervals of the means. */
static seg_status draw_effort(seg_context *ctx, const seg_report *report, seg_series *series) {
    const seg_results *results = report->results;
    const int methods = results->settings->labels, clicks = results->settings->clicks;
    const size_t count = clicks ? (size_t)clicks : (size_t)results->settings->corrections + 1;
    double *x = seg_alloc(ctx, count * (3 * (size_t)methods + 1), sizeof *x);
    seg_status status = x ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t c = 0; c < count && x; c++)
        x[c] = (double)(clicks ? c + 1 : c);
    for (int m = 0; m < methods && status == SEG_OK; m++) {
        double *y = x + (3 * (size_t)m + 1) * count, *low = y + count, *high = low + count;
        for (size_t c = 0; c < count && status == SEG_OK; c++) {
            seg_interval at;
            status = seg_results_after(ctx, results, m, (int)c, &at);
            y[c] = at.mean;
            low[c] = at.low;
            high[c] = at.high;
        }
        series[m] = (seg_series){.name = results->settings->label[m],
                                 .count = count,
                                 .x = x,
                                 .y = y,
                                 .low = low,
                                 .high = high,
                                 .band = 1,
                                 .style = m};
    }
    const seg_panel panel = {.kind = SEG_PANEL_LINES,
                             .x = {.label = clicks ? "clicks" : "corrections after a stroke per region"},
                             .y = {.label = clicks ? "mean IoU" : "mean pairwise accuracy"},
                             .series = series,
                             .series_count = (size_t)methods};
    if (status == SEG_OK)
        status = draw(ctx, report, clicks ? "figures/clicks" : "figures/strokes", &panel, 260, 180);
    free(x);
    return status;
}

seg_status seg_report_figures(seg_context *ctx, const seg_report *report) {
    const seg_results *results = report->results;
    const size_t methods = (size_t)results->settings->labels;
    if (results->scored == 0)
        return SEG_OK; /* nothing to draw */
    seg_series *series = seg_alloc_zero(ctx, methods, sizeof *series);
    double *value = seg_alloc(ctx, methods * (results->items > 4 ? results->items : 4), sizeof *value);
    seg_status status = series && value ? draw_boxes(ctx, report, series, value) : SEG_ERR_MEMORY;
    if (status == SEG_OK && report->options->timing)
        status = draw_time(ctx, report, series, value);
    if (status == SEG_OK && (results->settings->corrections || results->settings->clicks))
        status = draw_effort(ctx, report, series);
    free(series);
    free(value);
    return status;
}
