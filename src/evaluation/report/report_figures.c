/* figures/: accuracy as boxes, accuracy against time, accuracy against strokes or IoU against clicks, and the panel of
 * chosen images. */
#include "base/base.h"
#include "base/name_text.h"
#include "evaluation/figures/panel.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/report.h"
#include "evaluation/runner/report_folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static seg_status draw(seg_context *ctx, const seg_report *report, const char *name, const seg_panel *panel,
                       double width, double height) {
    const seg_figure figure = {.panel = panel, .panel_count = 1, .columns = 1, .width = width, .height = height};
    return seg_figure_write_all(ctx, &figure, report->out, name);
}

static seg_status draw_boxes(seg_context *ctx, const seg_report *report, seg_series *series, double *value) {
    const seg_results *results = report->results;
    const int methods = results->settings.labels;
    for (int m = 0; m < methods; m++) {
        double *own = value + (size_t)m * results->items;
        series[m] =
            (seg_series){.count = seg_results_values(results, m, SEG_FIGURE_ACCURACY, own), .y = own, .style = m};
    }
    const seg_panel panel = {
        .kind = SEG_PANEL_BOXES,
        .x = {.category = (const char *const *)results->settings.label, .categories = (size_t)methods},
        .y = {.label = "pairwise accuracy"},
        .series = series,
        .series_count = (size_t)methods};
    return draw(ctx, report, "figures/accuracy", &panel, 34.0 * methods > 190 ? 34.0 * methods : 190, 200);
}

