/* One neighbour search for several graphs. */
#ifndef SEG_GRAPH_AFFINITY_H
#define SEG_GRAPH_AFFINITY_H

#include <segment/graph.h>

/* Graphs on the same edges that differ in their width: what seg_graph_build makes of `spec` with each of the `count`
 * widths `sigma` (> 0) in turn, to the byte, but the neighbours are sought once. spec->kind is SEG_GRAPH_KNN. out:
 * `count` graphs; free them in any case. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_graph_build_widths(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                  const double *sigma, int count, seg_csr *out);

/* The affinity graph of the nodes that a kernel K (n x n, symmetric, positive semidefinite) compares: each node's
 * spec->neighbours most similar ones, w_ij = max(0, K_ij) / sqrt(K_ii K_jj), the cosine of their angle; the
 * rest of spec is not used. Equal similarities by number; no edge where the angle is not acute.
 * @return SEG_OK, SEG_ERR_USAGE (K not square or with a number that is not finite; neighbours < 1), SEG_ERR_MEMORY.
 * Cost O(n^2 log neighbours). */
seg_status seg_graph_of_kernel(seg_context *ctx, const seg_matrix *K, const seg_graph_spec *spec, seg_csr *out);

#endif
