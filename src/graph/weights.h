/* From squared lengths of edges to affinities. */
#ifndef SEG_GRAPH_WEIGHTS_H
#define SEG_GRAPH_WEIGHTS_H

#include "graph/edges.h"
#include "linalg/unit.h"

#include <segment/graph.h>

/* The widths of a specification. SEG_OK, SEG_ERR_USAGE. */
seg_status seg_weights_check(seg_context *ctx, const seg_graph_spec *spec);

/* The widths in the unit of the features. */
void seg_widths_to_unit(const seg_in_unit *unit, seg_graph_spec *spec);

/* Squared lengths -> weights in `graph`; `edges` are the directed edges whose mean length is the scale. width: what was
 * used (with several, the first; with local scaling, the mean). SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY. */
seg_status seg_weights_set(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                           const seg_edge_list *edges, seg_csr *graph, double *width);

#endif
