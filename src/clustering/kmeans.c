#include "clustering/kmeans.h"

#include "base/base.h"
#include "base/parallel.h"
#include "base/random.h"
#include "clustering/kmeans_seed.h"
#include "clustering/kmeans_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_WORK = 20000, /* n k d; below it waking threads costs more than it saves */
    BATCH = 32,         /* runs between two cancellation checks */
    MOST_WORKERS = 64,
    LARGE = 1 << 20, /* bytes of rows; beyond it runs go through them together, since the cache does not hold them */
};
static const double LARGEST = 1e100; /* squares and their sums stay finite */

static seg_status check(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options) {
    size_t n = X->rows;
    if (options->k < 1 || (size_t)options->k > n)
        return seg_fail(ctx, SEG_ERR_USAGE, "k-means of %zu rows into %d clusters: k must be 1 to %zu", n, options->k,
                        n);
    if (options->restarts < 1 || options->iterations < 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "k-means needs at least one run and one iteration (%d, %d given)",
                        options->restarts, options->iterations);
    if (options->group && (options->groups < 0 || options->groups > options->k))
        return seg_fail(ctx, SEG_ERR_USAGE, "k-means with %d groups needs k >= %d, not %d", options->groups,
                        options->groups, options->k);
    for (size_t i = 0; options->group && i < n; i++)
        if (options->group[i] < -1 || options->group[i] >= options->groups)
            return seg_fail(ctx, SEG_ERR_USAGE, "row %zu of k-means is in group %d; groups are -1 (free) to %d", i,
                            options->group[i], options->groups - 1);
    const size_t e = seg_rows_first_beyond(X, LARGEST);
    if (e < n * X->cols)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "row %zu of k-means holds a number that is not finite or beyond %g; check the features",
                        e / X->cols, LARGEST);
    return SEG_OK;
}

/* What one thread works with, and the best of its runs. */
typedef struct worker {
    seg_lloyd lloyd;
    int32_t *label;
    double *centre;
    seg_kmeans_result result;
    int run; /* -1 before the first */
} worker;

static void run_once(seg_lloyd *lloyd, seg_random *random, int limit, seg_kmeans_result *result) {
    *result = (seg_kmeans_result){0};
    seg_kmeans_seed(lloyd, random);
    seg_lloyd_begin(lloyd);
    while (result->iterations < limit && !result->converged) {
        result->iterations++;
        size_t changed;
        seg_lloyd_assign_all(&lloyd, 1, &changed);
        result->converged = changed == 0;
        if (!result->converged)
            seg_lloyd_update(lloyd);
    }
    result->objective = (lloyd->cosine ? 0.5 : 1) * seg_lloyd_objective(lloyd);
}

/* Less objective, or the same from an earlier run. */
static int is_better(const seg_kmeans_result *a, int run_a, const seg_kmeans_result *b, int run_b) {
    return run_b < 0 || a->objective < b->objective || (a->objective == b->objective && run_a < run_b);
}

static void keep_better(worker *w, int run, const seg_kmeans_result *now) {
    if (!is_better(now, run, &w->result, w->run))
        return;
    w->result = *now;
    w->run = run;
    memcpy(w->label, w->lloyd.label, w->lloyd.n * sizeof *w->label);
    memcpy(w->centre, w->lloyd.centre, w->lloyd.k * w->lloyd.d * sizeof *w->centre);
}

static seg_status create_workers(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options, int count,
                                 int together, worker *workers) {
    seg_status status = SEG_OK;
    for (int w = 0; status == SEG_OK && w < count; w++) {
        workers[w].run = -1;
        status = seg_lloyd_create(ctx, X, options, w ? &workers[0].lloyd : NULL, &workers[w].lloyd);
        if (status != SEG_OK)
            break;
        if (count > 1 && !together)
            workers[w].lloyd.threads = 1;
        workers[w].label = seg_alloc(ctx, X->rows, sizeof(int32_t));
        workers[w].centre = seg_alloc(ctx, (size_t)options->k * X->cols, sizeof(double));
        if (!workers[w].label || !workers[w].centre)
            status = SEG_ERR_MEMORY;
    }
    return status;
}

/* Runs that are made before the callback is asked again. */
typedef struct batch {
    worker *workers;
    const seg_kmeans_options *options;
    uint64_t seed;
    int first;
} batch;

static void make_runs(void *arg, size_t begin, size_t end, int number) {
    const batch *b = arg;
    worker *w = &b->workers[number];
    for (size_t at = begin; at < end; at++) {
        const int run = b->first + (int)at;
        seg_random random;
        seg_kmeans_result now;
        seg_random_seed(&random, b->seed, b->options->stream + ((uint64_t)run << 32));
        run_once(&w->lloyd, &random, b->options->iterations, &now);
        keep_better(w, run, &now);
    }
}

/* Whole runs side by side, which need not wait for each other; a single run splits its rows. */
static seg_status run_apart(seg_context *ctx, const seg_kmeans_options *options, worker *workers, int count) {
    seg_status status = SEG_OK;
    for (int first = 0; first < options->restarts && status == SEG_OK; first += BATCH) {
        const int end = options->restarts - first < BATCH ? options->restarts : first + BATCH;
        seg_parallel_on(ctx, count, (size_t)(end - first), 1, make_runs,
                        &(batch){workers, options, ctx ? ctx->seed : 1, first});
        status = seg_poll(ctx);
    }
    return status;
}

