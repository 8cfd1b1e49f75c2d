/* Lists of directed edges on their way to a symmetric graph. */
#ifndef SEG_GRAPH_EDGES_H
#define SEG_GRAPH_EDGES_H

#include <segment/matrix.h>

/* Directed edges i -> column with a number each: a squared length, or a weight. Owned. */
typedef struct seg_edge_list {
    size_t rows;
    size_t *start;
    int32_t *column;
    double *value;
} seg_edge_list;

/* Room for `count` edges; start[] is zero. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_edge_list_create(seg_context *ctx, size_t rows, size_t count, seg_edge_list *out);
void seg_edge_list_free(seg_edge_list *edges);

/* The symmetric graph of edges i -> j (in any order; i -> j and j -> i have the same number) and of `touch` (sorted,
 * symmetric; NULL for none): i ~ j where either direction is there, or both where `mutual` is 1, or in `touch`. The
 * numbers go over as they are. SEG_OK, SEG_ERR_MEMORY. Cost O(edges). */
seg_status seg_edge_list_join(seg_context *ctx, const seg_edge_list *edges, const seg_edge_list *touch, int mutual,
                              seg_csr *out);

#endif
