/* The width of a complete graph, and its weights one by one where they are few. */
#include "graph/full/full_graph.h"

#include "base/base.h"
#include "base/parallel.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PICKED = 2048 }; /* nodes whose pairs give the mean distance */

static int compare_rows(const void *a, const void *b, void *cols) {
    const double *const x = *(const double *const *)a, *const y = *(const double *const *)b;
    for (size_t c = 0; c < *(const size_t *)cols; c++)
        if (x[c] != y[c])
            return x[c] < y[c] ? -1 : 1;
    return 0;
}

typedef struct pairs {
    const double **row;
    size_t n, picked, cols;
    double *sum;
} pairs;

static void sum_distances(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const pairs *j = arg;
    for (size_t a = first; a < last; a++)
        for (size_t b = 0; b < a; b++) {
            const double *x = j->row[a * j->n / j->picked], *y = j->row[b * j->n / j->picked];
            double distance2 = 0;
            for (size_t c = 0; c < j->cols; c++)
                distance2 += (x[c] - y[c]) * (x[c] - y[c]);
            j->sum[a] += sqrt(distance2);
        }
}

/* The mean distance of the pairs, from sums over one node after the other. */
static seg_status mean_distance(seg_context *ctx, const seg_matrix *X, double *mean) {
    const size_t n = X->rows, picked = n < PICKED ? n : PICKED;
    size_t cols = X->cols;
    const double **row = seg_alloc(ctx, n, sizeof *row);
    double *sum = seg_alloc_zero(ctx, picked, sizeof *sum), total = 0;
    seg_status status = row && sum ? SEG_OK : SEG_ERR_MEMORY;
    if (status != SEG_OK)
        goto done;
    for (size_t i = 0; i < n; i++)
        row[i] = X->at + i * cols;
    qsort_r(row, n, sizeof *row, compare_rows, &cols);
    if ((status = seg_parallel_polled(ctx, picked, 16, sum_distances, &(pairs){row, n, picked, cols, sum})) != SEG_OK)
        goto done;
    for (size_t a = 0; a < picked; a++)
        total += sum[a];
    *mean = picked > 1 ? total / (0.5 * (double)picked * (double)(picked - 1)) : 0;
done:
    free(row);
    free(sum);
    return status;
}

seg_status seg_full_sigma(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, double *sigma) {
    double mean = 0;
    if (!(isfinite(spec->sigma) && spec->sigma >= 0))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: sigma must be a finite number above 0, or 0 to take it from the data");
    if (spec->sigma == 0 && !(isfinite(spec->sigma_scale) && spec->sigma_scale > 0))
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: sigma_scale must be a finite number above 0");
    for (size_t e = 0; e < X->rows * X->cols; e++)
        if (!isfinite(X->at[e]))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "graph: column %zu of row %zu is not a finite number; remove or replace it",
                            e % X->cols + 1, e / X->cols + 1);
    *sigma = spec->sigma;
    if (spec->sigma > 0)
        return SEG_OK;
    seg_status status = mean_distance(ctx, X, &mean);
    if (status != SEG_OK)
        return status;
    *sigma = mean > 0 ? spec->sigma_scale * mean : 1;
    if (!isfinite(*sigma))
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: the features differ by more than can be squared; scale them down");
    *sigma = *sigma > 0 ? *sigma : 1;
    return SEG_OK;
}

seg_status seg_full_affinity(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *out,
                             double *sigma) {
    const size_t n = X->rows;
    seg_gaussian points = {0};
    double width = 0;
    seg_status status;
    memset(out, 0, sizeof *out);
    if (n < 1 || n > SEG_FULL_LISTED)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: every weight of a complete graph can be listed for 1 to %d nodes, not for %zu; use the "
                        "graph of nearest neighbours",
                        SEG_FULL_LISTED, n);
    if ((status = seg_full_sigma(ctx, X, spec, &width)) != SEG_OK ||
        (status = seg_gaussian_create(ctx, X, width, &points)) != SEG_OK ||
        (status = seg_csr_create(ctx, n, n, n * (n - 1), out)) != SEG_OK)
        goto done;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        double weight[SEG_FULL_LISTED];
        for (size_t first = 0; first < n; first += SEG_GAUSSIAN_RUN)
            seg_gaussian_row(&points, i, first, n - first < SEG_GAUSSIAN_RUN ? n - first : SEG_GAUSSIAN_RUN,
                             weight + first);
        for (size_t j = 0; j < n; j++)
            if (weight[j] > 0) { /* what is below every number is not an edge */
                out->column[at] = (int32_t)j;
                out->value[at++] = weight[j];
            }
        out->start[i + 1] = at;
    }
    if (sigma)
        *sigma = width;
done:
    seg_gaussian_free(&points);
    if (status != SEG_OK)
        seg_csr_free(out);
    return status;
}