/* Runs first .. first + count - 1 step by step through the same rows, each to its own end. */
static seg_status go_together(seg_context *ctx, const seg_kmeans_options *options, worker *workers, int first,
                              int count) {
    seg_lloyd *active[SEG_LLOYD_MOST] = {0};
    seg_random random[SEG_LLOYD_MOST];
    size_t changed[SEG_LLOYD_MOST];
    seg_kmeans_result now[SEG_LLOYD_MOST] = {0};
    int of[SEG_LLOYD_MOST], left = count;
    seg_status status = SEG_OK;
    for (int r = 0; r < count; r++) {
        active[r] = &workers[r].lloyd;
        of[r] = r;
        seg_random_seed(&random[r], ctx ? ctx->seed : 1, options->stream + ((uint64_t)(first + r) << 32));
    }
    seg_kmeans_seed_all(active, (size_t)count, random);
    for (int r = 0; r < count; r++)
        seg_lloyd_begin(active[r]);
    while (left > 0 && (status = seg_poll(ctx)) == SEG_OK) {
        int kept = 0;
        seg_lloyd_assign_all(active, (size_t)left, changed);
        for (int a = 0; a < left; a++) {
            seg_kmeans_result *result = &now[of[a]];
            result->iterations++;
            result->converged = changed[a] == 0;
            if (!result->converged)
                seg_lloyd_update(active[a]);
            if (!result->converged && result->iterations < options->iterations) {
                active[kept] = active[a];
                of[kept++] = of[a];
            }
        }
        left = kept;
    }
    for (int r = 0; r < count && status == SEG_OK; r++) {
        now[r].objective = (options->cosine ? 0.5 : 1) * seg_lloyd_objective(&workers[r].lloyd);
        keep_better(&workers[r], first + r, &now[r]);
    }
    return status;
}

static seg_status run_together(seg_context *ctx, const seg_kmeans_options *options, worker *workers, int count) {
    seg_status status = SEG_OK;
    for (int first = 0; first < options->restarts && status == SEG_OK; first += count)
        status = go_together(ctx, options, workers, first,
                             options->restarts - first < count ? options->restarts - first : count);
    return status;
}

/* How many runs go through the rows together: as many as take no more memory than half of the rows as doubles, at least
 * one for each thread; and under a limit than half of what is left of it, at least one. */
static int count_together(const seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options, int threads) {
    const size_t n = X->rows, cells = (size_t)options->k * X->cols;
    const size_t run = seg_lloyd_bytes(n, X->cols, (size_t)options->k) + n * sizeof(int32_t) + cells * sizeof(double);
    size_t most = n * X->cols * sizeof(double) / 2 / run;
    most = seg_larger(most, (size_t)threads);
    if (ctx && ctx->max_memory) {
        const size_t held = seg_memory_held(), left = held < ctx->max_memory ? ctx->max_memory - held : 0;
        most = left / 2 / run < most ? seg_larger(left / 2 / run, 1) : most;
    }
    most = most < SEG_LLOYD_MOST ? most : SEG_LLOYD_MOST;
    return (size_t)options->restarts < most ? options->restarts : (int)most;
}

/* How many runs are at work at a time, and whether on the rows together. */
static int count_workers(const seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options,
                         int *together) {
    const size_t cells = X->rows * X->cols;
    int count = options->restarts < seg_threads(ctx) ? options->restarts : seg_threads(ctx);
    *together = cells * sizeof(double) >= LARGE;
    if (*together)
        return count_together(ctx, X, options, count);
    if (count > MOST_WORKERS)
        count = MOST_WORKERS;
    return cells < SMALL_WORK / (size_t)options->k ? 1 : count;
}

seg_status seg_kmeans(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options, int32_t *label,
                      double *centre, seg_kmeans_result *result) {
    memset(result, 0, sizeof *result);
    seg_status status = check(ctx, X, options);
    if (status != SEG_OK)
        return status;
    size_t n = X->rows, cells = (size_t)options->k * X->cols;
    int together;
    const int count = count_workers(ctx, X, options, &together);
    worker *workers = seg_alloc_zero(ctx, (size_t)count, sizeof *workers);
    if (!workers)
        return SEG_ERR_MEMORY;
    status = create_workers(ctx, X, options, count, together, workers);
    if (status == SEG_OK)
        status = together ? run_together(ctx, options, workers, count) : run_apart(ctx, options, workers, count);
    if (status != SEG_OK)
        goto done;
    worker *best = workers;
    for (int w = 1; w < count; w++)
        if (workers[w].run >= 0 && is_better(&workers[w].result, workers[w].run, &best->result, best->run))
            best = &workers[w];
    *result = best->result;
    memcpy(label, best->label, n * sizeof *label);
    memcpy(centre, best->centre, cells * sizeof *centre);
done:
    if (status != SEG_OK) {
        memset(label, 0, n * sizeof *label);
        memset(centre, 0, cells * sizeof *centre);
    }
    for (int w = 0; w < count; w++) {
        seg_lloyd_free(&workers[w].lloyd);
        free(workers[w].label);
        free(workers[w].centre);
    }
    free(workers);
    return status;
}
