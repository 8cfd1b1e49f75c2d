#include "graph/weights.h"

#include "base/base.h"
#include "base/parallel.h"

#include <math.h>

#define LEAST_WEIGHT 1e-12 /* an edge that rounds to nothing would cut the graph for every solver behind it */

seg_status seg_sigma_check(seg_context *ctx, const seg_graph_spec *spec) {
    if (!(isfinite(spec->sigma) && spec->sigma >= 0))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: sigma must be a finite number above 0, or 0 to take it from the data");
    if (spec->sigma == 0 && !(isfinite(spec->sigma_scale) && spec->sigma_scale > 0))
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: sigma_scale must be a finite number above 0");
    return SEG_OK;
}

seg_status seg_sigma_choose(seg_context *ctx, const seg_graph_spec *spec, double mean, double *sigma) {
    const double scaled = mean > 0 ? spec->sigma_scale * mean : 1;
    *sigma = spec->sigma > 0 ? spec->sigma : scaled > 0 ? scaled : 1;
    return isfinite(*sigma) ? SEG_OK
                            : seg_fail(ctx, SEG_ERR_USAGE,
                                       "graph: the features differ by more than can be squared; scale them down");
}

/* The mean length of the edges, summed in their order; [li2009ccskl, Sec. 5.2] has multiples of the mean distance to
 * the 20th neighbour. 0 where all points coincide. */
static double mean_length(const seg_csr *e) {
    const size_t count = e->start[e->rows];
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sqrt(e->value[i]);
    return sum > 0 ? sum / (double)count : 0;
}

typedef struct weighing {
    double sigma;
    double *value; /* squared lengths */
} weighing;

static void weigh(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const weighing *w = arg;
    for (size_t e = first; e < last; e++) {
        const double t = sqrt(w->value[e]) / w->sigma, weight = exp(-0.5 * t * t);
        w->value[e] = weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
    }
}

seg_status seg_weights_set(seg_context *ctx, const seg_graph_spec *spec, const seg_csr *edges, seg_csr *graph,
                           double *sigma) {
    const seg_status status = seg_sigma_choose(ctx, spec, spec->sigma > 0 ? 0 : mean_length(edges), sigma);
    if (status == SEG_OK)
        seg_parallel(ctx, graph->start[graph->rows], 0, weigh, &(weighing){*sigma, graph->value});
    return status;
}
