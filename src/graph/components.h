/* Connected components of an affinity graph, and the null space of its normalized Laplacian, which they give exactly.
 */
#ifndef SEG_GRAPH_COMPONENTS_H
#define SEG_GRAPH_COMPONENTS_H

#include <segment/matrix.h>

/* Edges below this fraction of the degrees of both ends change eigenpairs by rounding only: they connect nothing. */
#define SEG_NEGLIGIBLE_EDGE 1e-15

typedef struct seg_components {
    size_t n;
    int32_t count;
    int32_t *of;  /* n entries: the component of each node, numbered in the order of their smallest member; owned */
    double *root; /* n entries: the null vectors, each of norm one on its component; owned; NULL until they are known */
} seg_components;

/* Components of the graph with weights W (edge directions ignored) and degrees `degree`, without null vectors.
 * SEG_OK, SEG_ERR_MEMORY. Cost about O(edges). */
seg_status seg_components_find(seg_context *ctx, const seg_csr *W, const double *degree, seg_components *out);
void seg_components_free(seg_components *components);

/* Make the columns of X (n x cols, row-major) orthogonal to the null vectors; along: workspace for components x cols
 * numbers. */
void seg_components_take_away(const seg_components *components, size_t cols, double *along, double *X);
/* The same with its own workspace. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_components_clean(seg_context *ctx, const seg_components *components, size_t cols, double *X);

#endif
