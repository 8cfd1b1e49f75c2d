/* What lies around a patch: the features of its neighbourhood beside its own. */
#ifndef SEG_FEATURES_CONTEXT_FEATURES_H
#define SEG_FEATURES_CONTEXT_FEATURES_H

#include <segment/features.h>

/* out (made here): for every patch the columns of X without the position, then their Gaussian means over the patch
 * grid with deviations of 1.5 and of 4 patches. X: as seg_features_compute made it with `spec`. Where X holds nothing
 * but the position, that is kept. SEG_OK, SEG_ERR_MEMORY. Cost O(patches x columns). */
seg_status seg_context_features(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                                const seg_feature_spec *spec, seg_matrix *out);

/* The same for images of a series: the position stays, behind the means,
 * because an object often has the same place in all images of a series. As many columns as seg_series_columns says. */
seg_status seg_series_features(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                               const seg_feature_spec *spec, seg_matrix *out);
size_t seg_series_columns(const seg_feature_spec *spec);

#endif
