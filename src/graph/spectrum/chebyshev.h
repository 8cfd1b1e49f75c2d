/* Chebyshev polynomials of S = D^-1/2 W D^-1/2 of a graph, which damp all eigenvectors but the smoothest. */
#ifndef SEG_GRAPH_SPECTRUM_CHEBYSHEV_H
#define SEG_GRAPH_SPECTRUM_CHEBYSHEV_H

#include "base/base.h"
#include "graph/components.h"

#include <segment/matrix.h>

enum { SEG_FILTER_LANES = 16 }; /* columns in single precision that share a line of the cache; half of them in double */

typedef struct seg_chebyshev {
    seg_context *ctx;
    const seg_csr *S;
    const seg_components *components;
    float *value;       /* S's in single precision */
    double *even, *odd; /* n lines of the cache each: neighbouring terms of the recurrence */
    double *along;      /* components x SEG_FILTER_LANES */
    seg_arena arena;
} seg_chebyshev;

/* Borrows everything but its own buffers. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_chebyshev_create(seg_context *ctx, const seg_csr *S, const seg_components *components,
                                seg_chebyshev *out);
void seg_chebyshev_free(seg_chebyshev *filter);

/* The polynomial: of `degree` >= 1, at most 1 / T(top) in low .. high and 1 at `top` > high. Rounding
 * brings the known vectors back, and the polynomial raises the smoothest of them most: they are removed after every
 * `clean` >= 1 steps and at the end. */
typedef struct seg_chebyshev_terms {
    int degree, clean;
    double low, high, top;
} seg_chebyshev_terms;

/* Columns of X (n x cols, row-major). */
typedef struct seg_chebyshev_columns {
    size_t cols;
    double *X;
    const size_t *column; /* those that are filtered */
    size_t count;         /* of them, at most SEG_FILTER_LANES, half of it unless `single` */
    const size_t *known;  /* orthonormal columns that the polynomial would raise most of all */
    size_t knowns;
    int single; /* 1: products in single precision, which leave an error of some 1e-7 of a column's norm */
} seg_chebyshev_columns;

/* Replace the columns by the polynomial times them, without their parts along the null vectors and the known columns.
 * SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: degree products of S with count columns. */
seg_status seg_chebyshev_filter(seg_chebyshev *filter, const seg_chebyshev_terms *terms,
                                const seg_chebyshev_columns *columns);

#endif
