/* Harmonic extension over a graph: values fixed at some nodes, every other node the weighted mean of its neighbours. */
#ifndef SEG_GRAPH_HARMONIC_H
#define SEG_GRAPH_HARMONIC_H

#include "graph/laplacian.h"

#include <segment/graph.h>

/* Factorised once for a graph and a set of fixed nodes, applied to any values. Borrows W. */
typedef struct seg_harmonic seg_harmonic;

/* Prepare to solve L_uu F_u = -L_ul F_l [zhu2003harmonic, Eq. 5] for L = D - W, l the nodes with fixed[i] != 0, u the
 * others: one sparse Cholesky factorisation. SEG_OK, SEG_ERR_USAGE (W not square), SEG_ERR_NUMERIC, SEG_ERR_MEMORY. */
seg_status seg_harmonic_create(seg_context *ctx, const seg_csr *W, const uint8_t *fixed, seg_harmonic **out);

/* 1 where the object was made for just this set of fixed nodes. */
int seg_harmonic_fits(const seg_harmonic *harmonic, const uint8_t *fixed);

/* F: n x cols row-major; rows of fixed nodes are read, the others are written. The weights of the fixed values are the
 * absorption probabilities of a random walk on the graph: non-negative, and they sum to one over every part of the
 * graph that holds a fixed node; in other parts the result is 0. SEG_OK, SEG_ERR_USAGE (sizes), SEG_ERR_MEMORY. */
seg_status seg_harmonic_apply(seg_context *ctx, seg_harmonic *harmonic, seg_matrix *F);

/* Tolerances of the residual below: the first moves no value by more than about 1e-5, the second by a few thousandths
 * where a part of the graph hangs by weights of 1e-6, and hardly any label, with a quarter fewer steps
 * (docs/results.md, "One more stroke"). */
#define SEG_HARMONIC_FINE   1e-7
#define SEG_HARMONIC_LABELS 1e-5

/* The same by seg_laplacian_solve: no factorisation, and only what the fixed nodes change is computed. Where it does
 * not converge, the factorisation is made after all. laplacian: of W. SEG_OK, SEG_ERR_USAGE, SEG_ERR_NUMERIC,
 * SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_harmonic_extend(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const uint8_t *fixed,
                               double tolerance, seg_matrix *F);

void seg_harmonic_free(seg_harmonic *harmonic);

#endif
