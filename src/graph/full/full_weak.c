/* Weak nodes: so far from all others that their few and small weights drown in the error of a fast sum over all. Their
 * rows and columns are listed. Where all are weak, that is the graph, its negligible edges left out. */
#include "graph/full/full_graph.h"

#include "base/base.h"
#include "base/parallel.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>
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

/* Rows of the weak nodes into a symmetric matrix: its other rows are columns of these. */
static seg_status symmetric(seg_context *ctx, const seg_csr *rows, const int32_t *member, const uint8_t *weak,
                            seg_csr *out) {
    const size_t n = rows->cols;
    size_t *at = seg_alloc_zero(ctx, n + 1, sizeof *at), total = 0;
    seg_status status = SEG_ERR_MEMORY;
    if (!at)
        return status;
    for (size_t p = 0; p < rows->rows; p++) {
        at[member[p]] = rows->start[p + 1] - rows->start[p];
        for (size_t e = rows->start[p]; e < rows->start[p + 1]; e++)
            at[rows->column[e]] += !weak[rows->column[e]];
    }
    for (size_t i = 0; i < n; i++)
        total += at[i];
    if ((status = seg_csr_create(ctx, n, n, total, out)) != SEG_OK)
        goto done;
    for (size_t i = 0; i < n; i++) {
        out->start[i + 1] = out->start[i] + at[i];
        at[i] = out->start[i];
    }
    for (size_t p = 0; p < rows->rows; p++)
        for (size_t e = rows->start[p]; e < rows->start[p + 1]; e++) {
            const size_t j = (size_t)rows->column[e], own = (size_t)member[p];
            out->column[at[own]] = rows->column[e];
            out->value[at[own]++] = rows->value[e];
            if (!weak[j]) {
                out->column[at[j]] = member[p]; /* ascending, as the members are */
                out->value[at[j]++] = rows->value[e];
            }
        }
done:
    free(at);
    return status;
}

typedef struct listing {
    const seg_gaussian *points;
    const int32_t *member;
    double *degree;
    size_t *start;
    seg_csr *rows;
} listing;

static void sum_members(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const listing *l = arg;
    for (size_t p = first; p < last; p++)
        l->degree[l->member[p]] = seg_gaussian_row_sum(l->points, (size_t)l->member[p], NULL);
}

static void count_members(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const listing *l = arg;
    for (size_t p = first; p < last; p++)
        l->start[p + 1] = list_row(l->points, (size_t)l->member[p], l->degree, NULL, NULL);
}

static void list_members(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const listing *l = arg;
    for (size_t p = first; p < last; p++)
        list_row(l->points, (size_t)l->member[p], l->degree, l->rows->column + l->start[p],
                 l->rows->value + l->start[p]);
}

seg_status seg_full_weak_list(seg_context *ctx, const seg_gaussian *points, const uint8_t *weak, size_t entries,
                              double *degree, seg_csr *out, int *within) {
    const size_t n = points->n;
    size_t count = 0;
    seg_csr rows = {0};
    int32_t *member = seg_alloc(ctx, n, sizeof *member);
    size_t *start = NULL;
    seg_status status = SEG_ERR_MEMORY;
    memset(out, 0, sizeof *out);
    *within = 0;
    if (!member)
        return status;
    for (size_t i = 0; i < n; i++)
        if (weak[i])
            member[count++] = (int32_t)i;
    start = seg_alloc_zero(ctx, count + 1, sizeof *start);
    if (!start)
        goto done;
    listing l = {points, member, degree, start, &rows};
    if ((status = seg_parallel_polled(ctx, count, RUN, sum_members, &l)) != SEG_OK ||
        (status = seg_poll(ctx)) != SEG_OK ||
        (status = seg_parallel_polled(ctx, count, RUN, count_members, &l)) != SEG_OK)
        goto done;
    for (size_t p = 0; p < count; p++)
        start[p + 1] += start[p];
    if ((status = seg_poll(ctx)) != SEG_OK || start[count] > entries ||
        (status = seg_csr_create(ctx, count, n, start[count], &rows)) != SEG_OK)
        goto done;
    memcpy(rows.start, start, (count + 1) * sizeof *start);
    if ((status = seg_parallel_polled(ctx, count, RUN, list_members, &l)) != SEG_OK)
        goto done;
    status = symmetric(ctx, &rows, member, weak, out);
    *within = status == SEG_OK;
done:
    free(member);
    free(start);
    seg_csr_free(&rows);
    return status;
}
