/* What the parts of a figure (plot*.c) are drawn with. */
#ifndef SEG_EVALUATION_FIGURES_PLOT_DRAW_H
#define SEG_EVALUATION_FIGURES_PLOT_DRAW_H

#include "evaluation/figures/plot.h"

#include <cairo/cairo.h>

#define SEG_PLOT_FONT   7.5 /* size of texts, points */
#define SEG_PLOT_TITLE  8.5
#define SEG_PLOT_LINE   0.6 /* width of axes */
#define SEG_PLOT_TICK   3.0 /* length */
#define SEG_PLOT_MARKER 2.4 /* radius */

enum { SEG_PLOT_STYLES = 8, SEG_PLOT_TICKS = 16, SEG_PLOT_TEXT = 24 };

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

typedef enum seg_font { SEG_FONT_PLAIN, SEG_FONT_TITLE, SEG_FONT_HEADING } seg_font; /* the last two bold */

/* Text. align 0: begins at x, 0.5: centred, 1: ends there. y is the base line. */
void seg_plot_text(cairo_t *cr, seg_font font, double x, double y, double align, const char *text);
double seg_plot_text_width(cairo_t *cr, seg_font font, const char *text);
/* Plain text, turned by `angle` about its anchor. */
void seg_plot_turned_text(cairo_t *cr, double x, double y, double align, double angle, const char *text);

/* A line or box as the legend shows it, `width` wide about y. */
void seg_plot_legend_key(cairo_t *cr, const seg_panel *panel, const seg_series *series, double x, double y,
                         double width);

/* Axes (plot_axes.c): scales from the data of a panel; the frame with ticks and labels; room that the texts of ticks
 * need. */
void seg_plot_scales(const seg_panel *panel, seg_frame *frame);
void seg_plot_axes(cairo_t *cr, const seg_panel *panel, const seg_frame *frame);
double seg_plot_y_room(cairo_t *cr, const seg_panel *panel, const seg_frame *frame);
double seg_plot_x_room(cairo_t *cr, const seg_panel *panel);
void seg_plot_ticks(seg_scale *scale);

/* Position of a value on the page. */
double seg_plot_x(const seg_frame *frame, double x);
double seg_plot_y(const seg_frame *frame, double y);

/* The content (plot_series.c, plot_image.c). */
seg_status seg_plot_series(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *frame);
seg_status seg_plot_image(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *frame);

#endif
