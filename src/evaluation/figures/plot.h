/* Figures for papers and reports: panels side by side, each a plot or an image, one legend below. The same code draws
 * SVG, PDF and PNG with cairo; the same figure gives the same bytes. Lengths are points (1/72 inch). Texts are UTF-8.
 */
#ifndef SEG_EVALUATION_FIGURES_PLOT_H
#define SEG_EVALUATION_FIGURES_PLOT_H

#include <segment/context.h>

#include <stddef.h>

typedef enum seg_panel_kind {
    SEG_PANEL_LINES = 0, /* points of each series joined, with markers */
    SEG_PANEL_SCATTER,   /* markers only */
    SEG_PANEL_BARS,      /* y[c] of each series side by side over category c of the x axis */
    SEG_PANEL_BOXES,     /* series s is one box over category s of the x axis, of all its y */
    SEG_PANEL_MATRIX,    /* a matrix as an image, with a colour bar */
    SEG_PANEL_PICTURE    /* RGB */
} seg_panel_kind;

typedef struct seg_series {
    const char *name; /* in the legend; NULL: not listed. Series of one name (in several panels) are one entry */
    size_t count;
    const double *x, *y;      /* y NAN: a gap. BARS, BOXES: x is not used */
    const double *low, *high; /* ends of error bars; or NULL */
    int band;                 /* 1: low..high as a shaded band instead of bars */
    int dashed;               /* 1: a curve for comparison */
    int style;                /* colour, marker: 0, 1, ... (8 differ in both); give a series its style in every panel */
} seg_series;

typedef struct seg_axis {
    const char *label;           /* NULL: none */
    double from, to;             /* equal: from the data */
    int logarithmic;             /* only values above 0 are shown */
    const char *const *category; /* BARS, BOXES: names along x; written slantwise where they are long */
    size_t categories;
} seg_axis;

typedef enum seg_colours {
    SEG_COLOURS_GREY = 0, /* low is black */
    SEG_COLOURS_DIVERGING /* blue, white, orange; choose low = -high */
} seg_colours;

typedef struct seg_panel {
    seg_panel_kind kind;
    const char *title;   /* NULL: none */
    const char *caption; /* below, lines separated by \n; NULL: none */
    seg_axis x, y;
    const seg_series *series;
    size_t series_count;
    /* MATRIX: rows x cols numbers, row-major, NAN white; sizes above 512 are averaged over blocks */
    const double *value;
    double low, high; /* the colours' range; equal: from the data */
    seg_colours colours;
    /* PICTURE: rows x cols x 3 bytes */
    const unsigned char *rgb;
    size_t rows, cols;
} seg_panel;

typedef struct seg_figure {
    const char *title; /* NULL: none */
    const char *note;  /* one sentence at the bottom, broken at spaces where it is long; NULL: none */
    const seg_panel *panel;
    size_t panel_count;
    size_t columns;       /* panels in a row; 0 = up to 3 */
    double width, height; /* of a panel's area without labels; 0 = 190 x 140. Pictures keep their shape in it */
} seg_figure;

/* Write the figure, as the name's ending says: .svg, .pdf or .png (216 dots an inch), beside the name and renamed over
 * it. Fails with SEG_ERR_USAGE (ending; nothing to draw), SEG_ERR_IO, SEG_ERR_MEMORY. */
seg_status seg_figure_write(seg_context *ctx, const seg_figure *figure, const char *path);

/* The three files NAME.svg, NAME.pdf and NAME.png in the folder; NULL: `name` is a path. */
seg_status seg_figure_write_all(seg_context *ctx, const seg_figure *figure, const char *folder, const char *name);

#endif
