/* A graph and ever coarser ones: strongly tied nodes become one node of the next graph. The part of a multigrid cycle
 * that depends on the graph alone. */
#ifndef SEG_GRAPH_HIERARCHY_H
#define SEG_GRAPH_HIERARCHY_H

#include "base/base.h"

#include <segment/matrix.h>

#define SEG_MOST_LEVELS 24
/* Rows are swept in this many fixed blocks, each by one thread: the result does not depend on the number of threads. */
#define SEG_SWEEP_BLOCKS ((size_t)8)

/* One graph, no diagonal. A row's entries: those of its own block with smaller numbers, start[i] ..
 * start[i]+lower[i]-1; the others of its block, up to start[i]+own[i]-1; those of other blocks. */
typedef struct seg_graph_level {
    size_t n;
    size_t *start;         /* n + 1 */
    uint32_t *lower, *own; /* n each */
    int32_t *column;
    float *weight;
    double *degree;  /* sum of a row's weights */
    seg_arena arena; /* of the above */
    int32_t *parent; /* node of the next graph that holds this one; ascending; NULL on the last level */
    size_t *child;   /* n + 1: this node holds the nodes child[i] .. child[i+1]-1 of the graph before; NULL on the
                        first level */
} seg_graph_level;

/* The nodes of every graph are numbered so that those of one next node stand side by side: what is strongly tied is
 * near in memory, and in one block. */
typedef struct seg_hierarchy {
    int levels;
    double unit; /* a power of two: the levels' weights are the given ones times it; 1 for weights of ordinary size */
    int32_t *order; /* the first graph's i is the given graph's order[i] */
    seg_graph_level level[SEG_MOST_LEVELS];
} seg_hierarchy;

/* Pairs of nodes along the strongest edges, twice over, make the nodes of the next graph [notay2010agmg, Algorithm 2
 * simplified]; its weights are the sums over the edges in between. Weights are kept in single precision, in a unit
 * in which they fit: the graph that is solved for differs from W by 6e-8 of each weight. Ends at `coarsest` nodes, or
 * where no more edges are left. W: square, symmetric, weights >= 0, at least one node. Free `out` in any case.
 * SEG_OK, SEG_ERR_MEMORY. Cost O(edges). */
seg_status seg_hierarchy_create(seg_context *ctx, const seg_csr *W, size_t coarsest, seg_hierarchy *out);
void seg_hierarchy_free(seg_hierarchy *hierarchy);

#endif
