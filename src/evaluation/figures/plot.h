/* Figures for papers and reports: panels side by side and one legend below, as SVG; the same figure gives the same
 * bytes. Lengths are points (1/72 inch). Texts are UTF-8. */
#pragma once

#include <segment/context.h>

typedef struct seg_series {
    const char *name; /* in the legend; NULL: not listed. Series with the same name share an entry */
    size_t count;
    const double *x, *y;      /* y NAN: a gap. Bars: x is not used */
    const double *low, *high; /* ends of error bars; or NULL */
    int dashed;               /* 1: dashed, for comparison */
    int style;                /* colour and marker: 0, 1, ... (8 differ in both); the same in every panel */
} seg_series;

typedef struct seg_axis {
    const char *label;           /* NULL: none */
    int logarithmic;             /* of y, not for bars: only values above 0 are shown */
    const char *const *category; /* bars: names along x; slanted if they are long */
    size_t categories;
} seg_axis;

/* Points of each series joined, with markers; where x has categories bars, y[c] of each series side by side over c. */
typedef struct seg_panel {
    const char *title; /* NULL: none */
    seg_axis x, y;
    const seg_series *series;
    size_t series_count;
} seg_panel;

typedef struct seg_figure {
    const char *title; /* NULL: none */
    const char *note;  /* one sentence at the bottom, wrapped if it is long; NULL: none */
    const seg_panel *panel;
    size_t panel_count;   /* up to three in a row */
    double width, height; /* of a panel's area without labels; 0 = 190 x 140 */
} seg_figure;

/* Write FOLDER/NAME.svg. Fails with SEG_ERR_IO, SEG_ERR_MEMORY. */
seg_status seg_figure_write(seg_context *ctx, const seg_figure *figure, const char *folder, const char *name);

/* --- The axes of a panel, with round ticks. --- */

enum { SEG_PLOT_TICKS = 16, SEG_PLOT_TEXT = 24 };

/* One axis ready to draw: from < to; on a logarithmic axis both are logarithms. */
typedef struct seg_plot_scale {
    double from, to;
    int logarithmic;
    int ticks;
    double tick[SEG_PLOT_TICKS]; /* in from..to */
    char text[SEG_PLOT_TICKS][SEG_PLOT_TEXT];
} seg_plot_scale;

/* Where the area of a panel is, and its axes. */
typedef struct seg_frame {
    double left, top, width, height;
    seg_plot_scale x, y;
} seg_frame;

/* Set the axes from the data of a panel. */
void seg_plot_scales(const seg_panel *panel, seg_frame *frame);
void seg_plot_ticks(seg_plot_scale *scale);

/* Position of a value on the page. */
double seg_plot_x(const seg_frame *frame, double x);
double seg_plot_y(const seg_frame *frame, double y);
