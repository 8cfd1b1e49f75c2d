/* Gaussian averages over the patch grid. */
#ifndef SEG_FEATURES_WINDOW_H
#define SEG_FEATURES_WINDOW_H

#include <segment/features.h>

/* sum: for each patch the sum of a quantity over its pixels (overwritten); out[patch * stride]: the average of the
 * quantity a pixel under a Gaussian of width sigma (pixels) around the patch; the Gaussian is sampled at the patches'
 * distances and cut at 3 sigma, and the image's border is where the average ends. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_patch_average(seg_context *ctx, const seg_patch_grid *grid, double sigma, double *sum, double *out,
                             size_t stride);

#endif
