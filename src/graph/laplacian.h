/* Systems with a graph's Laplacian, (D + diag(d)) X = W X + B: the graph stays, the absorption d and the right sides
 * change with every stroke. D is the diagonal of degrees, so that L = D - W. */
#ifndef SEG_GRAPH_LAPLACIAN_H
#define SEG_GRAPH_LAPLACIAN_H

#include <segment/matrix.h>

#include <math.h>

/* What can be prepared of a graph alone: its hierarchy (graph/hierarchy.h). Never changed by a solve: several threads
 * may solve with one at a time. */
typedef struct seg_laplacian seg_laplacian;

/* W: square, symmetric, weights >= 0; its weights are taken in single precision, whatever their unit. Not needed
 * afterwards. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY. Cost O(edges). */
seg_status seg_laplacian_create(seg_context *ctx, const seg_csr *W, seg_laplacian **out);
void seg_laplacian_free(seg_laplacian *laplacian);
size_t seg_laplacian_nodes(const seg_laplacian *laplacian);

#define SEG_FIXED HUGE_VAL /* absorption of a node whose values are given */

/* (L + diag(absorb)) X = B for `cols` right sides. */
typedef struct seg_laplacian_system {
    const double *absorb; /* n numbers >= 0 */
    size_t cols;
    double tolerance;
    const double *B; /* n x cols, row-major */
    double *X;       /* likewise; may be the same array */
    int *steps;      /* set to the iterations of the slowest group of four columns; may be NULL */
} seg_laplacian_system;

/* Solve a system. Where the absorption is SEG_FIXED, the row of B holds the values that X has there: the others then
 * solve Dirichlet's problem. A part of the graph without any absorption has no unique solution, and gets 0.
 *
 * Conjugate gradients on all columns at a time, preconditioned by one symmetric multigrid cycle, always from 0 and
 * until each column's residual, measured by the preconditioner, has fallen by `tolerance` (1e-8 moves no score by more
 * than about 1e-7): the same bytes for the same graph, absorption and B, whatever was solved before and on however many
 * threads.
 * SEG_OK, SEG_ERR_NUMERIC (no convergence; seg_cholesky_create is the way then), SEG_ERR_MEMORY, SEG_ERR_CANCELLED.
 * Cost O(edges x cols x steps), steps about 20 for graphs of images. */
seg_status seg_laplacian_solve(seg_context *ctx, const seg_laplacian *laplacian, const seg_laplacian_system *system);

#endif
