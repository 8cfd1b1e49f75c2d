/* Colours of other spaces made those of sRGB, by Little CMS. */
#ifndef SEG_IMAGE_COLOUR_H
#define SEG_IMAGE_COLOUR_H

#include "image/raster.h"

/* Keep a copy of an ICC profile with the raster, which frees it. One that is longer than any real one is left out with
 * a warning. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_raster_keep_profile(seg_context *ctx, const char *name, const void *profile, size_t size,
                                   seg_raster *raster);
/* Likewise primaries and transfer by their numbers in ITU-T H.273, as PNG and HEIF have them. Those that are sRGB's, or
 * unknown, are not kept; a transfer for high dynamic range is warned of. */
void seg_raster_keep_primaries(seg_context *ctx, const char *name, int primaries, int transfer, seg_raster *raster);

/* Convert the image made of a raster with a profile, in place. One of sRGB, or nearly, leaves every sample as it is,
 * and so do profiles of inks and damaged ones, the latter with a warning. SEG_OK, SEG_ERR_MEMORY. Cost: O(pixels). */
seg_status seg_image_to_srgb(seg_context *ctx, const char *name, const seg_raster *raster, seg_image *image);
/* Likewise the colours of a raster itself: RGB of 8 and 16 bits, and palettes. Grey values stay, as they may be labels.
 */
seg_status seg_raster_to_srgb(seg_context *ctx, const char *name, seg_raster *raster);

#endif
