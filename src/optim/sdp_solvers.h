/* The solvers of semidefinite programs behind seg_sdp_solve, which checks what they answer. */
#ifndef SEG_OPTIM_SDP_SOLVERS_H
#define SEG_OPTIM_SDP_SOLVERS_H

#include "optim/sdp.h"

/* Coefficients beyond this meet DSDP's bounds on the dual variables (1e7), and far beyond it, it does not return. */
#define SEG_SDP_COEFFICIENT 1e7

#define SEG_SDP_DSDP_WAYS 3 /* to start DSDP */

/* Dual scaling, started in way 0..SEG_SDP_DSDP_WAYS - 1. *why: what ended it, static storage. One program at a time in
 * the whole process. SEG_OK also where it was ended early, SEG_ERR_USAGE, SEG_ERR_NUMERIC (no solution exists, or data
 * it cannot factor), SEG_ERR_CANCELLED, SEG_ERR_MEMORY. `out` is empty on failure. */
seg_status seg_sdp_by_dsdp(seg_context *ctx, const seg_sdp *sdp, const seg_sdp_options *options, int way,
                           seg_sdp_solution *out, const char **why);

/* Alternating directions with a projection on the cone at each step [wen2010admm]. start: NULL or a solution to begin
 * with. SEG_OK also where its limit of steps ended it, SEG_ERR_NUMERIC (programs too large for it, constraints that
 * depend on each other), SEG_ERR_CANCELLED, SEG_ERR_MEMORY. Cost a step O(sum n_b^3 + m^2). */
seg_status seg_sdp_by_projection(seg_context *ctx, const seg_sdp *sdp, const seg_sdp_options *options,
                                 const seg_sdp_solution *start, seg_sdp_solution *out);

#endif
