/* Kernels with a unit diagonal that semidefinite programs give, as factors: TRAGEK's and PCP's; factors of kernels. */
#pragma once

#include "optim/sdp.h"

#include <segment/constraints.h>

/* ---- Factors Z of kernels K = Z Z'. ---- */

/* Replace Z by Z times the leading eigenvectors of Z'Z, with as few columns as keep all but the share `lost` of the
 * trace. At least one column stays. Cost O(n r^2 + r^3). */
seg_status seg_factor_compress(seg_context *ctx, double lost, seg_matrix *Z);

/* Set V (m x r, created here) to the leading r eigenvectors of K (symmetric) times the roots of their eigenvalues, rows
 * normalised. r = 0: those that a semidefinite solver's precision lets tell from 0. Cost O(m^3). */
seg_status seg_factor_of_kernel(seg_context *ctx, const seg_matrix *K, size_t r, seg_matrix *V);

typedef struct seg_unit_kernel {
    seg_matrix factor; /* n x r, rows of norm one: K = Z Z'; owned */
    double objective;
    double diagonal; /* largest |K_ii - 1| before the rows were normalised */
    seg_sdp_residuals residuals;
    int iterations, converged;
    double must, cannot;     /* of TRAGEK: <L,K>, <L^p,K> */
    size_t samples, cannots; /* of PCP: of the reduced program */
} seg_unit_kernel;
void seg_unit_kernel_free(seg_unit_kernel *kernel);

/* ---- TRAGEK: the kernel of transductive graph embedding, by one semidefinite program [chen2011npkl, Sec. 3]:
 *   minimise  t + lambda <S,K> - lambda1 <W,K> + lambda2 <W^p,K>   over K positive semidefinite with unit diagonal
 *   subject to  t <L^p,K> >= <L,K>^2 / 4                                                           (Eqs. 8 and 19),
 * W and W^p the must- and cannot-links, L and L^p their graphs' Laplacians, S the normalized Laplacian of all samples.
 * Eq. 19's second-order cone of three numbers is the cone of positive semidefinite 2 x 2 matrices: the condition is
 * that Z = [t, <L,K>/2; <L,K>/2, <L^p,K>] is one. With a unit diagonal <L,K> = tr L - <W,K>, so only W and W^p are
 * needed, and the pairs of groups are given by indicator vectors: the sum of 1_g 1_g' for the must-links. ---- */

/* Largest number of samples for a solution in seconds; the cost is cubic. */
#define SEG_TRAGEK_SAMPLES 600

typedef struct seg_tragek_options {
    double lambda, lambda1, lambda2; /* >= 0; the paper's are 1 */
    double tolerance;                /* of the duality gap */
} seg_tragek_options;

/* Make the program: block 0 is K, and block 1 is Z if there are links of both kinds (otherwise the ratio of Eq. 5 has
 * no meaning and t is left out). constant: to be added to the program's objective. */
seg_status seg_tragek_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                              const seg_tragek_options *options, seg_sdp *out, double *constant);

/* S: n x n symmetric; objective: Eq. 19. SEG_OK, SEG_ERR_USAGE (too many samples), SEG_ERR_NUMERIC, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. Free `out` in any case, here and below. */
seg_status seg_tragek_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                            const seg_tragek_options *options, seg_unit_kernel *out);

/* ---- PCP: pairwise constraint propagation by a semidefinite program [li2008pcp]:
 *   minimise <S,K> over K positive semidefinite, K_ii = 1, K_ij = 1 for must-links, K_ij = 0 for cannot-links,
 * S the normalized Laplacian of the samples' graph. The reduction for many constraints: samples that must link have the
 * same row, so each component of the must-links becomes one sample. K = P K' P' with the membership P, and the program
 * in K' has the same form with P'SP for S. It has no must-links, and one condition for each pair of components that
 * cannot link. The reduced program always has a strictly feasible point, the identity; the printed one has none if
 * there are must-links. Contradictions are found by the closure, before anything is computed. ---- */

/* Largest numbers of samples after the reduction, and of pairs of them that cannot link, for a solution in seconds. */
#define SEG_PCP_SAMPLES 600
#define SEG_PCP_CANNOTS 2000

/* Make the reduced program; its block 0 is K'. sample: n entries, the row of K' that is sample i's; owned by the
 * caller, who allocates it. SEG_ERR_CONTRADICTION. */
seg_status seg_pcp_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints, seg_sdp *out,
                           int32_t *sample);

/* Solve the program; objective: <S,K>. PCP ignores weights of pairs, because its constraints are hard. SEG_OK,
 * SEG_ERR_USAGE (too large), SEG_ERR_CONTRADICTION, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_pcp_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints, double tolerance,
                         seg_unit_kernel *out);
