/* PCP: pairwise constraint propagation by a semidefinite program [li2008pcp]:
 *   minimise <S,K> over K positive semidefinite, K_ii = 1, K_ij = 1 for must-links, K_ij = 0 for cannot-links,
 * S the normalized Laplacian of the samples' graph.
 * The reduction for many constraints: samples that must link have the same row, so each component of the must-links
 * becomes one sample. K = P K' P' with P the membership, and the program in K' keeps the form with P'SP for S, without
 * a single must-link and with one condition for each pair of components that cannot link. What is left always has a
 * strictly feasible point, the identity, where the must-links as printed leave none; contradictions show in the
 * closure, before any number is computed. */
#ifndef SEG_KERNELS_PCP_H
#define SEG_KERNELS_PCP_H

#include "kernels/unit_kernel.h"

#include <segment/constraints.h>
#include <segment/matrix.h>

/* Samples after the reduction, and pairs of them that cannot link, that can be solved for in seconds. */
#define SEG_PCP_SAMPLES 600
#define SEG_PCP_CANNOTS 2000

typedef struct seg_pcp_result {
    seg_unit_kernel kernel;  /* of all n samples; objective: <S,K> */
    size_t samples, cannots; /* of the reduced program */
} seg_pcp_result;

/* The reduced program, its block 0 K'. sample: n entries, the row of K' that is sample i's; owned by the caller, who
 * allocates it. SEG_ERR_CONTRADICTION with the chain of pairs. */
seg_status seg_pcp_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints, seg_sdp *out,
                           int32_t *sample);

/* Weights of pairs have no place in PCP: its constraints are hard. SEG_OK, SEG_ERR_USAGE (too large),
 * SEG_ERR_CONTRADICTION, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_pcp_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                         const seg_sdp_options *options, seg_pcp_result *out);
void seg_pcp_result_free(seg_pcp_result *result);

#endif
