/* Small PNG, JPEG and BMP files made in memory, for the tests of decoding. */
#ifndef TESTS_IMAGE_MAKERS_H
#define TESTS_IMAGE_MAKERS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

typedef struct made_file {
    unsigned char *bytes;
    size_t size;
} made_file;

static inline void made_append(made_file *file, const void *bytes, size_t size) {
    file->bytes = realloc(file->bytes, file->size + size + 1);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static inline void made_file_free(made_file *file) {
    free(file->bytes);
    memset(file, 0, sizeof *file);
}

static inline void made_save(const made_file *file, const char *path) {
    FILE *to = fopen(path, "wb");
    if (!to || fwrite(file->bytes, 1, file->size, to) != file->size || fclose(to) != 0)
        abort();
}

/* A number of an EXIF segment or a PNG chunk. */
static inline void exif_put(unsigned char *to, unsigned value, int bytes, int big) {
    for (int i = 0; i < bytes; i++)
        to[big ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

/* ---- PNG ---- */

typedef struct png_recipe {
    int width, height, type, bits, interlaced;
    const uint16_t *samples; /* width * height * channels of the type, 0 .. 2^bits - 1 */
    const png_color *palette;
    int palette_count;
    const uint8_t *opacity; /* tRNS of a palette */
    int opacity_count;
    const png_color_16 *key; /* tRNS of grey and RGB */
    int without_end;         /* 1: leave IEND out */
    int orientation;         /* EXIF, 0 = none */
    int animated;            /* 1: followed by a second picture, as APNG */
} png_recipe;
#define PNG_RECIPE(wide, high, kind, depth, values, ...)                                                               \
    { .width = wide, .height = high, .type = kind, .bits = depth, .samples = values, __VA_ARGS__ }

static inline void made_png_write(png_structp png, png_bytep bytes, size_t size) {
    made_append(png_get_io_ptr(png), bytes, size);
}

static inline void made_png_flush(png_structp png) {
    (void)png;
}

static inline int png_channels(int type) {
    return (type & PNG_COLOR_MASK_COLOR && type != PNG_COLOR_TYPE_PALETTE ? 3 : 1) +
           (type & PNG_COLOR_MASK_ALPHA ? 1 : 0);
}

static inline made_file make_png(const png_recipe *r) {
    made_file file = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    size_t row_samples = (size_t)r->width * (size_t)png_channels(r->type);
    png_set_write_fn(png, &file, made_png_write, made_png_flush);
    png_set_IHDR(png, info, (png_uint_32)r->width, (png_uint_32)r->height, r->bits, r->type,
                 r->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (r->palette)
        png_set_PLTE(png, info, r->palette, r->palette_count);
    if (r->opacity || r->key)
        png_set_tRNS(png, info, r->opacity, r->opacity_count, r->key);
    png_set_gAMA(png, info, 0.7); /* must not matter */
    unsigned char exif[26] = "MM";
    if (r->orientation) {
        exif_put(exif + 2, 42, 2, 1);
        exif_put(exif + 4, 8, 4, 1);
        exif_put(exif + 8, 1, 2, 1);       /* one entry */
        exif_put(exif + 10, 0x0112, 2, 1); /* orientation */
        exif_put(exif + 12, 3, 2, 1);      /* a short */
        exif_put(exif + 14, 1, 4, 1);
        exif_put(exif + 18, (unsigned)r->orientation, 2, 1);
        png_set_eXIf_1(png, info, sizeof exif, exif);
    }
    png_set_check_for_invalid_index(png, -1); /* an index beyond the palette is what some tests want */
    png_write_info(png, info);
    if (r->animated)
        png_write_chunk(png, (png_const_bytep) "acTL", (png_const_bytep) "\0\0\0\2\0\0\0", 8);
    if (r->bits < 8)
        png_set_packing(png);
    int passes = png_set_interlace_handling(png);
    uint8_t *row = malloc(2 * row_samples);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < r->height; y++) {
            for (size_t i = 0; i < row_samples; i++) {
                uint16_t v = r->samples[(size_t)y * row_samples + i];
                if (r->bits == 16) {
                    row[2 * i] = (uint8_t)(v >> 8);
                    row[2 * i + 1] = (uint8_t)v;
                } else {
                    row[i] = (uint8_t)v;
                }
            }
            png_write_row(png, row);
        }
    if (r->animated)
        png_write_chunk(png, (png_const_bytep) "fdAT", (png_const_bytep) "\0\0\0\1pixels", 10);
    png_write_end(png, info);
    if (r->without_end)
        file.size -= 12;
    free(row);
    png_destroy_write_struct(&png, &info);
    return file;
}

/* ---- JPEG ---- */

typedef struct jpeg_recipe {
    int width, height, channels; /* 1 grey, 3 RGB, 4 CMYK */
    const uint8_t *samples;
    int quality;  /* 0: 100 */
    int ycck;     /* CMYK stored as YCCK */
    int no_adobe; /* CMYK without the Adobe marker */
    int progressive;
    int orientation; /* EXIF, 0 = none */
    int big_endian;  /* byte order of the EXIF segment */
    int subsample;   /* 1: chroma halved both ways; 4: a quarter across (4:1:1) */
    int restart;     /* a restart marker every so many blocks, 0 = none */
    int arithmetic;
} jpeg_recipe;
#define JPEG_RECIPE(wide, high, colours, values, ...)                                                                  \
    { .width = wide, .height = high, .channels = colours, .samples = values, __VA_ARGS__ }

static inline made_file make_jpeg(const jpeg_recipe *r) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr manager;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    made_file file = {0};
    jpeg.err = jpeg_std_error(&manager);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = (JDIMENSION)r->width;
    jpeg.image_height = (JDIMENSION)r->height;
    jpeg.input_components = r->channels;
    jpeg.in_color_space = r->channels == 1 ? JCS_GRAYSCALE : r->channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    if (r->channels == 4)
        jpeg_set_colorspace(&jpeg, r->ycck ? JCS_YCCK : JCS_CMYK);
    if (r->no_adobe)
        jpeg.write_Adobe_marker = FALSE;
    jpeg_set_quality(&jpeg, r->quality ? r->quality : 100, TRUE);
    for (int c = 0; c < r->channels && !r->subsample; c++)
        jpeg.comp_info[c].h_samp_factor = jpeg.comp_info[c].v_samp_factor = 1;
    if (r->subsample == 4) {
        jpeg.comp_info[0].h_samp_factor = 4;
        jpeg.comp_info[0].v_samp_factor = 1;
    }
    jpeg.arith_code = r->arithmetic ? TRUE : FALSE;
    jpeg.restart_interval = (unsigned)r->restart;
    if (r->progressive)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    if (r->orientation) {
        unsigned char exif[32] = "Exif\0\0";
        int big = r->big_endian;
        memcpy(exif + 6, big ? "MM" : "II", 2);
        exif_put(exif + 8, 42, 2, big);
        exif_put(exif + 10, 8, 4, big);
        exif_put(exif + 14, 1, 2, big);      /* one entry */
        exif_put(exif + 16, 0x0112, 2, big); /* orientation */
        exif_put(exif + 18, 3, 2, big);      /* a short */
        exif_put(exif + 20, 1, 4, big);
        exif_put(exif + 24, (unsigned)r->orientation, 2, big);
        jpeg_write_marker(&jpeg, JPEG_APP0 + 1, exif, sizeof exif);
    }
    for (int y = 0; y < r->height; y++) {
        JSAMPROW row = (JSAMPROW)(uintptr_t)(r->samples + (size_t)y * (size_t)r->width * (size_t)r->channels);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    made_append(&file, bytes, size);
    free(bytes);
    return file;
}

/* ---- BMP, byte by byte ---- */

typedef struct bmp_recipe {
    int width, height;             /* height < 0: rows from the top */
    int bits, compression, header; /* header: 12, 40, 56, 108 or 124 */
    const uint32_t *pixels;        /* from the top left: index, 16-bit value or 0xAARRGGBB */
    const uint32_t *palette;       /* 0xRRGGBB */
    int palette_count, listed;     /* entries written, and claimed in the header */
    uint32_t mask[4];
    int gap; /* bytes between header and pixels */
} bmp_recipe;
#define BMP_RECIPE(wide, high, depth, head, values, ...)                                                               \
    { .width = wide, .height = high, .bits = depth, .header = head, .pixels = values, __VA_ARGS__ }

static inline void bmp_put(made_file *file, uint32_t value, int bytes) {
    unsigned char little[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                               (unsigned char)(value >> 24)};
    made_append(file, little, (size_t)bytes);
}

static inline made_file make_bmp(const bmp_recipe *r) {
    made_file file = {0};
    int height = abs(r->height), stride = (r->width * r->bits + 31) / 32 * 4, entry = r->header == 12 ? 3 : 4;
    int behind = r->header == 40 && r->compression == 3 ? 12 : r->header == 40 && r->compression == 6 ? 16 : 0;
    int offset = 14 + r->header + behind + entry * r->palette_count + r->gap;
    made_append(&file, "BM", 2);
    bmp_put(&file, (uint32_t)(offset + stride * height), 4);
    bmp_put(&file, 0, 4);
    bmp_put(&file, (uint32_t)offset, 4);
    bmp_put(&file, (uint32_t)r->header, 4);
    if (r->header == 12) {
        bmp_put(&file, (uint32_t)r->width, 2);
        bmp_put(&file, (uint32_t)r->height, 2);
    } else {
        bmp_put(&file, (uint32_t)r->width, 4);
        bmp_put(&file, (uint32_t)r->height, 4);
    }
    bmp_put(&file, 1, 2);
    bmp_put(&file, (uint32_t)r->bits, 2);
    if (r->header != 12) {
        bmp_put(&file, (uint32_t)r->compression, 4);
        bmp_put(&file, 0, 4);
        bmp_put(&file, 2835, 4);
        bmp_put(&file, 2835, 4);
        bmp_put(&file, (uint32_t)r->listed, 4);
        bmp_put(&file, 0, 4);
    }
    for (int i = 0; i < 4 && (44 + 4 * i <= r->header || i * 4 < behind); i++)
        bmp_put(&file, r->mask[i], 4);
    while (file.size < (size_t)(14 + r->header + behind))
        bmp_put(&file, 0, 1);
    for (int i = 0; i < r->palette_count; i++)
        bmp_put(&file, r->palette[i], entry); /* little end first: blue, green, red */
    for (int i = 0; i < r->gap; i++)
        bmp_put(&file, 0xEE, 1);
    for (int row = 0; row < height; row++) {
        const uint32_t *from = r->pixels + (r->height < 0 ? row : height - 1 - row) * r->width;
        size_t start = file.size;
        if (r->bits >= 8) {
            for (int x = 0; x < r->width; x++)
                bmp_put(&file, from[x], r->bits / 8);
        } else {
            for (int x = 0; x < r->width; x += 8 / r->bits) {
                uint32_t byte = 0;
                for (int i = 0; i < 8 / r->bits; i++)
                    byte = byte << r->bits | (x + i < r->width ? from[x + i] : 0);
                bmp_put(&file, byte, 1);
            }
        }
        while (file.size < start + (size_t)stride)
            bmp_put(&file, 0, 1);
    }
    return file;
}

#endif
