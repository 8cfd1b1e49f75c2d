/* Factors of kernels with a unit diagonal, which semidefinite programs give. */
#ifndef SEG_KERNELS_UNIT_KERNEL_H
#define SEG_KERNELS_UNIT_KERNEL_H

#include "optim/sdp.h"

#include <segment/matrix.h>

/* Compute Z (n x r, rows of norm one) with K nearly Z Z'; eigenvalues below the solver's precision are dropped.
 * diagonal: the largest |K_ii - 1|. Cost O(n^3). */
seg_status seg_unit_kernel_factor(seg_context *ctx, const seg_matrix *K, seg_matrix *Z, double *diagonal);

typedef struct seg_unit_kernel {
    seg_matrix factor; /* n x r, rows of norm one: K = Z Z'; owned */
    double objective;
    double diagonal; /* largest |K_ii - 1| before the rows were normalised */
    seg_sdp_residuals residuals;
    int iterations, converged;
} seg_unit_kernel;

/* Solve a program whose block 0 is K, check the solution independently, factor K and log the residuals under `name`.
 * constant: added to the program's objective. solution: of the program; the caller frees it in any case. SEG_OK,
 * SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_unit_kernel_solve(seg_context *ctx, const char *name, const seg_sdp *sdp, double constant,
                                 const seg_sdp_options *options, seg_sdp_solution *solution, seg_unit_kernel *out);
void seg_unit_kernel_free(seg_unit_kernel *kernel);

#endif
