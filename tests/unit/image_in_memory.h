/* As seg_image_read of bytes; `name` is for messages. */
#ifndef TESTS_IMAGE_IN_MEMORY_H
#define TESTS_IMAGE_IN_MEMORY_H

#include "image/raster.h"
#include "scoped.h"

#include <string.h>

static inline seg_status image_read_memory(seg_context *ctx, const void *bytes, size_t size, const char *name,
                                           seg_image *out) {
    SCOPED(seg_raster) raster;
    memset(out, 0, sizeof *out);
    seg_status status = seg_raster_decode(ctx, bytes, size, name, &raster);
    if (status == SEG_OK)
        status = seg_image_take_raster(ctx, name, &raster, out);
    return status;
}

#endif
