/* The numerical parts one by one, on generated problems of an image's size. */
#include "base/base.h"
#include "bench.h"
#include "scene.h"
#include "subkernel.h"

#include "clustering/kmeans.h"
#include "features/columns.h"
#include "graph/harmonic.h"
#include "graph/neighbours/nearest.h"
#include "graph/spectrum/spectrum.h"
#include "kernels/spectral_programs.h"
#include "linalg/dense.h"
#include "optim/psd_quadratic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a solver works on; everything it computes goes to `out`, so that nothing is left out as unused. */
typedef struct work {
    seg_context *ctx;
    const scene *scene;
    double *A, *b; /* CCSKL's program */
    bench_subkernel sub;
    double *out;     /* room for n x 64 numbers */
    int32_t *number; /* n x 64 */
    uint8_t *fixed;
    double objective; /* where the solver has one; else NAN */
    int steps;        /* likewise; else 0 */
} work;

static seg_status texture(work *w) {
    return seg_texture_columns(w->ctx, &w->scene->photo, &w->scene->grid, 1, w->out, 16);
}

static seg_status neighbours(work *w) {
    return seg_nearest_search(w->ctx, &w->scene->features, 20, SEG_SEARCH_EXACT, w->number, w->out);
}

static seg_status spectrum(work *w) {
    SCOPED(seg_spectrum) result = {0};
    seg_status status = seg_spectrum_compute(w->ctx, &w->scene->affinity, SCENE_VECTORS, &result);
    w->steps = result.iterations;
    return status;
}

static seg_status group_sums(work *w) {
    return seg_ccskl_quadratic(w->ctx, &(seg_spectral_problem){&w->scene->smooth, &w->scene->scribbles, 1}, w->A, w->b);
}

static seg_status program(work *w) {
    seg_status status = seg_monotone_qp(w->ctx, SCENE_VECTORS, w->A, w->b, w->out, &w->steps);
    w->objective = 0;
    for (int i = 0; i < SCENE_VECTORS; i++)
        for (int j = 0; j < SCENE_VECTORS; j++)
            w->objective += w->out[i] * (0.5 * w->A[i * SCENE_VECTORS + j] * w->out[j] + (i == j ? w->b[i] : 0));
    return status;
}

static seg_status kmeans(work *w) {
    const seg_kmeans_options options = {.k = SCENE_REGIONS, .restarts = 5, .iterations = 100, .stream = 1};
    seg_kmeans_result result = {0};
    seg_status status = seg_kmeans(w->ctx, &w->scene->features, &options, w->number, w->out, &result);
    w->objective = result.objective;
    w->steps = result.iterations;
    return status;
}

static seg_status harmonic(work *w) {
    const size_t n = w->scene->features.rows;
    seg_matrix F = {n, BENCH_RANK, w->out};
    for (size_t i = 0; i < n * BENCH_RANK; i++)
        F.at[i] = w->fixed[i / BENCH_RANK] && w->scene->scribbles.group[i / BENCH_RANK] == (int16_t)(i % BENCH_RANK);
    return seg_harmonic_directly(w->ctx, &w->scene->affinity, w->fixed, &F);
}

static seg_status descent(work *w) {
    return bench_subkernel_descend(w->ctx, &w->sub, &w->objective, &w->steps);
}

static seg_status printed(work *w) {
    return bench_subkernel_project(w->ctx, &w->sub, &w->objective, &w->steps);
}

/* One row of the table: a warm-up, then the runs. 0, or 1 after a message. */
static int row(work *w, int runs, const char *name, size_t size, seg_status (*solve)(work *)) {
    double *seconds = bench_alloc((size_t)runs, sizeof *seconds), median;
    seg_status status = SEG_OK;
    w->objective = NAN;
    w->steps = 0;
    for (int run = -1; run < runs && !status; run++) {
        const double started = seg_now();
        status = solve(w);
        if (run >= 0)
            seconds[run] = seg_now() - started;
    }
    if (!status) {
        median = bench_median(seconds, (size_t)runs); /* sorts */
        printf("%-34s %7zu %10.3f %10.3f", name, size, 1e3 * seconds[0], 1e3 * median);
        if (w->steps)
            printf(" %7d", w->steps);
        else
            printf(" %7s", "-");
        if (!isnan(w->objective))
            printf(" %14.8g\n", w->objective);
        else
            printf(" %14s\n", "-");
        fflush(stdout);
    }
    free(seconds);
    return status ? bench_fail("%s, %zu: %s", name, size, w->ctx->message) : 0;
}

/* ENPAKL's two solvers over the marked patches. */
static int subkernel_rows(work *w, int runs) {
    w->sub = (bench_subkernel){.lambda = 0.1, .guard = 0.05, .sigma_scale = 0.15};
    const int code = bench_subkernel_make(w->ctx, &w->scene->features, &w->scene->scribbles, w->fixed, &w->sub) ||
                     row(w, runs, "ENPAKL descent on the sphere", w->sub.links.m, descent) ||
                     row(w, runs < 3 ? runs : 3, "ENPAKL Algorithm 2 as printed", w->sub.links.m, printed);
    bench_subkernel_free(&w->sub);
    return code;
}

static int scene_rows(seg_context *ctx, int runs, int width, int height, int marked, int with_small_parts) {
    SCOPED(scene) s;
    if (scene_make(ctx, width, height, marked, &s) != SEG_OK)
        return bench_fail("%s", ctx->message);
    const size_t n = s.features.rows;
    work w = {.ctx = ctx, .scene = &s};
    w.A = bench_alloc(SCENE_VECTORS * (SCENE_VECTORS + 1), sizeof *w.A);
    w.b = w.A + SCENE_VECTORS * SCENE_VECTORS;
    w.out = bench_alloc(n * 64, sizeof *w.out);
    w.number = bench_alloc(n * 64, sizeof *w.number);
    w.fixed = bench_alloc(n, 1);
    for (size_t i = 0; i < n; i++)
        w.fixed[i] = s.scribbles.group[i] >= 0;
    int code = row(&w, runs, "texture, 16 log-Gabor filters", n, texture) ||
               row(&w, runs, "20 nearest neighbours", n, neighbours) ||
               row(&w, runs, "20 smoothest eigenvectors", n, spectrum) ||
               row(&w, runs, "k-means, k = 4, 5 restarts", n, kmeans) ||
               row(&w, runs, "harmonic extension, 12 columns", n, harmonic) ||
               row(&w, runs, "CCSKL program from group sums", n, group_sums);
    if (!code && with_small_parts)
        code = row(&w, runs, "CCSKL quadratic program", SCENE_VECTORS, program) || subkernel_rows(&w, runs);
    free(w.A);
    free(w.out);
    free(w.number);
    free(w.fixed);
    return code;
}

int bench_solvers(const bench_options *options) {
    seg_context ctx = seg_context_default();
    ctx.threads = options->threads < 0 ? 1 : options->threads;
    printf("%d runs each after a warm-up, %d threads (0: all processors)\n\n", options->runs, ctx.threads);
    printf("%-34s %7s %10s %10s %7s %14s\n", "solver", "size", "min ms", "median ms", "steps", "objective");
    if (options->small)
        return scene_rows(&ctx, options->runs, 100, 75, 10, 1);
    const int failed =
        scene_rows(&ctx, options->runs, 320, 213, 50, 1) || scene_rows(&ctx, options->runs, 500, 500, 50, 0);
    seg_context_end(&ctx);
    return failed;
}
