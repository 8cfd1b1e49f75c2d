/* libvips, and an image that it reads: its form, and its pixels row by row or by rectangles. */
#pragma once

#include "image/formats/decoders.h"

/* What libvips does not report of a TIFF: which of its images is meant, its palette, how its samples are stored. */

/* The bytes of a file: in memory, or read from a descriptor where `bytes` is NULL. */
typedef struct seg_tiff_bytes {
    const unsigned char *bytes;
    int descriptor;
    size_t size;
    size_t patched; /* place of a byte that reads as `patch`; 0: none */
    unsigned char patch;
    int error; /* errno of a read that failed */
} seg_tiff_bytes;

/* Up to `count` bytes from `at` on. @return how many there were, -1 where reading failed */
int64_t seg_tiff_bytes_read(seg_tiff_bytes *from, uint64_t at, void *to, size_t count);

/* Of an OME-TIFF or ImageJ's: how many channels and slices its pages are, whether a slice's follow each other. */
typedef struct seg_ome {
    int channels, slices, channels_first; /* 0: it says nothing that is of use */
    double spacing;                       /* of slices, in pixels; 0: not known */
    int images;                           /* that ImageJ says to have written, else 0 */
} seg_ome;

/* Read its description. resolution: pixels in the unit of length. @return NULL, or what is wrong with it. */
const char *seg_ome_read(const char *text, double resolution, seg_ome *out);

/* The image that is meant. Pages of these files count channel by channel. */
typedef struct seg_tiff_page {
    seg_ome ome;     /* zeros, unless it has as many pages */
    int page;        /* from 0 */
    int pages, full; /* pages that were read; of these not marked as reduced or masks */
    uint64_t width, height;
    unsigned bits, samples, photometric, compression, planar, format;
    int planes;     /* samples of the one page where there are more than colours: each counts as a page; else 0 */
    int plane;      /* the one that is meant, from 1; 0: the colours */
    int alpha;      /* place of the opacity among the samples, 0: none */
    int associated; /* the colours are multiplied by it */
    int lossy;      /* compressed as JPEG or the like */
    int tiled;
    uint64_t block_width, block_height; /* of a tile or strip */
    int palette_count;
    uint8_t palette[256][3];
} seg_tiff_page;

enum { SEG_TIFF_WHITE_IS_ZERO, SEG_TIFF_BLACK_IS_ZERO, SEG_TIFF_RGB, SEG_TIFF_PALETTE, SEG_TIFF_YCBCR = 6 };
enum { SEG_TIFF_UNCOMPRESSED = 1, SEG_TIFF_JPEG = 7 };
enum { SEG_TIFF_UNSIGNED = 1, SEG_TIFF_SIGNED, SEG_TIFF_FLOAT };

/* Choose the page `wanted` of those that are not marked as a reduced image or a mask, or the first for -1. A page
 * with a palette is patched to be one of grey, so that its indices are read, and colours multiplied by the opacity to
 * be others, since libvips divides some of them, cut off. SEG_OK; SEG_ERR_INPUT for camera raw files, damaged ones, and
 * where there are reduced images only; SEG_ERR_IO. */
seg_status seg_tiff_choose(seg_context *ctx, seg_tiff_bytes *from, const char *name, int wanted, seg_tiff_page *out);

/* SEG_ERR_INPUT where libvips does not read such samples, or takes them for others; a file that lacks its end too. */
seg_status seg_tiff_check(seg_context *ctx, const seg_tiff_bytes *from, const char *name, const seg_tiff_page *page);

/* Warn where there are further pages of full resolution. */
void seg_tiff_say_pages(seg_context *ctx, const char *name, const seg_tiff_page *page);

/* ---- The calls of libvips that are used. It is opened by name when the first file needs it (decoders.h) and is
 * declared here: its binary interface has had the same number since 2015, and its headers need sixty packages. ---- */

/* Objects (void *) are released by g_object_unref, memory by g_free. vips_call: an operation by name, its required
 * arguments, then optional ones as name and value, NULL. */
