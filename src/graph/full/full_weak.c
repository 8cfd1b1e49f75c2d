/* Weak nodes: so far from all others that their few and small weights drown in the error of a fast sum over all. Their
 * rows and columns are listed. Where all are weak, that is the graph, its negligible edges left out. */
#include "graph/full/full_graph.h"

#include "base/base.h"
#include "base/parallel.h"
#include "graph/join_edges.h"
#include "linalg/sparse.h"

#include <math.h>
#include <string.h>

#define NEGLIGIBLE 1e-9 /* share of a weak node's degree that may be left out */
#define RUN        16   /* rows a block */

/* The weights of row i that count: their number, and themselves where there is room for them. */
static size_t list_row(const seg_gaussian *points, size_t i, const double *degree, int32_t *column, double *value) {
    const size_t n = points->n;
    double weight[SEG_GAUSSIAN_RUN];
    size_t count = 0;
    for (size_t first = 0; first < n; first += SEG_GAUSSIAN_RUN) {
        const size_t run = n - first < SEG_GAUSSIAN_RUN ? n - first : SEG_GAUSSIAN_RUN;
        seg_gaussian_row(points, i, first, run, weight);
        for (size_t j = 0; j < run; j++)
            if (weight[j] > 0 && weight[j] * (double)n > NEGLIGIBLE * fmin(degree[i], degree[first + j])) {
                if (column) {
                    column[count] = (int32_t)(first + j);
                    value[count] = weight[j];
                }
                count++;
            }
    }
    return count;
}

typedef struct listing {
    const seg_gaussian *points;
    const seg_weak_nodes *nodes;
    size_t *start; /* n + 1 */
    seg_csr *rows; /* n x n, rows of weak nodes filled in; NULL: entries are counted */
} listing;

static void sum_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const listing *l = arg;
    for (size_t i = first; i < last; i++)
        if (l->nodes->weak[i])
            l->nodes->degree[i] = seg_gaussian_row_sum(l->points, i, NULL);
}

static void list_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const listing *l = arg;
    for (size_t i = first; i < last; i++)
        if (l->nodes->weak[i] && l->rows)
            list_row(l->points, i, l->nodes->degree, l->rows->column + l->start[i], l->rows->value + l->start[i]);
        else if (l->nodes->weak[i])
            l->start[i + 1] = list_row(l->points, i, l->nodes->degree, NULL, NULL);
}

seg_status seg_full_weak_list(seg_context *ctx, const seg_gaussian *points, const seg_weak_nodes *nodes, seg_csr *out,
                              int *within) {
    const size_t n = points->n;
    const seg_csr none = {0};
    SEG_RELEASED(seg_csr_free) seg_csr rows = {0};
    SEG_FREED size_t *start = seg_alloc_zero(ctx, n + 1, sizeof *start);
    listing l = {points, nodes, start, NULL};
    seg_status status;
    memset(out, 0, sizeof *out);
    *within = 0;
    if (!start)
        return SEG_ERR_MEMORY;
    if ((status = seg_parallel_polled(ctx, n, RUN, sum_rows, &l)) || (status = seg_poll(ctx)) ||
        (status = seg_parallel_polled(ctx, n, RUN, list_rows, &l)) || (status = seg_poll(ctx)))
        return status;
    for (size_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    if (start[n] > nodes->entries || (status = seg_csr_create(ctx, n, n, start[n], &rows)))
        return status;
    memcpy(rows.start, start, (n + 1) * sizeof *start);
    l.rows = &rows;
    if ((status = seg_parallel_polled(ctx, n, RUN, list_rows, &l)))
        return status;
    /* The columns of the weak nodes are the rows of the others. */
    status = seg_edges_join(ctx, &rows, &none, 0, out);
    *within = status == SEG_OK;
    return status;
}
