/* Chebyshev polynomials of a graph's S = D^-1/2 W D^-1/2: what damps all eigenvectors but the smoothest. */
#ifndef SEG_GRAPH_SPECTRUM_CHEBYSHEV_H
#define SEG_GRAPH_SPECTRUM_CHEBYSHEV_H

#include "graph/components.h"

#include <segment/matrix.h>

enum { SEG_FILTER_LANES = 16 }; /* columns in single precision that share a line of the cache; half of them in double */

typedef struct seg_chebyshev {
    seg_context *ctx;
    const seg_csr *S;
    const seg_components *components;
    const double *root; /* null vectors: norm one in each component */
    float *value;       /* S's in single precision */
    double *even, *odd; /* n lines of the cache each: neighbouring terms of the recurrence */
    double *along;      /* components x SEG_FILTER_LANES */
} seg_chebyshev;

/* Borrows everything but its own buffers. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_chebyshev_create(seg_context *ctx, const seg_csr *S, const seg_components *components,
                                const double *root, seg_chebyshev *out);
void seg_chebyshev_free(seg_chebyshev *filter);

/* The polynomial: of `degree` >= 1, at most 1 / T(top) in low .. high and 1 at `top` > high. Rounding raises what is
 * known again, by the more the smoother it is: it is taken away after every `clean` >= 1 steps, and in the end. */
typedef struct seg_chebyshev_terms {
    int degree, clean;
    double low, high, top;
} seg_chebyshev_terms;

/* Replace the columns column[0 .. count-1] of X (n x cols, row-major) by the polynomial times them, without what lies
 * along the null vectors and along the columns known[0 .. knowns-1], orthonormal, which the polynomial would raise most
 * of all. count <= SEG_FILTER_LANES, half of it unless `single`: products in single precision leave an error of some
 * 1e-7 of a column's norm. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: degree products of S with count columns. */
seg_status seg_chebyshev_filter(seg_chebyshev *filter, const seg_chebyshev_terms *terms, int single, size_t cols,
                                double *X, const size_t *column, size_t count, const size_t *known, size_t knowns);

#endif
