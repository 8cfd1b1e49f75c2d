#include "clustering/pckmeans.h"

#include "base/base.h"
#include "base/parallel.h"
#include "clustering/pckmeans_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 64 };
static const double LITTLE_WORK = 2e5; /* of all runs; below it waking threads costs more than it saves */

static seg_status check(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                        const seg_pckmeans_options *options) {
    const size_t n = X->rows;
    if (options->k < 1 || (size_t)options->k > n || options->k > INT16_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "k-means of %zu rows into %d clusters: k must be 1 to %zu", n, options->k,
                        n < INT16_MAX ? n : (size_t)INT16_MAX);
    if (options->restarts < 1 || options->iterations < 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "k-means needs at least one run and one iteration (%d, %d given)",
                        options->restarts, options->iterations);
    if (!(options->w >= 0) || !(options->w <= SEG_PCKMEANS_LARGEST))
        return seg_fail(ctx, SEG_ERR_USAGE, "the weight of constraints is %g; it must be 0 to %g", options->w,
                        SEG_PCKMEANS_LARGEST);
    if (constraints->n != n)
        return seg_fail(ctx, SEG_ERR_USAGE, "constraints among %zu samples for %zu rows", constraints->n, n);
    if (constraints->groups > options->k)
        return seg_fail(ctx, SEG_ERR_USAGE, "k-means with %d groups needs k >= %d, not %d", constraints->groups,
                        constraints->groups, options->k);
    const size_t e = seg_rows_first_beyond(X, SEG_PCKMEANS_LARGEST);
    if (e < n * X->cols)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "row %zu of k-means holds a number that is not finite or beyond %g; check the features",
                        e / X->cols, SEG_PCKMEANS_LARGEST);
    return SEG_OK;
}

static seg_status run_once(seg_pck *pck, seg_random *random, int limit, seg_pckmeans_result *result) {
    seg_status status;
    size_t changed = 1;
    *result = (seg_pckmeans_result){0};
    if ((status = seg_pck_begin(pck, random)) != SEG_OK)
        return status;
    while (result->iterations < limit && changed) {
        result->iterations++;
        if ((status = seg_pck_assign(pck, &changed)) != SEG_OK || (status = seg_poll(pck->ctx)) != SEG_OK)
            return status;
        if (changed)
            seg_pck_update(pck);
    }
    result->converged = !changed;
    result->objective = seg_pck_objective(pck, &result->broken);
    return SEG_OK;
}

/* Nothing is drawn: every cluster has its group, and no order matters. */
static int runs_are_alike(const seg_pck *pck) {
    for (int32_t g = 0; g < pck->f->groups; g++)
        if (seg_neighbourhood_size(pck->f, g) == 0)
            return 0;
    return !pck->follow && pck->f->groups == pck->options->k;
}

/* What one thread works with, and the best of its runs. */
typedef struct worker {
    seg_context ctx; /* its own: two threads must not leave their sentences in one */
    seg_pck pck;
    int32_t *label;
    double *centre;
    seg_pckmeans_result result;
    int run; /* -1 before the first */
    seg_status status;
    int failed; /* the run that ended with it */
} worker;

static seg_status create_workers(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                                 const seg_neighbourhoods *f, const seg_pckmeans_options *options, int count,
                                 worker *workers) {
    seg_status status = SEG_OK;
    for (int i = 0; i < count && status == SEG_OK; i++) {
        worker *w = &workers[i];
        w->run = -1;
        if (ctx)
            w->ctx = *ctx;
        else
            seg_context_init(&w->ctx);
        w->ctx.progress = NULL; /* not from inside a parallel region */
        w->ctx.log = NULL;
        w->ctx.threads = 1; /* no workers below a worker */
        w->label = seg_alloc(ctx, X->rows, sizeof *w->label);
        w->centre = seg_alloc(ctx, (size_t)options->k, X->cols * sizeof *w->centre);
        status = w->label && w->centre ? seg_pck_create(count > 1 ? &w->ctx : ctx, X, constraints, f, options, &w->pck)
                                       : SEG_ERR_MEMORY;
    }
    return status;
}