#define SEG_VIPS_FUNCTIONS(X)                                                                                          \
    X(int, vips_init, (const char *program))                                                                           \
    X(void, vips_cache_set_max, (int operations))                                                                      \
    X(void, vips_block_untrusted_set, (int state))                                                                     \
    X(void, vips_operation_block_set, (const char *name, int state))                                                   \
    X(int, vips_call, (const char *name, ...))                                                                         \
    X(void *, vips_source_new_from_memory, (const void *bytes, size_t size))                                           \
    X(void *, vips_source_custom_new, (void))                                                                          \
    X(int, vips_image_get_width, (const void *image))                                                                  \
    X(int, vips_image_get_height, (const void *image))                                                                 \
    X(int, vips_image_get_bands, (const void *image))                                                                  \
    X(int, vips_image_get_format, (const void *image))                                                                 \
    X(int, vips_image_get_interpretation, (const void *image))                                                         \
    X(int, vips_image_get_n_pages, (void *image))                                                                      \
    X(int, vips_image_get_orientation, (void *image))                                                                  \
    X(size_t, vips_image_get_typeof, (const void *image, const char *name))                                            \
    X(int, vips_image_get_int, (const void *image, const char *name, int *out))                                        \
    X(int, vips_image_get_blob, (const void *image, const char *name, const void **bytes, size_t *size))               \
    X(int, vips_image_get_array_int, (void *image, const char *name, int **out, int *count))                           \
    X(void, vips_image_minimise_all, (void *image))                                                                    \
    X(void *, vips_region_new, (void *image))                                                                          \
    X(void *, vips_region_fetch, (void *region, int left, int top, int width, int height, size_t *size))               \
    X(char *, vips_error_buffer_copy, (void))                                                                          \
    X(void, vips_error_clear, (void))                                                                                  \
    X(void, g_object_unref, (void *object))                                                                            \
    X(void, g_free, (void *memory))                                                                                    \
    X(size_t, g_type_from_name, (const char *name))                                                                    \
    X(unsigned long, g_signal_connect_data,                                                                            \
      (void *object, const char *signal, void (*call)(void), void *user, void *destroy, int flags))                    \
    X(unsigned, g_log_set_handler,                                                                                     \
      (const char *domain, int levels, void (*call)(const char *, int, const char *, void *), void *user))

#define SEG_VIPS_POINTER(result, name, arguments) result(*name) arguments;
typedef struct seg_vips_calls {
    SEG_VIPS_FUNCTIONS(SEG_VIPS_POINTER)
} seg_vips_calls;

/* Its numbers: formats of samples, interpretations, ways of access, faults that end the reading. */
enum { SEG_VIPS_UCHAR, SEG_VIPS_CHAR, SEG_VIPS_USHORT, SEG_VIPS_SHORT, SEG_VIPS_UINT, SEG_VIPS_INT, SEG_VIPS_FLOAT };
enum { SEG_VIPS_XYZ = 12, SEG_VIPS_LAB = 13, SEG_VIPS_CMYK = 15, SEG_VIPS_LABQ = 16, SEG_VIPS_LABS = 21 };
enum { SEG_VIPS_SRGB = 22, SEG_VIPS_YXY = 23 };
enum { SEG_VIPS_RANDOM, SEG_VIPS_SEQUENTIAL };
enum { SEG_VIPS_FAIL_ON_ERROR = 2 };

/* Load libvips and, where this process has not, start it: without its cache, without messages on standard error, and
 * with the loaders blocked that are not for files of strangers, but for those of the formats that are read here. A
 * host that started it before keeps its own settings. SEG_OK; SEG_ERR_INPUT where it is not installed, which names
 * `name`, which is `kind` ("a WebP image"); SEG_ERR_MEMORY. */
seg_status seg_vips_load(seg_context *ctx, const char *name, const char *kind, seg_vips_calls *calls);

/* ---- An image. ---- */

typedef struct seg_vips_image {
    seg_vips_calls call;
    const seg_format *about;
    const char *name;
    void *source, *image, *region;
    int width, height, bands, format; /* as libvips gives them, before they are turned */
    int cmyk, colours, alpha;         /* samples that are the colour: 1, 3 or, of inks, 4; place of the opacity, or 0 */
    int shift, divide;                /* of samples: how far they were moved up, what they were multiplied by */
    int associated;                   /* the colours are multiplied by the opacity, and are divided by it again */
    int plane;                        /* the one sample that is taken, from 1; 0: the colours */
    int wide;                         /* numbers with a sign, of 32 bits or more, or floats: put as 16 bits */
    double low, high;                 /* of wide ones, those that become 0 and 65535 */
    size_t pixel;                     /* bytes */
} seg_vips_image;

/* What is opened: `size` bytes of a format that libvips reads, or a page of a TIFF through `tiff`. In any order
 * (SEG_VIPS_RANDOM) or from the top down (SEG_VIPS_SEQUENTIAL). */
typedef struct seg_vips_file {
    const seg_format *about;
    const char *name;
    const void *bytes;
    size_t size;
    seg_tiff_bytes *tiff;
    const seg_tiff_page *page; /* NULL of other formats */
    int access;
} seg_vips_file;

/* SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; close it either way. */
seg_status seg_vips_open(seg_context *ctx, const seg_vips_file *file, seg_vips_image *out);
void seg_vips_close(seg_vips_image *image);
/* What comes out: kind, channels, bits, lossy, palette; nothing is allocated. */
void seg_vips_form(const seg_vips_image *image, const seg_tiff_page *page, seg_raster *out);
seg_status seg_vips_keep_profile(seg_context *ctx, const seg_vips_image *image, seg_raster *out);

/* The samples of a rectangle, which the caller frees by call.g_free. NULL where reading failed: seg_vips_failed. */
void *seg_vips_fetch(seg_vips_image *image, int left, int top, int width, int height);
/* Put `count` pixels of them at pixel `to` of the raster. */
void seg_vips_put(const seg_vips_image *image, const void *samples, size_t count, size_t to, seg_raster *out);
/* Why the last call failed, as a sentence: SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_vips_failed(seg_context *ctx, const seg_vips_image *image);
