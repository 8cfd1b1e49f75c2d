/* The inside of the complete Gaussian graph. */
#ifndef SEG_GRAPH_FULL_FULL_GRAPH_H
#define SEG_GRAPH_FULL_FULL_GRAPH_H

#include "graph/full/fast_sum.h"

#include <segment/graph.h>

struct seg_full_graph {
    size_t n;
    double sigma;
    double *degree;   /* n: sums of the rows */
    double *dense;    /* n x n weights; NULL where sums are fast */
    seg_fast_sum sum; /* over the nodes that are not weak; n = 0 where all are */
    seg_csr weak;     /* n x n: all weights with a weak end; no rows where there are none */
    double *work;     /* 3 n, the fast sums' */
};

/* sigma as the specification has it: its own, or sigma_scale times the mean distance of all pairs [chen2011npkl, Sec.
 * 5] (beyond 2048 nodes of the pairs of 2048 picked evenly in lexicographic order, whatever order they are given in);
 * 1 where all nodes coincide. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY. */
seg_status seg_full_sigma(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, double *sigma);

/* Every weight of at most SEG_FULL_LISTED nodes, listed: what seg_graph_build makes of SEG_GRAPH_FULL. */
seg_status seg_full_affinity(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *out,
                             double *sigma);

/* How a graph answers for its products. */
typedef enum seg_full_way { SEG_FULL_BY_ANY = 0, SEG_FULL_BY_MATRIX, SEG_FULL_BY_SUMS } seg_full_way;
/* seg_full_graph_create by the way that is asked for. */
seg_status seg_full_graph_create_by(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_full_way way,
                                    seg_full_graph **out);

/* The part of fast sums: fills in sum, weak and work. */
seg_status seg_full_graph_prepare_sums(seg_context *ctx, const seg_gaussian *points, seg_full_graph *graph);

typedef struct seg_weak_nodes {
    const uint8_t *weak; /* n: 1 for the weak */
    size_t entries;      /* the longest list */
    double *degree;      /* n: sums of the rows of the others, whose size alone matters; those of the weak are set */
} seg_weak_nodes;
/* List the weights of the weak nodes. Weights that add up to less than 1e-9 of a row are left out. *within: 0 where the
 * list would be longer than `entries`, and then nothing is listed. */
seg_status seg_full_weak_list(seg_context *ctx, const seg_gaussian *points, const seg_weak_nodes *nodes, seg_csr *out,
                              int *within);

/* Y = W X, both n x cols, row-major, distinct. The same bytes for any number of threads. The graph holds what the
 * product needs in between: not by two threads at once. @return SEG_OK, SEG_ERR_CANCELLED. Cost: O(n) and the
 * transform of the grid a column; n^2 where it is dense. */
seg_status seg_full_graph_multiply(seg_context *ctx, seg_full_graph *graph, size_t cols, const double *X, double *Y);

#endif
