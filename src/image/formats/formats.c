#include "image/formats/formats.h"

#include "image/formats/decoders.h"

#include <string.h>

#define MAGIC(offset, text)                                                                                            \
    { offset, text, sizeof text - 1 }

const seg_format seg_formats[SEG_FORMAT_COUNT] = {
    [SEG_FORMAT_PNG] = {"a PNG image", {MAGIC(0, "\x89PNG")}, .decode = seg_png_decode},
    [SEG_FORMAT_JPEG] = {"a JPEG image", {MAGIC(0, "\xFF\xD8\xFF")}, .decode = seg_jpeg_decode},
    [SEG_FORMAT_TIFF] = {"a TIFF image",
                         {MAGIC(0, "II*\0"), MAGIC(0, "MM\0*"), MAGIC(0, "II+\0"), MAGIC(0, "MM\0+")},
                         .decode = seg_vips_decode,
                         .loader = "tiffload_source"},
    [SEG_FORMAT_BMP] = {"a BMP image", {MAGIC(0, "BM")}, .decode = seg_bmp_decode},
    [SEG_FORMAT_PNM] = {"a PNM image",
                        {MAGIC(0, "P4"), MAGIC(0, "P5"), MAGIC(0, "P6")},
                        .decode = seg_vips_decode,
                        .loader = "ppmload_source",
                        .unblock = "VipsForeignLoadPpm",
                        .held = 8},
    [SEG_FORMAT_WEBP] =
        {"a WebP image", {MAGIC(8, "WEBP")}, .decode = seg_vips_decode, .loader = "webpload_source", .held = 8},
    [SEG_FORMAT_GIF] =
        {"a GIF image", {MAGIC(0, "GIF8")}, .decode = seg_vips_decode, .loader = "gifload_source", .held = 8},
    [SEG_FORMAT_HEIC] = {"an HEIC image",
                         {MAGIC(4, "ftyphei"), MAGIC(4, "ftyphevc"), MAGIC(4, "ftyphevx"), MAGIC(4, "ftypmif1"),
                          MAGIC(4, "ftypmif2"), MAGIC(4, "ftypmiaf"), MAGIC(4, "ftypmsf1")},
                         .decode = seg_vips_decode,
                         .loader = "heifload_source",
                         .lossy = 1,
                         .held = 24},
    [SEG_FORMAT_AVIF] = {"an AVIF image",
                         {MAGIC(4, "ftypavi")},
                         .decode = seg_vips_decode,
                         .loader = "heifload_source",
                         .lossy = 1,
                         .held = 24},
    [SEG_FORMAT_JXL] = {"a JPEG XL image",
                        {MAGIC(0, "\xFF\x0A"), MAGIC(0, "\0\0\0\x0CJXL ")},
                        .decode = seg_vips_decode,
                        .loader = "jxlload_source",
                        .unblock = "VipsForeignLoadJxl",
                        .lossy = 1,
                        .held = 40},
    [SEG_FORMAT_JP2] = {"a JPEG 2000 image",
                        {MAGIC(0, "\0\0\0\x0CjP  "), MAGIC(0, "\xFF\x4F\xFF\x51")},
                        .decode = seg_vips_decode,
                        .loader = "jp2kload_source",
                        .unblock = "VipsForeignLoadJp2k",
                        .lossy = 1,
                        .held = 24},
};

/* A text may begin with PNM's letters: white space or a comment follows them. */
static int is_other(const seg_format *format, const unsigned char *bytes, size_t size) {
    return format == &seg_formats[SEG_FORMAT_PNM] && !(size > 2 && memchr(" \t\n\v\f\r#", bytes[2], 7));
}

const seg_format *seg_format_of(const unsigned char *bytes, size_t size) {
    for (const seg_format *f = seg_formats; f < seg_formats + SEG_FORMAT_COUNT; f++)
        for (const seg_magic *m = f->magic; m->bytes; m++)
            if (size >= m->offset + m->length && memcmp(bytes + m->offset, m->bytes, m->length) == 0 &&
                !is_other(f, bytes, size))
                return f;
    return NULL;
}

#define NAME(id, name, endings) name,

const char *seg_image_format(const void *bytes, size_t size) {
    static const char *const names[] = {SEG_IMAGE_FORMATS(NAME, NAME)};
    const seg_format *format = seg_format_of(bytes, size);
    return format ? names[format - seg_formats] : NULL;
}
