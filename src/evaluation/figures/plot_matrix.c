/* Matrices in colours. */
#include "evaluation/figures/plot_draw.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MATRIX_MOST = 512 };

/* Colours between anchors, equally spaced. The sequential map follows viridis' lightness and hues; the diverging one
 * runs between two colours that no colour-blindness confuses. */
static const double sequential[][3] = {{0.267, 0.005, 0.329}, {0.283, 0.141, 0.458}, {0.254, 0.265, 0.530},
                                       {0.207, 0.372, 0.553}, {0.164, 0.471, 0.558}, {0.128, 0.567, 0.551},
                                       {0.135, 0.659, 0.518}, {0.267, 0.749, 0.441}, {0.478, 0.821, 0.318},
                                       {0.741, 0.873, 0.150}, {0.993, 0.906, 0.144}};
static const double diverging[][3] = {
    {0.020, 0.188, 0.380}, {0.263, 0.576, 0.765}, {0.970, 0.970, 0.970}, {0.990, 0.682, 0.380}, {0.600, 0.280, 0.020}};

static uint32_t byte_of(double share) {
    return (uint32_t)lround(255 * fmin(fmax(share, 0), 1));
}

static uint32_t colour_of(seg_colours colours, double share) {
    share = fmin(fmax(share, 0), 1);
    if (colours == SEG_COLOURS_GREY)
        return byte_of(share) * 0x010101u;
    const double(*anchor)[3] = colours == SEG_COLOURS_SEQUENTIAL ? sequential : diverging;
    const int last = (int)(colours == SEG_COLOURS_SEQUENTIAL ? sizeof sequential / sizeof *sequential
                                                             : sizeof diverging / sizeof *diverging) -
                     1;
    const int below = share < 1 ? (int)(share * last) : last - 1;
    const double part = share * last - below;
    uint32_t rgb = 0;
    for (int c = 0; c < 3; c++)
        rgb = rgb << 8 | byte_of((1 - part) * anchor[below][c] + part * anchor[below + 1][c]);
    return rgb;
}

/* An image of rows x cols, its pixels set by the caller. NULL: out of memory, message set. */
static cairo_surface_t *new_image(seg_context *ctx, size_t rows, size_t cols) {
    cairo_surface_t *image = rows > 0 && cols > 0 && rows < 32768 && cols < 32768
                                 ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)cols, (int)rows)
                                 : NULL;
    if (!image || cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(image);
        seg_fail(ctx, SEG_ERR_MEMORY, "a panel of %zu x %zu cannot be drawn", rows, cols);
        return NULL;
    }
    return image;
}

/* A cell is a block of cell x cell pixels. */
static void set_cell(cairo_surface_t *image, size_t cell, size_t row, size_t col, uint32_t rgb) {
    const size_t stride = (size_t)cairo_image_surface_get_stride(image);
    for (size_t i = row * cell; i < (row + 1) * cell; i++)
        for (size_t j = col * cell; j < (col + 1) * cell; j++)
            memcpy(cairo_image_surface_get_data(image) + i * stride + 4 * j, &rgb, sizeof rgb);
}

static double block_mean(const seg_panel *panel, size_t rows, size_t cols, size_t row, size_t col) {
    double sum = 0;
    size_t seen = 0;
    for (size_t i = row * panel->rows / rows; i < (row + 1) * panel->rows / rows; i++)
        for (size_t j = col * panel->cols / cols; j < (col + 1) * panel->cols / cols; j++)
            if (!isnan(panel->value[i * panel->cols + j])) {
                sum += panel->value[i * panel->cols + j];
                seen++;
            }
    return seen ? sum / (double)seen : NAN;
}

static void value_range(const seg_panel *panel, double *low, double *high) {
    *low = panel->low;
    *high = panel->high;
    if (*low != *high)
        return;
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t e = 0; e < panel->rows * panel->cols; e++)
        if (isfinite(panel->value[e])) {
            *low = fmin(*low, panel->value[e]);
            *high = fmax(*high, panel->value[e]);
        }
    if (*low >= *high) {
        *low = *low > *high ? 0 : *low;
        *high = *low + 1;
    }
}

static void paint(cairo_t *cr, cairo_surface_t *image, double left, double top, double width, double height) {
    cairo_surface_mark_dirty(image);
    cairo_save(cr);
    cairo_translate(cr, left, top);
    cairo_scale(cr, width / cairo_image_surface_get_width(image), height / cairo_image_surface_get_height(image));
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
    cairo_rectangle(cr, 0, 0, cairo_image_surface_get_width(image), cairo_image_surface_get_height(image));
    cairo_fill(cr);
    cairo_restore(cr);
}

static void outline(cairo_t *cr, double left, double top, double width, double height) {
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_set_line_width(cr, SEG_PLOT_LINE);
    cairo_rectangle(cr, left, top, width, height);
    cairo_stroke(cr);
}

static seg_status colour_bar(seg_context *ctx, cairo_t *cr, const seg_panel *panel, double left, double top,
                             double height, double low, double high) {
    enum { STEPS = 128 };
    const double width = 6;
    seg_scale scale = {.from = low, .to = high};
    cairo_surface_t *bar = new_image(ctx, STEPS, 1);
    if (!bar)
        return SEG_ERR_MEMORY;
    for (size_t step = 0; step < STEPS; step++)
        set_cell(bar, 1, step, 0, colour_of(panel->colours, 1 - ((double)step + 0.5) / STEPS));
    paint(cr, bar, left, top, width, height);
    cairo_surface_destroy(bar);
    outline(cr, left, top, width, height);
    seg_plot_ticks(&scale);
    for (int t = 0; t < scale.ticks; t++) {
        const double y = top + height * (high - scale.tick[t]) / (high - low);
        cairo_move_to(cr, left + width, y);
        cairo_rel_line_to(cr, 2, 0);
        cairo_stroke(cr);
        seg_plot_text(cr, SEG_PLOT_FONT, 0, left + width + 4, y + 0.36 * SEG_PLOT_FONT, 0, scale.text[t]);
    }
    return SEG_OK;
}

seg_status seg_plot_matrix(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *frame) {
    const size_t rows = panel->rows > MATRIX_MOST ? MATRIX_MOST : panel->rows;
    const size_t cols = panel->cols > MATRIX_MOST ? MATRIX_MOST : panel->cols;
    /* Viewers smooth pictures of few pixels; cells of many pixels keep their edges. */
    const size_t most = rows > cols ? rows : cols, cell = most > 0 && most < MATRIX_MOST ? MATRIX_MOST / most : 1;
    cairo_surface_t *image = new_image(ctx, rows * cell, cols * cell);
    double low = 0, high = 1;
    if (!image)
        return SEG_ERR_MEMORY;
    value_range(panel, &low, &high);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) {
            const double value = block_mean(panel, rows, cols, i, j);
            set_cell(image, cell, i, j,
                     isnan(value) ? 0xffffffu : colour_of(panel->colours, (value - low) / (high - low)));
        }
    const double scale = fmin(frame->width / (double)panel->cols, frame->height / (double)panel->rows);
    const double width = scale * (double)panel->cols, height = scale * (double)panel->rows;
    const double left = frame->left + (frame->width - width) / 2, top = frame->top + (frame->height - height) / 2;
    paint(cr, image, left, top, width, height);
    cairo_surface_destroy(image);
    outline(cr, left, top, width, height);
    return colour_bar(ctx, cr, panel, left + width + 4, top, height, low, high);
}
