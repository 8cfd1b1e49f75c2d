/* PCP: pairwise constraint propagation by a semidefinite program [li2008pcp]:
 *   minimise <S,K> over K positive semidefinite, K_ii = 1, K_ij = 1 for must-links, K_ij = 0 for cannot-links,
 * S the normalized Laplacian of the samples' graph.
 * The reduction for many constraints: samples that must link have the same row, so each component of the must-links
 * becomes one sample. K = P K' P' with the membership P, and the program in K' has the same form with P'SP for S. It
 * has no must-links, and one condition for each pair of components that cannot link. The reduced program always has a
 * strictly feasible point, the identity; the printed one has none if there are must-links. Contradictions are found by
 * the closure, before anything is computed. */
#ifndef SEG_KERNELS_PCP_H
#define SEG_KERNELS_PCP_H

#include "kernels/unit_kernel.h"

#include <segment/constraints.h>
#include <segment/matrix.h>

/* Largest numbers of samples after the reduction, and of pairs of them that cannot link, for a solution in seconds. */
#define SEG_PCP_SAMPLES 600
#define SEG_PCP_CANNOTS 2000

typedef struct seg_pcp_result {
    seg_unit_kernel kernel;  /* of all n samples; objective: <S,K> */
    size_t samples, cannots; /* of the reduced program */
} seg_pcp_result;

/* Make the reduced program; its block 0 is K'. sample: n entries, the row of K' that is sample i's; owned by the
 * caller, who allocates it. SEG_ERR_CONTRADICTION with the chain of pairs. */
seg_status seg_pcp_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints, seg_sdp *out,
                           int32_t *sample);

/* Solve the program. PCP ignores weights of pairs, because its constraints are hard. SEG_OK, SEG_ERR_USAGE (too large),
 * SEG_ERR_CONTRADICTION, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_pcp_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                         const seg_sdp_options *options, seg_pcp_result *out);
void seg_pcp_result_free(seg_pcp_result *result);

#endif
