/* Context features of a patch: means over its neighbourhood in addition to its own features. */
#pragma once

#include <segment/features.h>

/* The columns of the position among the features: the first of them, and how many there are. */
size_t seg_position_columns(const seg_feature_spec *spec, size_t *first);

/* out (made here): for every patch the columns of X without the position, then their Gaussian means over the patch grid
 * with deviations of 1.5 and of 4 patches. X: as seg_features_compute made it with `spec`. If X has only the position,
 * it is treated like the other columns. SEG_OK, SEG_ERR_MEMORY. Cost O(patches x columns). */
seg_status seg_context_features(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                                const seg_feature_spec *spec, seg_matrix *out);

/* The same for images of a series: the position is appended after the means, because an object is often at the same
 * place in all images of a series. `out` has seg_series_columns columns. */
seg_status seg_series_features(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                               const seg_feature_spec *spec, seg_matrix *out);
/* channels: of an image with channels, whose columns are their means, their deviations and the position; else 1. */
size_t seg_series_columns(const seg_feature_spec *spec, int channels);

/* Smooth features or scores of patches along the slices of a volume, by a Gaussian with a deviation of `pixels`, at
 * most of four slices, whose window is truncated at the ends. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_slices_smooth(seg_context *ctx, const seg_patch_grid *grid, double pixels, const seg_matrix *X,
                             seg_matrix *out);

#define SEG_SLICES_DEVIATION 0.7 /* for both: docs/history/volumes.md */
