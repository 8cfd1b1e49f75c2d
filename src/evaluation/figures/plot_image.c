/* Matrices in colours, and pictures, reduced to the resolution that their size on paper shows and stored as JPEG in SVG
 * and PDF. */
#include "evaluation/figures/plot_draw.h"

#include "base/base.h"
#include "image/formats/jpeg_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DOTS    (200.0 / 72) /* per point: 200 dots an inch */
#define QUALITY 85
enum { MATRIX_MOST = 512 };

/* Colours between anchors, equally spaced: the diverging map runs between two colours that no colour-blindness
 * confuses.
 */
static const double diverging[][3] = {
    {0.020, 0.188, 0.380}, {0.263, 0.576, 0.765}, {0.970, 0.970, 0.970}, {0.990, 0.682, 0.380}, {0.600, 0.280, 0.020}};

static uint32_t byte_of(double share) {
    return (uint32_t)lround(255 * fmin(fmax(share, 0), 1));
}

static uint32_t colour_of(seg_colours colours, double share) {
    const int last = (int)(sizeof diverging / sizeof *diverging) - 1;
    share = fmin(fmax(share, 0), 1);
    if (colours == SEG_COLOURS_GREY)
        return byte_of(share) * 0x010101u;
    const int below = share < 1 ? (int)(share * last) : last - 1;
    const double part = share * last - below;
    uint32_t rgb = 0;
    for (int c = 0; c < 3; c++)
        rgb = rgb << 8 | byte_of((1 - part) * diverging[below][c] + part * diverging[below + 1][c]);
    return rgb;
}

/* An image of rows x cols, its pixels set by the caller. NULL: out of memory, message set. */
static cairo_surface_t *new_image(seg_context *ctx, size_t rows, size_t cols) {
    cairo_surface_t *image = rows > 0 && cols > 0 && rows < 32768 && cols < 32768
                                 ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)cols, (int)rows)
                                 : NULL;
    if (image && cairo_surface_status(image) == CAIRO_STATUS_SUCCESS)
        return image;
    cairo_surface_destroy(image);
    seg_fail(ctx, SEG_ERR_MEMORY, "an image of %zu x %zu pixels cannot be drawn", cols, rows);
    return NULL;
}

static uint32_t *line_of(cairo_surface_t *image, size_t y) {
    return (uint32_t *)(void *)(cairo_image_surface_get_data(image) +
                                y * (size_t)cairo_image_surface_get_stride(image));
}

/* The whole image in the area. */
static void paint(cairo_t *cr, cairo_surface_t *image, const seg_frame *area, cairo_filter_t filter,
                  cairo_extend_t extend) {
    const int columns = cairo_image_surface_get_width(image), rows = cairo_image_surface_get_height(image);
    cairo_save(cr);
    cairo_translate(cr, area->left, area->top);
    cairo_scale(cr, area->width / columns, area->height / rows);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), filter);
    cairo_pattern_set_extend(cairo_get_source(cr), extend);
    cairo_rectangle(cr, 0, 0, columns, rows);
    cairo_fill(cr);
    cairo_restore(cr);
}

/* The middle of the frame that the panel fills in its own shape. */
static seg_frame fit(const seg_panel *panel, const seg_frame *frame) {
    const double scale = fmin(frame->width / (double)panel->cols, frame->height / (double)panel->rows);
    const double width = scale * (double)panel->cols, height = scale * (double)panel->rows;
    return (seg_frame){.left = frame->left + (frame->width - width) / 2,
                       .top = frame->top + (frame->height - height) / 2,
                       .width = width,
                       .height = height};
}

/* A cell is a block of cell x cell pixels. */
static void set_cell(cairo_surface_t *image, size_t cell, size_t row, size_t col, uint32_t rgb) {
    for (size_t i = row * cell; i < (row + 1) * cell; i++)
        for (size_t j = col * cell; j < (col + 1) * cell; j++)
            line_of(image, i)[j] = rgb;
}

