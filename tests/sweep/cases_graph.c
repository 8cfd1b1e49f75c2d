/* Matrices, features, neighbours, graphs, complete graphs and spectra. */
#include "sweep.h"

#include "features/grid.h"
#include "features/spec.h"
#include "graph/neighbours/nearest.h"
#include "graph/spectrum/spectrum.h"
#include "pipeline/option_fields.h"

CASE(create_matrices, unused) {
    seg_matrix X = DIRTY(seg_matrix);
    seg_csr W = DIRTY(seg_csr);
    seg_status status = CALL(seg_matrix_create, ctx, 3, 4, &X);
    if (status != SEG_OK)
        ZEROED(X);
    else if ((status = CALL_INSIDE(seg_csr_create, ctx, 3, 3, 5, &W)) != SEG_OK)
        ZEROED(W);
    seg_matrix_free(&X);
    if (status == SEG_OK)
        seg_csr_free(&W);
    return status;
}

CASE(features, text) {
    seg_options usual = seg_options_default();
    const seg_patch_layout layout = GET(seg_patch_layout_of, &usual, 24, 16);
    const seg_patch_grid grid = seg_patch_grid_make(24, 16, layout.grid.side);
    SCOPED(seg_image) photo = halves(24, 16, NULL);
    seg_matrix X = DIRTY(seg_matrix);
    seg_feature_spec spec = DIRTY(seg_feature_spec);
    seg_status status = CALL_INSIDE(seg_feature_spec_parse, ctx, text, &spec);
    if (status != SEG_OK) {
        ZEROED(spec);
    } else if ((status = CALL_INSIDE(seg_features_compute, ctx, &photo, &grid, &spec, &X)) == SEG_OK) {
        told_matrix(&X);
        seg_matrix_free(&X);
    } else {
        ZEROED(X);
    }
    return status;
}

CASE(neighbours, columns) {
    const size_t d = (size_t)atoi(columns), n = 120;
    const int count = 5;
    SCOPED(seg_matrix) X;
    static int32_t neighbour[600];
    static double distance[600];
    SCOPED(seg_matrix) blob = blobs(n, 3);
    must(&own, seg_matrix_create(&own, n, d, &X));
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++)
            X.at[i * d + c] = blob.at[2 * i + c % 2] * (double)(1 + c);
    const seg_status status = CALL_INSIDE(seg_nearest_search, ctx, &X, count, SEG_SEARCH_EXACT, neighbour, distance);
    if (status == SEG_OK) {
        told(neighbour, sizeof neighbour);
        told(distance, sizeof distance);
    }
    return status;
}

CASE(approximate, kind) {
    enum { N = 700, COUNT = 6 };
    SCOPED(seg_matrix) X = {0};
    static int32_t neighbour[N * COUNT];
    static double distance[N * COUNT];
    must(&own, seg_matrix_create(&own, N, 7, &X));
    for (size_t e = 0; e < (size_t)N * 7; e++)
        X.at[e] = (double)(e * e % 1009 + e % 13);
    const seg_status status =
        CALL_INSIDE(seg_nearest_search, ctx, &X, COUNT, SEG_SEARCH_APPROXIMATE, neighbour, distance);
    if (status == SEG_OK) {
        told(neighbour, sizeof neighbour);
        told_number(1 - ctx->missed);
    }
    return status;
}

CASE(graph, kind) {
    const seg_patch_grid grid = seg_patch_grid_make(24, 16, 4);
    seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 4, .sigma_scale = 1};
    double sigma = 0;
    SCOPED(seg_matrix) X = blobs(24, 3);
    if (strcmp(kind, "both") == 0) {
        spec.kind = SEG_GRAPH_BOTH;
    } else if (strcmp(kind, "full") == 0) {
        spec.kind = SEG_GRAPH_FULL;
    }
    seg_csr W = DIRTY(seg_csr);
    const seg_status status = CALL(seg_graph_build, ctx, &X, &grid, &spec, &W, &sigma);
    if (status == SEG_OK) {
        told_graph(&W);
        told_number(sigma);
    } else {
        ZEROED(W);
    }
    if (status == SEG_OK)
        seg_csr_free(&W);
    return status;
}

CASE(kernel_graph, unused) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KERNEL, .neighbours = 4, .sigma_scale = 1};
    SCOPED(seg_matrix) K;
    SCOPED(seg_matrix) X = blobs(30, 3);
    must(&own, seg_matrix_create(&own, 30, 30, &K));
    for (size_t i = 0; i < 30; i++)
        for (size_t j = 0; j < 30; j++)
            K.at[i * 30 + j] = X.at[2 * i] * X.at[2 * j] + X.at[2 * i + 1] * X.at[2 * j + 1] + (i == j);
    seg_csr W = DIRTY(seg_csr);
    const seg_status status = TELL(CALL(seg_graph_build, ctx, &K, NULL, &spec, &W, NULL), told_graph, W);
    if (status == SEG_OK)
        seg_csr_free(&W);
    return status;
}

static void tell_spectrum(seg_status status, seg_spectrum *spectrum) {
    if (status == SEG_OK)
        told(spectrum->vector, spectrum->n * (size_t)spectrum->count * sizeof *spectrum->vector);
    else
        sweep_zeroed("spectrum", spectrum, sizeof *spectrum);
}

CASE(spectrum, nodes) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 4, .sigma_scale = 1};
    SCOPED(seg_csr) W;
    SCOPED(seg_matrix) X = blobs((size_t)atoi(nodes), 3);
    must(&own, seg_graph_build(&own, &X, NULL, &spec, &W, NULL));
    SCOPED(seg_spectrum) out = DIRTY(seg_spectrum);
    const seg_status status = CALL_INSIDE(seg_spectrum_compute, ctx, &W, 5, &out);
    tell_spectrum(status, &out);
    return status;
}

static const sweep_case cases[] = {
    {"matrices", create_matrices, NULL, 1},
    {"features", features, "mean,spread=0.5,position,histogram,lab-histogram", 2},
    {"texture", features, "mean,texture", 1},
    {"neighbours", neighbours, "2", 1},
    {"long-neighbours", neighbours, "40", 2},
    {"approximate-neighbours", approximate, "", 2},
    {"knn", graph, "knn", 1},
    {"both", graph, "both", 2},
    {"full", graph, "full", 1},
    {"kernel", kernel_graph, NULL, 1},
    {"spectrum", spectrum, "60", 1},
    {"long-spectrum", spectrum, "260", 1},
};
TOPIC(sweep_graph, "graph");
