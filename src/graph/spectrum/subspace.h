/* The smoothest eigenvectors of a large graph by subspace iteration with Chebyshev polynomials. */
#ifndef SEG_GRAPH_SPECTRUM_SUBSPACE_H
#define SEG_GRAPH_SPECTRUM_SUBSPACE_H

#include "graph/components.h"

#include <segment/matrix.h>

/* Columns of the space for `count` pairs, a multiple of SEG_FILTER_LANES; 0 where there would be too many. */
size_t seg_subspace_columns(size_t count);

typedef struct seg_subspace_options {
    size_t count;         /* of pairs */
    double tolerance;     /* of their residuals */
    size_t numbered_from; /* graphs of so many nodes and more are numbered anew, 0: none */
    int *products;        /* set to the products of S with a column, also where there is no convergence */
} seg_subspace_options;

/* The `count` pairs of S = D^-1/2 W D^-1/2 with the largest eigenvalues beyond those of the null vectors
 * [zhou2006chebyshev]: a block of random vectors, of which polynomials damp all but the
 * smoothest; the best pairs in their span in double precision; and again, until |S x - value x| is at most `tolerance`
 * for all, in single precision as long as that is enough. Pairs that have converged are not filtered, and rounding
 * errors along them are removed. Before the last passes random vectors replace the last of the block, so that a pair
 * that the first ones missed has a second chance. More columns than pairs find every multiplicity.
 * The rough pairs of the first passes also tell which nodes belong together: a large graph is copied with its
 * nodes in that order, which halves the time that products wait for memory and takes 12 bytes an entry of S; results
 * are in the given order. value: count, descending; X: n x count, row-major, orthonormal, orthogonal to the null
 * vectors to about 1e-8. n >= twice the columns. The same bytes for any number of threads. SEG_OK, SEG_ERR_NUMERIC (no
 * convergence), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: products of S, some hundreds a pair in crowds, each a fraction
 * of one alone. */
seg_status seg_subspace_solve(seg_context *ctx, const seg_csr *S, const seg_components *components,
                              const seg_subspace_options *options, double *value, double *X);

#endif