/* A matrix or its colour bar, with a line around it. */
static void paint_cells(cairo_t *cr, cairo_surface_t *image, const seg_frame *area) {
    cairo_surface_mark_dirty(image);
    paint(cr, image, area, CAIRO_FILTER_NEAREST, CAIRO_EXTEND_PAD);
    cairo_surface_destroy(image);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_set_line_width(cr, SEG_PLOT_LINE);
    cairo_rectangle(cr, area->left, area->top, area->width, area->height);
    cairo_stroke(cr);
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

static seg_status colour_bar(seg_context *ctx, cairo_t *cr, seg_colours colours, const seg_frame *matrix, double low,
                             double high) {
    enum { STEPS = 128 };
    const seg_frame area = {matrix->left + matrix->width + 4, matrix->top, 6, matrix->height, {0}, {0}};
    seg_scale scale = {.from = low, .to = high};
    cairo_surface_t *bar = new_image(ctx, STEPS, 1);
    if (!bar)
        return SEG_ERR_MEMORY;
    for (size_t step = 0; step < STEPS; step++)
        set_cell(bar, 1, step, 0, colour_of(colours, 1 - ((double)step + 0.5) / STEPS));
    paint_cells(cr, bar, &area);
    seg_plot_ticks(&scale);
    for (int t = 0; t < scale.ticks; t++) {
        const double y = area.top + area.height * (high - scale.tick[t]) / (high - low);
        cairo_move_to(cr, area.left + area.width, y);
        cairo_rel_line_to(cr, 2, 0);
        cairo_stroke(cr);
        seg_plot_text(cr, SEG_FONT_PLAIN, area.left + area.width + 4, y + 0.36 * SEG_PLOT_FONT, 0, scale.text[t]);
    }
    return SEG_OK;
}

static seg_status draw_matrix(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *area) {
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
    paint_cells(cr, image, area);
    return colour_bar(ctx, cr, panel->colours, area, low, high);
}

/* The picture with `width` pixels a line at most. */
static cairo_surface_t *reduced(seg_context *ctx, const seg_panel *panel, double width) {
    cairo_surface_t *full = new_image(ctx, panel->rows, panel->cols);
    for (size_t y = 0; full && y < panel->rows; y++)
        for (size_t x = 0; x < panel->cols; x++) {
            const unsigned char *at = panel->rgb + 3 * (y * panel->cols + x);
            line_of(full, y)[x] = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
        }
    if (full)
        cairo_surface_mark_dirty(full);
    if (!full || (double)panel->cols <= width)
        return full;
    const size_t columns = (size_t)ceil(width), rows = (size_t)ceil(width * (double)panel->rows / (double)panel->cols);
    cairo_surface_t *small = new_image(ctx, rows, columns);
    if (small) {
        const seg_frame whole = {.width = (double)columns, .height = (double)rows};
        cairo_t *cr = cairo_create(small);
        paint(cr, full, &whole, CAIRO_FILTER_GOOD, CAIRO_EXTEND_PAD);
        cairo_destroy(cr);
        cairo_surface_flush(small);
    }
    cairo_surface_destroy(full);
    return small;
}

/* What SVG and PDF store of the surface. */
static seg_status attach_jpeg(seg_context *ctx, cairo_surface_t *surface) {
    const size_t columns = (size_t)cairo_image_surface_get_width(surface),
                 rows = (size_t)cairo_image_surface_get_height(surface);
    unsigned char *rgb = seg_alloc(ctx, 3 * columns * rows, 1), *bytes = NULL;
    size_t size;
    if (!rgb)
        return SEG_ERR_MEMORY;
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < columns; x++) {
            const uint32_t pixel = line_of(surface, y)[x];
            unsigned char *at = rgb + 3 * (y * columns + x);
            at[0] = (unsigned char)(pixel >> 16);
            at[1] = (unsigned char)(pixel >> 8);
            at[2] = (unsigned char)pixel;
        }
    const seg_image image = {.width = (int)columns, .height = (int)rows, .depth = 8, .data = rgb};
    seg_status status = seg_jpeg_encode(ctx, &image, QUALITY, &bytes, &size);
    free(rgb);
    if (status == SEG_OK &&
        cairo_surface_set_mime_data(surface, CAIRO_MIME_TYPE_JPEG, bytes, size, free, bytes) != CAIRO_STATUS_SUCCESS) {
        free(bytes);
        status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while drawing a picture");
    }
    return status;
}

/* On a surface of pixels, those at the border do not mix with the ground; cairo writes a JPEG only if nothing beyond
 * the picture's pixels is needed. */
static seg_status draw_picture(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *area) {
    const int vector = cairo_surface_get_type(cairo_get_target(cr)) != CAIRO_SURFACE_TYPE_IMAGE;
    cairo_surface_t *picture = reduced(ctx, panel, area->width * DOTS);
    seg_status status = picture ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK && vector)
        status = attach_jpeg(ctx, picture);
    if (status == SEG_OK)
        paint(cr, picture, area, CAIRO_FILTER_GOOD, vector ? CAIRO_EXTEND_NONE : CAIRO_EXTEND_PAD);
    cairo_surface_destroy(picture);
    return status;
}

seg_status seg_plot_image(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *frame) {
    const seg_frame area = fit(panel, frame);
    return (panel->kind == SEG_PANEL_MATRIX ? draw_matrix : draw_picture)(ctx, cr, panel, &area);
}
