/* Semidefinite programs in standard form:
 *   minimise    sum_b <C_b, X_b>
 *   subject to  sum_b <A_ib, X_b> = b_i  (i = 1..m),  every X_b positive semidefinite,
 * and the dual: maximise b'y subject to S_b = C_b - sum_i y_i A_ib positive semidefinite. The data are sums of single
 * entries and of rank-one terms 1_g 1_g', so that the cost of sums over groups is linear in their members. Solved by
 * DSDP, a dual-scaling method [benson2000dsdp, benson2008dsdp], which is used in sdp.c only. */
#pragma once

#include <segment/matrix.h>

#define SEG_SDP_COST 0 /* the row of the cost; rows 1..m are the constraints */

/* A(i,j) = A(j,i) += value in one block of one row, i >= j. */
typedef struct seg_sdp_entry {
    int32_t row, block, i, j;
    double value;
} seg_sdp_entry;

/* weight * v v', v one at index[start .. start + count - 1] and zero elsewhere. */
typedef struct seg_sdp_term {
    int32_t row, block;
    double weight;
    size_t start, count;
} seg_sdp_term;

typedef struct seg_sdp {
    int constraints, blocks;
    int *size;     /* order of each block; owned */
    double *right; /* constraints: b_i is right[i - 1]; zero at first, to be filled in by the caller; owned */
    seg_sdp_entry *entry;
    size_t entries;
    seg_sdp_term *term;
    size_t terms;
    int32_t *index; /* indices of the terms' vectors */
    size_t numbers;
} seg_sdp;

/* An empty program of at least one block and constraint. It takes constraints^2 numbers. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_sdp_create(seg_context *ctx, int constraints, int blocks, const int *size, seg_sdp *out);
void seg_sdp_free(seg_sdp *sdp);

typedef struct seg_sdp_place {
    int row, block;
} seg_sdp_place;

/* Add value to entry (i, j) and, by symmetry, (j, i). Repeated entries are added. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_sdp_add(seg_context *ctx, seg_sdp *sdp, seg_sdp_place place, size_t i, size_t j, double value);
/* Add weight * v v' with v(index[e]) = 1, indices ascending; they are copied. */
seg_status seg_sdp_add_rank_one(seg_context *ctx, seg_sdp *sdp, seg_sdp_place place, double weight, size_t count,
                                const int32_t *index);

/* Violation of the optimality conditions, each relative to the data [mittelmann2003]. */
typedef struct seg_sdp_residuals {
    double primal, dual; /* objectives, recomputed */
    double constraints;  /* largest |<A_i,X> - b_i| / (1 + max |b|) */
    double psd;          /* -least eigenvalue of any X_b / (1 + largest of any), 0 if none is < 0 */
    double dual_psd;     /* the same of S_b */
    double gap;          /* |primal - dual| / (1 + |primal| + |dual|) */
} seg_sdp_residuals;

typedef struct seg_sdp_solution {
    int blocks;
    seg_matrix *X;       /* blocks; owned */
    double *y;           /* constraints; owned */
    double primal, dual; /* objectives as reported by the solver */
    int iterations;
    seg_sdp_residuals residuals; /* by the independent checker */
    int converged;               /* 1: the residuals are within the tolerance; 0: within seg_sdp_accepted only */
} seg_sdp_solution;

/* Largest residual of an accepted solution that does not meet the tolerance. */
#define seg_sdp_accepted 1e-5

/* tolerance: relative duality gap and residuals, 1e-7 for example. Deterministic. Coefficients and right-hand sides up
 * to 1e7. Runs one program at a time in the whole process (the solver is not reentrant): callers wait. SEG_OK,
 * SEG_ERR_USAGE (a constraint without coefficients), SEG_ERR_NUMERIC (infeasible, unbounded, or given up, with the
 * reason), SEG_ERR_CANCELLED, SEG_ERR_MEMORY. Cost per step O(sum n_b^3 + m^3 + m n^2). */
seg_status seg_sdp_solve(seg_context *ctx, const seg_sdp *sdp, double tolerance, seg_sdp_solution *out);
void seg_sdp_solution_free(seg_sdp_solution *solution);

/* The independent checker: shares nothing with the solver. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n^3). */
seg_status seg_sdp_check(seg_context *ctx, const seg_sdp *sdp, const seg_sdp_solution *solution,
                         seg_sdp_residuals *out);
/* The largest of the four relative residuals; infinite where one is not a number. */
double seg_sdp_worst(const seg_sdp_residuals *residuals);
