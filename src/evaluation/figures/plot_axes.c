#include "evaluation/figures/plot_axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double scaled(const seg_scale *scale, double value) {
    return scale->logarithmic ? log10(value) : value;
}

double seg_plot_x(const seg_frame *frame, double x) {
    return frame->left + frame->width * (scaled(&frame->x, x) - frame->x.from) / (frame->x.to - frame->x.from);
}

double seg_plot_y(const seg_frame *frame, double y) {
    return frame->top + frame->height * (1 - (scaled(&frame->y, y) - frame->y.from) / (frame->y.to - frame->y.from));
}

static void add_tick(seg_scale *scale, double at, const char *text) {
    const double slack = 1e-9 * (scale->to - scale->from);
    if (scale->ticks < SEG_PLOT_TICKS && at >= scale->from - slack && at <= scale->to + slack) {
        scale->tick[scale->ticks] = at;
        snprintf(scale->text[scale->ticks++], SEG_PLOT_TEXT, "%s", text);
    }
}

static void add_number(seg_scale *scale, double at, double value, int decimals) {
    char text[SEG_PLOT_TEXT];
    if (fabs(value) >= 1e6 || (value != 0 && fabs(value) < 1e-4))
        snprintf(text, sizeof text, "%.3g", value);
    else
        snprintf(text, sizeof text, "%.*f", decimals, value);
    add_tick(scale, at, text);
}

/* Steps of 1, 2 or 5 times a power of ten, four to eight of them. */
static void linear_ticks(seg_scale *scale) {
    const double raw = (scale->to - scale->from) / 5, power = pow(10, floor(log10(raw))), rest = raw / power;
    const double step = power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
    const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    for (double t = ceil(scale->from / step - 1e-9);
         t * step <= scale->to + 1e-9 * step && scale->ticks < SEG_PLOT_TICKS; t++)
        add_number(scale, t * step, fabs(t) < 0.5 ? 0 : t * step, decimals);
}

/* Powers of ten, and 2 and 5 times these if there are few. */
static void logarithmic_ticks(seg_scale *scale) {
    static const int between[] = {1, 2, 5};
    const int first = (int)floor(scale->from), last = (int)ceil(scale->to), fine = scale->to - scale->from < 2.5;
    const int skip = (last - first) / 8 + 1;
    for (int power = first; power <= last; power += skip)
        for (int b = 0; b < (fine ? 3 : 1); b++) {
            const double value = between[b] * pow(10, power);
            add_number(scale, log10(value), value, power < 0 ? -power : 0);
        }
}

void seg_plot_ticks(seg_scale *scale) {
    scale->ticks = 0;
    if (scale->logarithmic)
        logarithmic_ticks(scale);
    else
        linear_ticks(scale);
}

static void stretch(const seg_axis *axis, double value, double *least, double *most) {
    if (!isfinite(value) || (axis->logarithmic && value <= 0))
        return;
    *least = fmin(*least, value);
    *most = fmax(*most, value);
}

static void set_scale(const seg_axis *axis, double least, double most, double margin, seg_scale *scale) {
    memset(scale, 0, sizeof *scale);
    scale->logarithmic = axis->logarithmic;
    if (least > most) {
        scale->to = 1;
    } else {
        scale->from = scaled(scale, least);
        scale->to = scaled(scale, most);
        const double room = scale->to > scale->from ? margin * (scale->to - scale->from)
                            : scale->to != 0        ? 0.1 * fabs(scale->to)
                                                    : 0.5;
        /* No margin below zero for values that are never negative. */
        scale->from = least >= 0 && !scale->logarithmic ? fmax(scale->from - room, 0) : scale->from - room;
        scale->to += room;
    }
    seg_plot_ticks(scale);
}

void seg_plot_scales(const seg_panel *panel, seg_frame *frame) {
    double x_least = INFINITY, x_most = -INFINITY, y_least = INFINITY, y_most = -INFINITY;
    const int categorical = panel->kind == SEG_PANEL_BARS;
    for (size_t s = 0; s < panel->series_count; s++) {
        const seg_series *series = &panel->series[s];
        for (size_t i = 0; i < series->count; i++) {
            if (!categorical && !isnan(series->y[i]))
                stretch(&panel->x, series->x[i], &x_least, &x_most);
            stretch(&panel->y, series->y[i], &y_least, &y_most);
            if (series->low && series->high) {
                stretch(&panel->y, series->low[i], &y_least, &y_most);
                stretch(&panel->y, series->high[i], &y_least, &y_most);
            }
        }
    }
    if (categorical && !panel->y.logarithmic && y_least <= y_most) {
        y_least = fmin(y_least, 0); /* bars stand on zero */
        y_most = fmax(y_most, 0);
    }
    set_scale(&panel->x, x_least, x_most, 0.03, &frame->x);
    set_scale(&panel->y, y_least, y_most, 0.06, &frame->y);
    if (categorical) {
        frame->x.from = -0.5;
        frame->x.to = (double)panel->x.categories - 0.5;
        frame->x.logarithmic = frame->x.ticks = 0;
    }
}
