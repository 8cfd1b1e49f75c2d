/* The complete Gaussian graph, weight by weight. */
#ifndef SEG_GRAPH_FULL_GRAPH_H
#define SEG_GRAPH_FULL_GRAPH_H

#include <segment/graph.h>

/* What seg_graph_build makes of SEG_GRAPH_FULL: up to SEG_FULL_NODES nodes. Of the specification sigma and sigma_scale
 * are used. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_full_affinity(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *out,
                             double *sigma);

#endif
