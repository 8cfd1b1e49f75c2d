/* Numberings of a graph's nodes that put nodes joined by edges near each other in memory: the products of a large
 * matrix wait for memory most of the time. */
#ifndef SEG_GRAPH_SPECTRUM_NUMBERING_H
#define SEG_GRAPH_SPECTRUM_NUMBERING_H

#include "graph/components.h"

#include <segment/matrix.h>

/* A numbering of the nodes by their places in `dimensions` columns, the first of each row of X, one row a node: the
 * nodes are divided in two at the mean of the column that varies most, and each part again, down to parts of some
 * hundred nodes; parts of a part lie side by side. unit: each row is divided by its number of these. The roots of the
 * degrees, for example, where X are eigenvectors of the normalised weights, make the rows of a part that is nearly cut
 * from the others equal. order: the node at each place; nodes of a part stay in their order. 1 <= dimensions <=
 * X->cols. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(rows dimensions log rows). */
seg_status seg_numbering_by_columns(seg_context *ctx, const seg_matrix *X, size_t dimensions, const double *unit,
                                    int32_t *order);

/* What belongs to the nodes of a graph, in a numbering. */
typedef struct seg_numbering {
    int32_t *order; /* the node at place i is the caller's order[i] */
    seg_csr S;      /* the entries of a row are in the caller's order */
    seg_components components;
} seg_numbering;

/* Takes `order`, also where it fails; copies the rest. SEG_OK, SEG_ERR_MEMORY. Cost O(edges). */
seg_status seg_numbering_create(seg_context *ctx, const seg_csr *S, const seg_components *components, int32_t *order,
                                seg_numbering *out);
void seg_numbering_free(seg_numbering *numbering);

#endif
