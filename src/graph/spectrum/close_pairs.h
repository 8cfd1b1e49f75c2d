/* Eigenpairs of a symmetric matrix whose eigenvalues are too close to each other for the Lanczos method. */
#ifndef SEG_GRAPH_SPECTRUM_CLOSE_PAIRS_H
#define SEG_GRAPH_SPECTRUM_CLOSE_PAIRS_H

#include "graph/components.h"
#include "linalg/sparse.h"

typedef struct seg_close_pairs {
    const seg_symmetric *S;           /* pairs with the largest eigenvalues of S are computed */
    const seg_components *components; /* with the null vectors, which are excluded; NULL: there are none */
    /* X (n x cols, row-major) = (shift I - S)^-1 X, where the shift is a little above the largest eigenvalue.
     * SEG_OK, SEG_ERR_NUMERIC (there is no inverse), SEG_ERR_MEMORY. NULL: there is no inverse. */
    seg_status (*invert)(void *user, size_t cols, double *X);
    void *user;    /* of invert */
    int *products; /* the number of solved systems is added to it; NULL if there is no inverse */
} seg_close_pairs;

/* Make the columns of X (n x cols, row-major, independent) orthogonal to the null vectors, then do the Rayleigh-Ritz
 * step (linalg/rayleigh_ritz.h). value, residual: cols. */
seg_status seg_close_pairs_settle(seg_context *ctx, const seg_close_pairs *pairs, size_t cols, double *X, double *value,
                                  double *residual);

/* The first `count` pairs by LAPACK, which finds all vectors of multiple eigenvalues. value: count, descending; vector:
 * n x count. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n^3). */
seg_status seg_close_pairs_dense(seg_context *ctx, const seg_close_pairs *pairs, size_t count, double *value,
                                 double *vector);

/* The first `count` pairs if the Lanczos method has failed: by LAPACK up to 1500 nodes, by inverse subspace iteration
 * on a block of random vectors above. vector: n x count, orthonormal; value, residual: count. The residuals of
 * clustered eigenvalues are small although their vectors are not unique. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
seg_status seg_close_pairs_solve(seg_context *ctx, const seg_close_pairs *pairs, size_t count, double *value,
                                 double *vector, double *residual);

/* SEG_ERR_NUMERIC, with a message, if a residual is too large for a matrix of norm <= 2. */
seg_status seg_close_pairs_check(seg_context *ctx, size_t count, const double *residual);

#endif
