/* Conversion of other colour spaces to sRGB by Little CMS. */
#pragma once

#include "image/raster.h"

/* Keep a copy of an ICC profile with the raster; one above 4 MiB is skipped with a warning. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_raster_keep_profile(seg_context *ctx, const char *name, const void *profile, size_t size,
                                   seg_raster *raster);
/* Likewise primaries, given by their code point in ITU-T H.273 as in PNG and HEIF: those of BT.2020 and P3 are kept,
 * all others count as sRGB's. A transfer function for high dynamic range causes a warning. */
void seg_raster_keep_primaries(seg_context *ctx, const char *name, int primaries, int transfer, seg_raster *raster);

/* Convert a raster's image from its profile to sRGB, in place. All samples stay unchanged where the profile is sRGB or
 * nearly so, is one of inks, or is damaged (with a warning). SEG_OK, SEG_ERR_MEMORY. Cost: O(pixels). */
seg_status seg_image_to_srgb(seg_context *ctx, const char *name, const seg_raster *raster, seg_image *image);
/* Likewise the colours of a raster: RGB of 8 or 16 bits, and palettes. Grey values stay, as they may be labels. */
seg_status seg_raster_to_srgb(seg_context *ctx, const char *name, seg_raster *raster);
