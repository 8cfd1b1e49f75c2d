#include "image/formats/interleaved.h"

#include "base/base.h"

#include <stdlib.h>

#define OPAQUE 65535

static size_t pixels_of(const seg_raster *raster) {
    return (size_t)raster->width * (size_t)raster->height;
}

size_t seg_raster_bytes(const seg_raster *raster, int opacity) {
    return pixels_of(raster) *
           ((size_t)raster->channels * (raster->bits > 8 ? 2 : 1) + (opacity ? sizeof *raster->alpha : 0));
}

seg_status seg_raster_allocate(seg_context *ctx, seg_raster *raster, int opacity) {
    void *samples = seg_alloc(ctx, pixels_of(raster) * (size_t)raster->channels, raster->bits > 8 ? 2 : 1);
    if (raster->bits > 8)
        raster->sample16 = samples;
    else
        raster->sample8 = samples;
    if (samples && opacity)
        raster->alpha = seg_alloc(ctx, pixels_of(raster), sizeof *raster->alpha);
    return samples && (raster->alpha || !opacity) ? SEG_OK : SEG_ERR_MEMORY;
}

void seg_raster_drop_opaque(seg_raster *raster) {
    uint16_t all = OPAQUE;
    if (!raster->alpha)
        return;
    for (size_t i = 0; i < pixels_of(raster); i++)
        all &= raster->alpha[i];
    if (all != OPAQUE)
        return;
    free(raster->alpha);
    raster->alpha = NULL;
}
