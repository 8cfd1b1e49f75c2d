/* The complete Gaussian graph [chen2011npkl, Eq. 15]: products with its weights, without a list of them. */
#include "graph/full/full_graph.h"

#include "base/base.h"
#include "base/parallel.h"
#include "graph/weights.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct filling {
    const seg_gaussian *points;
    seg_full_graph *graph;
} filling;

static void fill_row(void *arg, size_t i, size_t last, SEG_UNUSED int worker) {
    const filling *f = arg;
    for (; i < last; i++)
        seg_gaussian_whole_row(f->points, i, f->graph->dense + i * f->graph->n);
}

static seg_status fill_dense(seg_context *ctx, const seg_gaussian *points, seg_full_graph *graph) {
    const size_t n = graph->n;
    graph->dense = seg_alloc(ctx, n, n * sizeof *graph->dense);
    if (!graph->dense)
        return SEG_ERR_MEMORY;
    seg_status status = seg_parallel_polled(ctx, n, 0, fill_row, &(filling){points, graph});
    return status == SEG_OK ? seg_poll(ctx) : status;
}

/* Sums of the rows, as the products give them: then the root of the degrees is a null vector of the Laplacian to the
 * last digits, whatever the error of the products. */
static seg_status sum_rows(seg_context *ctx, seg_full_graph *graph) {
    SEG_FREED double *ones = seg_alloc(ctx, graph->n, sizeof *ones);
    double most = 0;
    if (!ones)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < graph->n; i++)
        ones[i] = 1;
    const seg_status status = seg_full_graph_multiply(ctx, graph, 1, ones, graph->degree);
    if (status)
        return status;
    for (size_t i = 0; i < graph->n; i++)
        most = fmax(most, graph->degree[i] = fmax(graph->degree[i], 0));
    return most > 0 ? SEG_OK
                    : seg_fail(ctx, SEG_ERR_USAGE,
                               "graph: sigma = %g is so narrow that no node has any weight to another; raise sigma",
                               graph->sigma);
}

/* A product's cost about, in entries of a dense matrix: transforms of the grid, windows of the points. */
static seg_full_way cheaper_way(const seg_gaussian *points) {
    const double n = (double)points->n;
    const double sums = 25 * seg_fast_sum_cells(points, 1) + 4 * n * pow(10, (double)points->d);
    return n <= SEG_FULL_DENSE && n * n < sums ? SEG_FULL_BY_MATRIX : SEG_FULL_BY_SUMS;
}

static seg_status make(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_full_way way,
                       seg_full_graph *graph) {
    SEG_RELEASED(seg_gaussian_free) seg_gaussian points = {0};
    SEG_RELEASED(seg_in_unit_free) seg_in_unit unit = {0};
    seg_graph_spec own = *spec;
    seg_status status;
    graph->n = X->rows;
    graph->degree = seg_alloc(ctx, graph->n, sizeof *graph->degree);
    if (!graph->degree)
        return SEG_ERR_MEMORY;
    if ((status = seg_in_unit_create(ctx, X, 1, "graph", &unit)))
        return status;
    seg_widths_to_unit(&unit, &own);
    if ((status = seg_full_sigma(ctx, unit.X, &own, &graph->sigma)) ||
        (status = seg_gaussian_create(ctx, unit.X, graph->sigma, &points)))
        return status;
    graph->sigma = spec->sigma > 0 ? spec->sigma : ldexp(graph->sigma, unit.exponent);
    if (way == SEG_FULL_BY_ANY)
        way = cheaper_way(&points);
    status =
        way == SEG_FULL_BY_SUMS ? seg_full_graph_prepare_sums(ctx, &points, graph) : fill_dense(ctx, &points, graph);
    return status ? status : sum_rows(ctx, graph);
}

seg_status seg_full_graph_create_by(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_full_way way,
                                    seg_full_graph **out) {
    *out = NULL;
    if (X->rows < 2 || X->rows > INT32_MAX / 4 || X->cols < 1)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: a complete graph needs 2 to %d nodes with a column or more, not %zu", INT32_MAX / 4,
                        X->rows);
    if (way == SEG_FULL_BY_ANY && X->cols > SEG_FULL_COLUMNS)
        way = SEG_FULL_BY_MATRIX;
    if (way == SEG_FULL_BY_MATRIX && X->rows > SEG_FULL_DENSE)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: the complete graph of %zu nodes with %zu columns would be a matrix of %zu x %zu; there "
                        "is room for %d nodes: keep at most %d columns, or use the graph of nearest neighbours",
                        X->rows, X->cols, X->rows, X->rows, SEG_FULL_DENSE, SEG_FULL_COLUMNS);
    seg_full_graph *graph = seg_alloc_zero(ctx, 1, sizeof *graph);
    const seg_status status = graph ? make(ctx, X, spec, way, graph) : SEG_ERR_MEMORY;
    if (status)
        seg_full_graph_free(graph);
    else
        *out = graph;
    return status;
}

seg_status seg_full_graph_create(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                 seg_full_graph **out, double *sigma) {
    const seg_status status = seg_full_graph_create_by(ctx, X, spec, SEG_FULL_BY_ANY, out);
    if (sigma)
        *sigma = *out ? (*out)->sigma : 0;
    return status;
}

/* One column by fast sums: x and y have no gaps. */
static void multiply_fast(seg_context *ctx, seg_full_graph *graph, const double *x, double *y, double *listed) {
    const size_t n = graph->n;
    memset(y, 0, n * sizeof *y);
    if (graph->sum.n > 0)
        seg_fast_sum_apply(ctx, &graph->sum, x, y);
    for (size_t p = 0; p < graph->sum.n; p++) /* no node is its own neighbour */
        y[graph->sum.point[p]] -= x[graph->sum.point[p]];
    if (graph->weak.rows == 0)
        return;
    seg_csr_times_vector(ctx, &graph->weak, x, listed);
    for (size_t i = 0; i < n; i++)
        y[i] += listed[i];
}

seg_status seg_full_graph_multiply(seg_context *ctx, seg_full_graph *graph, size_t cols, const double *X, double *Y) {
    const size_t n = graph->n;
    seg_status status = SEG_OK;
    if (graph->dense) {
        const int before = seg_blas_begin();
        if (cols == 1)
            seg_symv(n, graph->dense, X, Y);
        else
            seg_gemm((seg_shape){0, 0, n, cols, n}, 1, graph->dense, X, 0, Y);
        seg_blas_end(before);
        return seg_poll(ctx);
    }
    double *x = graph->work, *y = x + n, *listed = y + n;
    for (size_t c = 0; c < cols && status == SEG_OK; c++) {
        for (size_t i = 0; i < n; i++)
            x[i] = X[i * cols + c];
        multiply_fast(ctx, graph, x, y, listed);
        for (size_t i = 0; i < n; i++)
            Y[i * cols + c] = y[i];
        status = seg_poll(ctx);
    }
    return status;
}

void seg_full_graph_free(seg_full_graph *graph) {
    if (!graph)
        return;
    free(graph->degree);
    free(graph->dense);
    free(graph->work);
    seg_fast_sum_free(&graph->sum);
    seg_csr_free(&graph->weak);
    free(graph);
}

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
