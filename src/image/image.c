#include "base/base.h"
#include "base/parallel.h"
#include "image/colour.h"
#include "image/file.h"
#include "image/formats/formats.h"
#include "image/formats/image_tiles.h"
#include "image/raster.h"

#include <stdlib.h>
#include <string.h>

#define OPAQUE 65535u
#define NARROW 16384 /* a quarter of the 16-bit range */

/* `value` of 0..from scaled to 0..to, rounded. */
static uint32_t rescale(uint32_t value, uint32_t from, uint32_t to) {
    return (uint32_t)(((uint64_t)value * to + from / 2) / from);
}

/* Composite sample `value` of opacity `alpha`, 0..65535, over white. Sums stay below 2^32: 65535^2 + 32767. */
static uint32_t over_white(uint32_t value, uint32_t white, uint32_t alpha) {
    return (value * alpha + white * (OPAQUE - alpha) + OPAQUE / 2) / OPAQUE;
}

/* Convert one row to 8 bits by a table of the sample of each value, or the three samples of each palette index. */
static void row8(const seg_raster *raster, const uint8_t table[256][3], size_t first, uint8_t *to) {
    size_t width = (size_t)raster->width;
    const uint8_t *from = raster->sample8 + first * (size_t)raster->channels;
    if (raster->channels == 3) {
        for (size_t i = 0; i < 3 * width; i++)
            to[i] = table[from[i]][0];
    } else {
        for (size_t x = 0; x < width; x++)
            for (size_t c = 0; c < 3; c++)
                to[3 * x + c] = table[from[x]][c];
    }
    if (raster->alpha)
        for (size_t i = 0; i < 3 * width; i++)
            to[i] = (uint8_t)over_white(to[i], 255, raster->alpha[first + i / 3]);
}

static void row16(const seg_raster *raster, uint32_t most, size_t first, uint16_t *to) {
    size_t width = (size_t)raster->width, divide = raster->channels == 3 ? 1 : 3;
    const uint16_t *from = raster->sample16 + first * (size_t)raster->channels;
    for (size_t i = 0; i < 3 * width; i++)
        to[i] = (uint16_t)(most == OPAQUE ? from[i / divide] : rescale(from[i / divide], most, OPAQUE));
    if (raster->alpha)
        for (size_t i = 0; i < 3 * width; i++)
            to[i] = (uint16_t)over_white(to[i], OPAQUE, raster->alpha[first + i / 3]);
}

/* Fill the table of row8. */
static void fill_table(const seg_raster *raster, uint8_t table[256][3]) {
    uint32_t most = (1u << raster->bits) - 1;
    for (uint32_t v = 0; v < 256; v++)
        for (int c = 0; c < 3; c++)
            table[v][c] = raster->kind == SEG_RASTER_PALETTE ? raster->palette[v][c]
                                                             : (uint8_t)rescale(v < most ? v : most, most, 255);
}

static int is_grey(const seg_raster *raster) {
    if (raster->kind != SEG_RASTER_PALETTE)
        return raster->kind == SEG_RASTER_GREY;
    for (int i = 0; i < raster->palette_count; i++)
        if (raster->palette[i][0] != raster->palette[i][1] || raster->palette[i][1] != raster->palette[i][2])
            return 0;
    return 1;
}

static int is_wide(const seg_raster *raster) {
    return raster->bits > 8;
}

static size_t image_bytes(const seg_raster *raster) {
    return (size_t)raster->width * (size_t)raster->height * (is_wide(raster) ? 3 * sizeof(uint16_t) : 3);
}

typedef struct conversion {
    const seg_raster *raster;
    seg_image *out;
    uint8_t table[256][3];
} conversion;

static void convert_rows(void *arg, size_t top, size_t bottom, SEG_UNUSED int worker) {
    const conversion *c = arg;
    const seg_raster *raster = c->raster;
    for (size_t y = top; y < bottom; y++) {
        size_t first = y * (size_t)raster->width;
        if (is_wide(raster))
            row16(raster, (1u << raster->bits) - 1, first, (uint16_t *)c->out->data + 3 * first);
        else
            row8(raster, c->table, first, (uint8_t *)c->out->data + 3 * first);
    }
}

/* Fill the samples of `out`, which may be the raster's own where it has three per pixel. */
static void convert(seg_context *ctx, const seg_raster *raster, seg_image *out) {
    conversion c = {.raster = raster, .out = out};
    out->width = raster->width;
    out->height = raster->height;
    out->depth = is_wide(raster) ? 16 : 8;
    out->grey = is_grey(raster);
    if (!is_wide(raster))
        fill_table(raster, c.table);
    seg_parallel(ctx, (size_t)raster->height, 0, convert_rows, &c);
}

