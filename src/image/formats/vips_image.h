/* An image that libvips reads: its form, and its pixels row by row or by rectangles. */
#ifndef SEG_IMAGE_FORMATS_VIPS_IMAGE_H
#define SEG_IMAGE_FORMATS_VIPS_IMAGE_H

#include "image/formats/formats.h"
#include "image/formats/tiff_header.h"
#include "image/formats/vips_calls.h"

typedef struct seg_vips_image {
    seg_vips_calls call;
    const seg_format *about;
    const char *name;
    void *source, *image, *region;
    int width, height, bands, format; /* as libvips gives them, before they are turned */
    int cmyk, colours, alpha;         /* samples that are the colour: 1, 3 or, of inks, 4; place of the opacity, or 0 */
    int shift, divide;                /* of samples: how far they were moved up, what they were multiplied by */
    int associated;                   /* the colours are multiplied by the opacity, and are divided by it again */
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

#endif
