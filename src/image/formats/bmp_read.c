/* BMP, uncompressed: palettes keep their indices, the masks state which bytes of 32 bits are the colours. */
#include "base/base.h"
#include "image/formats/decoders.h"

#define FILE_HEADER  14
#define PLAIN_HEADER 40

typedef struct bmp_header {
    int64_t width, height; /* height > 0; rows run upwards unless top_down */
    int top_down;
    unsigned bits, compression;
    int place[4]; /* of 24 and 32 bits: the bytes of red, green, blue and opacity in a pixel; no opacity: -1 */
    size_t pixels_at, stride;
    size_t palette_at, palette_step;
    int palette_count;
} bmp_header;

enum { BMP_RGB = 0, BMP_RLE8 = 1, BMP_RLE4 = 2, BMP_BITFIELDS = 3, BMP_ALPHABITFIELDS = 6 };

static uint32_t little16(const unsigned char *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static uint32_t little32(const unsigned char *b) {
    return little16(b) | little16(b + 2) << 16;
}

static int64_t signed32(const unsigned char *b) {
    uint32_t value = little32(b);
    return value < 0x80000000u ? (int64_t)value : (int64_t)value - 0x100000000ll;
}

static seg_status truncated(seg_context *ctx, const char *name) {
    return seg_truncated(ctx, name, "BMP");
}

static seg_status damaged(seg_context *ctx, const char *name, const char *what) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged or unusual BMP (%s): save it as PNG", name, what);
}

/* The byte of a pixel that a mask covers; -1 for any other mask. */
static int byte_of(uint32_t mask) {
    for (int byte = 0; byte < 4; byte++)
        if (mask == (uint32_t)0xff << 8 * byte)
            return byte;
    return -1;
}

/* Compression and colour masks. */
static seg_status read_coding(seg_context *ctx, const char *name, const unsigned char *bytes, size_t size,
                              uint32_t header_size, bmp_header *h) {
    const int masked = h->compression == BMP_BITFIELDS || h->compression == BMP_ALPHABITFIELDS;
    const int alpha = header_size >= 56 || h->compression == BMP_ALPHABITFIELDS;
    if (h->compression == BMP_RLE8 || h->compression == BMP_RLE4)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is a run-length coded BMP, which is not read: save it uncompressed or as PNG", name);
    if (h->compression != BMP_RGB && !masked)
        return damaged(ctx, name, "unknown compression");
    if (h->bits != 1 && h->bits != 4 && h->bits != 8 && h->bits != 24 && h->bits != 32)
        return damaged(ctx, name, "not of 1, 4, 8, 24 or 32 bits per pixel");
    memcpy(h->place, (int[]){2, 1, 0, h->bits == 32 ? 3 : -1}, sizeof h->place);
    if (!masked)
        return SEG_OK;
    if (h->bits != 32 || header_size == 64)
        return damaged(ctx, name, "colour masks do not fit the kind");
    if (size < FILE_HEADER + PLAIN_HEADER + 16)
        return truncated(ctx, name);
    h->place[3] = -1;
    for (int i = 0; i < 3 + alpha; i++) { /* within or behind the header: the same place */
        const uint32_t mask = little32(bytes + FILE_HEADER + PLAIN_HEADER + 4 * i);
        h->place[i] = byte_of(mask);
        if ((i < 3 || mask) && h->place[i] < 0)
            return damaged(ctx, name, "colour masks that are not whole bytes");
    }
    return SEG_OK;
}

static seg_status read_header(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                              bmp_header *h) {
    memset(h, 0, sizeof *h);
    if (size < FILE_HEADER + 4)
        return truncated(ctx, name);
    uint32_t header_size = little32(bytes + FILE_HEADER), planes, listed = 0;
    if (header_size != 12 && header_size != 40 && header_size != 52 && header_size != 56 && header_size != 64 &&
        header_size != 108 && header_size != 124)
        return damaged(ctx, name, "unknown header");
    if (size < FILE_HEADER + header_size)
        return truncated(ctx, name);
    if (header_size == 12) {
        h->width = little16(bytes + 18);
        h->height = little16(bytes + 20);
        planes = little16(bytes + 22);
        h->bits = little16(bytes + 24);
    } else {
        h->width = signed32(bytes + 18);
        h->height = signed32(bytes + 22);
        planes = little16(bytes + 26);
        h->bits = little16(bytes + 28);
        h->compression = little32(bytes + 30);
        listed = little32(bytes + 46);
        h->top_down = h->height < 0;
        h->height = h->top_down ? -h->height : h->height;
    }
    if (planes != 1)
        return damaged(ctx, name, "number of planes is not 1");
    SEG_TRY(seg_check_size(ctx, name, h->width, h->height));
    SEG_TRY(read_coding(ctx, name, bytes, size, header_size, h));
    h->pixels_at = little32(bytes + 10);
    h->stride = ((size_t)h->width * h->bits + 31) / 32 * 4;
    size_t used = ((size_t)h->width * h->bits + 7) / 8; /* the last row's padding may be missing */
    if (h->pixels_at < FILE_HEADER + header_size)
        return damaged(ctx, name, "pixels overlap the header");
    if (h->pixels_at > size || size - h->pixels_at < h->stride * (size_t)(h->height - 1) + used)
        return truncated(ctx, name);
    if (h->bits <= 8) {
        h->palette_at = FILE_HEADER + header_size;
        h->palette_step = header_size == 12 ? 3 : 4;
        size_t room = (h->pixels_at - h->palette_at) / h->palette_step, most = (size_t)1 << h->bits;
        size_t count = listed && listed < most ? listed : most;
        h->palette_count = (int)(count < room ? count : room);
        if (h->palette_count == 0)
            return damaged(ctx, name, "no palette");
    }
    return SEG_OK;
}