seg_status seg_image_from_raster(seg_context *ctx, const seg_raster *raster, seg_image *out) {
    memset(out, 0, sizeof *out);
    out->data = seg_alloc(ctx, image_bytes(raster), 1);
    if (!out->data)
        return SEG_ERR_MEMORY;
    convert(ctx, raster, out);
    return SEG_OK;
}

/* 12-bit cameras and microscopes use a sixteenth of the 16-bit range. The range that is used is stretched to the whole
 * scale for the features and for display. The samples stay unchanged, for comparison with painted copies. */
void seg_image_set_ends(seg_context *ctx, const char *name, uint16_t low, uint16_t high, seg_image *image) {
    if (high <= low || high - low >= NARROW)
        return;
    image->low = low;
    image->high = high;
    seg_log(ctx, SEG_LOG_INFO, "'%s' uses the values %d to %d of 16 bits only; they are taken as black and white", name,
            low, high);
}

static void find_ends(seg_context *ctx, const char *name, seg_image *image) {
    const size_t samples = 3 * (size_t)image->width * (size_t)image->height;
    const uint16_t *sample = image->data;
    uint16_t low = UINT16_MAX, high = 0;
    if (image->depth != 16)
        return;
    for (size_t i = 0; i < samples; i++) {
        low = sample[i] < low ? sample[i] : low;
        high = sample[i] > high ? sample[i] : high;
    }
    seg_image_set_ends(ctx, name, low, high, image);
}

seg_status seg_image_take_part(seg_context *ctx, const char *name, seg_raster *raster, seg_image *out) {
    if (raster->kind != SEG_RASTER_RGB) {
        SEG_TRY(seg_image_from_raster(ctx, raster, out));
    } else {
        memset(out, 0, sizeof *out);
        out->data = is_wide(raster) ? (void *)raster->sample16 : (void *)raster->sample8;
        if (raster->alpha || (raster->bits != 8 && raster->bits != 16))
            convert(ctx, raster, out);
        out->width = raster->width;
        out->height = raster->height;
        out->depth = is_wide(raster) ? 16 : 8;
        out->grey = 0;
        raster->sample8 = NULL;
        raster->sample16 = NULL;
    }
    const seg_status status = seg_image_to_srgb(ctx, name, raster, out);
    if (status != SEG_OK)
        seg_image_free(out);
    return status;
}

seg_status seg_image_take_raster(seg_context *ctx, const char *name, seg_raster *raster, seg_image *out) {
    SEG_TRY(seg_image_take_part(ctx, name, raster, out));
    find_ends(ctx, name, out);
    return SEG_OK;
}

seg_status seg_image_read_memory(seg_context *ctx, const void *bytes, size_t size, const char *name, seg_image *out) {
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_raster_decode(ctx, bytes, size, name, &raster));
    return seg_image_take_raster(ctx, name, &raster, out);
}

seg_status seg_image_read(seg_context *ctx, const char *path, seg_image *out) {
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_raster_read(ctx, path, &raster));
    return seg_image_take_raster(ctx, seg_file_label(path, "standard input"), &raster, out);
}

static seg_status read_tiled_header(seg_context *ctx, const char *path, seg_image_header *out) {
    seg_tiled_image *image;
    SEG_TRY(seg_tiled_open(ctx, path, &image));
    *out = *seg_tiled_about(image);
    seg_tiled_close(image);
    return SEG_OK;
}

seg_status seg_image_header_read(seg_context *ctx, const char *path, int by_tiles, seg_image_header *out) {
    SEG_FREED unsigned char *bytes = NULL;
    size_t size = 0;
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    memset(out, 0, sizeof *out);
    if (strcmp(path, "-") == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "the header of standard input cannot be read and the rest left for later");
    if (by_tiles)
        return read_tiled_header(ctx, path, out);
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    out->format = seg_image_format(bytes, size);
    SEG_TRY(seg_raster_probe(ctx, bytes, size, path, &raster));
    *out = (seg_image_header){.format = out->format,
                              .width = raster.width,
                              .height = raster.height,
                              .depth = is_wide(&raster) ? 16 : 8,
                              .image_bytes = image_bytes(&raster),
                              .reading = size + raster.decoding,
                              .reading_image = size + raster.decoding,
                              .file_bytes = size};
    /* Grey values and palette indices are expanded to three channels after the file has been freed. */
    if (raster.kind != SEG_RASTER_RGB && raster.decoding + out->image_bytes > out->reading_image)
        out->reading_image = raster.decoding + out->image_bytes;
    return SEG_OK;
}

void seg_image_free(seg_image *image) {
    if (!image)
        return;
    free(image->data);
    memset(image, 0, sizeof *image);
}
