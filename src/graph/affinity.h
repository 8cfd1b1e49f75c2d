/* One neighbour search for several graphs. */
#ifndef SEG_GRAPH_AFFINITY_H
#define SEG_GRAPH_AFFINITY_H

#include <segment/graph.h>

/* Graphs on the same edges that differ in their width: what seg_graph_build makes of `spec` with each of the `count`
 * widths `sigma` (> 0) in turn, to the byte, but the neighbours are sought once. spec->kind is SEG_GRAPH_KNN. out:
 * `count` graphs, zeroed on failure. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_graph_build_widths(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                  const double *sigma, int count, seg_csr *out);

#endif