static seg_status draw_time(seg_context *ctx, const seg_report *report, seg_series *series, double *value) {
    const int methods = report->results->settings.labels;
    for (int m = 0; m < methods; m++) {
        const seg_standing *s = &report->standing[m];
        double *own = value + (size_t)m * 4;
        own[0] = s->seconds;
        own[1] = s->accuracy.mean;
        own[2] = s->low;
        own[3] = s->high;
        series[m] = (seg_series){.name = report->results->settings.label[m],
                                 .count = s->accuracy.count > 0 && s->seconds > 0,
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
    const int methods = results->settings.labels, clicks = results->settings.clicks;
    const size_t count = clicks ? (size_t)clicks : (size_t)results->settings.corrections + 1;
    double *x = seg_alloc(ctx, count * (3 * (size_t)methods + 1), sizeof *x);
    seg_status status = x ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t c = 0; c < count && x; c++)
        x[c] = (double)(clicks ? c + 1 : c);
    for (int m = 0; m < methods && status == SEG_OK; m++) {
        double *y = x + (3 * (size_t)m + 1) * count, *low = y + count, *high = low + count;
        for (size_t c = 0; c < count && status == SEG_OK; c++)
            status = seg_results_after(ctx, results, m, (int)c, &y[c], &low[c], &high[c]);
        series[m] = (seg_series){.name = results->settings.label[m],
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

/* Items for the panel figure, from the worst to the best by the mean over the methods, at equal steps. */
typedef struct ranked {
    double accuracy;
    size_t item;
} ranked;

static int by_accuracy(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->accuracy != y->accuracy ? (x->accuracy > y->accuracy) - (x->accuracy < y->accuracy)
                                      : (x->item > y->item) - (x->item < y->item);
}

static seg_status choose_items(seg_context *ctx, const seg_results *results, size_t *chosen, size_t *count) {
    ranked *all = seg_alloc(ctx, results->items + 1, sizeof *all);
    size_t candidates = 0;
    if (!all)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < results->items; i++) {
        double sum = 0;
        for (int m = 0; m < results->settings.labels; m++)
            sum += seg_results_value(results, i, m, SEG_FIGURE_ACCURACY);
        if (!isnan(sum))
            all[candidates++] = (ranked){sum, i};
    }
    qsort(all, candidates, sizeof *all, by_accuracy);
    *count = candidates < SEG_REPORT_SHOWN ? candidates : SEG_REPORT_SHOWN;
    for (size_t c = 0; c < *count; c++)
        chosen[c] = all[*count > 1 ? c * (candidates - 1) / (*count - 1) : 0].item;
    free(all);
    return SEG_OK;
}

/* By the name itself, or as the report writes it. */
static int is_called(const char *name, const char *text) {
    char *line = seg_name_encode(name, SEG_NAME_LINE);
    const int is = strcmp(name, text) == 0 || (line && strcmp(line, text) == 0);
    free(line);
    return is;
}

static seg_status find_items(seg_context *ctx, const seg_report *report, size_t *chosen, size_t *count) {
    const seg_results *results = report->results;
    for (*count = 0; report->options->shown[*count]; ++*count) {
        size_t i = 0;
        while (i < results->items && !is_called(results->item[i].name, report->options->shown[*count]))
            i++;
        if (i == results->items || results->item[i].repeat[0].outcome != SEG_ITEM_SCORED)
            return seg_fail(ctx, SEG_ERR_USAGE, "--panel: there is no scored image '%s'",
                            report->options->shown[*count]);
        chosen[*count] = i;
    }
    return SEG_OK;
}

static seg_status fill_row(seg_context *ctx, const seg_report *report, const seg_image *photo, size_t number,
                           seg_panel_row *row) {
    const seg_results_item *item = &report->results->item[number];
    seg_mask mask = {0};
    char caption[32];
    seg_status status;
    if (item->repeat[0].marked &&
        (status = seg_layout_read_mask(ctx, report->out, "scribbles", item->name, &mask)) != SEG_OK)
        return status;
    char *name = seg_name_encode(item->name, SEG_NAME_LINE); /* cairo draws UTF-8 only */
    status = name ? seg_panel_put_photo(ctx, row, 0, photo, mask.label ? &mask : NULL, name)
                  : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while drawing the panel");
    free(name);
    seg_mask_free(&mask);
    if (status == SEG_OK && (status = seg_layout_read_mask(ctx, report->out, "truth", item->name, &mask)) == SEG_OK)
        status = seg_panel_put_mask(ctx, row, 1, photo, &mask, " ");
    seg_mask_free(&mask);
    for (int m = 0; m < report->results->settings.labels && status == SEG_OK; m++) {
        const seg_attempt *attempt = &item->repeat[0].attempt[m];
        if (attempt->status) {
            status = seg_panel_put_photo(ctx, row, 2 + m, photo, NULL, "failed");
            continue;
        }
        snprintf(caption, sizeof caption, "%.3f", attempt->scores.pairwise_accuracy);
        status = seg_layout_read_mask(ctx, report->out, report->results->settings.label[m], item->name, &mask);
        if (status == SEG_OK)
            status = seg_panel_put_mask(ctx, row, 2 + m, photo, &mask, caption);
        seg_mask_free(&mask);
    }
    return status;
}

static seg_status draw_panel(seg_context *ctx, const seg_report *report) {
    const seg_results *results = report->results;
    const int pictures = 2 + results->settings.labels;
    size_t most = SEG_REPORT_SHOWN, count = 0;
    for (size_t s = 0; report->options->shown && report->options->shown[s]; s++)
        most = s + 1 > most ? s + 1 : most;
    size_t *chosen = seg_alloc(ctx, most, sizeof *chosen);
    const char **heading = seg_alloc(ctx, (size_t)pictures, sizeof *heading);
    seg_panel_row *row = seg_alloc_zero(ctx, most, sizeof *row);
    seg_status status = chosen && heading && row ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK)
        status = report->options->shown ? find_items(ctx, report, chosen, &count)
                                        : choose_items(ctx, results, chosen, &count);
    for (size_t c = 0; c < count && status == SEG_OK; c++) {
        seg_image photo;
        status = seg_layout_read_photo(ctx, report->out, results->item[chosen[c]].name, &photo);
        if (status)
            break;
        status = seg_panel_row_create(ctx, &photo, pictures, &row[c]);
        if (status == SEG_OK)
            status = fill_row(ctx, report, &photo, chosen[c], &row[c]);
        seg_image_free(&photo);
    }
    if (status == SEG_OK && count) {
        heading[0] = "image";
        heading[1] = "ground truth";
        for (int m = 0; m < results->settings.labels; m++)
            heading[2 + m] = results->settings.label[m];
        status = seg_panel_draw(ctx, row, count, heading, report->out, "figures/panel");
    }
    for (size_t c = 0; row && c < count; c++)
        seg_panel_row_free(&row[c]);
    free(row);
    free(chosen);
    free(heading);
    return status;
}

seg_status seg_report_figures(seg_context *ctx, const seg_report *report) {
    const seg_results *results = report->results;
    const size_t methods = (size_t)results->settings.labels;
    if (results->scored == 0)
        return SEG_OK; /* nothing to draw */
    seg_series *series = seg_alloc_zero(ctx, methods, sizeof *series);
    double *value = seg_alloc(ctx, methods * (results->items > 4 ? results->items : 4), sizeof *value);
    seg_status status = series && value ? draw_boxes(ctx, report, series, value) : SEG_ERR_MEMORY;
    if (status == SEG_OK && report->options->timing)
        status = draw_time(ctx, report, series, value);
    if (status == SEG_OK && (results->settings.corrections || results->settings.clicks))
        status = draw_effort(ctx, report, series);
    if (status == SEG_OK)
        status = draw_panel(ctx, report);
    free(series);
    free(value);
    return status;
}
