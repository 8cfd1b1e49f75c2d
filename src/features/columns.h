/* Columns of features besides the colours: texture, the window that averages it, and chromaticity. */
#pragma once

#include <segment/features.h>

/* sum: for each patch the sum of a quantity over its pixels (overwritten); out[patch * stride]: the average of the
 * quantity per pixel, weighted by a Gaussian of standard deviation sigma (pixels) around the patch. The Gaussian is
 * sampled at the patches' distances and truncated at 3 sigma and at the image's border. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_patch_average(seg_context *ctx, const seg_patch_grid *grid, double sigma, double *sum, double *out,
                             size_t stride);

/* Writes 16 columns, scale by scale (wavelengths 3, 6, 12, 24 pixels), each with the directions of
 * oscillation 0, 45, 90, 135 degrees (x to the right, y down); those of patch p begin at out[p * stride]. Each is
 * weight * e / (e + c): e the amplitude averaged over the patch and a Gaussian of half a wavelength around it, c the
 * mean of e over all patches and filters. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_texture_columns(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid, double weight,
                               double *out, size_t stride);

/* Append a / (L + 16) and b / (L + 16) of each row's mean colour (its first three columns): in CIELAB, a, b and L + 16
 * are proportional to the cube root of the light [cie15], so a patch has the same quotients in light and in shade,
 * except the darkest ones, of linear reflectance below 0.9 % (seg_lab_pixels). They are scaled to equal a and b at L =
 * 50. Nothing is appended where spec has no mean, or where no row has a colour: the columns would be noise. X keeps its
 * other columns to the byte. SEG_OK, SEG_ERR_MEMORY: X is as before. Cost O(rows x columns). */
seg_status seg_chromaticity_append(seg_context *ctx, const seg_feature_spec *spec, seg_matrix *X);

/* Motion between the slices of a volume that is a video (motion.c). place (made here, to be freed): of each patch x and
 * y in pixels, not where it is but where what it shows was first seen. So patches of one object are near each other,
 * wherever it moves. The bytes do not depend on the threads. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_motion_find(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid, float **place);
