/* Start centres of k-means. */

#include "base/base.h"
#include "clustering/pckmeans_step.h"

/* Normalise the group means to length one; a group whose mean is zero starts at its first row. */
static void bring_to_sphere(seg_lloyd *lloyd) {
    const size_t d = lloyd->d;
    for (size_t c = 0; c < lloyd->k; c++) {
        if (lloyd->size[c] == 0 || seg_sphere_centre(d, lloyd->centre + c * d))
            continue;
        size_t i = 0;
        while (lloyd->group[i] != (int16_t)c)
            i++;
        memcpy(lloyd->centre + c * d, seg_lloyd_row(lloyd, i), d * sizeof *lloyd->centre);
    }
}

/* Set the centre of each cluster that has a group to the mean of the group's rows, and its size to their number.
 * @return how many clusters were set */
static int group_means(seg_lloyd *lloyd) {
    size_t d = lloyd->d;
    int done = 0;
    memset(lloyd->centre, 0, lloyd->k * d * sizeof *lloyd->centre);
    memset(lloyd->size, 0, lloyd->k * sizeof *lloyd->size);
    for (size_t i = 0; lloyd->group && i < lloyd->n; i++)
        if (lloyd->group[i] >= 0) {
            double *centre = lloyd->centre + (size_t)lloyd->group[i] * d;
            const double *x = seg_lloyd_row(lloyd, i);
            lloyd->size[lloyd->group[i]]++;
            for (size_t t = 0; t < d; t++)
                centre[t] += x[t];
        }
    for (size_t c = 0; c < lloyd->k; c++) {
        done += lloyd->size[c] > 0;
        for (size_t t = 0; lloyd->size[c] > 0 && t < d; t++)
            lloyd->centre[c * d + t] /= (double)lloyd->size[c];
    }
    if (lloyd->cosine)
        bring_to_sphere(lloyd);
    return done;
}

/* New centres, one per run. */
typedef struct approaching {
    seg_lloyd *const *run;
    const double *turned; /* the new centres of all runs, by columns */
    size_t count, padded;
} approaching;

static void approach_rows(void *arg, size_t first, size_t last, int worker) {
    const approaching *a = arg;
    const seg_lloyd *any = a->run[0];
    double *room = seg_rows_own_room(&any->x, any->room, worker);
    const double *x = NULL;
    for (size_t i = first; i < last; i++, x += any->d) {
        double distance[SEG_LLOYD_ABREAST];
        if ((i - first) % SEG_LEAST_TILE == 0)
            x = seg_rows_at(&any->x, i, last - i < SEG_LEAST_TILE ? last - i : SEG_LEAST_TILE, room);
        seg_lloyd_distances(any->d, a->padded, x, a->turned, 0, distance);
        for (size_t r = 0; r < a->count; r++)
            if (distance[r] < a->run[r]->upper[i])
                a->run[r]->upper[i] = distance[r];
    }
}

/* upper[i] = min(upper[i], squared distance of row i to centre `at`) in each run, for several runs at once. `turned` is
 * not in use yet, and has room for `padded` centres. */
static void approach(seg_lloyd *const *run, size_t count, size_t at) {
    const size_t d = run[0]->d;
    for (size_t first = 0, chunk; first < count; first += chunk) {
        double *turned = run[first]->turned;
        chunk = count - first < run[0]->padded ? count - first : run[0]->padded;
        chunk = chunk < SEG_LLOYD_ABREAST ? chunk : SEG_LLOYD_ABREAST;
        const size_t padded = (chunk + 3) / 4 * 4;
        for (size_t t = 0; t < d; t++)
            for (size_t r = 0; r < padded; r++)
                turned[t * padded + r] = run[first + (r < chunk ? r : 0)]->centre[at * d + t];
        seg_parallel_on(run[0]->ctx, run[0]->threads, run[0]->n, 0, approach_rows,
                        &(approaching){run + first, turned, chunk, padded});
    }
}

/* Draw a candidate row in proportion to `nearest`; uniformly if not `weighted`, or if the sum is zero or not finite. */
static size_t draw_row(seg_random *random, size_t candidates, const int32_t *row, const double *nearest, int weighted) {
    double total = 0, sum = 0;
    for (size_t c = 0; weighted && c < candidates; c++)
        total += nearest[row[c]];
    if (!(total > 0) || isinf(total))
        return (size_t)row[seg_random_below(random, candidates)];
    double aim = seg_random_uniform(random) * total;
    size_t last = 0;
    for (size_t c = 0; c < candidates; c++)
        if (nearest[row[c]] > 0) {
            sum += nearest[row[c]];
            last = (size_t)row[c];
            if (aim < sum)
                break;
        }
    return last;
}

