/* Samples that are alike. */
#ifndef SEG_METHODS_DISTINCT_H
#define SEG_METHODS_DISTINCT_H

#include "linalg/rows.h"

#include <segment/methods.h>

/* How many different rows the matrix has, `most` at most. SEG_OK, SEG_ERR_MEMORY. Cost O(rows most cols), in general
 * far less: it ends with the row that is the last to be counted. */
seg_status seg_rows_distinct(seg_context *ctx, const seg_matrix *rows, int most, int *count);

/* A warning where there are more clusters than different rows of features: no method can tell equal rows apart. An
 * image's patches are let be, which differ by their places. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_distinct_warn(seg_context *ctx, const seg_problem *problem);

#endif