/* A palette that is the plain grey ramp makes a grey image, any other is kept. */
static void keep_palette(const unsigned char *bytes, const bmp_header *h, seg_raster *out) {
    int most = (1 << h->bits) - 1, ramp = h->palette_count == most + 1;
    for (int i = 0; i < h->palette_count; i++) {
        const unsigned char *entry = bytes + h->palette_at + h->palette_step * (size_t)i; /* blue, green, red */
        for (int c = 0; c < 3; c++) {
            out->palette[i][c] = entry[2 - c];
            ramp = ramp && entry[c] == i * 255 / most;
        }
    }
    out->palette_count = h->palette_count;
    if (ramp) {
        out->kind = SEG_RASTER_GREY;
        out->palette_count = 0;
        memset(out->palette, 0, sizeof out->palette);
    }
}

/* A row of indices, or of colours. */
static void unpack(const unsigned char *row, const bmp_header *h, uint8_t *to, uint16_t *alpha) {
    const unsigned most = (1u << (h->bits & 7)) - 1; /* of fewer than 8 bits */
    for (size_t x = 0; x < (size_t)h->width; x++) {
        const unsigned char *pixel = row + x * h->bits / 8;
        if (h->bits <= 8)
            to[x] = h->bits == 8 ? *pixel : (uint8_t)(*pixel >> (8 - h->bits - x * h->bits % 8) & most);
        for (int c = 0; c < 3 && h->bits > 8; c++)
            to[3 * x + (size_t)c] = pixel[h->place[c]];
        if (alpha)
            alpha[x] = (uint16_t)(pixel[h->place[3]] * 257);
    }
}

static seg_status read_pixels(seg_context *ctx, const unsigned char *bytes, const bmp_header *h, seg_raster *out) {
    const size_t width = (size_t)out->width, channels = (size_t)out->channels, pixels = width * (size_t)out->height;
    uint16_t any = 0;
    SEG_TRY(seg_raster_allocate(ctx, out, h->bits == 32 && h->place[3] >= 0));
    for (size_t y = 0; y < (size_t)out->height; y++)
        unpack(bytes + h->pixels_at + h->stride * (h->top_down ? y : (size_t)out->height - 1 - y), h,
               out->sample8 + channels * width * y, out->alpha ? out->alpha + width * y : NULL);
    for (size_t i = 0; i < pixels && out->alpha; i++)
        any |= out->alpha[i];
    if (out->alpha && !any &&
        h->compression == BMP_RGB) /* programs that know no opacity; those that state its mask mean it */
        memset(out->alpha, 0xff, pixels * sizeof *out->alpha);
    seg_raster_drop_opaque(out);
    return SEG_OK;
}

seg_status seg_bmp_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                          seg_raster *out) {
    bmp_header header;
    SEG_TRY(read_header(ctx, bytes, size, name, &header));
    const int indices = header.bits <= 8;
    out->width = (int)header.width;
    out->height = (int)header.height;
    out->bits = indices ? (int)header.bits : 8;
    out->kind = indices ? SEG_RASTER_PALETTE : SEG_RASTER_RGB;
    out->channels = indices ? 1 : 3;
    out->decoding = seg_raster_bytes(out, header.bits == 32 && header.place[3] >= 0);
    if (header_only)
        return SEG_OK;
    SEG_TRY(seg_check_room(ctx, name, out));
    SEG_TRY(read_pixels(ctx, bytes, &header, out));
    if (indices) {
        keep_palette(bytes, &header, out);
        seg_palette_complete(ctx, name, out);
    }
    return SEG_OK;
}
