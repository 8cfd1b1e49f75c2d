/* What libvips does not report of a TIFF: which of its images is meant, its palette, how its samples are stored. */
#ifndef SEG_IMAGE_FORMATS_TIFF_HEADER_H
#define SEG_IMAGE_FORMATS_TIFF_HEADER_H

#include <segment/context.h>

#include <stddef.h>
#include <stdint.h>

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

/* The image that is meant. */
typedef struct seg_tiff_page {
    int page;        /* from 0 */
    int pages, full; /* pages that were read; of these not marked as reduced or masks */
    uint64_t width, height;
    unsigned bits, samples, photometric, compression, planar, format;
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

/* Choose the first image of full resolution: the first page that is not marked as a reduced image or a mask. A page
 * with a palette is patched to be one of grey, so that its indices are read, and colours multiplied by the opacity to
 * be others, since libvips divides some of them, cut off. SEG_OK; SEG_ERR_INPUT for camera raw files, damaged ones, and
 * where there are reduced images only; SEG_ERR_IO. */
seg_status seg_tiff_choose(seg_context *ctx, seg_tiff_bytes *from, const char *name, seg_tiff_page *out);

/* SEG_ERR_INPUT where libvips does not read such samples, or takes them for others; a file that lacks its end too. */
seg_status seg_tiff_check(seg_context *ctx, const seg_tiff_bytes *from, const char *name, const seg_tiff_page *page);

/* Warn where there are further pages of full resolution. */
void seg_tiff_say_pages(seg_context *ctx, const char *name, const seg_tiff_page *page);

#endif
