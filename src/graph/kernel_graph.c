/* The affinity graph of nodes that only a kernel compares. */
#include "base/base.h"
#include "base/parallel.h"
#include "graph/affinity.h"
#include "graph/edges.h"
#include "graph/neighbours/nearest.h"

#include <math.h>
#include <string.h>

/* The cosine of the angle between two nodes, 0 where it is negative or one of them is the origin; the same for both
 * orders. */
static double affinity(const seg_matrix *K, size_t i, size_t j) {
    const size_t low = i < j ? i : j, high = i < j ? j : i, n = K->rows;
    const double own = sqrt(K->at[low * n + low]) * sqrt(K->at[high * n + high]), value = K->at[low * n + high];
    return value > 0 && own > 0 ? fmin(value / own, 1) : 0;
}

static seg_status check(seg_context *ctx, const seg_matrix *K, const seg_graph_spec *spec) {
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
    seg_edge_list *out;
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
static void largest(seg_context *ctx, const seg_matrix *K, size_t count, seg_edge_list *out) {
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
    seg_edge_list edges = {0};
    memset(out, 0, sizeof *out);
    seg_status status = check(ctx, K, spec);
    if (status != SEG_OK)
        return status;
    const size_t n = K->rows, wanted = (size_t)spec->neighbours, count = wanted < n ? wanted : n - 1;
    status = seg_edge_list_create(ctx, n, n * count, &edges); /* fewer than the kernel's own: no overflow */
    if (status == SEG_OK) {
        if (count > 0)
            largest(ctx, K, count, &edges);
        status = seg_edge_list_join(ctx, &edges, NULL, spec->mutual, out);
    }
    seg_edge_list_free(&edges);
    return status;
}
