#include "kernels/smoother.h"

#include "base/base.h"
#include "linalg/sparse.h"

#include <segment/graph.h>

#include <math.h>
#include <stdlib.h>

/* The mean distance is computed over the pairs of this many rows; more change it little and the cost is quadratic. */
#define SAMPLE 400

static double distance2(const seg_matrix *X, size_t i, size_t j) {
    double sum = 0;
    for (size_t c = 0; c < X->cols; c++) {
        double d = X->at[i * X->cols + c] - X->at[j * X->cols + c];
        sum += d * d;
    }
    return sum;
}

static double mean_pairwise_distance(const seg_matrix *X) {
    const size_t picked = X->rows < SAMPLE ? X->rows : SAMPLE;
    double sum = 0;
    for (size_t a = 0; a < picked; a++)
        for (size_t b = 0; b < a; b++)
            sum += sqrt(distance2(X, a * X->rows / picked, b * X->rows / picked));
    return picked > 1 ? sum / ((double)picked * (double)(picked - 1) / 2) : 0;
}

seg_status seg_normalized_laplacian(seg_context *ctx, const seg_csr *W, seg_csr *out) {
    const size_t n = W->rows;
    double *scale = seg_alloc(ctx, n, sizeof *scale);
    size_t at = 0;
    seg_status status;
    if (!scale)
        return SEG_ERR_MEMORY;
    if ((status = seg_csr_create(ctx, n, n, W->start[n] + n, out)) != SEG_OK)
        goto done;
    for (size_t i = 0; i < n; i++) {
        const double degree = seg_csr_row_sum(W, i);
        scale[i] = degree > 0 ? 1 / sqrt(degree) : 0;
    }
    for (size_t i = 0; i < n; i++) {
        int diagonal = 0;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            size_t j = (size_t)W->column[e];
            if (!diagonal && j > i) {
                out->column[at] = (int32_t)i;
                out->value[at++] = 1;
                diagonal = 1;
            }
            out->column[at] = W->column[e];
            out->value[at++] = -scale[i] * W->value[e] * scale[j];
        }
        if (!diagonal) {
            out->column[at] = (int32_t)i;
            out->value[at++] = 1;
        }
        out->start[i + 1] = at;
    }
done:
    free(scale);
    return status;
}

/* Eq. 15 over all pairs. */
static seg_status complete_graph(seg_context *ctx, const seg_matrix *X, double sigma, seg_csr *W) {
    const size_t m = X->rows;
    seg_status status = seg_csr_create(ctx, m, m, m * (m - 1), W);
    size_t at = 0;
    if (status)
        return status;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            if (i == j)
                continue;
            W->column[at] = (int32_t)j;
            W->value[at++] = exp(-distance2(X, i, j) / (2 * sigma * sigma));
        }
        W->start[i + 1] = at;
    }
    return SEG_OK;
}

seg_status seg_smoother_create(seg_context *ctx, const seg_matrix *X, int neighbours, double sigma_scale, seg_csr *S) {
    double sigma = sigma_scale * mean_pairwise_distance(X);
    seg_csr W = {0};
    seg_status status;
    if (!(sigma > 0))
        sigma = 1; /* all samples are equal: any width will do */
    if (neighbours == 0 || (size_t)neighbours + 1 >= X->rows) {
        status = complete_graph(ctx, X, sigma, &W);
    } else {
        seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = neighbours, .sigma = sigma, .sigma_scale = 1};
        status = seg_graph_build(ctx, X, NULL, &spec, &W, NULL);
    }
    if (!status)
        status = seg_normalized_laplacian(ctx, &W, S);
    seg_csr_free(&W);
    return status;
}
