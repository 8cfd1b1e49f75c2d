#include "evaluation/thumbnail.h"

#include "base/base.h"
#include "evaluation/base64.h"
#include "evaluation/layout.h"
#include "image/jpeg_write.h"
#include "image/raster.h"

#include <cairo/cairo.h>
#include <stdlib.h>
#include <string.h>

#define QUALITY 78

char *seg_thumbnail_photo(seg_context *ctx, const seg_image *photo) {
    seg_image reduced;
    unsigned char *bytes;
    size_t size;
    char *uri = NULL;
    if (seg_photo_reduced(ctx, photo, SEG_THUMBNAIL_SIDE, &reduced) != SEG_OK)
        return NULL;
    if (seg_jpeg_encode(ctx, &reduced, QUALITY, &bytes, &size) == SEG_OK) {
        uri = seg_data_uri(ctx, "image/jpeg", bytes, size);
        free(bytes);
    }
    seg_image_free(&reduced);
    return uri;
}

typedef struct growing {
    seg_context *ctx;
    unsigned char *bytes;
    size_t size, room;
} growing;

static cairo_status_t append(void *user, const unsigned char *bytes, unsigned size) {
    growing *to = user;
    if (to->size + size > to->room) {
        const size_t room = 2 * (to->size + size);
        unsigned char *grown = seg_realloc(to->ctx, to->bytes, room, 1);
        if (!grown)
            return CAIRO_STATUS_NO_MEMORY;
        to->bytes = grown;
        to->room = room;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return CAIRO_STATUS_SUCCESS;
}

char *seg_thumbnail_mask(seg_context *ctx, const seg_mask *mask, int clear) {
    const int longer = mask->width > mask->height ? mask->width : mask->height;
    const int factor = (longer + SEG_THUMBNAIL_SIDE - 1) / SEG_THUMBNAIL_SIDE;
    const int width = (mask->width + factor - 1) / factor, height = (mask->height + factor - 1) / factor;
    growing png = {.ctx = ctx};
    char *uri = NULL;
    cairo_surface_t *surface =
        cairo_image_surface_create(clear < 0 ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, width, height);
    cairo_surface_flush(surface);
    unsigned char *data = cairo_image_surface_get_data(surface);
    for (int y = 0; data && y < height; y++)
        for (int x = 0; x < width; x++) {
            const uint8_t label = mask->label[(size_t)(y * factor) * (size_t)mask->width + (size_t)(x * factor)];
            const uint8_t *c = mask->colour[label];
            uint32_t pixel =
                label == SEG_VOID ? 0xff000000u : 0xff000000u | (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
            if (label == clear)
                pixel = 0;
            memcpy(data + (size_t)y * (size_t)cairo_image_surface_get_stride(surface) + 4 * (size_t)x, &pixel, 4);
        }
    cairo_surface_mark_dirty(surface);
    if (data && cairo_surface_write_to_png_stream(surface, append, &png) == CAIRO_STATUS_SUCCESS)
        uri = seg_data_uri(ctx, "image/png", png.bytes, png.size);
    else
        seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while making a small picture");
    cairo_surface_destroy(surface);
    free(png.bytes);
    return uri;
}

char *seg_thumbnail_file(seg_context *ctx, const char *path, const char *type) {
    unsigned char *bytes;
    size_t size;
    if (seg_file_read(ctx, path, &bytes, &size) != SEG_OK)
        return NULL;
    char *uri = seg_data_uri(ctx, type, bytes, size);
    free(bytes);
    return uri;
}
