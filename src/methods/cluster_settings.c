/* The graph and the restarts of a method's variants. */
#include "base/base.h"
#include "methods/method.h"

#include <math.h>

enum { NEIGHBOURS = 20, RESTARTS = 10 };

/* The width, as a multiple of the mean distance to the neighbours, is in the middle of where normalized cuts and CCSKL
 * do well over nine data sets; with 0.6, the width for images, they lose clusters. The papers centre their widths on
 * the mean distance to the twentieth neighbour [li2009ccskl, Sec. 5.2], which is 1.1 to 1.4 times that. */
#define WIDTH 1.5

/* spec stays as it is where the paper has no graph. */
static seg_status paper_graph(seg_context *ctx, const seg_method *method, const seg_matrix *X, seg_graph_spec *spec) {
    double width = 0;
    if (method->graph == SEG_PAPER_GRAPH_NONE)
        return SEG_OK;
    if (method->graph == SEG_PAPER_GRAPH_KNN)
        SEG_TRY(seg_neighbour_distance(ctx, X, NEIGHBOURS, 1, &width));
    spec->kind = method->graph == SEG_PAPER_GRAPH_FULL ? SEG_GRAPH_FULL : SEG_GRAPH_KNN;
    spec->neighbours = NEIGHBOURS;
    spec->sigma = isfinite(width) ? width : 0; /* 0: the mean distance of all pairs */
    spec->sigma_scale = 1;
    return SEG_OK;
}

seg_status seg_cluster_settings_fill(seg_context *ctx, const seg_method *method, seg_method_variant variant,
                                     const seg_matrix *X, seg_cluster_settings *settings) {
    const unsigned chosen = settings->chosen;
    const int paper = variant == SEG_VARIANT_PAPER, full = settings->graph.kind == SEG_GRAPH_FULL;
    seg_graph_spec *graph = &settings->graph;
    seg_params unused;
    SEG_TRY(seg_params_variant(ctx, method, variant, &unused));
    graph->kind = full ? SEG_GRAPH_FULL : SEG_GRAPH_KNN;
    graph->sigma_scale = full ? 1 : WIDTH;
    if (!(chosen & SEG_CHOSEN_NEIGHBOURS))
        graph->neighbours = NEIGHBOURS;
    if (!(chosen & SEG_CHOSEN_SIGMA))
        graph->sigma = 0;
    if (!(chosen & SEG_CHOSEN_SEARCH))
        graph->search = paper ? SEG_SEARCH_EXACT : SEG_SEARCH_AUTO;
    if (!(chosen & SEG_CHOSEN_RESTARTS))
        settings->restarts = paper ? 1 : RESTARTS; /* no paper says that the best of several runs is taken */
    if (paper && X && X->rows > 1 && !full && !(chosen & (SEG_CHOSEN_NEIGHBOURS | SEG_CHOSEN_SIGMA)))
        return paper_graph(ctx, method, X, graph);
    return SEG_OK;
}
