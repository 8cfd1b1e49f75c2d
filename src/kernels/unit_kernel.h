/* Kernels with a unit diagonal, as semidefinite programs give them, on their way to a factor. */
#ifndef SEG_KERNELS_UNIT_KERNEL_H
#define SEG_KERNELS_UNIT_KERNEL_H

#include "optim/sdp.h"

#include <segment/matrix.h>

/* Z (n x r, rows of norm one) with K nearly Z Z'; what is below the solver's precision is cut off. diagonal: the
 * largest |K_ii - 1|. Cost O(n^3). */
seg_status seg_unit_kernel_factor(seg_context *ctx, const seg_matrix *K, seg_matrix *Z, double *diagonal);

/* Tell the log how good a learned kernel is: unit diagonal, semidefiniteness, duality gap. */
void seg_unit_kernel_log(seg_context *ctx, const char *name, const seg_sdp_residuals *residuals, double diagonal);

#endif
