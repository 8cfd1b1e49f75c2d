/* From squared lengths of edges to affinities. */
#ifndef SEG_GRAPH_WEIGHTS_H
#define SEG_GRAPH_WEIGHTS_H

#include "linalg/unit.h"

#include <segment/graph.h>

/* The widths of a specification: all of them, or sigma and sigma_scale alone. SEG_OK, SEG_ERR_USAGE. */
seg_status seg_weights_check(seg_context *ctx, const seg_graph_spec *spec);
seg_status seg_sigma_check(seg_context *ctx, const seg_graph_spec *spec);
/* *sigma: the spec's, or sigma_scale times a mean distance, 1 where that is 0. SEG_OK, SEG_ERR_USAGE. */
seg_status seg_sigma_choose(seg_context *ctx, const seg_graph_spec *spec, double mean, double *sigma);

/* The widths in the unit of the features. */
void seg_widths_to_unit(const seg_in_unit *unit, seg_graph_spec *spec);

/* The values of `graph`, squared lengths, become weights; the mean length of `edges`, which are directed, is the scale.
 * width: what was used (of several widths the first, with local scaling the mean). SEG_OK, SEG_ERR_USAGE,
 * SEG_ERR_MEMORY. */
seg_status seg_weights_set(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, const seg_csr *edges,
                           seg_csr *graph, double *width);

#endif