/* List the rows that centres are drawn from: the free rows, or all rows if none is free. @return their number */
static size_t list_candidates(seg_lloyd *lloyd) {
    size_t candidates = 0, n = lloyd->n;
    int32_t *row = lloyd->label; /* labels and bounds are not in use yet */
    for (size_t i = 0; i < n; i++) {
        lloyd->upper[i] = INFINITY;
        if (!lloyd->group || lloyd->group[i] < 0)
            row[candidates++] = (int32_t)i;
    }
    for (size_t i = 0; candidates == 0 && i < n; i++)
        row[i] = (int32_t)i;
    return candidates ? candidates : n;
}

/* The same for several runs on the same rows, each with its own random numbers. */
static void seed_all(seg_lloyd *const *run, size_t count, seg_random *random) {
    size_t d = run[0]->d, k = run[0]->k, candidates = 0;
    int centres = 0;
    for (size_t r = 0; r < count; r++) {
        candidates = list_candidates(run[r]);
        centres = group_means(run[r]);
    }
    for (size_t c = 0; c < k; c++)
        if (run[0]->size[c] > 0)
            approach(run, count, c);
    for (size_t c = 0; c < k; c++) {
        if (run[0]->size[c] > 0)
            continue;
        for (size_t r = 0; r < count; r++) {
            seg_lloyd *one = run[r];
            const size_t drawn = draw_row(&random[r], candidates, one->label, one->upper, centres > 0);
            memcpy(one->centre + c * d, seg_lloyd_row(one, drawn), d * sizeof(double));
        }
        centres++;
        approach(run, count, c);
    }
}

void seg_kmeans_seed(seg_lloyd *lloyd, seg_random *random) {
    seed_all(&lloyd, 1, random);
}

/* ---- Rows of length one, for spherical k-means [dhillon2001concept]. ---- */

/* The largest number is first scaled to about one, so that squares neither overflow nor underflow. */
int seg_sphere_centre(size_t d, double *centre) {
    double largest = 0, square = 0;
    int exponent;
    for (size_t t = 0; t < d; t++)
        largest = fmax(largest, fabs(centre[t]));
    if (!(largest > 0))
        return 0;
    frexp(largest, &exponent);
    for (size_t t = 0; t < d; t++) {
        centre[t] = ldexp(centre[t], -exponent);
        square += centre[t] * centre[t];
    }
    const double norm = sqrt(square);
    for (size_t t = 0; t < d; t++)
        centre[t] /= norm;
    return 1;
}

seg_status seg_sphere_create(seg_context *ctx, const seg_matrix *X, seg_matrix *out) {
    *out = (seg_matrix){0};
    SEG_LOCAL(double, room, seg_rows_room(ctx, X, 1));
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols, out));
    for (size_t i = 0; i < X->rows; i++) {
        const double *row = seg_rows_at(X, i, 1, room);
        for (size_t t = 0; t < X->cols; t++)
            if (!isfinite(row[t]))
                return seg_fail(ctx, SEG_ERR_USAGE, "row %zu holds a number that is not finite; check the features",
                                i + 1);
        memcpy(out->at + i * X->cols, row, X->cols * sizeof *row);
        if (!seg_sphere_centre(X->cols, out->at + i * X->cols))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "row %zu is all zeros and has no direction, which the cosine compares; leave the row out, "
                            "or use distance=euclidean",
                            i + 1);
    }
    return SEG_OK;
}

/* Runs of k-means, with pairwise constraints or without, from different random starts; the best one is kept. */

enum {
    MOST_WORKERS = 64,
    LARGE = 1 << 20, /* bytes of rows; more do not fit the cache, and all runs pass over them together */
};
static const double LITTLE_WORK = 2e5; /* n d k restarts; below it waking threads costs more than it saves */

static seg_status check(seg_context *ctx, const seg_matrix *X) {
    const size_t e = seg_rows_first_beyond(X, SEG_KMEANS_LARGEST);
    if (e < X->rows * X->cols)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "row %zu of k-means holds a number that is not finite or beyond %g; check the features",
                        e / X->cols, SEG_KMEANS_LARGEST);
    return SEG_OK;
}

/* State of one thread, and the best of its runs. */
typedef struct worker {
    seg_context ctx; /* its own: two threads must not write messages to the same context */
    seg_pck pck;
    int32_t *label;
    double *centre;
    seg_kmeans_result result;
    int run; /* -1 before the first */
    seg_status status;
    int failed; /* the run that failed with `status`, or the last one that came to a dead end */
} worker;

