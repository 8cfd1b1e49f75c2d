/* Eigenpairs of a symmetric matrix whose eigenvalues are too close to each other for the Lanczos method. */
#pragma once

#include "linalg/sparse.h"

/* Connected components of an affinity graph, and the null space of its normalized Laplacian, given by them exactly. */

/* Edges below this fraction of the degrees of both ends change eigenpairs by rounding only: they connect nothing. */
#define SEG_NEGLIGIBLE_EDGE 1e-15

typedef struct seg_components {
    size_t n;
    int32_t count;
    int32_t *of;  /* n entries: the component of each node, numbered in the order of their smallest member; owned */
    double *root; /* n entries: the null vectors, each of norm one on its component; owned; NULL until they are known */
} seg_components;

/* Components of the graph with weights W (edge directions ignored) and degrees `degree`, without null vectors.
 * SEG_OK, SEG_ERR_MEMORY. Cost about O(edges). */
seg_status seg_components_find(seg_context *ctx, const seg_csr *W, const double *degree, seg_components *out);
void seg_components_free(seg_components *components);

/* Make the columns of X (n x cols) orthogonal to the null vectors; along: workspace for components x cols numbers. */
void seg_components_take_away(const seg_components *components, size_t cols, double *along, double *X);

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
 * step (linalg/sparse.h). value, residual: cols. */
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
