/* Harmonic extension over a graph: values fixed at some nodes, every other node the weighted mean of its neighbours. */
#ifndef SEG_GRAPH_HARMONIC_H
#define SEG_GRAPH_HARMONIC_H

#include "graph/laplacian.h"

#include <segment/graph.h>

/* F: n x cols row-major; rows of nodes with fixed[i] != 0 are read, the others are written: L_uu F_u = -L_ul F_l
 * [zhu2003harmonic, Eq. 5] for L = D - W, l the fixed nodes, u the others, by a sparse Cholesky factorisation. The
 * weights of the fixed values are the absorption probabilities of a random walk on the graph: non-negative, and they
 * sum to one over every part of the graph that holds a fixed node; in other parts the result is 0. SEG_OK,
 * SEG_ERR_USAGE (sizes), SEG_ERR_NUMERIC, SEG_ERR_MEMORY. */
seg_status seg_harmonic_directly(seg_context *ctx, const seg_csr *W, const uint8_t *fixed, seg_matrix *F);

/* Tolerances of the residual below: the first moves no value by more than about 1e-5, the second by a few thousandths
 * where a part of the graph hangs by weights of 1e-6, and hardly any label, with a quarter fewer steps
 * (docs/results.md, "One more stroke"). */
#define SEG_HARMONIC_FINE   1e-7
#define SEG_HARMONIC_LABELS 1e-5

/* The same by seg_laplacian_solve, without a factorisation; where it does not converge, seg_harmonic_directly.
 * laplacian: of W. SEG_OK, SEG_ERR_USAGE, SEG_ERR_NUMERIC,
 * SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_harmonic_extend(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const uint8_t *fixed,
                               double tolerance, seg_matrix *F);

#endif
