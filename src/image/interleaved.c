#include "image/interleaved.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

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

void seg_raster_put_row8(seg_raster *raster, int y, const uint8_t *row) {
    const size_t width = (size_t)raster->width, channels = (size_t)raster->channels, first = (size_t)y * width;
    uint8_t *to = raster->sample8 + first * channels;
    if (!raster->alpha) {
        memcpy(to, row, width * channels);
        return;
    }
    for (size_t x = 0; x < width; x++, row += channels + 1, to += channels) {
        for (size_t c = 0; c < channels; c++)
            to[c] = row[c];
        raster->alpha[first + x] = (uint16_t)(row[channels] * 257);
    }
}

void seg_raster_put_row16(seg_raster *raster, int y, const void *row) {
    const size_t width = (size_t)raster->width, channels = (size_t)raster->channels, first = (size_t)y * width;
    const unsigned char *from = row;
    const uint32_t most = (1u << raster->bits) - 1;
    uint16_t *to = raster->sample16 + first * channels;
    if (!raster->alpha) {
        memcpy(to, row, width * channels * sizeof *to);
        return;
    }
    for (size_t x = 0; x < width; x++, from += 2 * (channels + 1), to += channels) {
        uint16_t opacity;
        memcpy(to, from, 2 * channels);
        memcpy(&opacity, from + 2 * channels, sizeof opacity);
        raster->alpha[first + x] = (uint16_t)((opacity * (uint64_t)OPAQUE + most / 2) / most);
    }
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
