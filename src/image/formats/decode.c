#include "base/base.h"
#include "image/file.h"
#include "image/formats/decoders.h"
#include "image/formats/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPAQUE    65535
#define TEXT_LOOK 512 /* bytes looked at to tell whether a file is text */

#ifndef MOST_PIXELS /* fewer for fuzzers (tests/fuzz/CMakeLists.txt) */
#define MOST_PIXELS SEG_MAX_PIXELS
#endif

/* What files that are not read begin with, so that the message can say what was given. */
static const struct {
    size_t offset;
    const char *magic;
    size_t length;
    const char *what;
    int raw; /* of a camera */
} others[] = {
    {8, "CR\x02", 3, "a Canon raw image (CR2)", 1},
    {4, "ftypcrx", 7, "a Canon raw image (CR3)", 1},
    {6, "HEAPCCDR", 8, "a Canon raw image (CRW)", 1},
    {0, "FUJIFILMCCD-RAW", 15, "a Fujifilm raw image (RAF)", 1},
    {0, "IIRO", 4, "an Olympus raw image (ORF)", 1},
    {0, "IIRS", 4, "an Olympus raw image (ORF)", 1},
    {0, "MMOR", 4, "an Olympus raw image (ORF)", 1},
    {0, "IIU\0", 4, "a Panasonic raw image (RW2)", 1},
    {0, "FOVb", 4, "a Sigma raw image (X3F)", 1},
    {0, "\0MRM", 4, "a Minolta raw image (MRW)", 1},
    {4, "ftyp", 4, "a film", 0},
    {0, "%PDF", 4, "a PDF document", 0},
    {0, "%!PS", 4, "a PostScript document", 0},
    {0, "8BPS", 4, "a Photoshop file", 0},
    {0, "gimp xcf", 8, "a GIMP file", 0},
    {0, "qoif", 4, "a QOI image", 0},
    {0, "PK\3\4", 4, "a ZIP archive", 0},
    {0, "\x1F\x8B", 2, "a gzip archive", 0},
};

/* Text: no control characters but line ends, tabs and form feeds at the beginning, and mostly ASCII. */
static int is_text(const unsigned char *bytes, size_t size) {
    size_t look = size < TEXT_LOOK ? size : TEXT_LOOK, high = 0;
    for (size_t i = 0; i < look; i++) {
        int space = bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '\f';
        if (bytes[i] == 0x7F || (bytes[i] < 0x20 && !space))
            return 0;
        high += bytes[i] >= 0x80;
    }
    return look > 4 * high;
}

/* What a file seems to be, NULL where that is not known; *raw: it is of a camera. */
static const char *what_is(const unsigned char *bytes, size_t size, int *raw) {
    *raw = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (size >= others[i].offset + others[i].length &&
            memcmp(bytes + others[i].offset, others[i].magic, others[i].length) == 0) {
            *raw = others[i].raw;
            return others[i].what;
        }
    return !size ? "empty" : is_text(bytes, size) ? "a text file" : NULL;
}

seg_status seg_refuse_raw(seg_context *ctx, const char *name, const char *what) {
    return seg_fail(
        ctx, SEG_ERR_INPUT,
        "'%s' is %s, which is not read: develop it in a raw converter (darktable, RawTherapee, the camera's "
        "own) and export a JPEG, PNG or TIFF",
        name, what);
}

seg_status seg_truncated(seg_context *ctx, const char *name, const char *format) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a truncated %s, its end is missing: copy or download it again", name,
                    format);
}

seg_status seg_check_size(seg_context *ctx, const char *name, int64_t width, int64_t height) {
    if (width < 1 || height < 1)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is damaged: it claims to be %lld x %lld pixels; use a good copy",
                        name, (long long)width, (long long)height);
    if (width > SEG_MAX_SIDE || height > SEG_MAX_SIDE || width * height > MOST_PIXELS)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is too large with %lld x %lld pixels (at most %d a side and %lld in all): scale it down",
                        name, (long long)width, (long long)height, SEG_MAX_SIDE, MOST_PIXELS);
    return SEG_OK;
}

