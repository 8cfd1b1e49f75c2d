/* Pictures in a figure: reduced to what its size on paper shows, and stored as JPEG in SVG and PDF. */
#include "evaluation/figures/plot_draw.h"

#include "base/base.h"
#include "image/formats/jpeg_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DOTS    (200.0 / 72) /* per point: 200 dots an inch */
#define QUALITY 85

static cairo_surface_t *new_surface(seg_context *ctx, size_t width, size_t height) {
    cairo_surface_t *surface = width > 0 && height > 0 && width < 32768 && height < 32768
                                   ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height)
                                   : NULL;
    if (surface && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        return surface;
    cairo_surface_destroy(surface);
    seg_fail(ctx, SEG_ERR_MEMORY, "a picture of %zux%zu pixels cannot be drawn", width, height);
    return NULL;
}

static uint32_t *line_of(cairo_surface_t *surface, size_t y) {
    return (uint32_t *)(void *)(cairo_image_surface_get_data(surface) +
                                y * (size_t)cairo_image_surface_get_stride(surface));
}

/* The whole of `from` on width x height units of `cr`. Where pixels are made, those at the border do not mix with the
 * ground; cairo writes a JPEG only where nothing is asked for beyond its pixels. */
static void paint(cairo_t *cr, cairo_surface_t *from, double left, double top, double width, double height) {
    const int pixels = cairo_surface_get_type(cairo_get_target(cr)) == CAIRO_SURFACE_TYPE_IMAGE;
    const int columns = cairo_image_surface_get_width(from), rows = cairo_image_surface_get_height(from);
    cairo_save(cr);
    cairo_translate(cr, left, top);
    cairo_scale(cr, width / columns, height / rows);
    cairo_set_source_surface(cr, from, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_GOOD);
    cairo_pattern_set_extend(cairo_get_source(cr), pixels ? CAIRO_EXTEND_PAD : CAIRO_EXTEND_NONE);
    cairo_rectangle(cr, 0, 0, columns, rows);
    cairo_fill(cr);
    cairo_restore(cr);
}

/* The picture with `width` pixels a line at most. */
static cairo_surface_t *reduced(seg_context *ctx, const seg_panel *panel, double width) {
    cairo_surface_t *full = new_surface(ctx, panel->cols, panel->rows);
    for (size_t y = 0; full && y < panel->rows; y++)
        for (size_t x = 0; x < panel->cols; x++) {
            const unsigned char *at = panel->rgb + 3 * (y * panel->cols + x);
            line_of(full, y)[x] = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
        }
    if (!full || (double)panel->cols <= width) {
        if (full)
            cairo_surface_mark_dirty(full);
        return full;
    }
    cairo_surface_mark_dirty(full);
    const size_t columns = (size_t)ceil(width), rows = (size_t)ceil(width * (double)panel->rows / (double)panel->cols);
    cairo_surface_t *small = new_surface(ctx, columns, rows);
    if (small) {
        cairo_t *cr = cairo_create(small);
        paint(cr, full, 0, 0, (double)columns, (double)rows);
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

seg_status seg_plot_picture(seg_context *ctx, cairo_t *cr, const seg_panel *panel, const seg_frame *frame) {
    const double scale = fmin(frame->width / (double)panel->cols, frame->height / (double)panel->rows);
    const double width = scale * (double)panel->cols, height = scale * (double)panel->rows;
    const double left = frame->left + (frame->width - width) / 2, top = frame->top + (frame->height - height) / 2;
    const int vector = cairo_surface_get_type(cairo_get_target(cr)) != CAIRO_SURFACE_TYPE_IMAGE;
    cairo_surface_t *picture = reduced(ctx, panel, width * DOTS);
    seg_status status = picture ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK && vector)
        status = attach_jpeg(ctx, picture);
    if (status == SEG_OK)
        paint(cr, picture, left, top, width, height);
    cairo_surface_destroy(picture);
    return status;
}
