/* A graph and a sequence of coarser graphs: strongly connected nodes are merged into one node of the next graph. This
 * is the part of a multigrid cycle that depends on the graph alone. */
#pragma once

#include "base/base.h"

#include <segment/matrix.h>

#define SEG_MOST_LEVELS 24
/* Sweeps run over this many fixed blocks of rows, one thread each: results do not depend on the number of threads. */
#define SEG_SWEEP_BLOCKS ((size_t)8)

/* One graph, no diagonal. Entries of row i: first columns below i of the row's own block, at start[i] ..
 * start[i]+lower[i]-1; then the other columns of its block, up to start[i]+own[i]-1; then those of other blocks. */
typedef struct seg_graph_level {
    size_t n;
    size_t *start;         /* n + 1; in one block with the next five */
    uint32_t *lower, *own; /* n each */
    int32_t *column;
    float *weight;
    double *degree;  /* sum of a row's weights */
    int32_t *parent; /* node of the next graph that contains this one; ascending; NULL on the last level */
    size_t *child;   /* n + 1: node i has the nodes child[i] .. child[i+1]-1 of the previous graph; NULL on the first */
} seg_graph_level;

/* Nodes that are merged into one node of the next graph are numbered consecutively: strongly connected nodes are close
 * in memory, and mostly in one block. */
typedef struct seg_hierarchy {
    int levels;
    double unit;    /* a power of two by which the given weights are multiplied; 1 for weights of ordinary size */
    int32_t *order; /* node i of the first graph is node order[i] of the given one */
    seg_graph_level level[SEG_MOST_LEVELS];
} seg_hierarchy;

/* Each level is coarsened by two rounds of pairing nodes along their strongest edges [notay2010agmg, Algorithm 2
 * simplified]; the weight between two coarse nodes is the sum over the edges between them. Weights are stored in single
 * precision, scaled to fit, so the graph that is solved differs from W by 6e-8 of each weight. Coarsening ends at
 * `coarsest` nodes, or when it hardly reduces the number of nodes. W: square, symmetric, weights >= 0, at least one
 * node. Free `out` in any case. SEG_OK, SEG_ERR_MEMORY. Cost O(edges). */
seg_status seg_hierarchy_create(seg_context *ctx, const seg_csr *W, size_t coarsest, seg_hierarchy *out);
void seg_hierarchy_free(seg_hierarchy *hierarchy);
