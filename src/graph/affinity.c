/* The affinity graph: Gaussian weights on nearest-neighbour and grid edges. */
#include "graph/affinity.h"

#include "base/base.h"
#include "base/parallel.h"
#include "features/grid.h"
#include "graph/full_graph.h"
#include "graph/join_edges.h"
#include "graph/neighbours/nearest.h"
#include "graph/weights.h"
#include "linalg/sparse.h"
#include "linalg/unit.h"

#include <math.h>
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

static seg_status neighbour_edges(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *out) {
    const size_t most = X->rows - 1, count = (size_t)spec->neighbours < most ? (size_t)spec->neighbours : most;
    size_t total;
    seg_status status;
    if (!seg_multiply(X->rows, count, &total))
        total = SIZE_MAX; /* refused by seg_alloc */
    status = seg_csr_create(ctx, X->rows, X->rows, total, out);
    if (status != SEG_OK || count == 0)
        return status;
    for (size_t i = 0; i <= X->rows; i++)
        out->start[i] = i * count;
    return seg_nearest_search(ctx, X, (int)count, spec->search, out->column, out->value);
}

static seg_status grid_edges(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, seg_csr *out) {
    seg_status status = seg_csr_create(ctx, X->rows, X->rows, 4 * X->rows, out);
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
    SEG_TRY(seg_sigma_check(ctx, spec));
    if ((spec->kind & SEG_GRAPH_GRID) &&
        (!grid || grid->columns < 1 || grid->rows < 1 || (size_t)grid->columns * (size_t)grid->rows != X->rows))
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "graph: grid edges need the patch grid whose patches are the %zu rows; give it, or use neighbours only",
            X->rows);
    return SEG_OK;
}

static seg_status build(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, const seg_graph_spec *spec,
                        seg_csr *out, double *width) {
    SEG_RELEASED(seg_csr_free) seg_csr near = {0}, touch = {0};
    seg_status status;
    if (((spec->kind & SEG_GRAPH_KNN) && (status = neighbour_edges(ctx, X, spec, &near))) ||
        ((spec->kind & SEG_GRAPH_GRID) && (status = grid_edges(ctx, X, grid, &touch))) ||
        (status = seg_edges_join(ctx, &near, &touch, out)))
        return status;
    return seg_weights_set(ctx, spec, spec->kind & SEG_GRAPH_KNN ? &near : &touch, out, width);
}

seg_status seg_graph_build(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid,
                           const seg_graph_spec *spec, seg_csr *out, double *sigma) {
    const int full = spec->kind == SEG_GRAPH_FULL;
    seg_graph_spec own = *spec;
    SEG_RELEASED(seg_in_unit_free) seg_in_unit unit = {0};
    double width = 0;
    memset(out, 0, sizeof *out);
    if (sigma)
        *sigma = 0;
    if (spec->kind == SEG_GRAPH_KERNEL)
        return seg_graph_of_kernel(ctx, X, spec, out);
    SEG_TRY(full ? SEG_OK : check(ctx, X, grid, spec));
    SEG_TRY(seg_in_unit_create(ctx, X, 1, "graph", &unit));
    own.sigma = seg_to_unit(&unit, own.sigma, 1);
    seg_status status =
        full ? seg_full_affinity(ctx, unit.X, &own, out, &width) : build(ctx, unit.X, grid, &own, out, &width);
    if (status)
        seg_csr_free(out);
    else if (sigma)
        *sigma = spec->sigma > 0 ? spec->sigma : ldexp(width, unit.exponent);
    return status;
}

