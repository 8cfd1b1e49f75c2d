/* What the stages of the features need to know of a specification. */
#ifndef SEG_FEATURES_SPEC_H
#define SEG_FEATURES_SPEC_H

#include <segment/features.h>

/* Columns of one kind. */
size_t seg_feature_columns(seg_feature_kind kind);

/* SEG_ERR_USAGE where a weight is negative or not finite, or nothing is switched on. */
seg_status seg_feature_spec_check(seg_context *ctx, const seg_feature_spec *spec);

#endif
