#include "graph/weights.h"

#include "base/base.h"
#include "base/parallel.h"
#include "graph/neighbours/nearest.h"

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

seg_status seg_weights_check(seg_context *ctx, const seg_graph_spec *spec) {
    const seg_status status = seg_sigma_check(ctx, spec);
    if (status)
        return status;
    if (spec->more_sigmas < 0 || spec->more_sigmas > SEG_MORE_SIGMAS || (spec->more_sigmas > 0 && spec->sigma == 0))
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: %d further widths; there may be %d, and none beside sigma = 0",
                        spec->more_sigmas, SEG_MORE_SIGMAS);
    for (int s = 0; s < spec->more_sigmas; s++)
        if (!(isfinite(spec->more_sigma[s]) && spec->more_sigma[s] > 0))
            return seg_fail(ctx, SEG_ERR_USAGE, "graph: each of several widths must be a finite number above 0");
    if (spec->local_scaling < 0 || spec->local_scaling > 1000)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: local scaling by neighbour %d; it is 1 to 1000, or 0 for none",
                        spec->local_scaling);
    if (spec->local_scaling && (spec->sigma > 0 || spec->more_sigmas))
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: local scaling takes its widths from the data; leave sigma 0");
    return SEG_OK;
}

void seg_widths_to_unit(const seg_in_unit *unit, seg_graph_spec *spec) {
    spec->sigma = seg_to_unit(unit, spec->sigma, 1);
    for (int s = 0; s < spec->more_sigmas; s++)
        spec->more_sigma[s] = seg_to_unit(unit, spec->more_sigma[s], 1);
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
    const seg_graph_spec *spec;
    double sigma;
    seg_csr *graph;
} weighing;

/* The mean of exp(-d^2 / (2 sigma^2)) over the widths. */
static void weigh(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const weighing *w = arg;
    const seg_graph_spec *spec = w->spec;
    seg_csr *graph = w->graph;
    for (size_t e = first; e < last; e++) {
        const double length = sqrt(graph->value[e]), t = length / w->sigma;
        double weight = exp(-0.5 * t * t);
        for (int s = 0; s < spec->more_sigmas; s++)
            weight += exp(-0.5 * (length / spec->more_sigma[s]) * (length / spec->more_sigma[s]));
        weight /= 1 + spec->more_sigmas;
        graph->value[e] = weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
    }
}

/* exp(-d^2 / (s_i s_j)), s_i the distance to the local_scaling-th neighbour [zelnik2004selftuning, Eq. 1]. */
static seg_status weigh_locally(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *graph,
                                double *mean) {
    const size_t n = X->rows, most = n - 1, wanted = (size_t)spec->local_scaling;
    const size_t count = wanted < most ? wanted : most;
    *mean = 0;
    if (count == 0)
        return SEG_OK;
    SEG_FREED int32_t *neighbour = seg_alloc(ctx, n, count * sizeof *neighbour);
    SEG_FREED double *distance2 = seg_alloc(ctx, n, count * sizeof *distance2);
    SEG_FREED double *scale = seg_alloc(ctx, n, sizeof *scale);
    if (!neighbour || !distance2 || !scale)
        return SEG_ERR_MEMORY;
    const seg_status status = seg_nearest_search(ctx, X, (int)count, spec->search, neighbour, distance2);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        scale[i] = sqrt(distance2[i * count + count - 1]);
        *mean += scale[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            const double length = sqrt(graph->value[e]), own = length / scale[i],
                         other = length / scale[graph->column[e]];
            const double weight = length > 0 ? exp(-own * other) : 1; /* a scale of 0: on one spot, or far from it */
            graph->value[e] = weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
        }
    return SEG_OK;
}

seg_status seg_weights_set(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, const seg_csr *edges,
                           seg_csr *graph, double *width) {
    if (spec->local_scaling)
        return weigh_locally(ctx, X, spec, graph, width);
    const seg_status status = seg_sigma_choose(ctx, spec, spec->sigma > 0 ? 0 : mean_length(edges), width);
    if (status == SEG_OK)
        seg_parallel(ctx, graph->start[graph->rows], 0, weigh, &(weighing){spec, *width, graph});
    return status;
}
