#include "image/tiff_samples.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPAQUE 65535u
#define SPARE  ((tmsize_t)1 << 26) /* bytes a block may take however small the image */

/* The numbers of a page whose samples are wide. */
typedef struct range {
    double low, high;
    int whole, strange; /* all are whole; some are none (NaN) or endless */
} range;

typedef struct reader {
    TIFF *tiff;
    const seg_tiff_kind *k;
    seg_raster *out;
    range *look;          /* not NULL: only find this */
    double scale, offset; /* (value - offset) * scale is stored */
} reader;

void seg_tiff_read_kind(TIFF *tiff, seg_tiff_kind *k) {
    uint16_t extras = 0, *extra = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &k->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &k->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &k->planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &k->format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &k->orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &k->compression);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extras, &extra);
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &k->photometric))
        k->photometric = PHOTOMETRIC_MINISBLACK;
    k->colours = k->photometric == PHOTOMETRIC_RGB ? 3 : 1;
    for (int i = 0; i < extras && !k->alpha; i++)
        if (extra[i] == EXTRASAMPLE_ASSOCALPHA || extra[i] == EXTRASAMPLE_UNASSALPHA) {
            k->alpha = k->samples - extras + i;
            k->associated = extra[i] == EXTRASAMPLE_ASSOCALPHA;
        }
    if (k->alpha < k->colours)
        k->alpha = k->associated = 0; /* none; the numbers do not agree */
}

int seg_tiff_has_samples(const seg_tiff_kind *k) {
    const int real = k->format == SAMPLEFORMAT_IEEEFP && (k->bits == 16 || k->bits == 32 || k->bits == 64);
    const int integer = k->format == SAMPLEFORMAT_INT && (k->bits == 8 || k->bits == 16 || k->bits == 32);
    const int natural = (k->format == SAMPLEFORMAT_UINT || k->format == SAMPLEFORMAT_VOID) &&
                        ((k->bits >= 1 && k->bits <= 16) || k->bits == 32);
    if (k->samples < k->colours || k->samples > 64)
        return 0;
    switch (k->photometric) {
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_RGB:
        return real || integer || natural;
    case PHOTOMETRIC_PALETTE:
        return natural && k->bits <= 8;
    default:
        return 0;
    }
}

int seg_tiff_is_wide(const seg_tiff_kind *k) {
    return k->bits > 16 || k->format == SAMPLEFORMAT_INT || k->format == SAMPLEFORMAT_IEEEFP;
}

void seg_tiff_form(const seg_tiff_kind *k, seg_raster *out) {
    const int known = seg_tiff_has_samples(k);
    out->bits = !known ? 8 : seg_tiff_is_wide(k) ? 16 : k->bits;
    out->channels = known && k->colours == 1 ? 1 : 3;
    out->kind = known && k->photometric == PHOTOMETRIC_PALETTE ? SEG_RASTER_PALETTE
                : out->channels == 3                           ? SEG_RASTER_RGB
                                                               : SEG_RASTER_GREY;
}

/* --- One number. --- */

/* Number i of a row of packed ones, the first in the highest bits. */
static unsigned packed(const uint8_t *row, size_t i, unsigned bits) {
    const size_t first = i * bits;
    unsigned value = 0;
    for (size_t b = first; b < first + bits; b++)
        value = value << 1 | (row[b >> 3] >> (7 - (b & 7)) & 1u);
    return value;
}

