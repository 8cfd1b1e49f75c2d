/* Lines, markers, error bars, bands, bars and boxes. */
#include "evaluation/figures/plot_draw.h"
#include "evaluation/report/statistics.h"

#include <math.h>

static const double palette[SEG_PLOT_STYLES][3] = {
    {0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451}, {0.800, 0.475, 0.655},
    {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914}, {0.150, 0.150, 0.150}, {0.550, 0.550, 0.550},
};

static int style_of(int style) {
    return (style % SEG_PLOT_STYLES + SEG_PLOT_STYLES) % SEG_PLOT_STYLES;
}

void seg_plot_colour(cairo_t *cr, int style, double alpha) {
    const double *rgb = palette[style_of(style)];
    cairo_set_source_rgba(cr, rgb[0], rgb[1], rgb[2], alpha);
}

void seg_plot_dash(cairo_t *cr, const seg_series *series) {
    static const double dashes[] = {4, 2.5}, dots[] = {1.2, 2};
    if (series->dashed)
        cairo_set_dash(cr, dashes, 2, 0);
    else if (series->style >= SEG_PLOT_STYLES) /* a colour comes again */
        cairo_set_dash(cr, dots, 2, 0);
    else
        cairo_set_dash(cr, NULL, 0, 0);
}

static void polygon(cairo_t *cr, double x, double y, double radius, int corners, double turn) {
    for (int c = 0; c < corners; c++) {
        const double angle = turn + 2 * M_PI * c / corners;
        cairo_line_to(cr, x + radius * cos(angle), y + radius * sin(angle));
    }
    cairo_close_path(cr);
}

void seg_plot_marker(cairo_t *cr, int style, double x, double y) {
    const double r = SEG_PLOT_MARKER;
    cairo_new_path(cr);
    cairo_set_dash(cr, NULL, 0, 0);
    switch (style_of(style)) {
    case 0:
        cairo_arc(cr, x, y, r, 0, 2 * M_PI);
        break;
    case 1:
        cairo_rectangle(cr, x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
        break;
    case 2:
        polygon(cr, x, y, 1.3 * r, 3, -M_PI / 2);
        break;
    case 3:
        polygon(cr, x, y, 1.3 * r, 4, 0);
        break;
    case 4:
        polygon(cr, x, y, 1.3 * r, 3, M_PI / 2);
        break;
    case 5:
        polygon(cr, x, y, 1.15 * r, 5, -M_PI / 2);
        break;
    default: /* crosses, upright and diagonal, have no inside */
        cairo_set_line_width(cr, 1.1);
        for (int arm = 0; arm < 4; arm++) {
            const double angle = M_PI / 2 * arm + (style_of(style) == 7 ? M_PI / 4 : 0);
            cairo_move_to(cr, x, y);
            cairo_line_to(cr, x + 1.2 * r * cos(angle), y + 1.2 * r * sin(angle));
        }
        seg_plot_colour(cr, style, 1);
        cairo_stroke(cr);
        return;
    }
    seg_plot_colour(cr, style, 1);
    cairo_fill_preserve(cr);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_set_line_width(cr, 0.4);
    cairo_stroke(cr);
}

void seg_plot_legend_key(cairo_t *cr, const seg_panel *panel, const seg_series *series, double x, double y,
                         double width) {
    if (panel->kind == SEG_PANEL_BARS || panel->kind == SEG_PANEL_BOXES) {
        cairo_rectangle(cr, x + width / 4, y - 3, width / 2, 6);
        seg_plot_colour(cr, series->style, 1);
        cairo_fill(cr);
        return;
    }
    if (panel->kind == SEG_PANEL_LINES) {
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + width, y);
        seg_plot_dash(cr, series);
        seg_plot_colour(cr, series->style, 1);
        cairo_set_line_width(cr, 1.2);
        cairo_stroke(cr);
    }
    seg_plot_marker(cr, series->style, x + width / 2, y);
}

static int shown(const seg_panel *panel, const seg_series *series, size_t i) {
    return isfinite(series->y[i]) && (!panel->y.logarithmic || series->y[i] > 0) &&
           (!panel->x.logarithmic || series->x[i] > 0);
}

static void band(cairo_t *cr, const seg_panel *panel, const seg_frame *frame, const seg_series *series) {
    cairo_new_path(cr);
    for (size_t i = 0; i < series->count; i++)
        if (shown(panel, series, i))
            cairo_line_to(cr, seg_plot_x(frame, series->x[i]), seg_plot_y(frame, series->high[i]));
    for (size_t i = series->count; i-- > 0;)
        if (shown(panel, series, i))
            cairo_line_to(cr, seg_plot_x(frame, series->x[i]), seg_plot_y(frame, series->low[i]));
    cairo_close_path(cr);
    seg_plot_colour(cr, series->style, 0.18);
    cairo_fill(cr);
}

static void error_bar(cairo_t *cr, const seg_frame *frame, double x, double low, double high) {
    const double cap = 1.8, top = seg_plot_y(frame, high), bottom = seg_plot_y(frame, low);
    if (!isfinite(top) || !isfinite(bottom))
        return;
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_width(cr, 0.7);
    cairo_move_to(cr, x, top);
    cairo_line_to(cr, x, bottom);
    for (int end = 0; end < 2; end++) {
        cairo_move_to(cr, x - cap, end ? top : bottom);
        cairo_rel_line_to(cr, 2 * cap, 0);
    }
    cairo_stroke(cr);
}

