/* BMP. The header is read and checked here, the pixels are unpacked by stb_image, which sees a plain header instead of
 * the file's: it accepts fewer headers than programs write, fills what is missing with zeros, and looks palette indices
 * up in memory it never set where the palette is short. As palette it gets the identity, so that indices survive. */
#include "base/base.h"
#include "image/decoders.h"

#include <stb/stb_image.h>
#include <stdlib.h>
#include <string.h>

#define FILE_HEADER   14
#define PLAIN_HEADER  40
#define MASKED_HEADER 108 /* the kind of header that holds colour masks */

typedef struct bmp_header {
    int64_t width, height; /* height > 0; rows run upwards unless top_down */
    int top_down;
    unsigned bits, compression;
    uint32_t mask[4]; /* red, green, blue, alpha of 16 and 32 bits where compression is BITFIELDS */
    size_t pixels_at, stride;
    size_t palette_at, palette_step;
    int palette_count;
} bmp_header;

enum { BMP_RGB = 0, BMP_RLE8 = 1, BMP_RLE4 = 2, BMP_BITFIELDS = 3, BMP_ALPHABITFIELDS = 6 };

/* What stb reads: our header and palette, then the file's rows. */
typedef struct bmp_stream {
    unsigned char head[FILE_HEADER + MASKED_HEADER + 4 * 256];
    size_t head_size;
    const unsigned char *rows;
    size_t rows_size, at;
} bmp_stream;

static uint32_t little16(const unsigned char *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static uint32_t little32(const unsigned char *b) {
    return little16(b) | little16(b + 2) << 16;
}

static void put16(unsigned char *b, uint32_t value) {
    b[0] = (unsigned char)value;
    b[1] = (unsigned char)(value >> 8);
}

static void put32(unsigned char *b, uint32_t value) {
    put16(b, value);
    put16(b + 2, value >> 16);
}

static int64_t signed32(const unsigned char *b) {
    uint32_t value = little32(b);
    return value < 0x80000000u ? (int64_t)value : (int64_t)value - 0x100000000ll;
}

static seg_status truncated(seg_context *ctx, const char *name) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a truncated BMP, its end is missing: copy or download it again", name);
}

static seg_status damaged(seg_context *ctx, const char *name, const char *what) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged or unusual BMP (%s): save it as PNG", name, what);
}

