/* figures/: mean accuracies, and IoU against clicks, with the intervals of the means. */
#include "base/base.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/report.h"

static seg_status draw(seg_context *ctx, const seg_report *report, const char *name, const seg_panel *panel) {
    const double wide = 34.0 * report->results->settings->labels;
    const seg_figure figure = {
        .panel = panel, .panel_count = 1, .width = panel->x.category && wide > 190 ? wide : 260, .height = 180};
    return seg_figure_write(ctx, &figure, report->out, name);
}

seg_status seg_report_figures(seg_context *ctx, const seg_report *report) {
    const seg_results *results = report->results;
    const size_t methods = (size_t)results->settings->labels, clicks = (size_t)results->settings->clicks;
    if (results->scored == 0)
        return SEG_OK; /* nothing to draw */
    SEG_FREED seg_series *series = seg_alloc_zero(ctx, methods, sizeof *series);
    SEG_FREED double *x = seg_alloc(ctx, clicks + 3 * methods * (clicks + 1), sizeof *x);
    if (!series || !x)
        return SEG_ERR_MEMORY;
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
