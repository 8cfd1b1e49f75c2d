/* Linear systems with a graph Laplacian L = D - W, D the diagonal matrix of degrees: (L + diag(d)) X = B. The graph
 * stays the same, the absorption d and the right-hand sides change with every stroke. */
#pragma once

#include <segment/matrix.h>

#include <math.h>

/* What is prepared once per graph: its hierarchy (graph/hierarchy.h). Several threads may solve with it at once. */
typedef struct seg_laplacian seg_laplacian;

/* W: square, symmetric, weights >= 0; its weights are scaled and rounded to single precision. W is not needed
 * afterwards. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY. Cost O(edges). */
seg_status seg_laplacian_create(seg_context *ctx, const seg_csr *W, seg_laplacian **out);
void seg_laplacian_free(seg_laplacian *laplacian);
static inline void seg_laplacian_release(seg_laplacian **laplacian) {
    seg_laplacian_free(*laplacian);
}

#define SEG_FIXED HUGE_VAL /* absorption of a node whose values are fixed */

/* (L + diag(absorb)) X = B for `cols` right-hand sides. */
typedef struct seg_laplacian_system {
    const double *absorb; /* n numbers >= 0 */
    size_t cols;
    double tolerance;
    const double *B; /* n x cols, row-major */
    double *X;       /* likewise; may be the same array */
    int *steps;      /* set to the iterations of the slowest group of four columns; may be NULL */
} seg_laplacian_system;

/* Solve a system. Where the absorption is SEG_FIXED, X equals the row of B; the other nodes then solve the Dirichlet
 * problem. Components without any absorption have no unique solution, and get 0.
 *
 * Conjugate gradients on four columns at a time, preconditioned by one symmetric multigrid cycle. They start from 0 and
 * end when each column's residual, in the norm of the preconditioner, has fallen by the factor `tolerance` (with 1e-8,
 * scores are wrong by at most about 1e-7). The same graph, absorption and B give the same bytes, whatever was solved
 * before, for any number of threads. SEG_OK, SEG_ERR_NUMERIC (no convergence; use seg_cholesky_create then),
 * SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(edges x cols x steps), steps about 20 for graphs of images. */
seg_status seg_laplacian_solve(seg_context *ctx, const seg_laplacian *laplacian, const seg_laplacian_system *system);