/* Compression and colour masks. */
static seg_status read_coding(seg_context *ctx, const char *name, const unsigned char *bytes, size_t size,
                              uint32_t header_size, bmp_header *h) {
    int masked = h->compression == BMP_BITFIELDS || h->compression == BMP_ALPHABITFIELDS;
    if (h->compression == BMP_RLE8 || h->compression == BMP_RLE4)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is a run-length coded BMP, which is not read: save it uncompressed or as PNG", name);
    if (h->compression != BMP_RGB && !masked)
        return damaged(ctx, name, "unknown compression");
    if (h->bits != 1 && h->bits != 4 && h->bits != 8 && h->bits != 16 && h->bits != 24 && h->bits != 32)
        return damaged(ctx, name, "odd number of bits a pixel");
    if (!masked)
        return SEG_OK;
    if ((h->bits != 16 && h->bits != 32) || header_size == 64)
        return damaged(ctx, name, "colour masks do not fit the kind");
    int alpha = header_size >= 56 || h->compression == BMP_ALPHABITFIELDS;
    if (size < FILE_HEADER + PLAIN_HEADER + 16)
        return truncated(ctx, name);
    for (int i = 0; i < 3 + alpha; i++)
        h->mask[i] =
            little32(bytes + FILE_HEADER + PLAIN_HEADER + 4 * i); /* within or behind the header: the same place */
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
    seg_status status = seg_check_size(ctx, name, h->width, h->height);
    if (status == SEG_OK)
        status = read_coding(ctx, name, bytes, size, header_size, h);
    if (status != SEG_OK)
        return status;
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

/* The header stb sees. */
static void write_head(const bmp_header *h, bmp_stream *stream) {
    unsigned char *b = stream->head;
    int masked = h->compression != BMP_RGB;
    uint32_t header_size = masked ? MASKED_HEADER : PLAIN_HEADER, entries = h->bits <= 8 ? 1u << h->bits : 0;
    stream->head_size = FILE_HEADER + header_size + 4 * entries;
    b[0] = 'B';
    b[1] = 'M';
    put32(b + 10, (uint32_t)stream->head_size);
    put32(b + 14, header_size);
    put32(b + 18, (uint32_t)h->width);
    put32(b + 22, (uint32_t)(h->top_down ? -h->height : h->height));
    put16(b + 26, 1);
    put16(b + 28, h->bits);
    put32(b + 30, masked ? BMP_BITFIELDS : BMP_RGB);
    for (int i = 0; i < 4 && masked; i++)
        put32(b + 54 + 4 * i, h->mask[i]);
    for (uint32_t i = 0; i < entries; i++)
        memset(b + FILE_HEADER + header_size + 4 * i, (int)i, 3);
}

static int stream_read(void *user, char *data, int size) {
    bmp_stream *stream = user;
    size_t done = 0, wanted = (size_t)size;
    if (stream->at < stream->head_size) {
        done = stream->head_size - stream->at < wanted ? stream->head_size - stream->at : wanted;
        memcpy(data, stream->head + stream->at, done);
    }
    if (done < wanted) {
        size_t at = stream->at + done - stream->head_size, left = stream->rows_size - at;
        size_t rest = left < wanted - done ? left : wanted - done;
        memcpy(data + done, stream->rows + at, rest);
        done += rest;
    }
    stream->at += done;
    return (int)done;
}

static void stream_skip(void *user, int size) {
    bmp_stream *stream = user;
    size_t left = stream->head_size + stream->rows_size - stream->at;
    stream->at += size < 0 ? 0 : (size_t)size < left ? (size_t)size : left;
}

static int stream_ended(void *user) {
    const bmp_stream *stream = user;
    return stream->at >= stream->head_size + stream->rows_size;
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

/* Take over stb's samples: `from` has 3 or 4 per pixel. */
static seg_status keep_samples(seg_context *ctx, const uint8_t *from, size_t channels, seg_raster *out) {
    size_t pixels = (size_t)out->width * (size_t)out->height, kept = (size_t)out->channels;
    unsigned all = 255;
    uint8_t *to = out->sample8 = seg_alloc(ctx, pixels, kept);
    if (!to)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < pixels && channels == 4; i++)
        all &= from[4 * i + 3];
    if (all != 255) {
        out->alpha = seg_alloc(ctx, pixels, sizeof *out->alpha);
        if (!out->alpha)
            return SEG_ERR_MEMORY;
        for (size_t i = 0; i < pixels; i++)
            out->alpha[i] = (uint16_t)(from[4 * i + 3] * 257);
    }
    if (kept == channels) {
        memcpy(to, from, pixels * kept);
        return SEG_OK;
    }
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < kept; c++)
            to[i * kept + c] = from[i * channels + c];
    return SEG_OK;
}

seg_status seg_bmp_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                          seg_raster *out) {
    static const stbi_io_callbacks callbacks = {stream_read, stream_skip, stream_ended};
    bmp_header header;
    bmp_stream stream;
    int width = 0, height = 0, found = 0;
    seg_status status = read_header(ctx, bytes, size, name, &header);
    if (status != SEG_OK)
        return status;
    int alpha = header.bits == 32 && header.compression == BMP_RGB ? 1 : header.mask[3] != 0;
    int channels = alpha ? 4 : 3;
    out->width = (int)header.width;
    out->height = (int)header.height;
    out->bits = header.bits <= 8 ? (int)header.bits : 8;
    out->kind = header.bits <= 8 ? SEG_RASTER_PALETTE : SEG_RASTER_RGB;
    out->channels = header.bits <= 8 ? 1 : 3;
    /* stb's samples, and what is taken over of them. */
    out->decoding = (size_t)out->width * (size_t)out->height *
                    (size_t)(channels + out->channels + (alpha ? (int)sizeof *out->alpha : 0));
    if (header_only || (status = seg_check_room(ctx, name, out)) != SEG_OK)
        return status;
    memset(&stream, 0, sizeof stream);
    write_head(&header, &stream);
    stream.rows = bytes + header.pixels_at;
    stream.rows_size = size - header.pixels_at;
    uint8_t *samples = stbi_load_from_callbacks(&callbacks, &stream, &width, &height, &found, channels);
    if (!samples) {
        const char *reason = stbi_failure_reason();
        if (reason && strcmp(reason, "outofmem") == 0)
            return seg_no_memory_to_read(ctx, name);
        return damaged(ctx, name, reason ? reason : "unknown kind");
    }
    if (width != out->width || height != out->height)
        status = damaged(ctx, name, "size");
    else
        status = keep_samples(ctx, samples, (size_t)channels, out);
    stbi_image_free(samples);
    if (status == SEG_OK && header.bits <= 8) {
        keep_palette(bytes, &header, out);
        seg_palette_complete(ctx, name, out);
    }
    return status;
}
