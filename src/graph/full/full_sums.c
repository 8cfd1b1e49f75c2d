/* Choosing how accurate the fast sums of a complete graph must be, and which nodes are too weak for them. */
#include "graph/full/full_graph.h"

#include "base/base.h"
#include "base/parallel.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE = 48, /* rows that are checked against their exact sums */
    CHECK_STREAM = 0xfa57
};
/* Errors of products are held below a millionth; what is seen on a sample must be ten times below that. */
static const double ACCURACY = 1e-7;
/* Pairs of a weak node and any that are looked at, at the last level: some seconds. */
static const double MOST_PAIRS = 1e9;
static const size_t MOST_ENTRIES = 20000000; /* of the list: a GiB while it is made */

/* One attempt at a level. */
typedef struct attempt {
    seg_context *ctx;
    const seg_gaussian *points;
    int32_t *member;                      /* n: the nodes in the sum */
    uint8_t *weak;                        /* n */
    double *ones, *random, *sum, *degree; /* n each */
} attempt;

typedef struct sampling {
    const attempt *a;
    const seg_fast_sum *sum;
    const double *v;
    size_t count;
    double *exact;
} sampling;

static void sum_exactly(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const sampling *j = arg;
    for (size_t s = first; s < last; s++)
        j->exact[s] = seg_gaussian_row_sum(j->a->points, (size_t)j->sum->point[s * j->sum->n / j->count], j->v);
}

/* The largest error of the sum's product with v over a sample of its points, and the largest of those products. */
static double sample_error(const attempt *a, const seg_fast_sum *sum, const double *v, const double *product,
                           double *largest) {
    double exact[SAMPLE], error = 0;
    const size_t count = sum->n < SAMPLE ? sum->n : SAMPLE;
    seg_parallel(a->ctx, count, 0, sum_exactly, &(sampling){a, sum, v, count, exact});
    *largest = 0;
    for (size_t s = 0; s < count; s++) {
        const size_t i = (size_t)sum->point[s * sum->n / count];
        error = fmax(error, fabs(product[i] - v[i] - exact[s]));
        *largest = fmax(*largest, fabs(exact[s]));
    }
    return error;
}

/* Sum over all nodes, judge it by a sample, and tell who is weak. *good: 0 where the level is not accurate enough. */
static seg_status judge(attempt *a, int level, size_t *weak, int *good) {
    const size_t n = a->points->n;
    SEG_RELEASED(seg_fast_sum_free) seg_fast_sum sum = {0};
    double largest;
    *weak = 0;
    for (size_t i = 0; i < n; i++)
        a->member[i] = (int32_t)i;
    const seg_status status = seg_fast_sum_create(a->ctx, a->points, a->member, n, level, &sum);
    if (status)
        return status;
    seg_fast_sum_apply(a->ctx, &sum, a->ones, a->sum);
    const double noise = sample_error(a, &sum, a->ones, a->sum, &largest);
    for (size_t i = 0; i < n; i++) {
        a->degree[i] = a->sum[i] - 1;
        a->weak[i] = !(a->degree[i] * ACCURACY >= noise);
        *weak += a->weak[i];
    }
    seg_fast_sum_apply(a->ctx, &sum, a->random, a->sum);
    const double error = sample_error(a, &sum, a->random, a->sum, &largest);
    /* Where most are weak the products of the sample are too, and the list takes over. */
    *good = error <= ACCURACY * largest || *weak > n / 2;
    return SEG_OK;
}

/* List the weak, sum over the others. */
static seg_status settle(attempt *a, int level, size_t weak, seg_full_graph *graph, int *within) {
    size_t strong = 0;
    seg_status status = SEG_OK;
    *within = 1;
    if (weak > 0)
        status = seg_full_weak_list(a->ctx, a->points, &(seg_weak_nodes){a->weak, MOST_ENTRIES, a->degree},
                                    &graph->weak, within);
    for (size_t i = 0; i < graph->n; i++)
        if (!a->weak[i])
            a->member[strong++] = (int32_t)i;
    if (status == SEG_OK && *within && strong > 0)
        status = seg_fast_sum_create(a->ctx, a->points, a->member, strong, level, &graph->sum);
    return status;
}

/* Before the last level the weak must be so few that the products with their weights cost less than a more accurate
 * sum. */
static int too_many(size_t weak, size_t n, size_t d, int level) {
    if (level + 1 == SEG_FAST_LEVELS)
        return (double)weak * (double)n > MOST_PAIRS;
    return (double)weak > pow(seg_fast_level_table[level].width, (double)d) / 8;
}

static seg_status choose(attempt *a, seg_full_graph *graph) {
    const double n = (double)graph->n;
    int within = 0;
    seg_status status;
    for (int level = 0; level < SEG_FAST_LEVELS; level++) {
        size_t weak;
        int good;
        if (!(seg_fast_sum_cells(a->points, level) <= (double)SEG_FAST_CELLS))
            break;
        if ((status = seg_poll(a->ctx)) != SEG_OK || (status = judge(a, level, &weak, &good)) != SEG_OK)
            return status;
        if (!good || too_many(weak, graph->n, a->points->d, level))
            continue;
        if ((status = settle(a, level, weak, graph, &within)) != SEG_OK || within) {
            if (within)
                seg_log(a->ctx, SEG_LOG_INFO,
                        "complete graph: fast sums on %zu x %zu x %zu cells, %zu weights of %zu weak nodes listed",
                        graph->sum.grid.size[0], graph->sum.grid.size[1], graph->sum.grid.size[2],
                        graph->weak.rows ? graph->weak.start[graph->n] : 0, weak);
            return status;
        }
    }
    if (n * n <= MOST_PAIRS) { /* sigma is narrow: few weights count, and all of those can be listed */
        memset(a->weak, 1, graph->n);
        if ((status = settle(a, 0, graph->n, graph, &within)) != SEG_OK || within)
            return status;
    }
    return seg_fail(a->ctx, SEG_ERR_USAGE,
                    "graph: sigma = %g is too narrow for the complete graph of %zu nodes, whose extent is up to %.3g "
                    "times as large; raise sigma, or use the graph of nearest neighbours",
                    graph->sigma, graph->n, seg_gaussian_extent(a->points));
}

seg_status seg_full_graph_prepare_sums(seg_context *ctx, const seg_gaussian *points, seg_full_graph *graph) {
    const size_t n = points->n;
    SEG_FREED int32_t *member = seg_alloc(ctx, n, sizeof *member);
    SEG_FREED uint8_t *weak = seg_alloc(ctx, n, 1);
    SEG_FREED double *ones = seg_alloc(ctx, n, 4 * sizeof *ones);
    graph->work = seg_alloc(ctx, n, 3 * sizeof *graph->work);
    if (!member || !weak || !ones || !graph->work)
        return SEG_ERR_MEMORY;
    attempt a = {ctx, points, member, weak, ones, ones + n, ones + 2 * n, ones + 3 * n};
    seg_random random;
    seg_random_seed(&random, 1, CHECK_STREAM);
    for (size_t i = 0; i < n; i++) {
        a.ones[i] = 1;
        a.random[i] = seg_random_bits(&random) & 1 ? 1 : -1;
    }
    return choose(&a, graph);
}
