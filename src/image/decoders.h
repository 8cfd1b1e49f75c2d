/* The decoders behind seg_raster_decode, one a format. Each checks the size limits before it allocates pixels, and
 * leaves `out` for the caller to free on failure. */
#ifndef SEG_IMAGE_DECODERS_H
#define SEG_IMAGE_DECODERS_H

#include "image/raster.h"

seg_status seg_png_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, seg_raster *out);
seg_status seg_jpeg_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                           seg_raster *out);
seg_status seg_bmp_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, seg_raster *out);

seg_status seg_tiff_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                           seg_raster *out);

/* SEG_ERR_INPUT unless both sides are 1..SEG_MAX_SIDE and the area is at most SEG_MAX_PIXELS. */
seg_status seg_check_size(seg_context *ctx, const char *name, int64_t width, int64_t height);

/* Make palette_count cover every index: entries that a file uses but does not have (a fault, but the indices may still
 * be labels) are black, which is logged. */
void seg_palette_complete(seg_context *ctx, const char *name, seg_raster *raster);

/* The EXIF orientation (1..8) in an APP1 segment's `size` bytes, 1 where there is none, 0 where memory ran out. */
int seg_exif_orientation(const unsigned char *bytes, size_t size);

/* Turn 8-bit samples upright: `out` gets width*height*channels samples, for orientations 5..8 in rows of `height`
 * pixels. */
void seg_orient(seg_context *ctx, const uint8_t *samples, int width, int height, int channels, int orientation,
                uint8_t *out);
/* Likewise 16-bit samples. */
void seg_orient16(const uint16_t *samples, int width, int height, int channels, int orientation, uint16_t *out);
/* Samples and opacities of a raster; numbers other than 2..8 leave it as it is. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_raster_turn(seg_context *ctx, int orientation, seg_raster *raster);

#endif
