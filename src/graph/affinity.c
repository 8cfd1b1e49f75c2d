/* The affinity graph: Gaussian weights on nearest-neighbour and grid edges. */
#include "base/base.h"
#include "graph/full_graph.h"

#include <segment/graph.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_WEIGHT 1e-12 /* an edge that rounds to nothing would cut the graph for every solver behind it */

/* Directed edges i -> column with their squared lengths. */
typedef struct edges {
    size_t rows;
    size_t *start;
    int32_t *column;
    double *distance2;
} edges;

static void edges_free(edges *e) {
    free(e->start);
    free(e->column);
    free(e->distance2);
    memset(e, 0, sizeof *e);
}

static seg_status edges_create(seg_context *ctx, size_t rows, size_t count, edges *out) {
    memset(out, 0, sizeof *out);
    out->rows = rows;
    out->start = seg_alloc_zero(ctx, rows + 1, sizeof *out->start);
    out->column = seg_alloc(ctx, count, sizeof *out->column);
    out->distance2 = seg_alloc(ctx, count, sizeof *out->distance2);
    if (!out->start || !out->column || !out->distance2) {
        edges_free(out);
        return SEG_ERR_MEMORY;
    }
    return SEG_OK;
}

/* The reversed edges; those of a row come out in ascending order of their columns, whatever order they went in. */
static seg_status edges_reverse(seg_context *ctx, const edges *in, edges *out) {
    const size_t count = in->start[in->rows];
    seg_status status = edges_create(ctx, in->rows, count, out);
    if (status != SEG_OK)
        return status;
    for (size_t e = 0; e < count; e++)
        out->start[in->column[e] + 1]++;
    for (size_t i = 0; i < in->rows; i++)
        out->start[i + 1] += out->start[i];
    for (size_t i = 0; i < in->rows; i++)
        for (size_t e = in->start[i]; e < in->start[i + 1]; e++) {
            size_t at = out->start[in->column[e]]++;
            out->column[at] = (int32_t)i;
            out->distance2[at] = in->distance2[e];
        }
    /* Filling moved every start to the next row's: move them back. */
    memmove(out->start + 1, out->start, in->rows * sizeof *out->start);
    out->start[0] = 0;
    return SEG_OK;
}

/* Same additions in the same order as the neighbours' distances, so that an edge of both kinds has one length. */
static double squared_distance(const seg_matrix *X, size_t i, size_t j) {
    double sum = 0;
    for (size_t c = 0; c < X->cols; c++) {
        double t = X->at[i * X->cols + c] - X->at[j * X->cols + c];
        sum += t * t;
    }
    return sum;
}

static seg_status neighbour_edges(seg_context *ctx, const seg_matrix *X, int neighbours, edges *out) {
    const size_t most = X->rows - 1, count = (size_t)neighbours < most ? (size_t)neighbours : most;
    size_t total;
    seg_status status;
    if (!seg_multiply(X->rows, count, &total))
        total = SIZE_MAX; /* refused by seg_alloc */
    status = edges_create(ctx, X->rows, total, out);
    if (status != SEG_OK || count == 0)
        return status;
    for (size_t i = 0; i <= X->rows; i++)
        out->start[i] = i * count;
    return seg_nearest_neighbours(ctx, X, (int)count, out->column, out->distance2);
}

/* The up to four patches that touch patch p, ascending. */
static int touching(const seg_patch_grid *grid, size_t p, int32_t out[4]) {
    const size_t columns = (size_t)grid->columns, row = p / columns, column = p % columns;
    int count = 0;
    if (row > 0)
        out[count++] = (int32_t)(p - columns);
    if (column > 0)
        out[count++] = (int32_t)(p - 1);
    if (column + 1 < columns)
        out[count++] = (int32_t)(p + 1);
    if (row + 1 < (size_t)grid->rows)
        out[count++] = (int32_t)(p + columns);
    return count;
}

static seg_status grid_edges(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, edges *out) {
    seg_status status = edges_create(ctx, X->rows, 4 * X->rows, out);
    size_t e = 0;
    if (status != SEG_OK)
        return status;
    for (size_t i = 0; i < X->rows; i++) {
        int32_t column[4];
        int count = touching(grid, i, column);
        for (int k = 0; k < count; k++, e++) {
            out->column[e] = column[k];
            out->distance2[e] = squared_distance(X, i, (size_t)column[k]);
        }
        out->start[i + 1] = e;
    }
    return SEG_OK;
}

/* Walk row i of up to three sorted lists at once, every column once; writes where `column` is given. @return columns.
 */
static size_t merge_row(const edges *const list[3], size_t i, int32_t *column, double *distance2) {
    size_t at[3] = {0}, stop[3] = {0}, count = 0;
    for (int l = 0; l < 3; l++)
        if (list[l]->rows > 0) {
            at[l] = list[l]->start[i];
            stop[l] = list[l]->start[i + 1];
        }
    for (;;) {
        int32_t next = INT32_MAX;
        for (int l = 0; l < 3; l++)
            if (at[l] < stop[l] && list[l]->column[at[l]] < next)
                next = list[l]->column[at[l]];
        if (next == INT32_MAX) /* rows are fewer than that */
            return count;
        for (int l = 0; l < 3; l++)
            if (at[l] < stop[l] && list[l]->column[at[l]] == next) {
                if (column) {
                    column[count] = next;
                    distance2[count] = list[l]->distance2[at[l]];
                }
                at[l]++;
            }
        count++;
    }
}

