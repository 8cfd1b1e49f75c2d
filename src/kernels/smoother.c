#include "kernels/smoother.h"
#include "base/base.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#include <segment/graph.h>

/* The mean distance is computed over the pairs of this many rows; more change it little and the cost is quadratic. */
#define SAMPLE 400

static double mean_pairwise_distance(const seg_matrix *X) {
    const size_t picked = X->rows < SAMPLE ? X->rows : SAMPLE;
    double sum = 0;
    for (size_t a = 0; a < picked; a++)
        for (size_t b = 0; b < a; b++)
            sum += sqrt(
                seg_distance2(X->cols, X->at + a * X->rows / picked * X->cols, X->at + b * X->rows / picked * X->cols));
    return picked > 1 ? sum / ((double)picked * (double)(picked - 1) / 2) : 0;
}

seg_status seg_normalized_laplacian(seg_context *ctx, const seg_csr *W, seg_csr *out) {
    const size_t n = W->rows;
    seg_row_writer w = {.A = out};
    SEG_LOCAL(double, scale, seg_alloc(ctx, n, sizeof *scale));
    SEG_TRY(seg_csr_create(ctx, n, n, W->start[n] + n, out));
    for (size_t i = 0; i < n; i++) {
        const double degree = seg_csr_row_sum(W, i);
        scale[i] = degree > 0 ? 1 / sqrt(degree) : 0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            seg_row_put(&w, W->column[e], -scale[i] * W->value[e] * scale[W->column[e]]);
        seg_row_end(&w, 1);
    }
    return SEG_OK;
}

seg_status seg_smoother_create(seg_context *ctx, const seg_matrix *X, int neighbours, double sigma_scale, double spread,
                               seg_csr *S) {
    const int full = neighbours == 0 || (size_t)neighbours + 1 >= X->rows;
    SEG_RELEASED(seg_csr_free) seg_csr W = {0};
    const double scaled = sigma_scale * (spread > 0 ? spread : mean_pairwise_distance(X));
    const seg_graph_spec spec = {.kind = full ? SEG_GRAPH_FULL : SEG_GRAPH_KNN,
                                 .neighbours = neighbours,
                                 .sigma = scaled > 0 ? scaled : 1,
                                 .sigma_scale = 1};
    SEG_TRY(seg_graph_build(ctx, X, NULL, &spec, &W, NULL));
    return seg_normalized_laplacian(ctx, &W, S);
}
