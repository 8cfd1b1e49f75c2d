/* Affinity graphs of several widths from one neighbour search, and of a kernel matrix. */
#pragma once

#include <segment/graph.h>

/* Build graphs with the same edges and different kernel widths: out[g] is byte for byte what seg_graph_build returns
 * for `spec` with sigma[g] (> 0), but the neighbours are searched once. spec->kind is SEG_GRAPH_KNN. out: `count`
 * graphs; free them in any case. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_graph_build_widths(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                  const double *sigma, int count, seg_csr *out);

/* The mean distance of all pairs of rows [chen2011npkl, Sec. 5], above 2048 rows of 2048 picked evenly in lexicographic
 * order, so that their order does not matter; 0 for one row. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_mean_distance(seg_context *ctx, const seg_matrix *X, double *mean);
