/* A graph's nodes numbered so that those that are tied lie near each other in memory: products of a large matrix wait
 * for memory above all. */
#ifndef SEG_GRAPH_SPECTRUM_NUMBERING_H
#define SEG_GRAPH_SPECTRUM_NUMBERING_H

#include "graph/components.h"

#include <segment/matrix.h>

/* A numbering of n nodes by their places in `dimensions` columns, the first of each row of X (n x cols, row-major): the
 * nodes are cut in two at the mean of the column that varies most, and each part again, down to parts of some hundred
 * nodes; parts of a part lie side by side. unit: of each row, divided by; e.g. the roots of the degrees, where X are
 * eigenvectors of the normalised weights, makes them constant on parts that are nearly cut from the others.
 * order: n, the node at each place; nodes of a part stay in their order. 1 <= dimensions <= cols.
 * SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(n dimensions log n). */
seg_status seg_numbering_by_columns(seg_context *ctx, size_t n, size_t cols, const double *X, size_t dimensions,
                                    const double *unit, int32_t *order);

/* What belongs to the nodes of a graph, in a numbering. */
typedef struct seg_numbering {
    size_t n;
    int32_t *order; /* the node at place i is the caller's order[i] */
    seg_csr S;      /* the entries of a row are in the caller's order */
    seg_components components;
    double *root;
} seg_numbering;

/* Takes `order`, also where it fails; copies the rest. root: n numbers. SEG_OK, SEG_ERR_MEMORY. Cost O(edges). */
seg_status seg_numbering_create(seg_context *ctx, const seg_csr *S, const seg_components *components,
                                const double *root, int32_t *order, seg_numbering *out);
void seg_numbering_free(seg_numbering *numbering);

#endif
