/* Lines, markers, error bars, bands, bars and boxes. */
#include "evaluation/figures/plot_draw.h"
#include "evaluation/report/statistics.h"

#include <math.h>

/* A palette for colour-blind readers [okabe2008]. */
static const double palette[SEG_PLOT_STYLES][3] = {
    {0.000, 0.447, 0.698}, {0.835, 0.369, 0.000}, {0.000, 0.620, 0.451}, {0.800, 0.475, 0.655},
    {0.902, 0.624, 0.000}, {0.337, 0.706, 0.914}, {0.150, 0.150, 0.150}, {0.550, 0.550, 0.550},
};

static int style_of(int style) {
    return (style % SEG_PLOT_STYLES + SEG_PLOT_STYLES) % SEG_PLOT_STYLES;
}

static void set_colour(cairo_t *cr, int style, double alpha) {
    const double *rgb = palette[style_of(style)];
    cairo_set_source_rgba(cr, rgb[0], rgb[1], rgb[2], alpha);
}

static void set_dash(cairo_t *cr, const seg_series *series) {
    static const double dashes[] = {4, 2.5}, dots[] = {1.2, 2};
    if (series->dashed)
        cairo_set_dash(cr, dashes, 2, 0);
    else if (series->style >= SEG_PLOT_STYLES) /* the colours repeat */
        cairo_set_dash(cr, dots, 2, 0);
    else
        cairo_set_dash(cr, NULL, 0, 0);
}

/* Markers: a circle (0 corners), polygons, and crosses, upright and diagonal, which have no inside (-1). */
static const struct marker {
    int corners;
    double radius, turn; /* of the corners; the first of them */
} markers[SEG_PLOT_STYLES] = {{0, 1, 0},          {-4, 0, 0},           {3, 1.3, -M_PI / 2}, {4, 1.3, 0},
                              {3, 1.3, M_PI / 2}, {5, 1.15, -M_PI / 2}, {-1, 1.2, 0},        {-1, 1.2, M_PI / 4}};

static void draw_marker(cairo_t *cr, int style, double x, double y) {
    const struct marker *m = &markers[style_of(style)];
    const double r = SEG_PLOT_MARKER, radius = m->radius * r;
    const int cross = m->corners == -1;
    cairo_new_path(cr);
    cairo_set_dash(cr, NULL, 0, 0);
    if (m->corners == 0)
        cairo_arc(cr, x, y, r, 0, 2 * M_PI);
    else if (m->corners == -4) /* a square on its side */
        cairo_rectangle(cr, x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
    for (int c = 0; c < m->corners; c++) {
        const double angle = m->turn + 2 * M_PI * c / m->corners;
        cairo_line_to(cr, x + radius * cos(angle), y + radius * sin(angle));
    }
    for (int arm = 0; cross && arm < 4; arm++) {
        const double angle = M_PI / 2 * arm + m->turn;
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + radius * cos(angle), y + radius * sin(angle));
    }
    if (m->corners > 0)
        cairo_close_path(cr);
    set_colour(cr, style, 1);
    if (!cross) {
        cairo_fill_preserve(cr);
        cairo_set_source_rgb(cr, 1, 1, 1);
    }
    cairo_set_line_width(cr, cross ? 1.1 : 0.4);
    cairo_stroke(cr);
}

void seg_plot_legend_key(cairo_t *cr, const seg_panel *panel, const seg_series *series, double x, double y,
                         double width) {
    if (panel->kind == SEG_PANEL_BARS || panel->kind == SEG_PANEL_BOXES) {
        cairo_rectangle(cr, x + width / 4, y - 3, width / 2, 6);
        set_colour(cr, series->style, 1);
        cairo_fill(cr);
        return;
    }
    if (panel->kind == SEG_PANEL_LINES) {
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + width, y);
        set_dash(cr, series);
        set_colour(cr, series->style, 1);
        cairo_set_line_width(cr, 1.2);
        cairo_stroke(cr);
    }
    draw_marker(cr, series->style, x + width / 2, y);
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
    set_colour(cr, series->style, 0.18);
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
    set_colour(cr, series->style, 0.75);
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
        set_dash(cr, series);
        set_colour(cr, series->style, 1);
        cairo_set_line_width(cr, 1.2);
        cairo_stroke(cr);
    }
    for (size_t i = 0; i < series->count; i++)
        if (shown(panel, series, i))
            draw_marker(cr, series->style, seg_plot_x(frame, series->x[i]), seg_plot_y(frame, series->y[i]));
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
        set_colour(cr, series->style, 1);
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
    set_colour(cr, series->style, 0.25);
    cairo_fill_preserve(cr);
    set_colour(cr, series->style, 1);
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
    set_colour(cr, series->style, 1);
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
