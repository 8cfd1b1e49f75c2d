/* Texture: the energy of the oscillation of the lightness at each scale and orientation around a patch. */
#ifndef SEG_FEATURES_TEXTURE_H
#define SEG_FEATURES_TEXTURE_H

#include <segment/features.h>

/* Writes SEG_TEXTURE_FILTERS columns, scale by scale (wavelengths 3, 6, 12, 24 pixels), each with the directions of
 * oscillation 0, 45, 90, 135 degrees (x to the right, y down); those of patch p begin at out[p * stride]. Each is
 * weight * e / (e + c): e the amplitude averaged over the patch and a Gaussian of half a wavelength around it, c the
 * mean of e over all patches and filters. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_texture_columns(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid, double weight,
                               double *out, size_t stride);

#endif
