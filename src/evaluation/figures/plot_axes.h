/* Scales of a plot with round ticks. */
#ifndef SEG_EVALUATION_FIGURES_PLOT_AXES_H
#define SEG_EVALUATION_FIGURES_PLOT_AXES_H

#include "evaluation/figures/plot.h"

enum { SEG_PLOT_TICKS = 16, SEG_PLOT_TEXT = 24 };

/* One axis ready to draw: from < to; on a logarithmic axis both are logarithms. */
typedef struct seg_scale {
    double from, to;
    int logarithmic;
    int ticks;
    double tick[SEG_PLOT_TICKS]; /* in from..to */
    char text[SEG_PLOT_TICKS][SEG_PLOT_TEXT];
} seg_scale;

/* Where the area of a panel is, and its axes. */
typedef struct seg_frame {
    double left, top, width, height;
    seg_scale x, y;
} seg_frame;

/* Set the axes from the data of a panel. */
void seg_plot_scales(const seg_panel *panel, seg_frame *frame);
void seg_plot_ticks(seg_scale *scale);

/* Position of a value on the page. */
double seg_plot_x(const seg_frame *frame, double x);
double seg_plot_y(const seg_frame *frame, double y);

#endif
