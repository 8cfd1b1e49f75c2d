/* One symmetric multigrid cycle over a hierarchy of graphs, for four right sides: the preconditioner of the conjugate
 * gradients in laplacian.c. It is computed in single precision: it affects how fast they converge, not the solution. */
#ifndef SEG_GRAPH_MULTIGRID_H
#define SEG_GRAPH_MULTIGRID_H

#include "graph/hierarchy.h"

#define SEG_LANES4 4 /* right sides at a time: a vector register */

typedef struct seg_multigrid_level {
    float *inverse;     /* 1 / (degree + absorption), 0 at fixed nodes: they take no part */
    float *x, *b, *old; /* n x 4 */
} seg_multigrid_level;

typedef struct seg_multigrid {
    const seg_hierarchy *hierarchy; /* borrowed */
    seg_multigrid_level level[SEG_MOST_LEVELS];
    float *factor; /* lower Cholesky factor of the last graph's matrix; NULL where it is too large: swept instead */
    seg_arena arena;
} seg_multigrid;

/* Enter the absorption (of the first graph's nodes; HUGE_VAL: fixed). SEG_OK, SEG_ERR_MEMORY. Cost O(nodes). */
seg_status seg_multigrid_create(seg_context *ctx, const seg_hierarchy *hierarchy, const double *absorb,
                                seg_multigrid *out);
void seg_multigrid_free(seg_multigrid *grid);

/* level[0].x = M level[0].b, M symmetric positive definite on the nodes that are not fixed, close to the inverse of the
 * system's matrix. */
void seg_multigrid_cycle(const seg_context *ctx, seg_multigrid *grid);

#endif
