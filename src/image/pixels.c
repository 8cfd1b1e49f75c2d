/* Images and masks from pixels in memory. Images are converted like a decoded file, so that both give the same. */
#include "base/base.h"
#include "image/formats/decoders.h"
#include "image/mask.h"

#define OPAQUE 65535u

static const size_t sample_bytes[] = {[SEG_SAMPLE_U8] = 1, [SEG_SAMPLE_U16] = 2, [SEG_SAMPLE_FLOAT] = sizeof(float)};

static seg_status check_sides(seg_context *ctx, const char *what, int width, int height) {
    if (width < 1 || height < 1 || width > SEG_MAX_SIDE || height > SEG_MAX_STACK ||
        (int64_t)width * height > SEG_MAX_PIXELS)
        return seg_fail(ctx, SEG_ERR_USAGE, "%s cannot be %d x %d pixels: 1..%d by 1..%d and %lld in all are allowed",
                        what, width, height, SEG_MAX_SIDE, SEG_MAX_STACK, SEG_MAX_PIXELS);
    return SEG_OK;
}

/* Check a caller's rows of `row_bytes` each and resolve *stride: 0 means that rows are contiguous. Row y begins at byte
 * y * *stride of `first`. SEG_OK or SEG_ERR_USAGE; `what` begins the message. */