/* Half precision: sign, 5 bits of exponent, 10 of fraction. */
static double half(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                        : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

static double number_at(const uint8_t *row, size_t i, const seg_tiff_kind *k) {
    const void *at = row + i * (k->bits / 8u);
    if (k->format == SAMPLEFORMAT_IEEEFP)
        return k->bits == 16   ? half(*(const uint16_t *)at)
               : k->bits == 32 ? (double)*(const float *)at
                               : *(const double *)at;
    if (k->format == SAMPLEFORMAT_INT)
        return k->bits == 8 ? *(const int8_t *)at : k->bits == 16 ? *(const int16_t *)at : *(const int32_t *)at;
    return k->bits == 8    ? row[i]
           : k->bits == 16 ? *(const uint16_t *)at
           : k->bits == 32 ? *(const uint32_t *)at
                           : packed(row, i, k->bits);
}

/* --- A row of a block. --- */

static void look_at(range *found, double value) {
    if (!isfinite(value)) {
        found->strange = 1;
        return;
    }
    found->low = value < found->low ? value : found->low;
    found->high = value > found->high ? value : found->high;
    found->whole &= value == floor(value);
}

/* 0 .. 1 to the opacity; what is not a number is 0. */
static uint16_t opacity_of(double share) {
    return share >= 1 ? OPAQUE : share > 0 ? (uint16_t)(share * OPAQUE + 0.5) : 0;
}

/* Sample s of `columns` pixels from `pixel` on, every count-th number of the row from number `first` on. */
static void take(reader *r, const uint8_t *row, size_t first, size_t count, int s, size_t pixel, size_t columns) {
    const seg_tiff_kind *k = r->k;
    seg_raster *out = r->out;
    const int opacity = k->alpha && s == k->alpha;
    const double full = k->format == SAMPLEFORMAT_IEEEFP ? 1 : ldexp(1, k->bits - (k->format == SAMPLEFORMAT_INT)) - 1;
    if (s >= k->colours && !opacity)
        return;
    for (size_t x = 0; x < columns; x++) {
        const double value = number_at(row, first + x * count, k), v = (value - r->offset) * r->scale;
        const unsigned stored = v >= OPAQUE ? OPAQUE : v > 0 ? (unsigned)(v + 0.5) : 0; /* no number: 0 */
        const size_t to = (pixel + x) * (size_t)k->colours + (size_t)s;
        if (r->look && !opacity)
            look_at(r->look, value);
        else if (r->look)
            continue;
        else if (opacity)
            out->alpha[pixel + x] = opacity_of(value / full);
        else if (out->sample8)
            out->sample8[to] = (uint8_t)stored;
        else
            out->sample16[to] = (uint16_t)stored;
    }
}

/* `columns` pixels of a block's row, from pixel `skip` of it on. */
static void take_row(reader *r, const uint8_t *row, int plane, size_t skip, size_t pixel, size_t columns) {
    const seg_tiff_kind *k = r->k;
    if (k->planar == PLANARCONFIG_SEPARATE) {
        take(r, row, skip, 1, plane, pixel, columns);
        return;
    }
    if (!seg_tiff_is_wide(k) && k->samples == k->colours && (k->bits == 8 || k->bits == 16)) {
        const size_t bytes = k->bits / 8u, stored = (size_t)k->colours;
        uint8_t *to = k->bits == 8 ? r->out->sample8 : (uint8_t *)(void *)r->out->sample16;
        memcpy(to + pixel * stored * bytes, row + skip * stored * bytes, columns * stored * bytes);
        return;
    }
    for (int s = 0; s < k->samples; s++)
        take(r, row, skip * k->samples + (size_t)s, k->samples, s, pixel, columns);
}

void seg_tiff_put_row(const seg_tiff_kind *k, const uint8_t *row, int plane, size_t skip, size_t to, size_t columns,
                      seg_raster *out) {
    reader r = {.k = k, .out = out, .scale = 1};
    take_row(&r, row, plane, skip, to, columns);
}

/* --- All blocks. A strip is a block as wide as the image. --- */

static int read_blocks(seg_context *ctx, reader *r) {
    TIFF *tiff = r->tiff;
    const uint32_t width = (uint32_t)r->out->width, height = (uint32_t)r->out->height;
    const int tiled = TIFFIsTiled(tiff), planes = r->k->planar == PLANARCONFIG_SEPARATE ? r->k->samples : 1;
    const tmsize_t room = tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    const tmsize_t line = tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff);
    const uint64_t numbers = planes > 1 ? 1 : r->k->samples;
    uint32_t across = width, down = height;
    if (tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &across);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &down);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &down);
        down = down < height ? down : height;
    }
    if (across < 1 || down < 1 || line < 1 || room / line < (tmsize_t)down ||
        (uint64_t)line < (across * numbers * r->k->bits + 7) / 8 ||
        room > SPARE + 16 * (tmsize_t)r->k->samples * (tmsize_t)width * (tmsize_t)height)
        return 0;
    uint8_t *block = seg_alloc_zero(ctx, (size_t)room, 1);
    int good = block != NULL;
    for (int plane = 0; plane < planes && good; plane++)
        for (uint32_t top = 0; top < height && good; top += down)
            for (uint32_t left = 0; left < width && good; left += across) {
                const uint32_t rows = height - top < down ? height - top : down;
                const uint32_t columns = width - left < across ? width - left : across;
                const tmsize_t wanted = tiled ? room : line * (tmsize_t)rows;
                const tmsize_t got =
                    tiled ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, left, top, 0, (uint16_t)plane), block, room)
                          : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, top, (uint16_t)plane), block, wanted);
                good = got == wanted;
                for (uint32_t y = 0; y < rows && good; y++)
                    take_row(r, block + (size_t)y * (size_t)line, plane, 0, (size_t)(top + y) * width + left, columns);
            }
    free(block);
    return good;
}