static seg_status merge(seg_context *ctx, const edges *const list[3], size_t rows, seg_csr *out) {
    size_t *start = seg_alloc_zero(ctx, rows + 1, sizeof *start);
    seg_status status;
    if (!start)
        return SEG_ERR_MEMORY;
#pragma omp parallel for num_threads(seg_threads(ctx)) schedule(static)
    for (size_t i = 0; i < rows; i++)
        start[i + 1] = merge_row(list, i, NULL, NULL);
    for (size_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
    status = seg_csr_create(ctx, rows, rows, start[rows], out);
    if (status == SEG_OK) {
        memcpy(out->start, start, (rows + 1) * sizeof *start);
#pragma omp parallel for num_threads(seg_threads(ctx)) schedule(static)
        for (size_t i = 0; i < rows; i++)
            merge_row(list, i, out->column + start[i], out->value + start[i]);
    }
    free(start);
    return status;
}

/* sigma_scale times the mean length of the edges [li2009ccskl, Sec. 5.2]; summed in their order. Points that all
 * coincide have no scale: 1 then. */
static seg_status choose_sigma(seg_context *ctx, const edges *e, const seg_graph_spec *spec, double *sigma) {
    const size_t count = e->start[e->rows];
    double sum = 0;
    *sigma = spec->sigma;
    if (spec->sigma > 0)
        return SEG_OK;
    for (size_t i = 0; i < count; i++)
        sum += sqrt(e->distance2[i]);
    *sigma = sum > 0 ? spec->sigma_scale * (sum / (double)count) : 1;
    if (!isfinite(*sigma))
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: the features differ by more than can be squared; scale them down");
    *sigma = *sigma > 0 ? *sigma : 1;
    return SEG_OK;
}

static seg_status check(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, const seg_graph_spec *spec) {
    if (X->rows < 1 || X->rows >= INT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: %zu rows of features; a graph has 1 to 2147483646 nodes", X->rows);
    if (spec->kind != SEG_GRAPH_KNN && spec->kind != SEG_GRAPH_GRID && spec->kind != SEG_GRAPH_BOTH)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: kind %d is none of neighbours (1), grid (2), both (3) and full (4)",
                        (int)spec->kind);
    if ((spec->kind & SEG_GRAPH_KNN) && spec->neighbours < 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: %d neighbours; give at least 1", spec->neighbours);
    if (!(isfinite(spec->sigma) && spec->sigma >= 0))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: sigma must be a finite number above 0, or 0 to take it from the data");
    if (spec->sigma == 0 && !(isfinite(spec->sigma_scale) && spec->sigma_scale > 0))
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: sigma_scale must be a finite number above 0");
    if ((spec->kind & SEG_GRAPH_GRID) &&
        (!grid || grid->columns < 1 || grid->rows < 1 || (size_t)grid->columns * (size_t)grid->rows != X->rows))
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "graph: grid edges need the patch grid whose patches are the %zu rows; give it, or use neighbours only",
            X->rows);
    for (size_t i = 0; i < X->rows * X->cols; i++)
        if (!isfinite(X->at[i]))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "graph: column %zu of row %zu is not a finite number; remove or replace it",
                            i % X->cols + 1, i / X->cols + 1);
    return SEG_OK;
}

seg_status seg_graph_build(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                           const seg_graph_spec *spec, seg_csr *out, double *sigma) {
    edges to = {0}, from = {0}, sorted = {0}, touch = {0};
    const edges *const list[3] = {&sorted, &from, &touch};
    double width = 0;
    seg_status status;
    memset(out, 0, sizeof *out);
    if (sigma)
        *sigma = 0;
    if (spec->kind == SEG_GRAPH_FULL)
        return seg_full_affinity(ctx, X, spec, out, sigma);
    status = check(ctx, X, grid, spec);
    if (status == SEG_OK && (spec->kind & SEG_GRAPH_KNN)) {
        /* Reversing twice sorts the columns in linear time, and the reversed edges make the graph symmetric. */
        status = neighbour_edges(ctx, X, spec->neighbours, &to);
        if (status == SEG_OK)
            status = edges_reverse(ctx, &to, &from);
        if (status == SEG_OK)
            status = edges_reverse(ctx, &from, &sorted);
    }
    if (status == SEG_OK && (spec->kind & SEG_GRAPH_GRID))
        status = grid_edges(ctx, X, grid, &touch);
    if (status == SEG_OK)
        status = choose_sigma(ctx, spec->kind & SEG_GRAPH_KNN ? &to : &touch, spec, &width);
    if (status == SEG_OK)
        status = merge(ctx, list, X->rows, out);
    if (status != SEG_OK)
        goto end;
#pragma omp parallel for num_threads(seg_threads(ctx)) schedule(static)
    for (size_t e = 0; e < out->start[X->rows]; e++) {
        double t = sqrt(out->value[e]) / width, weight = exp(-0.5 * t * t);
        out->value[e] = weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
    }
    if (sigma)
        *sigma = width;
end:
    edges_free(&to);
    edges_free(&from);
    edges_free(&sorted);
    edges_free(&touch);
    return status;
}
