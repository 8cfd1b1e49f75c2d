#include "evaluation/experiments/layers.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define RING 0xd0000000u /* around strokes */
/* Differences are striped, since no label has stripes. */
#define STRIPE 4 /* pixels */
#define LIGHT  0xf0ffffffu
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

static int beside_stroke(const seg_layer *layer, int x, int y) {
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < layer->height; v++)
        for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < layer->width; u++)
            if (layer->pixel[(size_t)v * (size_t)layer->width + (size_t)u] >> 24 == 0xff)
                return 1;
    return 0;
}

seg_status seg_layer_strokes(seg_context *ctx, const seg_mask *scribbles, seg_layer *out) {
    const int width = scribbles->width, height = scribbles->height;
    seg_status status = create(ctx, width, height, out);
    if (status)
        return status;
    for (size_t p = 0; p < (size_t)width * (size_t)height; p++) {
        const uint8_t label = scribbles->label[p], *c = scribbles->colour[label];
        if (label && label != SEG_VOID)
            out->pixel[p] = 0xff000000u | (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
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

seg_status seg_layer_write(seg_context *ctx, const char *path, const seg_layer *layer) {
    const size_t pixels = (size_t)layer->width * (size_t)layer->height;
    uint8_t *rgb = seg_alloc(ctx, pixels, 4), *alpha = rgb ? rgb + 3 * pixels : NULL;
    if (!rgb)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < pixels; p++) {
        for (size_t c = 0; c < 3; c++)
            rgb[3 * p + c] = (uint8_t)(layer->pixel[p] >> (8 * (2 - c)));
        alpha[p] = (uint8_t)(layer->pixel[p] >> 24);
    }
    const seg_image image = {.width = layer->width, .height = layer->height, .depth = 8, .data = rgb};
    const seg_status status = seg_image_write_png(ctx, path, &image, alpha);
    free(rgb);
    return status;
}