/* --- What the numbers mean. --- */

/* How wide numbers become those of 16 bits. */
static void choose_scale(seg_context *ctx, const range *found, const char *name, reader *r) {
    if (found->strange)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has samples that are not numbers; they are taken as black", name);
    if (!(found->low <= found->high)) /* no number at all */
        return;
    if (r->k->format == SAMPLEFORMAT_IEEEFP && found->low >= 0 && found->high <= 1) {
        r->scale = OPAQUE;
    } else if (!found->whole || found->low < 0 || found->high > OPAQUE) {
        r->offset = found->low;
        r->scale = found->high > found->low ? OPAQUE / (found->high - found->low) : 0;
        seg_log(ctx, SEG_LOG_INFO, "'%s' has samples from %g to %g; they are spread over 16 bits", name, found->low,
                found->high);
    }
}

static void invert(seg_raster *out) {
    const size_t pixels = (size_t)out->width * (size_t)out->height;
    const unsigned most = (1u << out->bits) - 1;
    for (size_t i = 0; i < pixels; i++)
        if (out->sample8)
            out->sample8[i] = (uint8_t)(most - out->sample8[i]);
        else
            out->sample16[i] = (uint16_t)(most - out->sample16[i]);
}

/* Colours that were multiplied by the opacity, divided by it again. */
static void divide_by_opacity(seg_raster *out) {
    const size_t pixels = (size_t)out->width * (size_t)out->height, channels = (size_t)out->channels;
    const uint64_t most = (1u << out->bits) - 1;
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = channels * i; c < channels * (i + 1) && out->alpha[i]; c++) {
            const uint64_t value = out->sample8 ? out->sample8[c] : out->sample16[c];
            const uint64_t full = (value * OPAQUE + out->alpha[i] / 2u) / out->alpha[i];
            if (out->sample8)
                out->sample8[c] = (uint8_t)(full < most ? full : most);
            else
                out->sample16[c] = (uint16_t)(full < most ? full : most);
        }
}

static int take_palette(TIFF *tiff, const seg_tiff_kind *k, seg_raster *out) {
    uint16_t *map[3] = {NULL, NULL, NULL};
    int shift = 0; /* old programs wrote 8 bits where 16 belong */
    if (!TIFFGetField(tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]) || !map[0] || !map[1] || !map[2])
        return 0;
    out->palette_count = 1 << k->bits;
    for (int i = 0; i < out->palette_count; i++)
        for (int c = 0; c < 3; c++)
            shift = map[c][i] > 255 ? 8 : shift;
    for (int i = 0; i < out->palette_count; i++)
        for (int c = 0; c < 3; c++)
            out->palette[i][c] = (uint8_t)(map[c][i] >> shift);
    return 1;
}

int seg_tiff_finish(TIFF *tiff, const seg_tiff_kind *k, seg_raster *out) {
    if (k->photometric == PHOTOMETRIC_MINISWHITE)
        invert(out);
    if (k->associated && k->photometric != PHOTOMETRIC_PALETTE)
        divide_by_opacity(out);
    return k->photometric != PHOTOMETRIC_PALETTE || take_palette(tiff, k, out);
}

int seg_tiff_samples(seg_context *ctx, TIFF *tiff, const seg_tiff_kind *k, const char *name, seg_raster *out) {
    const size_t pixels = (size_t)out->width * (size_t)out->height;
    range found = {INFINITY, -INFINITY, 1, 0};
    reader r = {.tiff = tiff, .k = k, .out = out, .scale = 1};
    if (seg_tiff_is_wide(k)) {
        r.look = &found;
        if (!read_blocks(ctx, &r))
            return 0;
        r.look = NULL;
        choose_scale(ctx, &found, name, &r);
    }
    void *samples = seg_alloc_zero(ctx, pixels * (size_t)k->colours, out->bits > 8 ? 2 : 1);
    if (out->bits > 8)
        out->sample16 = samples;
    else
        out->sample8 = samples;
    if (k->alpha)
        out->alpha = seg_alloc(ctx, pixels, sizeof *out->alpha);
    if (!samples || (k->alpha && !out->alpha) || !read_blocks(ctx, &r))
        return 0;
    if (k->samples > k->colours + (k->alpha > 0))
        seg_log(ctx, SEG_LOG_INFO, "'%s' has %d samples per pixel; the first %d%s are used", name, k->samples,
                k->colours, k->alpha ? " and the opacity" : "");
    return seg_tiff_finish(tiff, k, out);
}
