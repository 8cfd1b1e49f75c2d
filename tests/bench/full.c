/* The complete graph of an image's colours: fast summation against the dense matrix, and many samples at once. */
#include "bench.h"

#include "base/random.h"
#include "features/grid.h"
#include "features/spec.h"
#include "graph/full/full_graph.h"
#include "graph/spectrum/spectrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { VECTORS = 20 };

static double peak_mebibytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* Colours of n patches of the image, spread over all of it: side 1 is pixels. */
static seg_status colours(seg_context *ctx, const seg_image *photo, size_t n, seg_matrix *out) {
    int side = 1;
    while ((size_t)((photo->width + side) / (side + 1)) * (size_t)((photo->height + side) / (side + 1)) >= n)
        side++;
    const seg_patch_grid grid = seg_patch_grid_make(photo->width, photo->height, side);
    const seg_feature_spec spec = {.weight = {[SEG_FEATURE_MEAN] = 1}};
    seg_matrix all = {0};
    seg_status status = seg_features_compute(ctx, photo, &grid, &spec, &all);
    if (!status && all.rows < n) {
        bench_fail("the image has %zu pixels and not %zu", all.rows, n);
        status = SEG_ERR_USAGE;
    }
    if (!status)
        status = seg_matrix_create(ctx, n, all.cols, out);
    for (size_t i = 0; !status && i < n; i++)
        memcpy(out->at + i * all.cols, all.at + i * all.rows / n * all.cols, all.cols * sizeof *out->at);
    seg_matrix_free(&all);
    return status;
}

/* Graph and eigenvectors, with the CPU seconds of both. */
static seg_status solve(seg_context *ctx, const seg_matrix *X, double sigma, seg_full_way way, seg_spectrum *out,
                        double seconds[2]) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma = sigma, .sigma_scale = 1};
    seg_full_graph *graph;
    const double started = bench_processor_seconds();
    seg_status status = seg_full_graph_create_by(ctx, X, &spec, way, &graph);
    const double made = bench_processor_seconds();
    memset(out, 0, sizeof *out);
    if (!status)
        status = seg_spectrum_compute_full(ctx, graph, VECTORS, out);
    seconds[0] = made - started;
    seconds[1] = bench_processor_seconds() - made;
    if (!status) {
        printf("%-8s %7zu %8.3f %10.3f %10.3f %10.3f %9d %9.0f\n", way == SEG_FULL_BY_SUMS ? "fast" : "dense", X->rows,
               graph->sigma, seconds[0], seconds[1], seconds[0] + seconds[1], out->iterations, peak_mebibytes());
        fflush(stdout);
    }
    seg_full_graph_free(graph);
    return status;
}

static seg_status compare(seg_context *ctx, const seg_image *photo, size_t n, double scale) {
    seg_matrix X = {0};
    seg_spectrum fast = {0}, dense = {0};
    double fast_seconds[2], dense_seconds[2], difference = 0, sigma;
    const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma_scale = scale};
    seg_status status = colours(ctx, photo, n, &X);
    if (!status && !(status = seg_full_sigma(ctx, &X, &spec, &sigma)) &&
        !(status = solve(ctx, &X, sigma, SEG_FULL_BY_SUMS, &fast, fast_seconds)) &&
        !(status = solve(ctx, &X, sigma, SEG_FULL_BY_MATRIX, &dense, dense_seconds))) {
        for (int c = 0; c < VECTORS; c++)
            difference = fmax(difference, fabs(fast.value[c] - dense.value[c]));
        printf("         dense / fast: %.1f; eigenvalues differ by at most %.2g\n",
               (dense_seconds[0] + dense_seconds[1]) / (fast_seconds[0] + fast_seconds[1]), difference);
    }
    seg_matrix_free(&X);
    seg_spectrum_free(&fast);
    seg_spectrum_free(&dense);
    return status;
}

static void say(void *user, seg_log_level level, const char *line) {
    (void)user;
    (void)level;
    printf("         %s\n", line);
}

int bench_full(const bench_options *options) {
    static const double scales[] = {1, 0.3, 0.1};
    seg_context ctx;
    seg_image photo = {0};
    seg_matrix X = {0};
    seg_spectrum spectrum = {0};
    double seconds[2];
    seg_context_init(&ctx);
    ctx.threads = options->threads < 0 ? 1 : options->threads;
    ctx.log = say;
    seg_status status = seg_image_read(&ctx, options->folder, &photo);
    const size_t many = options->small ? 5000 : 200000, few = options->small ? 2500 : 10000;
    printf("%d smoothest eigenvectors of the complete graph of colours of %s, %d threads\n", VECTORS, options->folder,
           ctx.threads);
    printf(
        "sigma: 1, 0.3 and 0.1 times the mean distance of all pairs; CPU seconds; peak MiB of the process so far\n\n");
    printf("%-8s %7s %8s %10s %10s %10s %9s %9s\n", "way", "n", "sigma", "graph", "vectors", "both", "products",
           "peak");
    /* The most samples first: the dense matrix makes the peak. */
    for (size_t s = 0; s < sizeof scales / sizeof *scales && !status; s++) {
        const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma_scale = scales[s]};
        double sigma;
        if (!(status = colours(&ctx, &photo, many, &X)) && !(status = seg_full_sigma(&ctx, &X, &spec, &sigma)))
            status = solve(&ctx, &X, sigma, SEG_FULL_BY_SUMS, &spectrum, seconds);
        seg_matrix_free(&X);
        seg_spectrum_free(&spectrum);
    }
    for (size_t s = 0; s < sizeof scales / sizeof *scales && !status; s++)
        status = compare(&ctx, &photo, few, scales[s]);
    seg_image_free(&photo);
    seg_context_end(&ctx);
    return status ? bench_fail("%s", ctx.message) : 0;
}
