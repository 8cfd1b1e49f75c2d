#include "evaluation/report/thumbnail.h"

#include "base/base.h"
#include "evaluation/experiments/layers.h"
#include "evaluation/runner/report_folder.h"
#include "image/formats/jpeg_write.h"
#include "image/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUALITY 78

char *seg_data_uri(seg_context *ctx, const char *type, const unsigned char *bytes, size_t size) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t head = strlen(type) + strlen("data:;base64,");
    char *text = seg_alloc(ctx, head + size / 3 * 4 + 5, 1);
    if (!text)
        return NULL;
    char *to = text + sprintf(text, "data:%s;base64,", type);
    for (size_t i = 0; i < size; i += 3) {
        const unsigned second = i + 1 < size ? bytes[i + 1] : 0, third = i + 2 < size ? bytes[i + 2] : 0;
        const unsigned three = (unsigned)bytes[i] << 16 | second << 8 | third;
        *to++ = digit[three >> 18];
        *to++ = digit[three >> 12 & 63];
        *to++ = i + 1 < size ? digit[three >> 6 & 63] : '=';
        *to++ = i + 2 < size ? digit[three & 63] : '=';
    }
    *to = 0;
    return text;
}

/* The bytes as a data URI; they are freed. */
static char *take_uri(seg_context *ctx, const char *type, unsigned char *bytes, size_t size) {
    char *uri = seg_data_uri(ctx, type, bytes, size);
    free(bytes);
    return uri;
}

char *seg_thumbnail_photo(seg_context *ctx, const seg_image *photo) {
    unsigned char *bytes;
    size_t size;
    return seg_photo_jpeg(ctx, photo, SEG_THUMBNAIL_SIDE, QUALITY, &bytes, &size) == SEG_OK
               ? take_uri(ctx, "image/jpeg", bytes, size)
               : NULL;
}

/* The layer as a data URI; it is freed. */
static char *uri_of(seg_context *ctx, seg_layer *layer) {
    unsigned char *bytes;
    size_t size;
    const seg_status status = seg_layer_png(ctx, layer, &bytes, &size);
    seg_layer_free(layer);
    return status == SEG_OK ? take_uri(ctx, "image/png", bytes, size) : NULL;
}

static int factor_of(const seg_mask *mask) {
    const int longer = mask->width > mask->height ? mask->width : mask->height;
    return (longer + SEG_THUMBNAIL_SIDE - 1) / SEG_THUMBNAIL_SIDE;
}

char *seg_thumbnail_strokes(seg_context *ctx, const seg_mask *scribbles) {
    seg_layer layer;
    return seg_layer_strokes(ctx, scribbles, factor_of(scribbles), &layer) == SEG_OK ? uri_of(ctx, &layer) : NULL;
}

char *seg_thumbnail_mask(seg_context *ctx, const seg_mask *mask) {
    const int factor = factor_of(mask);
    seg_layer layer = {.width = (mask->width + factor - 1) / factor, .height = (mask->height + factor - 1) / factor};
    layer.pixel = seg_alloc(ctx, (size_t)layer.width * (size_t)layer.height, sizeof *layer.pixel);
    if (!layer.pixel)
        return NULL;
    for (int y = 0; y < layer.height; y++)
        for (int x = 0; x < layer.width; x++) {
            const uint8_t label = mask->label[(size_t)(y * factor) * (size_t)mask->width + (size_t)(x * factor)];
            const uint8_t *c = mask->colour[label];
            layer.pixel[(size_t)y * (size_t)layer.width + (size_t)x] =
                label == SEG_VOID ? 0xff000000u : 0xff000000u | (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
        }
    return uri_of(ctx, &layer);
}

char *seg_thumbnail_file(seg_context *ctx, const char *path, const char *type) {
    unsigned char *bytes;
    size_t size;
    return seg_file_read(ctx, path, &bytes, &size) == SEG_OK ? take_uri(ctx, type, bytes, size) : NULL;
}