/* Whether run a has a smaller objective than the best of w, or the same and an earlier index. */
static int is_better(const seg_kmeans_result *a, int run_a, const worker *w) {
    return w->run < 0 || a->objective < w->result.objective || (a->objective == w->result.objective && run_a < w->run);
}

static void keep_better(worker *w, int run, const seg_kmeans_result *now) {
    const seg_lloyd *lloyd = &w->pck.lloyd;
    if (!is_better(now, run, w))
        return;
    w->result = *now;
    w->run = run;
    memcpy(w->label, lloyd->label, lloyd->n * sizeof *w->label);
    memcpy(w->centre, lloyd->centre, lloyd->k * lloyd->d * sizeof *w->centre);
}

/* All workers. */
typedef struct crew {
    int count;
    worker *worker;
} crew;

static void crew_free(crew *c) {
    for (int w = 0; c->worker && w < c->count; w++) {
        seg_pck_free(&c->worker[w].pck);
        free(c->worker[w].label);
    }
    free(c->worker);
}

static seg_status crew_create(seg_context *ctx, const seg_pck_problem *problem, crew *out) {
    const size_t cells = (size_t)problem->plain.k * problem->X->cols;
    out->worker = seg_alloc_zero(ctx, (size_t)out->count, sizeof *out->worker);
    for (int i = 0; out->worker && i < out->count; i++) {
        worker *w = &out->worker[i];
        w->run = -1;
        w->ctx = ctx ? *ctx : seg_context_default();
        w->ctx.progress = NULL; /* not from inside a parallel region */
        w->ctx.log = NULL;
        w->ctx.threads = 1; /* no nested workers */
        SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(w->label, problem->X->rows), SEG_ARRAY(w->centre, cells)));
        SEG_TRY(seg_pck_create(out->count > 1 && !problem->together ? &w->ctx : ctx, problem,
                               i ? &out->worker[0].pck.lloyd : NULL, &w->pck));
    }
    return out->worker ? SEG_OK : SEG_ERR_MEMORY;
}

/* Runs between two cancellation checks. */
typedef struct batch {
    const seg_pck_problem *problem;
    worker *workers;
    int first;
} batch;

static seg_status run_once(seg_pck *pck, seg_random *random, int limit, seg_kmeans_result *result) {
    size_t changed = 1;
    *result = (seg_kmeans_result){0};
    SEG_TRY(seg_pck_begin(pck, random));
    while (result->iterations < limit && changed) {
        result->iterations++;
        SEG_TRY(seg_pck_assign(pck, &changed));
        SEG_TRY(seg_poll(pck->ctx));
        if (changed)
            seg_lloyd_update(&pck->lloyd);
    }
    result->converged = !changed;
    result->objective = seg_pck_objective(pck, &result->broken);
    return SEG_OK;
}

static void make_runs(void *arg, size_t begin, size_t end, int number) {
    const batch *b = arg;
    const seg_kmeans_options *options = &b->problem->plain;
    worker *w = &b->workers[number];
    for (size_t at = begin; at < end && !w->status; at++) {
        const int run = b->first + (int)at;
        seg_kmeans_result now;
        seg_random random = seg_random_seeded(w->ctx.seed, options->stream + ((uint64_t)run << 32));
        const seg_status status = run_once(&w->pck, &random, options->iterations, &now);
        if (status == SEG_OK)
            keep_better(w, run, &now);
        else
            w->failed = run;
        w->status = status == SEG_ERR_USAGE ? SEG_OK : status; /* a dead end: the other runs go on */
    }
}

/* The first run that failed. */
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

/* Whether all runs give the same result: every cluster has a group, so nothing is drawn, and no order matters. */
static int runs_are_alike(const seg_pck *pck) {
    for (int32_t g = 0; pck->f && g < pck->f->groups; g++)
        if (seg_neighbourhood_size(pck->f, g) == 0)
            return 0;
    return pck->f && !pck->follow && (size_t)pck->f->groups == pck->lloyd.k;
}

/* Run whole runs in parallel, which need not wait for each other; a single run splits its rows among threads. */
static seg_status run_apart(seg_context *ctx, const seg_pck_problem *problem, worker *workers, int count) {
    const int restarts = runs_are_alike(&workers->pck) ? 1 : problem->plain.restarts;
    for (int first = 0; first < restarts; first += 2 * count) {
        const int end = restarts - first < 2 * count ? restarts : first + 2 * count;
        seg_parallel_on(ctx, count, (size_t)(end - first), 1, make_runs, &(batch){problem, workers, first});
        SEG_TRY(first_failure(ctx, workers, count));
        SEG_TRY(seg_poll(ctx));
    }
    return SEG_OK;
}

