/* The complete Gaussian graph [chen2011npkl, Eq. 15]. */
#include "graph/full_graph.h"

#include "base/base.h"
#include "base/lanes.h"
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

/* sigma as the specification has it: its own, or sigma_scale times the mean distance of all pairs [chen2011npkl, Sec.
 * 5] (beyond 2048 nodes of the pairs of 2048 picked evenly in lexicographic order, whatever order they are given in);
 * 1 where all nodes coincide. */
static seg_status full_sigma(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, double *sigma) {
    double mean = 0;
    seg_status status = seg_sigma_check(ctx, spec);
    if (!status && spec->sigma == 0)
        status = mean_distance(ctx, X, &mean);
    return status ? status : seg_sigma_choose(ctx, spec, mean, sigma);
}

/* at (d x n): coordinate c of point i, from the least of all points, in units of sigma. */
static seg_status scale(seg_context *ctx, const seg_matrix *X, double sigma, double *at) {
    const size_t n = X->rows, d = X->cols;
    for (size_t c = 0; c < d; c++) {
        double least = INFINITY;
        for (size_t i = 0; i < n; i++)
            least = fmin(least, X->at[i * d + c]);
        for (size_t i = 0; i < n; i++) {
            at[c * n + i] = (X->at[i * d + c] - least) / sigma;
            if (!(at[c * n + i] <= 1e100)) /* squares of it must be numbers */
                return seg_fail(ctx, SEG_ERR_USAGE,
                                "graph: column %zu spans over 1e100 times sigma = %g; scale it down or raise sigma",
                                c + 1, sigma);
        }
    }
    return SEG_OK;
}

/* weight[j] = exp(-|x_i - x_j|^2 / 2), 0 below 1e-300. Symmetric to the last bit. */
SEG_WIDER_TOO static void weigh_row(const double *at, size_t n, size_t d, size_t i, double *weight) {
    memset(weight, 0, n * sizeof *weight);
    for (size_t c = 0; c < d; c++) {
        const double *other = at + c * n, own = other[i];
        for (size_t j = 0; j < n; j++) {
            const double t = own - other[j];
            weight[j] += 0.5 * t * t;
        }
    }
    seg_exponentials(n, weight);
}

seg_status seg_full_affinity(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *out,
                             double *sigma) {
    const size_t n = X->rows;
    size_t entries = 0;
    seg_status status;
    memset(out, 0, sizeof *out);
    if (n < 1 || n > SEG_FULL_NODES)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: the complete graph is for 1 to %d nodes, not for %zu; use larger patches of an image, "
                        "or the graph of nearest neighbours",
                        SEG_FULL_NODES, n);
    SEG_FREED double *at = seg_alloc(ctx, n, X->cols * sizeof *at), *weight = seg_alloc(ctx, n, sizeof *weight);
    if (!at || !weight)
        return SEG_ERR_MEMORY;
    SEG_TRY(full_sigma(ctx, X, spec, sigma));
    SEG_TRY(scale(ctx, X, *sigma, at));
    SEG_TRY(seg_csr_create(ctx, n, n, n * (n - 1), out));
    for (size_t i = 0; i < n && !(status = seg_poll(ctx)); i++) {
        weigh_row(at, n, X->cols, i, weight);
        for (size_t j = 0; j < n; j++)
            if (j != i && weight[j] > 0) { /* a weight that rounds to 0 is not an edge */
                out->column[entries] = (int32_t)j;
                out->value[entries++] = weight[j];
            }
        out->start[i + 1] = entries;
    }
    return status;
}