seg_status seg_graph_build_widths(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec,
                                  const double *sigma, int count, seg_csr *out) {
    SEG_RELEASED(seg_in_unit_free) seg_in_unit unit = {0};
    SEG_RELEASED(seg_csr_free) seg_csr near = {0};
    const seg_csr none = {0};
    seg_status status = SEG_OK;
    memset(out, 0, (size_t)count * sizeof *out);
    for (int g = 0; g < count && !status; g++) {
        seg_graph_spec own = *spec;
        double width;
        own.sigma = sigma[g];
        if ((status = check(ctx, X, NULL, &own)))
            break;
        if (g == 0 && !(status = seg_in_unit_create(ctx, X, 1, "graph", &unit)))
            status = neighbour_edges(ctx, unit.X, &own, &near);
        own.sigma = seg_to_unit(&unit, own.sigma, 1);
        if (!status)
            status = seg_edges_join(ctx, &near, &none, &out[g]);
        if (!status)
            status = seg_weights_set(ctx, &own, &near, &out[g], &width);
    }
    for (int g = 0; g < count && status; g++)
        seg_csr_free(&out[g]);
    return status;
}

/* The cosine of the angle between two nodes, 0 where it is negative or one of them is the origin; the same for both
 * orders. */
static double affinity(const seg_matrix *K, size_t i, size_t j) {
    const size_t low = i < j ? i : j, high = i < j ? j : i, n = K->rows;
    const double own = sqrt(K->at[low * n + low]) * sqrt(K->at[high * n + high]), value = K->at[low * n + high];
    return value > 0 && own > 0 ? fmin(value / own, 1) : 0;
}

static seg_status check_kernel(seg_context *ctx, const seg_matrix *K, const seg_graph_spec *spec) {
    if (K->rows != K->cols || K->rows < 1 || K->rows >= INT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: a kernel of %zu x %zu; it must be square", K->rows, K->cols);
    if (spec->neighbours < 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: %d neighbours; give at least 1", spec->neighbours);
    for (size_t e = 0; e < K->rows * K->rows; e++)
        if (!isfinite(K->at[e]) || (e % (K->rows + 1) == 0 && K->at[e] < 0))
            return seg_fail(
                ctx, SEG_ERR_USAGE,
                "graph: row %zu of the kernel holds a number that is not finite, or its diagonal a negative "
                "one",
                e / K->rows + 1);
    return SEG_OK;
}

typedef struct choosing {
    const seg_matrix *K;
    size_t count;
    seg_csr *out;
} choosing;

static void choose(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const choosing *c = arg;
    const size_t n = c->K->rows, count = c->count;
    for (size_t i = first; i < last; i++) {
        seg_heap heap = seg_heap_make(c->out->column + i * count, c->out->value + i * count, count);
        for (size_t j = 0; j < n; j++)
            if (j != i)
                seg_heap_offer(&heap, -affinity(c->K, i, j), (int32_t)j);
        seg_heap_sort(&heap);
    }
}

/* The largest affinities of each row, without those that are 0: where angles are not acute there is no edge. */
static void largest(seg_context *ctx, const seg_matrix *K, size_t count, seg_csr *out) {
    const size_t n = K->rows;
    seg_parallel(ctx, n, 0, choose, &(choosing){K, count, out});
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t e = i * count; e < (i + 1) * count; e++)
            if (out->value[e] < 0) {
                out->column[kept] = out->column[e];
                out->value[kept++] = -out->value[e];
            }
        out->start[i + 1] = kept;
    }
}

seg_status seg_graph_of_kernel(seg_context *ctx, const seg_matrix *K, const seg_graph_spec *spec, seg_csr *out) {
    SEG_RELEASED(seg_csr_free) seg_csr edges = {0};
    const seg_csr none = {0};
    memset(out, 0, sizeof *out);
    seg_status status = check_kernel(ctx, K, spec);
    if (status)
        return status;
    const size_t n = K->rows, wanted = (size_t)spec->neighbours, count = wanted < n ? wanted : n - 1;
    if ((status = seg_csr_create(ctx, n, n, n * count, &edges))) /* fewer than the kernel's own: no overflow */
        return status;
    if (count > 0)
        largest(ctx, K, count, &edges);
    return seg_edges_join(ctx, &edges, &none, out);
}
