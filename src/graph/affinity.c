/* The affinity graph: Gaussian weights on nearest-neighbour and grid edges, or of all pairs [chen2011npkl, Eq. 15]. */
#include "graph/affinity.h"
#include "base/base.h"
#include "base/lanes.h"
#include "features/grid.h"
#include "graph/neighbours/nearest.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"
#include "linalg/wide_rows.h"

/* ---- From squared lengths of edges to affinities. ---- */

#define LEAST_WEIGHT 1e-12 /* an edge that underflows to 0 would disconnect the graph for every solver */

/* sigma and sigma_scale of a specification. */
static seg_status check_sigma(seg_context *ctx, const seg_graph_spec *spec) {
    if (!(isfinite(spec->sigma) && spec->sigma >= 0))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: sigma must be a finite number above 0, or 0 to take it from the data");
    if (spec->sigma == 0 && !(isfinite(spec->sigma_scale) && spec->sigma_scale > 0))
        return seg_fail(ctx, SEG_ERR_USAGE, "graph: sigma_scale must be a finite number above 0");
    return SEG_OK;
}

/* *sigma: that of the spec, or if it is 0, sigma_scale times the mean distance `mean`; 1 if that is 0. */
static seg_status choose_sigma(seg_context *ctx, const seg_graph_spec *spec, double mean, double *sigma) {
    const double scaled = mean > 0 ? spec->sigma_scale * mean : 1;
    *sigma = spec->sigma > 0 ? spec->sigma : scaled > 0 ? scaled : 1;
    return isfinite(*sigma) ? SEG_OK
                            : seg_fail(ctx, SEG_ERR_USAGE,
                                       "graph: the features differ by more than can be squared; scale them down");
}

/* The mean length of the edges, whose values are squared lengths; 0 if all points coincide. [li2009ccskl, Sec. 5.2]
 * uses multiples of the mean distance to the 20th neighbour. */
static double mean_length(const seg_csr *e) {
    const size_t count = e->start[e->rows];
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sqrt(e->value[i]);
    return sum > 0 ? sum / (double)count : 0;
}

typedef struct weighing {
    double sigma;
    double *value; /* squared lengths in, weights out */
} weighing;

static void weigh(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const weighing *w = arg;
    for (size_t e = first; e < last; e++) {
        const double t = sqrt(w->value[e]) / w->sigma, weight = exp(-0.5 * t * t);
        w->value[e] = weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
    }
}

/* The same with the mean length of the directed `edges`. */
static seg_status sigma_of_edges(seg_context *ctx, const seg_graph_spec *spec, const seg_csr *edges, double *sigma) {
    return choose_sigma(ctx, spec, spec->sigma > 0 ? 0 : mean_length(edges), sigma);
}

/* ---- From directed edges to a symmetric graph. ---- */

/* Merge row i of up to three sorted lists, each column once; writes it unless `column` is NULL. @return entries */
static size_t merge_row(const seg_csr *const list[3], size_t i, int32_t *column, double *value) {
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
        if (next == INT32_MAX) /* all lists have ended: a column is below INT32_MAX */
            return count;
        double number = 0;
        for (int l = 0; l < 3; l++)
            if (at[l] < stop[l] && list[l]->column[at[l]] == next)
                number = list[l]->value[at[l]++];
        if (column) {
            column[count] = next;
            value[count] = number;
        }
        count++;
    }
}

typedef struct merging {
    const seg_csr *const *list;
    size_t *start;
    seg_csr *out; /* NULL: only count entries */
} merging;

static void merge_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const merging *m = arg;
    for (size_t i = first; i < last; i++)
        if (m->out)
            merge_row(m->list, i, m->out->column + m->start[i], m->out->value + m->start[i]);
        else
            m->start[i + 1] = merge_row(m->list, i, NULL, NULL);
}

/* The symmetric graph with an edge i ~ j if `edges` has either direction (columns in any order; i -> j and j -> i have
 * the same value) or `touch` (sorted, symmetric) has it. Either matrix may be empty (zeroed). Values stay. */