static void free_workers(worker *workers, int count) {
    for (int i = 0; i < count; i++) {
        seg_pck_free(&workers[i].pck);
        free(workers[i].label);
        free(workers[i].centre);
    }
    free(workers);
}

/* Runs that are made before the callback is asked again. */
typedef struct batch {
    worker *workers;
    int first;
} batch;

static void work(worker *w, int run) {
    const seg_pckmeans_options *options = w->pck.options;
    seg_random random;
    seg_pckmeans_result now;
    if (w->status != SEG_OK)
        return;
    seg_random_seed(&random, w->ctx.seed, options->stream + ((uint64_t)run << 32));
    if ((w->status = run_once(&w->pck, &random, options->iterations, &now)) != SEG_OK) {
        w->failed = run;
        return;
    }
    if (w->run >= 0 && !(now.objective < w->result.objective || (now.objective == w->result.objective && run < w->run)))
        return;
    w->result = now;
    w->run = run;
    memcpy(w->label, w->pck.lloyd.label, w->pck.lloyd.n * sizeof *w->label);
    memcpy(w->centre, w->pck.lloyd.centre, w->pck.lloyd.k * w->pck.lloyd.d * sizeof *w->centre);
}

static void work_runs(void *arg, size_t first, size_t last, int worker_number) {
    const batch *b = arg;
    for (size_t run = first; run < last; run++)
        work(&b->workers[worker_number], b->first + (int)run);
}

/* The first run that failed, whoever made it. */
static seg_status first_failure(seg_context *ctx, const worker *workers, int count) {
    const worker *first = NULL;
    for (int i = 0; i < count; i++)
        if (workers[i].status != SEG_OK && (!first || workers[i].failed < first->failed))
            first = &workers[i];
    if (!first)
        return SEG_OK;
    if (ctx && count > 1)
        memcpy(ctx->message, first->ctx.message, sizeof ctx->message);
    return first->status;
}

seg_status seg_pckmeans(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                        const seg_pckmeans_options *options, int32_t *label, double *centre,
                        seg_pckmeans_result *result) {
    seg_neighbourhoods neighbourhoods = {0};
    worker *workers = NULL;
    memset(result, 0, sizeof *result);
    seg_status status = check(ctx, X, constraints, options);
    if (status != SEG_OK)
        return status;
    const size_t n = X->rows, cells = (size_t)options->k * X->cols;
    const double size = (double)n * (double)cells;
    int count = options->restarts < seg_threads(ctx) ? options->restarts : seg_threads(ctx);
    if (size >= SEG_PCK_SMALL_WORK || size * options->restarts < LITTLE_WORK)
        count = 1;
    if (count > MOST_WORKERS)
        count = MOST_WORKERS;
    workers = seg_alloc_zero(ctx, (size_t)count, sizeof *workers);
    if (!workers)
        return SEG_ERR_MEMORY;
    if ((status = seg_neighbourhoods_create(ctx, constraints, &neighbourhoods)) != SEG_OK ||
        (status = create_workers(ctx, X, constraints, &neighbourhoods, options, count, workers)) != SEG_OK)
        goto done;
    const int restarts = runs_are_alike(&workers->pck) ? 1 : options->restarts;
    for (int first = 0; first < restarts && status == SEG_OK; first += 2 * count) {
        const int end = restarts - first < 2 * count ? restarts : first + 2 * count;
        seg_parallel_on(ctx, count, (size_t)(end - first), 1, work_runs, &(batch){workers, first});
        if ((status = first_failure(ctx, workers, count)) == SEG_OK)
            status = seg_poll(ctx);
    }
    if (status != SEG_OK)
        goto done;
    worker *best = NULL;
    for (int i = 0; i < count; i++) {
        worker *w = &workers[i];
        if (w->run >= 0 && (!best || w->result.objective < best->result.objective ||
                            (w->result.objective == best->result.objective && w->run < best->run)))
            best = w;
    }
    *result = best->result;
    memcpy(label, best->label, n * sizeof *label);
    memcpy(centre, best->centre, cells * sizeof *centre);
done:
    if (status != SEG_OK) {
        memset(label, 0, n * sizeof *label);
        memset(centre, 0, cells * sizeof *centre);
    }
    free_workers(workers, count);
    seg_neighbourhoods_free(&neighbourhoods);
    return status;
}
