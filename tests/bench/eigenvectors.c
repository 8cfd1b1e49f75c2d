/* The smoothest eigenvectors of a table's graph, and they alone: time, products and the residuals, which are worked out
 * here from the graph's own weights. */
#include "bench.h"

#include "base/random.h"
#include "graph/spectrum/spectrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 20, SMALL_ROWS = 6000, SMALL_COLUMNS = 16, SMALL_CLASSES = 4 };

static const double LARGEST_RESIDUAL = 1e-6, SECONDS_ASKED = 60; /* of 1,000,000 nodes, two threads */

/* Overlapping Gaussians. */
static seg_status make(seg_context *ctx, seg_matrix *X) {
    seg_random random;
    const seg_status status = seg_matrix_create(ctx, SMALL_ROWS, SMALL_COLUMNS, X);
    seg_random_seed(&random, 1, 1);
    for (size_t e = 0; !status && e < X->rows * X->cols; e++)
        X->at[e] = seg_random_normal(&random) + (e / X->cols % SMALL_CLASSES == e % X->cols ? 3 : 0);
    return status;
}

/* |L v - lambda v| of every pair, L = I - D^-1/2 W D^-1/2; a node without edges has degree one. */
static double largest_residual(const seg_csr *W, const seg_spectrum *s) {
    const size_t n = W->rows, count = (size_t)s->count;
    double *root = bench_alloc(n, sizeof *root), square[COUNT] = {0}, largest = 0;
    for (size_t i = 0; i < n; i++) {
        double degree = 0;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            degree += W->value[e];
        root[i] = degree > 0 ? sqrt(degree) : 1;
    }
    for (size_t i = 0; i < n; i++) {
        double rest[COUNT];
        for (size_t c = 0; c < count; c++)
            rest[c] = (1 - s->value[c]) * s->vector[i * count + c];
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            const size_t j = (size_t)W->column[e];
            for (size_t c = 0; c < count; c++)
                rest[c] -= W->value[e] / root[i] / root[j] * s->vector[j * count + c];
        }
        for (size_t c = 0; c < count; c++)
            square[c] += rest[c] * rest[c];
    }
    for (size_t c = 0; c < count; c++)
        largest = fmax(largest, sqrt(square[c]));
    free(root);
    return largest;
}

static int run(seg_context *ctx, const seg_csr *W, int runs, int judged) {
    int missed = 0;
    printf("%zu nodes, %zu edges, %d threads (0: all processors)\n", W->rows, W->start[W->rows] / 2, ctx->threads);
    printf("run   wall s    cpu s  products   residual\n");
    for (int i = 1; i <= runs; i++) {
        const double wall = bench_seconds(), cpu = bench_processor_seconds();
        seg_spectrum s = {0};
        if (seg_spectrum_compute(ctx, W, COUNT, &s) != SEG_OK)
            return bench_fail("%s", ctx->message);
        const double seconds = bench_seconds() - wall, used = bench_processor_seconds() - cpu,
                     residual = largest_residual(W, &s);
        printf("%3d %8.2f %8.2f %9d %10.2g  %s", i, seconds, used, s.iterations, residual,
               residual <= LARGEST_RESIDUAL ? "met" : "MISSED");
        printf(judged ? ", time %s\n" : "\n", seconds <= SECONDS_ASKED ? "met" : "MISSED");
        fflush(stdout);
        missed |= !(residual <= LARGEST_RESIDUAL);
        seg_spectrum_free(&s);
    }
    return missed;
}

int bench_eigenvectors(const bench_options *options) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 20, .sigma_scale = 1};
    seg_context ctx;
    seg_matrix X = {0};
    seg_csr W = {0};
    seg_context_init(&ctx);
    ctx.threads = options->threads < 0 ? 2 : options->threads;
    const double started = bench_seconds();
    seg_status status =
        options->data ? seg_vectors_read(&ctx, options->data, SEG_LABELS_NONE, &X, NULL) : make(&ctx, &X);
    if (status == SEG_OK)
        status = seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL);
    int code = status == SEG_OK ? 0 : bench_fail("%s", ctx.message);
    if (!code) {
        printf("read and graph: %.1f s\n", bench_seconds() - started);
        code = run(&ctx, &W, options->runs, X.rows == 1000000);
    }
    seg_csr_free(&W);
    seg_matrix_free(&X);
    seg_context_end(&ctx);
    return code;
}
