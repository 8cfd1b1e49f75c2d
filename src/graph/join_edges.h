/* From directed edges to a symmetric graph. */
#ifndef SEG_GRAPH_JOIN_EDGES_H
#define SEG_GRAPH_JOIN_EDGES_H

#include <segment/matrix.h>

/* The symmetric graph of edges i -> j (columns in any order; i -> j and j -> i have the same value) and of `touch`
 * (sorted, symmetric): i ~ j where either direction is there, or in `touch`. Either matrix
 * may be zeroed, for none. The values go over as they are. SEG_OK, SEG_ERR_MEMORY. Cost O(edges). */
seg_status seg_edges_join(seg_context *ctx, const seg_csr *edges, const seg_csr *touch, seg_csr *out);

#endif