/* Do runs first .. first + count - 1 in lockstep over the same rows, each until it converges. */
static seg_status go_together(seg_context *ctx, const seg_kmeans_options *options, worker *workers, int first,
                              int count) {
    seg_lloyd *active[SEG_LLOYD_MOST] = {0};
    seg_random random[SEG_LLOYD_MOST];
    size_t changed[SEG_LLOYD_MOST];
    seg_kmeans_result now[SEG_LLOYD_MOST] = {0};
    int of[SEG_LLOYD_MOST], left = count;
    for (int r = 0; r < count; r++) {
        active[r] = &workers[r].pck.lloyd;
        of[r] = r;
        random[r] = seg_random_seeded(ctx ? ctx->seed : 1, options->stream + ((uint64_t)(first + r) << 32));
    }
    seed_all(active, (size_t)count, random);
    for (int r = 0; r < count; r++)
        seg_lloyd_begin(active[r]);
    while (left > 0) {
        int kept = 0;
        SEG_TRY(seg_poll(ctx));
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
    for (int r = 0; r < count; r++) {
        now[r].objective = (options->cosine ? 0.5 : 1) * seg_lloyd_objective(&workers[r].pck.lloyd);
        keep_better(&workers[r], first + r, &now[r]);
    }
    return SEG_OK;
}

/* How many runs pass over the rows together: their memory is at most half that of the rows as doubles, but there is at
 * least one run per thread. Under a memory limit they take at most half of what is left, but there is at least one. */
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

/* How many runs are done at a time. */
static int count_workers(const seg_context *ctx, const seg_pck_problem *problem) {
    const seg_kmeans_options *options = &problem->plain;
    const double size = (double)problem->X->rows * (double)problem->X->cols * options->k;
    const int count = options->restarts < seg_threads(ctx) ? options->restarts : seg_threads(ctx);
    if (problem->together)
        return count_together(ctx, problem->X, options, count);
    if ((problem->soft && size >= SEG_PCK_SMALL_WORK) || size * options->restarts < LITTLE_WORK)
        return 1;
    return count < MOST_WORKERS ? count : MOST_WORKERS;
}

static seg_status solve(seg_context *ctx, const seg_pck_problem *problem, seg_clusters to, seg_kmeans_result *result) {
    SEG_RELEASED(crew_free) crew all = {.count = count_workers(ctx, problem)};
    SEG_TRY(crew_create(ctx, problem, &all));
    const int runs = problem->plain.restarts;
    for (int first = 0; problem->together && first < runs; first += all.count)
        SEG_TRY(
            go_together(ctx, &problem->plain, all.worker, first, runs - first < all.count ? runs - first : all.count));
    if (!problem->together)
        SEG_TRY(run_apart(ctx, problem, all.worker, all.count));
    const worker *best = all.worker;
    for (const worker *w = best + 1; w < all.worker + all.count; w++)
        if ((w->run >= 0 && is_better(&w->result, w->run, best)) || (best->run < 0 && w->failed > best->failed))
            best = w;
    if (best->run < 0)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "COP-KMeans as printed fails: sample %zu finds no cluster left; try another seed or more "
                        "restarts, or let it search for an assignment (search=full, the variant improved)",
                        best->pck.dead_end);
    *result = best->result;
    memcpy(to.label, best->label, problem->X->rows * sizeof *to.label);
    memcpy(to.centre, best->centre, (size_t)problem->plain.k * problem->X->cols * sizeof *to.centre);
    return SEG_OK;
}

seg_status seg_kmeans(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options, int32_t *label,
                      double *centre, seg_kmeans_result *result) {
    const seg_pck_problem problem = {
        .X = X, .plain = *options, .together = X->rows * X->cols * sizeof(double) >= LARGE};
    memset(result, 0, sizeof *result);
    SEG_TRY(check(ctx, X));
    return solve(ctx, &problem, (seg_clusters){label, centre}, result);
}

seg_status seg_pckmeans(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                        const seg_pckmeans_options *options, seg_clusters to, seg_kmeans_result *result) {
    SEG_RELEASED(seg_neighbourhoods_free) seg_neighbourhoods near = {0};
    const seg_pck_problem problem = {.X = X,
                                     .plain = {.k = options->k,
                                               .restarts = options->restarts,
                                               .iterations = options->iterations,
                                               .stream = options->stream,
                                               .cosine = options->cosine},
                                     .constraints = constraints,
                                     .f = &near,
                                     .soft = options};
    memset(result, 0, sizeof *result);
    SEG_TRY(check(ctx, X));
    SEG_TRY(seg_neighbourhoods_create(ctx, constraints, &near));
    return solve(ctx, &problem, to, result);
}
