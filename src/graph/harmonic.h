/* Harmonic extension over a graph: values are fixed at some nodes, others the weighted mean of their neighbours'. */
#pragma once

#include "graph/laplacian.h"

/* F: n x cols row-major; rows of nodes with fixed[i] != 0 are read, the others are written: L_uu F_u = -L_ul F_l
 * [zhu2003harmonic, Eq. 5] for L = D - W, l the fixed nodes, u the others, by a sparse Cholesky factorisation. The
 * result is a mean of the fixed values weighted by the absorption probabilities of a random walk on the graph, which
 * are non-negative and sum to one; in components without a fixed node it is 0. SEG_OK, SEG_ERR_NUMERIC,
 * SEG_ERR_MEMORY. */
seg_status seg_harmonic_directly(seg_context *ctx, const seg_csr *W, const uint8_t *fixed, seg_matrix *F);

/* Tolerances of the residual below. Errors of values are at most about 1e-5 with the first, and with the second a few
 * thousandths where a part of the graph is attached by weights of 1e-6 only; that changes hardly any label and saves a
 * quarter of the steps (docs/results.md, "One more stroke"). */
#define SEG_HARMONIC_FINE   1e-7
#define SEG_HARMONIC_LABELS 1e-5

/* The same by seg_laplacian_solve, without a factorisation; falls back to seg_harmonic_directly if that does not
 * converge. laplacian: made from W. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_harmonic_extend(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const uint8_t *fixed,
                               double tolerance, seg_matrix *F);

/* Adjacency of chosen nodes of a graph: two are adjacent if a random walk from one may reach the other first. */

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
