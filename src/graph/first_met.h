/* Which of some chosen nodes of a graph lie side by side: those that a random walk from one of them meets first. */
#ifndef SEG_GRAPH_FIRST_MET_H
#define SEG_GRAPH_FIRST_MET_H

#include <segment/matrix.h>

/* A graph on `count` chosen nodes: between two of them the weight with which a walk from one meets the other before any
 * third, which is what is left of W where all other nodes are eliminated (the Schur complement of its Laplacian,
 * without the diagonal). Walks that return to where they began are not counted. A walk is followed while at least
 * `least` of it waits at a node, over at most `most` nodes, and of the nodes that it meets the 64 likeliest are kept.
 * W: n x n, symmetric, weights >= 0. node: `count` different numbers below n. out: count x count, symmetric, diagonal
 * empty. The same bytes for any number of threads. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED.
 * Cost O(count x most x edges of a node) at the worst; 24 n bytes of memory for each thread. */
typedef struct seg_first_met_options {
    double least;
    size_t most;
} seg_first_met_options;
seg_status seg_first_met(seg_context *ctx, const seg_csr *W, const size_t *node, size_t count,
                         seg_first_met_options options, seg_csr *out);

#endif
