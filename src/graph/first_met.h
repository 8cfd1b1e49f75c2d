/* Adjacency of chosen nodes of a graph: two are adjacent if a random walk from one may reach the other first. */
#ifndef SEG_GRAPH_FIRST_MET_H
#define SEG_GRAPH_FIRST_MET_H

#include <segment/matrix.h>

/* The graph on `count` chosen nodes after elimination of all others (the Schur complement of the Laplacian of W,
 * without the diagonal): the weight of a pair is the degree of one node times the probability that a walk from it
 * reaches the other before any third. Walks that return to their start are not counted. Approximate: a node passes on
 * its mass only from the fraction `least` of the start's mass up, at most `most` nodes are expanded per walk, and the
 * 64 largest weights are kept. W: n x n, symmetric, weights >= 0. node: `count` different node indices. out: count x
 * count, symmetric, diagonal empty. The same bytes for any number of threads. SEG_OK, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. Cost O(count x most x edges per node) at worst; 24 n bytes of memory per thread. */
typedef struct seg_first_met_options {
    double least;
    size_t most;
} seg_first_met_options;
seg_status seg_first_met(seg_context *ctx, const seg_csr *W, const size_t *node, size_t count,
                         seg_first_met_options options, seg_csr *out);

#endif