static seg_status check_rows(seg_context *ctx, const char *what, const void *first, size_t row_bytes, int height,
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
                    "pixels: channel %zu of pixel (%zu, %d) is %.9g; floating-point samples are 0 (black) to 1 "
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
    SEG_TRY(seg_raster_allocate(ctx, out, s->channels == 4));
    for (int y = 0; y < out->height; y++) {
        if (s->channels == out->channels && s->type != SEG_SAMPLE_FLOAT) { /* most images */
            const size_t row = (size_t)out->width * (size_t)s->channels * sample_bytes[s->type];
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
    SEG_TRY(check_sides(ctx, "an image", s.width, s.height));
    if (s.channels != 1 && s.channels != 3 && s.channels != 4)
        return seg_fail(ctx, SEG_ERR_USAGE, "pixels have 1 (grey), 3 (RGB) or 4 (RGBA) channels, not %d", s.channels);
    if (s.type != SEG_SAMPLE_U8 && s.type != SEG_SAMPLE_U16 && s.type != SEG_SAMPLE_FLOAT)
        return seg_fail(ctx, SEG_ERR_USAGE, "%d is not a seg_sample_type", (int)s.type);
    const size_t row_bytes = (size_t)s.width * (size_t)s.channels * sample_bytes[s.type];
    SEG_TRY(check_rows(ctx, "pixels", s.data, row_bytes, s.height, &s.stride));
    SEG_RELEASED(seg_raster_free)
    seg_raster raster = {.width = s.width,
                         .height = s.height,
                         .kind = s.channels == 1 ? SEG_RASTER_GREY : SEG_RASTER_RGB,
                         .channels = s.channels == 1 ? 1 : 3,
                         .bits = s.type == SEG_SAMPLE_U8 ? 8 : 16};
    SEG_TRY(take_rows(ctx, &s, &raster));
    return seg_image_take_raster(ctx, "pixels in memory", &raster, out);
}

/* First the colours of Okabe and Ito, which people with any colour vision can distinguish [okabe2008], strongest
 * contrasts first; grey replaces their black, which means unmarked here. Each further colour, of 11 levels per channel,
 * is the one perceptually farthest from all before it (test_default_colours.c). Stored, as the search takes 1 ms. */
static const uint32_t default_colours[SEG_MAX_LABELS] = {
    0xE69F00, 0x0072B2, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00, 0xF0E442, 0x808080, 0xB200FF, 0x19FF00, 0x0000FF,
    0xFF0066, 0x66FF99, 0x00007F, 0x4C9900, 0x7F197F, 0x7F1900, 0x00FFFF, 0xFF33E5, 0x9966FF, 0xFF0000, 0x006600,
    0x4C33FF, 0xE5B27F, 0x7FE500, 0x00FF99, 0x00CC33, 0xCCB2FF, 0x7FFFFF, 0xCCFF99, 0x004C4C, 0xFF4C66, 0x00B2FF,
    0xFFFF00, 0x996633, 0x4C3333, 0x0066FF, 0xB2CCB2, 0x7FCC4C, 0x4C4C99, 0x6600B2, 0x4CB266, 0xB23366, 0x4C7FFF,
    0xFF7FFF, 0x999900, 0xFF00FF, 0xCC0099, 0xFFB2CC, 0x4CFF4C, 0x00CCB2, 0x33004C, 0xFF7F4C, 0xB2FF4C, 0xCC3319,
    0xB24CB2, 0x4CCCB2, 0x0019CC, 0x4C4C00, 0x7F0033, 0xFF4CB2, 0x4C7F33, 0x997FCC, 0xB233E5, 0x19FF66, 0x33CC19,
    0x33FFE5, 0xB2FFE5, 0x337F99, 0x6600FF, 0x334CCC, 0x003300, 0x00337F, 0x009900, 0xCC0019, 0xFF3300, 0xFFB24C,
    0xFFCC00, 0xB2FF00, 0x99994C, 0xB2CC33, 0xFF7F99, 0x197F4C, 0x7FB2CC, 0xFFE57F, 0x6633CC, 0x7F4C66, 0x19CC7F,
    0x3300CC, 0x4C0000, 0xCC6666, 0x4C6666, 0x7FB299, 0x996600, 0xB200CC, 0xB2CC00, 0xB2CC7F, 0xFF00CC, 0xFFE5B2,
    0x001933, 0x33197F, 0x4C3366, 0xFF1999, 0x0033FF, 0x9999FF, 0xFFCCFF, 0xCC9933, 0x33CCFF, 0x7FE5CC, 0xFF1933,
    0xFF4C33, 0xFF7F19, 0x00667F, 0x004CCC, 0x3300FF, 0x4CE500, 0x667FCC, 0x7F3333, 0x7FFF4C, 0x99FF99, 0xCC0066,
    0xCC6633, 0xCC66FF, 0x1999CC, 0x7FCC7F, 0xB2E5FF, 0x4CE566, 0xB29999, 0xB21933, 0xE566CC, 0x00FF33, 0x33B233,
    0x7F33FF, 0x00B24C, 0x7F6699, 0xFFFF33, 0x7FB219, 0xCCB2CC, 0x33FF99, 0x990066, 0xCC3399, 0xE5FFCC, 0x007FE5,
    0x3319B2, 0xB219B2, 0x33997F, 0x66194C, 0x7F7F19, 0x00004C, 0x3366B2, 0xB2E566, 0xFF337F, 0xFF99E5, 0x66664C,
    0x7F9966, 0x00CCE5, 0x6666E5, 0xE533FF, 0xE5FF66, 0x00CC00, 0x00FFCC, 0x7F4CB2, 0xCC7FE5, 0xCCB219, 0xCCFF33,
    0xE5194C, 0x7FCCFF, 0x33CCCC, 0x661999, 0x7F00E5, 0x669933, 0x6699FF, 0x7F4C00, 0x996666, 0x193366, 0x194C33,
    0x330019, 0x334C19, 0x4CFFCC, 0x99337F, 0x9999B2, 0x00E566, 0x337F00, 0x009999, 0xCC7F00, 0x199933, 0x9919E5,
    0xCC19FF, 0xCCB299, 0x19E5B2, 0x19E5E5, 0x3366FF, 0x4CE5FF, 0x669999, 0xB2B24C, 0xE57F66, 0xE5CC19, 0xCCE500,
    0xCCE5E5, 0xE5CCCC, 0x191900, 0x194CFF, 0x19E533, 0x3399FF, 0x33CC66, 0x4CE599, 0x66CC19, 0x66FF00, 0xB24C00,
    0xB24C33, 0x1919FF, 0x663300, 0x66CC99, 0x990000, 0x993300, 0x9933B2, 0x99CCCC, 0xB27F33, 0xB27F66, 0xB27FFF,
    0xE51900, 0xE54C7F, 0xE54CE5, 0xCCCC66, 0x1933CC, 0x334C66, 0x664CFF, 0x66E54C, 0x7F0099, 0x99E5B2, 0xE59999,
    0x19B299, 0xE5CC4C, 0x196666, 0x4C007F, 0x6619E5, 0x66E5E5, 0xCCE5B2, 0xE599FF, 0x194C99, 0x19B200, 0x666619,
    0x7F7FFF, 0x99FF19, 0xB21900, 0xCC334C, 0xE519CC, 0xFF997F, 0x4C99B2, 0x661919, 0x664C7F, 0x99194C, 0x99B27F,
    0x99E533};

void seg_mask_default_colours(uint8_t colour[256][3]) {
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        for (int c = 0; c < 3; c++)
            colour[label][c] = (uint8_t)(default_colours[label - 1] >> (16 - 8 * c));
    memset(colour[0], 0, 3);
    memset(colour[SEG_VOID], 255, 3);
}

seg_status seg_mask_create(seg_context *ctx, int width, int height, seg_mask *out) {
    memset(out, 0, sizeof *out);
    SEG_TRY(check_sides(ctx, "a mask", width, height));
    SEG_TRY(seg_allocated(out->label = seg_alloc_zero(ctx, (size_t)width * (size_t)height, 1)));
    out->width = width;
    out->height = height;
    seg_mask_default_colours(out->colour);
    return SEG_OK;
}

seg_status seg_mask_from_labels(seg_context *ctx, const uint8_t *label, int width, int height, ptrdiff_t stride,
                                seg_mask *out) {
    SEG_RELEASED(seg_mask_free) seg_mask made = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_mask_create(ctx, width, height, &made));
    SEG_TRY(check_rows(ctx, "labels", label, (size_t)width, height, &stride));
    for (int y = 0; y < height; y++) {
        uint8_t *row = made.label + (size_t)y * (size_t)width;
        memcpy(row, label + y * stride, (size_t)width);
        for (int x = 0; x < width; x++)
            if (row[x] > made.labels && row[x] != SEG_VOID)
                made.labels = row[x];
    }
    return SEG_HANDED_OVER(out, made);
}

void seg_mask_free(seg_mask *mask) {
    SEG_CLEAR(mask, mask->label);
}
