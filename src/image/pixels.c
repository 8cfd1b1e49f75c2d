/* Images from pixels in memory. They are converted like a decoded file, so that both give the same image. */
#include "base/base.h"
#include "image/formats/decoders.h"
#include "image/mask.h"

#include <string.h>

#define OPAQUE 65535u

static const size_t sample_bytes[] = {[SEG_SAMPLE_U8] = 1, [SEG_SAMPLE_U16] = 2, [SEG_SAMPLE_FLOAT] = sizeof(float)};

seg_status seg_rows_check(seg_context *ctx, const char *what, const void *first, size_t row_bytes, int height,
                          ptrdiff_t *stride) {
    if (!first)
        return seg_fail(ctx, SEG_ERR_USAGE, "%s: the pointer is NULL", what);
    if (*stride == 0)
        *stride = (ptrdiff_t)row_bytes;
    const size_t apart = *stride < 0 ? 0 - (size_t)*stride : (size_t)*stride;
    if (apart < row_bytes)
        return seg_fail(ctx, SEG_ERR_USAGE, "%s: a stride of %td bytes is less than the %zu bytes of a row", what,
                        *stride, row_bytes);
    if (apart > (size_t)PTRDIFF_MAX / (size_t)height)
        return seg_fail(ctx, SEG_ERR_USAGE, "%s: %d rows of %td bytes are more than the address space", what, height,
                        *stride);
    return SEG_OK;
}

/* Sample i of a row, as a raster stores it; *good is set to 0 for a float outside 0..1. */
static unsigned sample_at(const seg_pixels *s, const unsigned char *row, size_t i, float *value, int *good) {
    uint16_t whole;
    switch (s->type) {
    case SEG_SAMPLE_U8:
        return row[i];
    case SEG_SAMPLE_U16:
        memcpy(&whole, row + 2 * i, sizeof whole);
        return whole;
    case SEG_SAMPLE_FLOAT:
        break;
    }
    memcpy(value, row + sizeof *value * i, sizeof *value);
    *good = *value >= 0 && *value <= 1; /* false for NaN, too */
    return *good ? (unsigned)((double)*value * OPAQUE + 0.5) : 0;
}

static seg_status take_row(seg_context *ctx, const seg_pixels *s, int y, seg_raster *out) {
    const unsigned char *row = (const unsigned char *)s->data + y * s->stride;
    const size_t width = (size_t)out->width, channels = (size_t)s->channels, first = (size_t)y * width;
    for (size_t x = 0; x < width; x++)
        for (size_t c = 0; c < channels; c++) {
            float value = 0;
            int good = 1;
            const unsigned sample = sample_at(s, row, x * channels + c, &value, &good);
            if (!good)
                return seg_fail(
                    ctx, SEG_ERR_INPUT,
                    "pixels: channel %zu of pixel (%zu, %d) is %g; floating-point samples are 0 (black) to 1 "
                    "(white): scale or clamp them",
                    c, x, y, (double)value);
            if (c == 3)
                out->alpha[first + x] = (uint16_t)(s->type == SEG_SAMPLE_U8 ? sample * 257 : sample);
            else
                seg_raster_put(out, (first + x) * (size_t)out->channels + c, sample);
        }
    return SEG_OK;
}

static seg_status take_rows(seg_context *ctx, const seg_pixels *s, seg_raster *out) {
    const size_t width = (size_t)out->width;
    if (seg_raster_allocate(ctx, out, s->channels == 4) != SEG_OK)
        return SEG_ERR_MEMORY;
    for (int y = 0; y < out->height; y++) {
        if (s->channels == out->channels && s->type != SEG_SAMPLE_FLOAT) { /* most images */
            const size_t row = width * (size_t)s->channels * sample_bytes[s->type];
            unsigned char *to = out->sample8 ? out->sample8 : (unsigned char *)out->sample16;
            memcpy(to + (size_t)y * row, (const unsigned char *)s->data + y * s->stride, row);
            continue;
        }
        SEG_TRY(take_row(ctx, s, y, out));
    }
    return SEG_OK;
}

seg_status seg_image_create(seg_context *ctx, const seg_pixels *pixels, seg_image *out) {
    seg_pixels s = *pixels;
    memset(out, 0, sizeof *out);
    if (s.width < 1 || s.height < 1 || s.width > SEG_MAX_SIDE || s.height > SEG_MAX_SIDE ||
        (int64_t)s.width * s.height > SEG_MAX_PIXELS)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "an image cannot be %d x %d pixels: 1..%d a side and %lld in all are allowed", s.width,
                        s.height, SEG_MAX_SIDE, SEG_MAX_PIXELS);
    if (s.channels != 1 && s.channels != 3 && s.channels != 4)
        return seg_fail(ctx, SEG_ERR_USAGE, "pixels have 1 (grey), 3 (RGB) or 4 (RGBA) channels, not %d", s.channels);
    if (s.type != SEG_SAMPLE_U8 && s.type != SEG_SAMPLE_U16 && s.type != SEG_SAMPLE_FLOAT)
        return seg_fail(ctx, SEG_ERR_USAGE, "%d is not a seg_sample_type", (int)s.type);
    const size_t row_bytes = (size_t)s.width * (size_t)s.channels * sample_bytes[s.type];
    SEG_TRY(seg_rows_check(ctx, "pixels", s.data, row_bytes, s.height, &s.stride));
    SEG_RELEASED(seg_raster_free)
    seg_raster raster = {.width = s.width,
                         .height = s.height,
                         .kind = s.channels == 1 ? SEG_RASTER_GREY : SEG_RASTER_RGB,
                         .channels = s.channels == 1 ? 1 : 3,
                         .bits = s.type == SEG_SAMPLE_U8 ? 8 : 16};
    SEG_TRY(take_rows(ctx, &s, &raster));
    return seg_image_take_raster(ctx, "pixels in memory", &raster, out);
}
