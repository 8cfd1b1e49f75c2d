#include "evaluation/experiments/layers.h"

#include "base/base.h"

#include <cairo/cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING 0xd0000000u /* around strokes */
/* Differences are striped, since no label has stripes. */
#define STRIPE 4 /* pixels */
#define LIGHT  0xf0f0f0f0u
#define DARK   0xf0000000u

static seg_status create(seg_context *ctx, int width, int height, seg_layer *out) {
    out->width = width;
    out->height = height;
    out->pixel = seg_alloc_zero(ctx, (size_t)width * (size_t)height, sizeof *out->pixel);
    return out->pixel ? SEG_OK : SEG_ERR_MEMORY;
}

void seg_layer_free(seg_layer *layer) {
    free(layer->pixel);
    memset(layer, 0, sizeof *layer);
}

/* The first label in the block of a layer's pixel, 0 where nothing is marked. */
static uint8_t marked(const seg_mask *scribbles, int factor, int x, int y) {
    const int right = (x + 1) * factor, bottom = (y + 1) * factor;
    for (int v = y * factor; v < bottom && v < scribbles->height; v++)
        for (int u = x * factor; u < right && u < scribbles->width; u++) {
            const uint8_t label = scribbles->label[(size_t)v * (size_t)scribbles->width + (size_t)u];
            if (label && label != SEG_VOID)
                return label;
        }
    return 0;
}

static int beside_stroke(const seg_layer *layer, int x, int y) {
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < layer->height; v++)
        for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < layer->width; u++)
            if (layer->pixel[(size_t)v * (size_t)layer->width + (size_t)u] >> 24 == 0xff)
                return 1;
    return 0;
}

seg_status seg_layer_strokes(seg_context *ctx, const seg_mask *scribbles, int factor, seg_layer *out) {
    const int width = (scribbles->width + factor - 1) / factor, height = (scribbles->height + factor - 1) / factor;
    seg_status status = create(ctx, width, height, out);
    if (status)
        return status;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const uint8_t label = marked(scribbles, factor, x, y), *c = scribbles->colour[label];
            if (label)
                out->pixel[(size_t)y * (size_t)width + (size_t)x] =
                    0xff000000u | (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
        }
    for (int y = 0; y < height; y++) /* the ring is not opaque: it makes no ring itself */
        for (int x = 0; x < width; x++) {
            uint32_t *pixel = &out->pixel[(size_t)y * (size_t)width + (size_t)x];
            if (!*pixel && beside_stroke(out, x, y))
                *pixel = RING;
        }
    return SEG_OK;
}

seg_status seg_layer_difference(seg_context *ctx, const seg_mask *truth, const seg_mask *mask, seg_layer *out) {
    seg_status status = create(ctx, truth->width, truth->height, out);
    for (int y = 0; status == SEG_OK && y < truth->height; y++)
        for (int x = 0; x < truth->width; x++) {
            const size_t p = (size_t)y * (size_t)truth->width + (size_t)x;
            const size_t line = (size_t)y * (size_t)mask->height / (size_t)truth->height;
            const size_t column = (size_t)x * (size_t)mask->width / (size_t)truth->width;
            const uint8_t label = truth->label[p];
            if (label != SEG_VOID && label != 0 && mask->label[line * (size_t)mask->width + column] != label)
                out->pixel[p] = (x + y) / STRIPE % 2 ? LIGHT : DARK;
        }
    return status;
}

static cairo_status_t put(void *to, const unsigned char *bytes, unsigned size) {
    return fwrite(bytes, 1, size, to) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_NO_MEMORY;
}

seg_status seg_layer_png(seg_context *ctx, const seg_layer *layer, unsigned char **bytes, size_t *size) {
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)layer->pixel, CAIRO_FORMAT_ARGB32,
                                                                   layer->width, layer->height, 4 * layer->width);
    char *text = NULL;
    FILE *to = open_memstream(&text, size);
    const cairo_status_t written = to ? cairo_surface_write_to_png_stream(surface, put, to) : CAIRO_STATUS_NO_MEMORY;
    const int closed = to && fclose(to) == 0;
    cairo_surface_destroy(surface);
    *bytes = (unsigned char *)text;
    if (closed && written == CAIRO_STATUS_SUCCESS)
        return SEG_OK;
    free(text);
    *bytes = NULL;
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while making a picture of %dx%d pixels", layer->width,
                    layer->height);
}
