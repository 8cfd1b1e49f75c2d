/* Affinity graphs of several widths from one neighbour search, and of a kernel matrix. */
#ifndef SEG_GRAPH_AFFINITY_H
#define SEG_GRAPH_AFFINITY_H

#include <segment/graph.h>

/* Build graphs with the same edges and different kernel widths: out[g] is byte for byte what seg_graph_build returns
 * for `spec` with sigma[g] (> 0), but the neighbours are searched once. spec->kind is SEG_GRAPH_KNN. out: `count`
 * graphs; free them in any case. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_graph_build_widths(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                  const double *sigma, int count, seg_csr *out);

/* The mean distance of all pairs of rows [chen2011npkl, Sec. 5], above 2048 rows of 2048 picked evenly in lexicographic
 * order, so that their order does not matter; 0 for one row. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_mean_distance(seg_context *ctx, const seg_matrix *X, double *mean);

/* The nearest-neighbour graph of a kernel matrix K (n x n, symmetric, positive semidefinite): each node is joined to
 * its spec->neighbours most similar nodes, with the cosine w_ij = max(0, K_ij) / sqrt(K_ii K_jj) as weight; the rest of
 * spec is not used. Ties go to the smaller index; pairs without a positive cosine get no edge.
 * @return SEG_OK, SEG_ERR_USAGE (K not square or with a number that is not finite; neighbours < 1), SEG_ERR_MEMORY.
 * Cost O(n^2 log neighbours). */
seg_status seg_graph_of_kernel(seg_context *ctx, const seg_matrix *K, const seg_graph_spec *spec, seg_csr *out);

#endif
