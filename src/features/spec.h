/* Internal functions on feature specifications. */
#pragma once

#include <segment/features.h>

/* The names of the kinds, as in --features; NULL at their end. */
extern const char *const seg_feature_names[];
/* Columns of one kind. */
size_t seg_feature_columns(seg_feature_kind kind);

/* SEG_ERR_USAGE where a weight is negative or not finite, or nothing is switched on. */
seg_status seg_feature_spec_check(seg_context *ctx, const seg_feature_spec *spec);

/* Parse "mean,spread=0.5,position=2": kinds named get their weight (1 where none is given), all others 0. @return
 * SEG_OK or SEG_ERR_USAGE (unknown name, negative or non-finite weight, nothing switched on). */
seg_status seg_feature_spec_parse(seg_context *ctx, const char *text, seg_feature_spec *out);

/* Compute the features of every patch. @return SEG_OK, SEG_ERR_MEMORY, SEG_ERR_USAGE (nothing switched on),
 * SEG_ERR_CANCELLED. Cost O(pixels), with texture O(pixels log pixels). The same bytes for any number of threads. */
seg_status seg_features_compute(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid,
                                const seg_feature_spec *spec, seg_matrix *out);

/* Squared distance of two rows in the columns with uses[c] != 0. */
static inline double seg_appearance_distance2(const seg_matrix *features, const uint8_t *uses, size_t i, size_t j) {
    const double *a = features->at + i * features->cols, *b = features->at + j * features->cols;
    double sum = 0;
    for (size_t c = 0; c < features->cols; c++)
        sum += uses[c] ? (a[c] - b[c]) * (a[c] - b[c]) : 0;
    return sum;
}
