/* The largest eigenpairs of a sparse symmetric matrix by Chebyshev-filtered subspace iteration [zhou2006].
 * A block of random vectors, larger than the number wanted, is multiplied by a Chebyshev polynomial of the matrix that
 * is small on the unwanted part of the spectrum and steep on the wanted one; Rayleigh-Ritz; again with sharper bounds.
 * Unlike a Krylov space of one vector it sees multiple and nearly multiple eigenvalues with all their vectors, and its
 * products go over the matrix once for eight vectors. */
#ifndef SEG_LINALG_SUBSPACE_H
#define SEG_LINALG_SUBSPACE_H

#include <segment/matrix.h>

/* Make the `cols` columns of X (row-major) orthogonal to an invariant subspace that is to be left out. */
typedef void (*seg_project)(void *user, size_t cols, double *X);

typedef struct seg_subspace_options {
    int count;           /* eigenpairs wanted, 1 .. n/2 */
    double lower;        /* no eigenvalue is below */
    double upper;        /* none above */
    double tolerance;    /* of the residual's norm */
    int rounds;          /* limit */
    seg_project project; /* may be NULL */
    void *user;
} seg_subspace_options;

/* Vectors of the block for `count` eigenpairs: the most columns that `project` is given. */
size_t seg_subspace_block(int count);

/* value: count numbers, descending; vector: n x count row-major, orthonormal. products: number of products of S with
 * one vector. The start is drawn from the context's seed. converged is 0 where the limit ended it: then neither value
 * nor vector is set. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. */
seg_status seg_subspace_largest(seg_context *ctx, const seg_csr *S, const seg_subspace_options *options, double *value,
                                double *vector, int *products, int *converged);

#endif
