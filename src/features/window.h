/* Gaussian averages over the patch grid. */
#ifndef SEG_FEATURES_WINDOW_H
#define SEG_FEATURES_WINDOW_H

#include <segment/features.h>

/* sum: for each patch the sum of a quantity over its pixels (overwritten); out[patch * stride]: the average of the
 * quantity per pixel, weighted by a Gaussian of standard deviation sigma (pixels) around the patch. The Gaussian is
 * sampled at the patches' distances and truncated at 3 sigma and at the image's border. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_patch_average(seg_context *ctx, const seg_patch_grid *grid, double sigma, double *sum, double *out,
                             size_t stride);

#endif
