/* The affinity graph: Gaussian weights on nearest-neighbour and grid edges. */
#include "base/base.h"
#include "features/grid.h"
#include "graph/full/full_graph.h"

#include "graph/affinity.h"
#include "graph/edges.h"
#include "graph/neighbours/nearest.h"
#include "graph/weights.h"

#include <segment/graph.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Same additions in the same order as the neighbours' distances, so that an edge of both kinds has one length. */
static double squared_distance(const seg_matrix *X, size_t i, size_t j) {
    double sum = 0;
    for (size_t c = 0; c < X->cols; c++) {
        double t = X->at[i * X->cols + c] - X->at[j * X->cols + c];
        sum += t * t;
    }
    return sum;
}

static seg_status neighbour_edges(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                  seg_edge_list *out) {
    const size_t most = X->rows - 1, count = (size_t)spec->neighbours < most ? (size_t)spec->neighbours : most;
    size_t total;
    seg_status status;
    if (!seg_multiply(X->rows, count, &total))
        total = SIZE_MAX; /* refused by seg_alloc */
    status = seg_edge_list_create(ctx, X->rows, total, out);
    if (status != SEG_OK || count == 0)
        return status;
    for (size_t i = 0; i <= X->rows; i++)
        out->start[i] = i * count;
    return seg_nearest_search(ctx, X, (int)count, spec->search, out->column, out->value);
}

static seg_status grid_edges(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, seg_edge_list *out) {
    seg_status status = seg_edge_list_create(ctx, X->rows, 4 * X->rows, out);
    size_t e = 0;
    if (status != SEG_OK)
        return status;
    for (size_t i = 0; i < X->rows; i++) {
        int32_t column[4];
        int count = seg_patches_touching(grid, i, column);
        for (int k = 0; k < count; k++, e++) {
            out->column[e] = column[k];
            out->value[e] = squared_distance(X, i, (size_t)column[k]);
        }
        out->start[i + 1] = e;
    }
    return SEG_OK;
}

static seg_status check(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, const seg_graph_spec *spec) {
    if (X->rows < 1 || X->rows >= INT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: %zu rows of features; a graph has 1 to 2147483646 nodes", X->rows);
    if (spec->kind != SEG_GRAPH_KNN && spec->kind != SEG_GRAPH_GRID && spec->kind != SEG_GRAPH_BOTH)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: kind %d must be one of neighbours (1), grid (2), both (3) and full (4)",
                        (int)spec->kind);
    if ((spec->kind & SEG_GRAPH_KNN) && spec->neighbours < 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: %d neighbours; give at least 1", spec->neighbours);
    if (spec->search < SEG_SEARCH_AUTO || spec->search > SEG_SEARCH_APPROXIMATE)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: search %d must be auto (0), exact (1) or approximate (2)",
                        (int)spec->search);
    seg_status status = seg_weights_check(ctx, spec);
    if (status != SEG_OK)
        return status;
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

static seg_status build(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, const seg_graph_spec *spec,
                        seg_csr *out, double *width) {
    seg_edge_list near = {0}, touch = {0};
    seg_status status = SEG_OK;
    if (spec->kind & SEG_GRAPH_KNN)
        status = neighbour_edges(ctx, X, spec, &near);
    if (status == SEG_OK && (spec->kind & SEG_GRAPH_GRID))
        status = grid_edges(ctx, X, grid, &touch);
    if (status == SEG_OK)
        status = seg_edge_list_join(ctx, &near, &touch, spec->mutual, out);
    if (status == SEG_OK)
        status = seg_weights_set(ctx, X, spec, spec->kind & SEG_GRAPH_KNN ? &near : &touch, out, width);
    seg_edge_list_free(&near);
    seg_edge_list_free(&touch);
    return status;
}

seg_status seg_graph_build(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                           const seg_graph_spec *spec, seg_csr *out, double *sigma) {
    const int full = spec->kind == SEG_GRAPH_FULL;
    seg_graph_spec own = *spec;
    seg_in_unit unit = {0};
    double width = 0;
    memset(out, 0, sizeof *out);
    if (sigma)
        *sigma = 0;
    if (spec->kind == SEG_GRAPH_KERNEL)
        return seg_graph_of_kernel(ctx, X, spec, out);
    seg_status status = full ? SEG_OK : check(ctx, X, grid, spec);
    if (status == SEG_OK && (status = seg_in_unit_create(ctx, X, 1, "graph", &unit)) == SEG_OK) {
        seg_widths_to_unit(&unit, &own);
        status = full ? seg_full_affinity(ctx, unit.X, &own, out, &width) : build(ctx, unit.X, grid, &own, out, &width);
    }
    if (status != SEG_OK)
        seg_csr_free(out);
    else if (sigma)
        *sigma = spec->sigma > 0 ? spec->sigma : ldexp(width, unit.exponent);
    seg_in_unit_free(&unit);
    return status;
}

seg_status seg_graph_build_widths(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                  const double *sigma, int count, seg_csr *out) {
    seg_in_unit unit = {0};
    seg_edge_list near = {0};
    seg_status status = SEG_OK;
    memset(out, 0, (size_t)count * sizeof *out);
    for (int g = 0; g < count && status == SEG_OK; g++) {
        seg_graph_spec own = *spec;
        double width;
        own.sigma = sigma[g];
        if ((status = check(ctx, X, NULL, &own)) != SEG_OK)
            break;
        if (g == 0 && (status = seg_in_unit_create(ctx, X, 1, "graph", &unit)) == SEG_OK)
            status = neighbour_edges(ctx, unit.X, &own, &near);
        seg_widths_to_unit(&unit, &own);
        if (status == SEG_OK)
            status = seg_edge_list_join(ctx, &near, NULL, own.mutual, &out[g]);
        if (status == SEG_OK)
            status = seg_weights_set(ctx, unit.X, &own, &near, &out[g], &width);
    }
    for (int g = 0; g < count && status != SEG_OK; g++)
        seg_csr_free(&out[g]);
    seg_edge_list_free(&near);
    seg_in_unit_free(&unit);
    return status;
}
