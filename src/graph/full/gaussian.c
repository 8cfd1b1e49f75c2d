#include "graph/full/gaussian.h"

#include "base/base.h"
#include "base/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

seg_status seg_gaussian_create(seg_context *ctx, const seg_matrix *X, double sigma, seg_gaussian *out) {
    const size_t n = X->rows, d = X->cols;
    *out = (seg_gaussian){n, d, seg_alloc(ctx, n, d * sizeof(double))};
    if (!out->at)
        return SEG_ERR_MEMORY;
    for (size_t c = 0; c < d; c++) {
        double least = INFINITY;
        for (size_t i = 0; i < n; i++)
            least = fmin(least, X->at[i * d + c]);
        for (size_t i = 0; i < n; i++) {
            out->at[c * n + i] = (X->at[i * d + c] - least) / sigma;
            if (!(out->at[c * n + i] <= 1e100)) { /* squares of it must be numbers */
                seg_gaussian_free(out);
                return seg_fail(ctx, SEG_ERR_USAGE,
                                "graph: column %zu spans over 1e100 times sigma = %g; scale it down or raise sigma",
                                c + 1, sigma);
            }
        }
    }
    return SEG_OK;
}

void seg_gaussian_free(seg_gaussian *points) {
    free(points->at);
    memset(points, 0, sizeof *points);
}

double seg_gaussian_extent(const seg_gaussian *points) {
    double most = 0;
    for (size_t e = 0; e < points->n * points->d; e++)
        most = fmax(most, points->at[e]);
    return most;
}

SEG_WIDER_TOO static void weights(const double *at, size_t n, size_t d, size_t i, size_t first, size_t count,
                                  double *weight) {
    for (size_t j = 0; j < count; j++)
        weight[j] = 0;
    for (size_t c = 0; c < d; c++) {
        const double *other = at + c * n + first, own = at[c * n + i];
        for (size_t j = 0; j < count; j++) {
            const double t = own - other[j];
            weight[j] += 0.5 * t * t;
        }
    }
    seg_exponentials(count, weight);
}

void seg_gaussian_row(const seg_gaussian *points, size_t i, size_t first, size_t count, double *weight) {
    weights(points->at, points->n, points->d, i, first, count, weight);
    if (i >= first && i - first < count)
        weight[i - first] = 0;
}

void seg_gaussian_whole_row(const seg_gaussian *points, size_t i, double *weight) {
    for (size_t first = 0; first < points->n; first += SEG_GAUSSIAN_RUN) {
        const size_t left = points->n - first;
        seg_gaussian_row(points, i, first, left < SEG_GAUSSIAN_RUN ? left : SEG_GAUSSIAN_RUN, weight + first);
    }
}

double seg_gaussian_row_sum(const seg_gaussian *points, size_t i, const double *v) {
    double weight[SEG_GAUSSIAN_RUN], sum = 0;
    for (size_t first = 0; first < points->n; first += SEG_GAUSSIAN_RUN) {
        const size_t left = points->n - first, count = left < SEG_GAUSSIAN_RUN ? left : SEG_GAUSSIAN_RUN;
        seg_gaussian_row(points, i, first, count, weight);
        for (size_t j = 0; j < count; j++)
            sum += v ? weight[j] * v[first + j] : weight[j];
    }
    return sum;
}