static void curve(cairo_t *cr, const seg_panel *panel, const seg_frame *frame, const seg_series *series) {
    const int errors = series->low && series->high;
    if (errors && series->band)
        band(cr, panel, frame, series);
    seg_plot_colour(cr, series->style, 0.75);
    for (size_t i = 0; errors && !series->band && i < series->count; i++)
        if (shown(panel, series, i))
            error_bar(cr, frame, seg_plot_x(frame, series->x[i]), series->low[i], series->high[i]);
    if (panel->kind == SEG_PANEL_LINES) {
        int joined = 0;
        cairo_new_path(cr);
        for (size_t i = 0; i < series->count; i++) {
            if (!shown(panel, series, i)) {
                joined = 0;
                continue;
            }
            const double x = seg_plot_x(frame, series->x[i]), y = seg_plot_y(frame, series->y[i]);
            if (joined)
                cairo_line_to(cr, x, y);
            else
                cairo_move_to(cr, x, y);
            joined = 1;
        }
        seg_plot_dash(cr, series);
        seg_plot_colour(cr, series->style, 1);
        cairo_set_line_width(cr, 1.2);
        cairo_stroke(cr);
    }
    for (size_t i = 0; i < series->count; i++)
        if (shown(panel, series, i))
            seg_plot_marker(cr, series->style, seg_plot_x(frame, series->x[i]), seg_plot_y(frame, series->y[i]));
}

static void bars(cairo_t *cr, const seg_panel *panel, const seg_frame *frame, size_t s) {
    const seg_series *series = &panel->series[s];
    const double wide = 0.8 / (double)panel->series_count;
    const double floor_at = panel->y.logarithmic ? frame->top + frame->height : seg_plot_y(frame, 0);
    for (size_t c = 0; c < series->count && c < panel->x.categories; c++) {
        if (!isfinite(series->y[c]) || (panel->y.logarithmic && series->y[c] <= 0))
            continue;
        const double left = seg_plot_x(frame, (double)c - 0.4 + wide * (double)s);
        const double right = seg_plot_x(frame, (double)c - 0.4 + wide * (double)(s + 1));
        cairo_rectangle(cr, left, seg_plot_y(frame, series->y[c]), right - left,
                        floor_at - seg_plot_y(frame, series->y[c]));
        seg_plot_colour(cr, series->style, 1);
        cairo_fill(cr);
        cairo_set_source_rgb(cr, 0, 0, 0);
        if (series->low && series->high)
            error_bar(cr, frame, (left + right) / 2, series->low[c], series->high[c]);
    }
}

/* Quartiles, the median as a line, the mean as a diamond, whiskers to the farthest value within 1.5 interquartile
 * ranges of the box, circles beyond them. */
static seg_status box(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *frame, size_t s) {
    const seg_series *series = &panel->series[s];
    seg_summary of;
    seg_status status = seg_summarise(ctx, series->y, series->count, &of);
    if (status || of.count == 0)
        return status;
    const double middle = seg_plot_x(frame, (double)s),
                 half = fmin(0.3 * frame->width / (double)panel->x.categories, 14);
    const double first = seg_plot_y(frame, of.first_quartile), third = seg_plot_y(frame, of.third_quartile);
    cairo_rectangle(cr, middle - half, third, 2 * half, first - third);
    seg_plot_colour(cr, series->style, 0.25);
    cairo_fill_preserve(cr);
    seg_plot_colour(cr, series->style, 1);
    cairo_set_line_width(cr, 0.9);
    for (int end = 0; end < 2; end++) {
        const double whisker = seg_plot_y(frame, end ? of.whisker_high : of.whisker_low);
        cairo_move_to(cr, middle, end ? third : first);
        cairo_line_to(cr, middle, whisker);
        cairo_move_to(cr, middle - half / 2, whisker);
        cairo_rel_line_to(cr, half, 0);
    }
    cairo_stroke(cr);
    cairo_set_line_width(cr, 1.6);
    cairo_move_to(cr, middle - half, seg_plot_y(frame, of.median));
    cairo_rel_line_to(cr, 2 * half, 0);
    cairo_stroke(cr);
    const double mean = seg_plot_y(frame, of.mean);
    cairo_move_to(cr, middle, mean - 2.6);
    cairo_rel_line_to(cr, 2.6, 2.6);
    cairo_rel_line_to(cr, -2.6, 2.6);
    cairo_rel_line_to(cr, -2.6, -2.6);
    cairo_close_path(cr);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_fill_preserve(cr);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_set_line_width(cr, 0.7);
    cairo_stroke(cr);
    seg_plot_colour(cr, series->style, 1);
    for (size_t i = 0; i < series->count; i++)
        if (series->y[i] < of.whisker_low || series->y[i] > of.whisker_high) {
            cairo_arc(cr, middle, seg_plot_y(frame, series->y[i]), 1, 0, 2 * M_PI);
            cairo_set_line_width(cr, 0.5);
            cairo_stroke(cr);
        }
    return SEG_OK;
}

seg_status seg_plot_series(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *frame) {
    seg_status status = SEG_OK;
    cairo_save(cr);
    cairo_rectangle(cr, frame->left - SEG_PLOT_MARKER, frame->top - SEG_PLOT_MARKER, frame->width + 2 * SEG_PLOT_MARKER,
                    frame->height + 2 * SEG_PLOT_MARKER);
    cairo_clip(cr);
    for (size_t s = 0; s < panel->series_count && !status; s++)
        if (panel->kind == SEG_PANEL_BARS)
            bars(cr, panel, frame, s);
        else if (panel->kind == SEG_PANEL_BOXES)
            status = box(ctx, cr, panel, frame, s);
        else
            curve(cr, panel, frame, &panel->series[s]);
    cairo_restore(cr);
    return status;
}
