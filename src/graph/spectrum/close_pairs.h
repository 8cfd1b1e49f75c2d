/* Eigenpairs of a symmetric matrix that are too close to each other for Lanczos' method. */
#ifndef SEG_GRAPH_SPECTRUM_CLOSE_PAIRS_H
#define SEG_GRAPH_SPECTRUM_CLOSE_PAIRS_H

#include "graph/components.h"
#include "linalg/sparse.h"

typedef struct seg_close_pairs {
    const seg_symmetric *S;           /* the pairs with its largest eigenvalues are sought */
    const seg_components *components; /* with the null vectors, which are set apart; NULL: there are none */
    /* X (n x cols, row-major) = (shift I - S)^-1 X, where the shift is a little above the largest eigenvalue.
     * SEG_OK, SEG_ERR_NUMERIC (there is no inverse), SEG_ERR_MEMORY. NULL: there is no inverse. */
    seg_status (*invert)(void *user, size_t cols, double *X);
    void *user;    /* of invert */
    int *products; /* the count of solved systems is added to it; NULL where there is no inverse */
} seg_close_pairs;

/* The columns of X (n x cols, row-major, independent) less the known vectors, then the Rayleigh-Ritz step
 * (linalg/rayleigh_ritz.h). value, residual: cols. */
seg_status seg_close_pairs_settle(seg_context *ctx, const seg_close_pairs *pairs, size_t cols, double *X, double *value,
                                  double *residual);

/* The first `count` pairs by LAPACK, which sees every multiplicity.
 * value: count, descending; vector: n x count. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n^3). */
seg_status seg_close_pairs_dense(seg_context *ctx, const seg_close_pairs *pairs, size_t count, double *value,
                                 double *vector);

/* The first `count` pairs where Lanczos' method has failed: by LAPACK up to 1500 nodes, beyond by subspace iteration
 * with the inverse on a block of random vectors. vector: n x count, orthonormal; value, residual: count. The residuals
 * of clustered eigenvalues are small although their vectors are not unique. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
seg_status seg_close_pairs_solve(seg_context *ctx, const seg_close_pairs *pairs, size_t count, double *value,
                                 double *vector, double *residual);

/* SEG_ERR_NUMERIC, with a sentence, where a residual of a matrix of norm <= 2 is too large for a result. */
seg_status seg_close_pairs_check(seg_context *ctx, size_t count, const double *residual);

#endif