static seg_status join_edges(seg_context *ctx, const seg_csr *edges, const seg_csr *touch, seg_csr *out) {
    const size_t rows = edges->rows > 0 ? edges->rows : touch->rows;
    SEG_RELEASED(seg_csr_free) seg_csr from = {0}, sorted = {0};
    const seg_csr *const list[3] = {&sorted, &from, touch};
    /* Transposing twice sorts the columns in linear time, and the reversed edges make the graph symmetric. */
    if (edges->rows > 0) {
        SEG_TRY(seg_csr_transpose(ctx, edges, &from));
        SEG_TRY(seg_csr_transpose(ctx, &from, &sorted));
    }
    SEG_LOCAL(size_t, start, seg_alloc_zero(ctx, rows + 1, sizeof *start));
    seg_parallel(ctx, rows, 0, merge_rows, &(merging){list, start, NULL});
    for (size_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
    SEG_TRY(seg_csr_create(ctx, rows, rows, start[rows], out));
    memcpy(out->start, start, (rows + 1) * sizeof *start);
    seg_parallel(ctx, rows, 0, merge_rows, &(merging){list, start, out});
    return SEG_OK;
}

/* ---- The complete graph. ---- */

enum { PICKED = 2048 }; /* at most so many nodes give the mean distance of pairs */

static int compare_rows(const void *a, const void *b, void *cols) {
    const double *const x = *(const double *const *)a, *const y = *(const double *const *)b;
    for (size_t c = 0; c < *(const size_t *)cols; c++)
        SEG_ORDER_BY(x[c], y[c]);
    return 0;
}

typedef struct pairs {
    const double **row;
    size_t n, picked, cols;
    double *sum; /* one partial sum per node */
} pairs;

static void sum_distances(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const pairs *j = arg;
    for (size_t a = first; a < last; a++)
        for (size_t b = 0; b < a; b++) {
            const double *x = j->row[a * j->n / j->picked], *y = j->row[b * j->n / j->picked];
            j->sum[a] += sqrt(seg_distance2(j->cols, x, y));
        }
}

seg_status seg_mean_distance(seg_context *ctx, const seg_matrix *X, double *mean) {
    const size_t n = X->rows, picked = n < PICKED ? n : PICKED;
    size_t cols = X->cols;
    SEG_LOCAL(const double *, row, seg_alloc(ctx, n, sizeof *row));
    SEG_LOCAL(double, sum, seg_alloc_zero(ctx, picked, sizeof *sum));
    for (size_t i = 0; i < n; i++)
        row[i] = X->at + i * cols;
    qsort_r(row, n, sizeof *row, compare_rows, &cols);
    const seg_status status = seg_parallel_polled(ctx, picked, 16, sum_distances, &(pairs){row, n, picked, cols, sum});
    *mean = picked > 1 ? seg_sum(picked, sum) / (0.5 * (double)picked * (double)(picked - 1)) : 0;
    return status;
}

/* at (d x n): coordinate c of point i less the minimum of that coordinate, divided by sigma. */
static seg_status scale(seg_context *ctx, const seg_matrix *X, double sigma, double *at) {
    const size_t n = X->rows, d = X->cols;
    for (size_t c = 0; c < d; c++) {
        double least = INFINITY;
        for (size_t i = 0; i < n; i++)
            least = fmin(least, X->at[i * d + c]);
        for (size_t i = 0; i < n; i++) {
            at[c * n + i] = (X->at[i * d + c] - least) / sigma;
            if (!(at[c * n + i] <= 1e100)) /* its square must not overflow */
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

static seg_status full_affinity(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *out,
                                double *sigma) {
    const size_t n = X->rows;
    size_t entries = 0;
    double mean = 0; /* distance of all pairs */
    if (n < 1 || n > SEG_FULL_NODES)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "graph: the complete graph is for 1 to %d nodes, not for %zu; use larger patches of an image, "
                        "or the graph of nearest neighbours",
                        SEG_FULL_NODES, n);
    SEG_FREED double *at = seg_alloc(ctx, n, X->cols * sizeof *at), *weight = seg_alloc(ctx, n, sizeof *weight);
    SEG_TRY(seg_allocated(at && weight));
    SEG_TRY(check_sigma(ctx, spec));
    if (spec->sigma == 0)
        SEG_TRY(seg_mean_distance(ctx, X, &mean));
    SEG_TRY(choose_sigma(ctx, spec, mean, sigma));
    SEG_TRY(scale(ctx, X, *sigma, at));
    SEG_TRY(seg_csr_create(ctx, n, n, n * (n - 1), out));
    for (size_t i = 0; i < n; i++) {
        SEG_TRY(seg_poll(ctx));
        weigh_row(at, n, X->cols, i, weight);
        for (size_t j = 0; j < n; j++)
            if (j != i && weight[j] > 0) { /* a weight that rounds to 0 is not an edge */
                out->column[entries] = (int32_t)j;
                out->value[entries++] = weight[j];
            }
        out->start[i + 1] = entries;
    }
    return SEG_OK;
}

/* ---- Nearest neighbours and touching patches. ---- */

static seg_status neighbour_edges(seg_context *ctx, const seg_matrix *X, const seg_graph_spec *spec, seg_csr *out) {
    const size_t most = X->rows - 1, count = (size_t)spec->neighbours < most ? (size_t)spec->neighbours : most;
    SEG_TRY(seg_csr_create(ctx, X->rows, X->rows, X->rows * count, out)); /* both are below 2^31 */
    if (count == 0)
        return SEG_OK;
    for (size_t i = 0; i <= X->rows; i++)
        out->start[i] = i * count;
    return seg_nearest_search(ctx, X, (int)count, spec->search, out->column, out->value);
}

static seg_status grid_edges(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, seg_csr *out) {
    size_t e = 0;
    SEG_TRY(seg_csr_create(ctx, X->rows, X->rows, SEG_TOUCHING * X->rows, out));
    for (size_t i = 0; i < X->rows; i++) {
        int32_t column[SEG_TOUCHING];
        int count = seg_patches_touching(grid, i, column);
        for (int k = 0; k < count; k++, e++) {
            out->column[e] = column[k];
            /* summed as in the neighbour search, so that an edge of both kinds has one length */
            out->value[e] = seg_distance2(X->cols, X->at + i * X->cols, X->at + (size_t)column[k] * X->cols);
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
    SEG_TRY(check_sigma(ctx, spec));
    if ((spec->kind & SEG_GRAPH_GRID) &&
        (!grid || grid->columns < 1 || grid->rows < 1 || (size_t)grid->columns * (size_t)grid->rows != X->rows))
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "graph: grid edges need the patch grid whose patches are the %zu rows; give it, or use neighbours only",
            X->rows);
    return SEG_OK;
}

/* Edges between touching patches of a layer, `size` patches, get a Gaussian of their own if it is wider: `scale` times
 * their mean length is its width, in that of the others. Their squared lengths shrink, so that one width weighs all. */
static void widen_touching(const seg_csr *touch, size_t size, double scale, seg_csr *graph) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < touch->rows; i++)
        for (size_t e = touch->start[i]; e < touch->start[i + 1]; e++)
            if ((size_t)touch->column[e] / size == i / size) {
                sum += sqrt(touch->value[e]);
                count++;
            }
    const double wider = count ? scale * sum / (double)count : 0;
    for (size_t i = 0; wider > 1 && i < graph->rows; i++)
        for (size_t e = graph->start[i], t = touch->start[i]; t < touch->start[i + 1]; e++)
            if (graph->column[e] == touch->column[t]) {
                if ((size_t)touch->column[t++] / size == i / size)
                    graph->value[e] /= wider * wider;
            }
}

static seg_status build(seg_context *ctx, const seg_matrix *X, const seg_patch_grid *grid, const seg_graph_spec *spec,
                        seg_csr *out, double *width) {
    SEG_RELEASED(seg_csr_free) seg_csr near = {0}, touch = {0};
    if (spec->kind & SEG_GRAPH_KNN)
        SEG_TRY(neighbour_edges(ctx, X, spec, &near));
    if (spec->kind & SEG_GRAPH_GRID)
        SEG_TRY(grid_edges(ctx, X, grid, &touch));
    SEG_TRY(join_edges(ctx, &near, &touch, out));
    SEG_TRY(sigma_of_edges(ctx, spec, spec->kind & SEG_GRAPH_KNN ? &near : &touch, width));
    if (spec->touching_scale > 0 && touch.rows)
        widen_touching(&touch, X->rows / (size_t)seg_patch_layers(grid), spec->touching_scale / *width, out);
    seg_parallel(ctx, out->start[out->rows], 0, weigh, &(weighing){*width, out->value});
    return SEG_OK;
}

/* The cosine similarity of two nodes, 0 if it is negative or a node has norm 0; exactly symmetric. */
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
                "graph: row %zu of the kernel holds a number that is not finite, or its diagonal a negative one",
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

/* The `count` largest affinities of each row, without zeros: a pair without a positive cosine gets no edge. */
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

/* The nearest-neighbour graph of a kernel matrix K (n x n, symmetric, positive semidefinite): each node is joined to
 * its spec->neighbours most similar nodes, with the cosine w_ij = max(0, K_ij) / sqrt(K_ii K_jj) as weight; the rest of
 * spec is not used. Ties go to the smaller index; pairs without a positive cosine get no edge.
 * @return SEG_OK, SEG_ERR_USAGE (K not square or with a number that is not finite; neighbours < 1), SEG_ERR_MEMORY.
 * Cost O(n^2 log neighbours). */
static seg_status graph_of_kernel(seg_context *ctx, const seg_matrix *K, const seg_graph_spec *spec, seg_csr *out) {
    SEG_RELEASED(seg_csr_free) seg_csr edges = {0};
    SEG_TRY(check_kernel(ctx, K, spec));
    const size_t n = K->rows, wanted = (size_t)spec->neighbours, count = wanted < n ? wanted : n - 1;
    SEG_TRY(seg_csr_create(ctx, n, n, n * count, &edges)); /* fewer entries than the kernel has: no overflow */
    if (count > 0)
        largest(ctx, K, count, &edges);
    return join_edges(ctx, &edges, &(seg_csr){0}, out);
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
        return graph_of_kernel(ctx, X, spec, out);
    SEG_TRY(full ? SEG_OK : check(ctx, X, grid, spec));
    SEG_TRY(seg_in_unit_create(ctx, X, 1, "graph", &unit));
    own.sigma = seg_to_unit(&unit, own.sigma);
    seg_status status =
        full ? full_affinity(ctx, unit.X, &own, out, &width) : build(ctx, unit.X, grid, &own, out, &width);
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
    memset(out, 0, (size_t)count * sizeof *out);
    for (int g = 0; g < count; g++) {
        seg_graph_spec own = *spec;
        double width;
        own.sigma = sigma[g];
        SEG_TRY(check(ctx, X, NULL, &own));
        if (g == 0) {
            SEG_TRY(seg_in_unit_create(ctx, X, 1, "graph", &unit));
            SEG_TRY(neighbour_edges(ctx, unit.X, &own, &near));
        }
        own.sigma = seg_to_unit(&unit, own.sigma);
        SEG_TRY(join_edges(ctx, &near, &none, &out[g]));
        SEG_TRY(sigma_of_edges(ctx, &own, &near, &width));
        seg_parallel(ctx, out[g].start[out[g].rows], 0, weigh, &(weighing){width, out[g].value});
    }
    return SEG_OK;
}
