/* The graph of a method's paper. */
#include <segment/methods.h>

#include "base/base.h"

#include <math.h>
#include <stdlib.h>

enum { NEIGHBOURS = 20 };

/* The mean distance to the 20th nearest neighbour, the farthest there is where there are fewer. */
static seg_status distance_to_last(seg_context *ctx, const seg_matrix *X, double *mean) {
    const size_t n = X->rows;
    const int count = n > NEIGHBOURS ? NEIGHBOURS : (int)n - 1;
    int32_t *neighbour = seg_alloc(ctx, n, (size_t)count * sizeof *neighbour);
    double *distance2 = seg_alloc(ctx, n, (size_t)count * sizeof *distance2), sum = 0;
    seg_status status =
        neighbour && distance2 ? seg_nearest_neighbours(ctx, X, count, neighbour, distance2) : SEG_ERR_MEMORY;
    for (size_t i = 0; i < n && !status; i++)
        sum += sqrt(distance2[i * (size_t)count + (size_t)count - 1]);
    *mean = sum / (double)n;
    free(neighbour);
    free(distance2);
    return status;
}

seg_status seg_graph_of_paper(seg_context *ctx, const seg_method *method, const seg_matrix *X, seg_graph_spec *spec) {
    seg_status status = SEG_OK;
    double width = 0;
    if (X->rows < 2)
        return seg_fail(ctx, SEG_ERR_USAGE, "a graph of %zu sample has no edges", X->rows);
    if (method->graph == SEG_PAPER_GRAPH_NONE)
        return SEG_OK;
    if (method->graph == SEG_PAPER_GRAPH_KNN && (status = distance_to_last(ctx, X, &width)) != SEG_OK)
        return status;
    spec->kind = method->graph == SEG_PAPER_GRAPH_FULL ? SEG_GRAPH_FULL : SEG_GRAPH_KNN;
    spec->neighbours = NEIGHBOURS;
    spec->sigma = isfinite(width) ? width : 0; /* 0: of all pairs their mean distance */
    spec->sigma_scale = 1;
    spec->mutual = spec->local_scaling = spec->more_sigmas = 0;
    return SEG_OK;
}
