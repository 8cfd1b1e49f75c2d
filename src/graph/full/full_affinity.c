/* The width of a complete graph, and its weights one by one where they are few. */
#include "graph/full/full_graph.h"

#include "base/base.h"
#include "base/parallel.h"
#include "graph/weights.h"
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
    SEG_FREED const double **row = seg_alloc(ctx, n, sizeof *row);
    SEG_FREED double *sum = seg_alloc_zero(ctx, picked, sizeof *sum);
    double total = 0;
    if (!row || !sum)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        row[i] = X->at + i * cols;
    qsort_r(row, n, sizeof *row, compare_rows, &cols);
    const seg_status status = seg_parallel_polled(ctx, picked, 16, sum_distances, &(pairs){row, n, picked, cols, sum});
    for (size_t a = 0; a < picked; a++)
        total += sum[a];
    *mean = picked > 1 ? total / (0.5 * (double)picked * (double)(picked - 1)) : 0;
    return status;
}

seg_status seg_full_sigma(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, double *sigma) {
    double mean = 0;
    seg_status status = seg_sigma_check(ctx, spec);
    if (!status && spec->sigma == 0)
        status = mean_distance(ctx, X, &mean);
    return status ? status : seg_sigma_choose(ctx, spec, mean, sigma);
}

seg_status seg_full_affinity(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *out,
                             double *sigma) {
    const size_t n = X->rows;
    SEG_RELEASED(seg_gaussian_free) seg_gaussian points = {0};
    size_t at = 0;
    seg_status status;
    memset(out, 0, sizeof *out);
    if (n < 1 || n > SEG_FULL_LISTED)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: every weight of a complete graph can be listed for 1 to %d nodes, not for %zu; use the "
                        "graph of nearest neighbours",
                        SEG_FULL_LISTED, n);
    if ((status = seg_full_sigma(ctx, X, spec, sigma)) || (status = seg_gaussian_create(ctx, X, *sigma, &points)) ||
        (status = seg_csr_create(ctx, n, n, n * (n - 1), out)))
        return status;
    for (size_t i = 0; i < n; i++) {
        double weight[SEG_FULL_LISTED];
        seg_gaussian_whole_row(&points, i, weight);
        for (size_t j = 0; j < n; j++)
            if (weight[j] > 0) { /* a weight that rounds to 0 is not an edge */
                out->column[at] = (int32_t)j;
                out->value[at++] = weight[j];
            }
        out->start[i + 1] = at;
    }
    return SEG_OK;
}
