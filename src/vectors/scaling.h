/* The ways in which columns are scaled (seg_scaling). */
#ifndef SEG_VECTORS_SCALING_H
#define SEG_VECTORS_SCALING_H

#include <segment/vectors.h>

seg_status seg_standardise(seg_context *ctx, seg_matrix *matrix);
seg_status seg_tf_idf(seg_context *ctx, seg_matrix *matrix);

#endif