seg_status seg_no_memory_to_read(seg_context *ctx, const char *name) {
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading '%s'; use a smaller picture", name);
}

seg_status seg_check_room(seg_context *ctx, const char *name, const seg_raster *raster) {
    char what[SEG_MESSAGE_SIZE / 2];
    snprintf(what, sizeof what, "reading '%.300s', %d x %d pixels,", name, raster->width, raster->height);
    return seg_reserve(ctx, raster->decoding, what);
}

static size_t pixels_of(const seg_raster *raster) {
    return (size_t)raster->width * (size_t)raster->height;
}

size_t seg_raster_bytes(const seg_raster *raster, int opacity) {
    return pixels_of(raster) *
           ((size_t)raster->channels * (raster->bits > 8 ? 2 : 1) + (opacity ? sizeof *raster->alpha : 0));
}

seg_status seg_raster_allocate(seg_context *ctx, seg_raster *raster, int opacity) {
    void *samples = seg_alloc_zero(ctx, pixels_of(raster) * (size_t)raster->channels, raster->bits > 8 ? 2 : 1);
    if (raster->bits > 8)
        raster->sample16 = samples;
    else
        raster->sample8 = samples;
    if (samples && opacity)
        raster->alpha = seg_alloc_zero(ctx, pixels_of(raster), sizeof *raster->alpha);
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

void seg_palette_complete(seg_context *ctx, const char *name, seg_raster *raster) {
    size_t pixels = (size_t)raster->width * (size_t)raster->height;
    int largest = 0;
    if (raster->kind != SEG_RASTER_PALETTE)
        return;
    for (size_t i = 0; i < pixels; i++)
        largest = raster->sample8[i] > largest ? raster->sample8[i] : largest;
    if (largest < raster->palette_count)
        return;
    seg_log(ctx, SEG_LOG_WARNING, "'%s' uses palette entry %d but has only %d; the missing ones are taken as black",
            name, largest, raster->palette_count);
    raster->palette_count = largest + 1;
}

static seg_status decode(seg_context *ctx, const void *bytes, size_t size, const char *name, int header_only,
                         seg_raster *out) {
    const seg_format *format = seg_format_of(bytes, size);
    int raw = 0;
    const char *what = what_is(bytes, size, &raw);
    seg_status status;
    memset(out, 0, sizeof *out);
    if (raw && (!format || ((const char *)bytes)[0] == 'I')) /* CR2 is a TIFF of previews */
        status = seg_refuse_raw(ctx, name, what);
    else if (!format)
        status =
            seg_fail(ctx, SEG_ERR_INPUT, "'%s' %s%s; " SEG_IMAGE_FORMAT_NAMES " images are read: convert it to PNG",
                     name, what ? "seems to be " : "is of no known kind", what ? what : "");
    else
        status = format->decode(ctx, bytes, size, name, header_only, out);
    if (status != SEG_OK)
        seg_raster_free(out);
    return status;
}

seg_status seg_raster_decode(seg_context *ctx, const void *bytes, size_t size, const char *name, seg_raster *out) {
    return decode(ctx, bytes, size, name, 0, out);
}

seg_status seg_raster_probe(seg_context *ctx, const void *bytes, size_t size, const char *name, seg_raster *out) {
    return decode(ctx, bytes, size, name, 1, out);
}

seg_status seg_raster_read(seg_context *ctx, const char *path, seg_raster *out) {
    SEG_FREED unsigned char *bytes = NULL;
    size_t size;
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    return seg_raster_decode(ctx, bytes, size, seg_file_label(path, "standard input"), out);
}

void seg_raster_free(seg_raster *raster) {
    free(raster->sample8);
    free(raster->sample16);
    free(raster->alpha);
    free(raster->icc);
    memset(raster, 0, sizeof *raster);
}
