/* TRAGEK: the kernel of transductive graph embedding, by one semidefinite program [chen2011npkl, Sec. 3]:
 *   minimise  t + lambda <S,K> - lambda1 <W,K> + lambda2 <W^p,K>   over K positive semidefinite with unit diagonal
 *   subject to  t <L^p,K> >= <L,K>^2 / 4                                                           (Eqs. 8 and 19),
 * W and W^p the must- and cannot-links, L and L^p their graphs' Laplacians, S the normalized Laplacian of all samples.
 * Eq. 19's second-order cone of three numbers is the cone of positive semidefinite 2 x 2 matrices: the condition is
 * that Z = [t, <L,K>/2; <L,K>/2, <L^p,K>] is one. With a unit diagonal <L,K> = tr L - <W,K>, so only W and W^p are
 * needed, and the pairs of groups are given by indicator vectors: the sum of 1_g 1_g' for the must-links. */
#ifndef SEG_KERNELS_TRAGEK_H
#define SEG_KERNELS_TRAGEK_H

#include "kernels/unit_kernel.h"

#include <segment/constraints.h>
#include <segment/matrix.h>

/* Largest number of samples for a solution in seconds; the cost is cubic. */
#define SEG_TRAGEK_SAMPLES 600

typedef struct seg_tragek_options {
    double lambda, lambda1, lambda2; /* >= 0; the paper's are 1 */
    double tolerance;                /* of the duality gap */
    int iterations;
} seg_tragek_options;

typedef struct seg_tragek_result {
    seg_unit_kernel kernel; /* objective: Eq. 19 */
    double must, cannot;    /* <L,K>, <L^p,K> */
} seg_tragek_result;

/* Make the program: block 0 is K, and block 1 is Z if there are links of both kinds (otherwise the ratio of Eq. 5 has
 * no meaning and t is left out). constant: to be added to the program's objective. */
seg_status seg_tragek_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                              const seg_tragek_options *options, seg_sdp *out, double *constant);

/* S: n x n symmetric. SEG_OK, SEG_ERR_USAGE (too many samples), SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_tragek_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                            const seg_tragek_options *options, seg_tragek_result *out);
void seg_tragek_result_free(seg_tragek_result *result);

#endif
