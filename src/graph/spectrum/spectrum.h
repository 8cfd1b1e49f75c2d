/* The smoothest eigenvectors of affinity graphs. */
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

/* Eigenvectors of the normalized Laplacian I - D^-1/2 W D^-1/2. */
typedef struct seg_spectrum {
    size_t n;       /* nodes */
    int count;      /* eigenpairs, ascending */
    double *value;  /* count eigenvalues in 0..2; owned */
    double *vector; /* n x count, row-major: column c is the c-th smoothest eigenvector, norm one, sign fixed
                         (the entry of largest magnitude, the first of equals, is positive); owned */
    int iterations; /* products of ARPACK's operator with a vector, 0 where the dense path was taken */
} seg_spectrum;

/* The `count` smoothest eigenvectors of the normalized Laplacian L of the affinity graph W (symmetric, weights >= 0).
 * Isolated nodes count as degree one. The null vectors of the connected components are known, not computed. The others
 * come from ARPACK's implicitly restarted Lanczos method, start vectors drawn from the context's seed, on the inverse
 * of L + 1e-6 I through a sparse Cholesky factor, or on L itself where that factor would take over 2 * 10^11 operations
 * (10^10 if nodes have more than 24 edges on average) or 10^8 numbers; larger factors are tried if that does not
 * converge. ARPACK then runs again from other start vectors on the orthogonal complement, and pairs found below the
 * last one are inserted, until none is found: no multiple eigenvalue is missed. Eigenvalues that differ by less than a
 * millionth may be exchanged. LAPACK's dense solver is used if n <= 200 or count > n / 3. Residuals |L v - value v| are
 * at most 1e-6, the vectors orthonormal to 1e-10. The same bytes for any number of threads. @return SEG_OK,
 * SEG_ERR_USAGE (count < 1 or > n), SEG_ERR_NUMERIC (ARPACK's or LAPACK's code in words; a larger residual; a search
 * that does not end), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: one factorisation and some 2 count + 30 solutions with
 * it, or products of the graph with a vector, hundreds if eigenvalues are clustered; memory then 16 count + 200 bytes
 * per node and 8 per edge. */
seg_status seg_spectrum_compute(seg_context *ctx, const seg_csr *W, int count, seg_spectrum *out);

/* Fix the sign of column c of n x count vectors: its largest entry by magnitude (the first) becomes positive. */
void seg_fix_sign(size_t n, size_t count, size_t c, double *vector);

/* Release what the spectrum owns and zero it. */
void seg_spectrum_free(seg_spectrum *spectrum);

/* A cache of spectra computed in advance, for many solutions on the same graphs. Zeroed at first. Once it is filled,
 * several threads may read it at a time. */
typedef struct seg_spectra {
    struct seg_spectra_entry *entry;
    size_t entries;
} seg_spectra;

/* Compute the `count` smoothest eigenvectors of W, unless they are cached. W is identified by its address and must not
 * be moved or changed from now on. SEG_OK (also if they cannot be computed for numerical reasons: the call that needs
 * them computes them again and reports why), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_spectra_add(seg_context *ctx, seg_spectra *spectra, const seg_csr *W, int count);

/* As seg_spectrum_compute, from the cache, which may be NULL; *found: 0 if it is not there. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_spectra_take(seg_context *ctx, const seg_spectra *spectra, const seg_csr *W, int count, int *found,
                            seg_spectrum *out);
void seg_spectra_free(seg_spectra *spectra);

/* The part of seg_spectrum_compute that is not known in advance: the out->count smallest eigenvalues of I - S after
 * those of the null vectors, ascending, and their eigenvectors, orthogonal to the null vectors. S = D^-1/2 W D^-1/2.
 * out: n = S->rows, count <= n - components, and room for values and vectors. out->iterations: products with the
 * operator, 0 on the dense path. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. */
seg_status seg_spectrum_solve(seg_context *ctx, const seg_csr *S, const seg_components *components, seg_spectrum *out);

/* --- Eigenpairs whose eigenvalues are too close to each other for the Lanczos method (close_pairs.c). --- */

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
