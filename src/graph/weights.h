/* From squared lengths of edges to affinities. */
#ifndef SEG_GRAPH_WEIGHTS_H
#define SEG_GRAPH_WEIGHTS_H

#include <segment/graph.h>

/* sigma and sigma_scale of a specification. SEG_OK, SEG_ERR_USAGE. */
seg_status seg_sigma_check(seg_context *ctx, const seg_graph_spec *spec);
/* *sigma: the spec's, or sigma_scale times a mean distance, 1 where that is 0. SEG_OK, SEG_ERR_USAGE. */
seg_status seg_sigma_choose(seg_context *ctx, const seg_graph_spec *spec, double mean, double *sigma);

/* The values of `graph`, squared lengths, become weights; the mean length of `edges`, which are directed, is the scale.
 * sigma: what was used. SEG_OK, SEG_ERR_USAGE. */
seg_status seg_weights_set(seg_context *ctx, const seg_graph_spec *spec, const seg_csr *edges, seg_csr *graph,
                           double *sigma);

#endif
