/* Kernels with a unit diagonal, as semidefinite programs give them, on their way to a factor. */
#ifndef SEG_KERNELS_UNIT_KERNEL_H
#define SEG_KERNELS_UNIT_KERNEL_H

#include "optim/sdp.h"

#include <segment/matrix.h>

/* Z (n x r, rows of norm one) with K nearly Z Z'; what is below the solver's precision is cut off. diagonal: the
 * largest |K_ii - 1|. Cost O(n^3). */
seg_status seg_unit_kernel_factor(seg_context *ctx, const seg_matrix *K, seg_matrix *Z, double *diagonal);

typedef struct seg_unit_kernel {
    seg_matrix factor; /* n x r, rows of norm one: K = Z Z'; owned */
    double objective;
    double diagonal; /* largest |K_ii - 1| before the rows were normalised */
    seg_sdp_residuals residuals;
    int iterations, converged;
} seg_unit_kernel;

/* Solve a program whose block 0 is K, check it independently, factor K and tell the log, under `name`, how good it is.
 * constant: what the objective has on top of the program's. solution: the program's, owned by the caller, who frees it
 * in any case. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_unit_kernel_solve(seg_context *ctx, const char *name, const seg_sdp *sdp, double constant,
                                 const seg_sdp_options *options, seg_sdp_solution *solution, seg_unit_kernel *out);
void seg_unit_kernel_free(seg_unit_kernel *kernel);

#endif
