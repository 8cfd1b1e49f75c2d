/* The learners of kernels and clusters on tables: what each costs, how good its solution is, and whether both reach
 * what is asked for. */
#include "vectors.h"
#include "base/base.h"
#include "evaluation/runner/runner.h"

#include "base/random.h"
#include "graph/spectrum/spectrum.h"
#include "kernels/smoother.h"
#include "kernels/spectral_programs.h"
#include "solver_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CCSKL_VECTORS = 20, CCSR_VECTORS = 15 };

int bench_row(vectors_work *w, int runs, const char *name, size_t size, double most_ms,
              seg_status (*solve)(vectors_work *)) {
    double *wall = bench_alloc((size_t)runs, 2 * sizeof *wall), *processor = wall + runs;
    seg_status status = SEG_OK;
    for (int run = runs > 1 ? -1 : 0; run < runs && !status; run++) { /* more than one: a warm-up first */
        const double started = seg_now(), used = seg_processor_seconds();
        status = solve(w);
        if (run >= 0) {
            wall[run] = 1e3 * (seg_now() - started);
            processor[run] = 1e3 * (seg_processor_seconds() - used);
        }
    }
    if (!status) {
        /* On a free machine no run takes longer than its processor time; on a busy one the wall says little. */
        const double median = bench_median(wall, (size_t)runs), used = bench_median(processor, (size_t)runs);
        printf("%-31s %6zu %10.3f %10.3f %10.3f", name, size, wall[0], median, used);
        if (most_ms > 0 && !w->options->small)
            printf("  %s (<= %g ms)", used <= most_ms ? "met" : "MISSED", most_ms);
        fputs("\n   ", stdout);
        fflush(stdout);
    }
    free(wall);
    return status ? bench_fail("%s, %zu: %s", name, size, w->ctx->message) : 0;
}

void bench_judge(vectors_work *w, const char *what, double value, double most) {
    const int met = value <= most; /* not of a NAN */
    w->missed |= !met;
    printf(" %s %.1e %s (<= %g);", what, value, met ? "met" : "MISSED", most);
}

/* ---- The table: the file's, or two overlapping clouds of heart's size. ---- */

static seg_status generate(seg_context *ctx, size_t n, size_t d, int classes, seg_matrix *X, seg_labels *labels) {
    seg_random random = seg_random_seeded(7, 7);
    seg_status status = seg_matrix_create(ctx, n, d, X);
    labels->n = n;
    labels->classes = classes;
    labels->label = bench_alloc(n, sizeof *labels->label);
    for (size_t i = 0; !status && i < n; i++) {
        labels->label[i] = (int32_t)(i % (size_t)classes);
        for (size_t t = 0; t < d; t++) /* neighbouring classes lie two deviations apart in the first columns */
            X->at[i * d + t] = seg_random_normal(&random) + (t < 3 ? 1.2 * labels->label[i] : 0);
    }
    return status;
}

/* As `segment cluster --standardise` prepares a table: 20 nearest neighbours, 1.5 times their mean distance. */
static seg_status prepare(vectors_work *w) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 20, .sigma_scale = 1.5};
    const char *path = w->options->data;
    seg_spectrum spectrum = {0};
    seg_labels labels = {0};
    const int small = w->options->small;
    seg_status status = path ? seg_vectors_read(w->ctx, path, SEG_LABELS_LAST, &w->X, &labels)
                             : generate(w->ctx, small ? 60 : 270, small ? 5 : 13, 2, &w->X, &labels);
    const size_t n = w->X.rows;
    if (!status && (labels.classes < 2 || labels.classes > SEG_MAX_LABELS || n < CCSKL_VECTORS + 2)) {
        snprintf(w->ctx->message, sizeof w->ctx->message, "%s: no table of two classes and %d samples or more", path,
                 CCSKL_VECTORS + 2);
        status = SEG_ERR_INPUT;
    }
    if (status || (status = seg_scale(w->ctx, SEG_SCALING_STANDARDISED, &w->X)) != SEG_OK ||
        (status = seg_graph_build(w->ctx, &w->X, NULL, &spec, &w->W, NULL)) != SEG_OK ||
        (status = seg_normalized_laplacian(w->ctx, &w->W, &w->S)) != SEG_OK ||
        (status = bench_pairs_draw(w->ctx, &labels, small ? 10 : 50, &w->pairs)) != SEG_OK ||
        (status = seg_spectrum_compute(w->ctx, &w->W, CCSKL_VECTORS, &spectrum)) != SEG_OK)
        goto done;
    printf("%s: %zu samples x %zu, %d classes, %zu constraints\n\n", path ? path : "generated", n, w->X.cols,
           labels.classes, w->pairs.pairs);
    w->F20.at = bench_alloc(n * CCSKL_VECTORS, sizeof(double));
    w->F15.at = bench_alloc(n * CCSR_VECTORS, sizeof(double));
    w->F20.rows = w->F15.rows = n;
    w->F20.cols = CCSKL_VECTORS;
    w->F15.cols = CCSR_VECTORS;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < CCSKL_VECTORS; c++) { /* rows compare with 1, as in methods/ccskl.c */
            w->F20.at[i * CCSKL_VECTORS + c] = spectrum.vector[i * CCSKL_VECTORS + c] * sqrt((double)n);
            if (c < CCSR_VECTORS)
                w->F15.at[i * CCSR_VECTORS + c] = w->F20.at[i * CCSKL_VECTORS + c];
        }
done:
    seg_spectrum_free(&spectrum);
    seg_labels_free(&labels);
    return status;
}

/* ---- The two spectral kernels. ---- */

static seg_status ccskl(vectors_work *w) {
    return seg_monotone_qp(w->ctx, CCSKL_VECTORS, w->H, w->b, w->out, NULL);
}

static int ccskl_row(vectors_work *w) {
    if (seg_ccskl_quadratic(w->ctx, &(seg_spectral_problem){&w->F20, &w->pairs, 1}, w->H, w->b) != SEG_OK)
        return bench_fail("%s", w->ctx->message);
    int code = bench_row(w, w->options->runs, "CCSKL quadratic program", CCSKL_VECTORS, 1, ccskl);
    if (!code) {
        bench_judge(w, "optimality", seg_monotone_qp_residual(CCSKL_VECTORS, w->H, w->b, w->out), 1e-6);
        printf(" paper 20 ms\n");
    }
    return code;
}

static seg_status ccsr(vectors_work *w) {
    seg_psd_quadratic_result result;
    seg_status status = seg_psd_quadratic(w->ctx, CCSR_VECTORS, w->H, w->b, w->out, &result);
    w->steps = result.iterations;
    return status;
}

/* Gaps are relative to Eq. 17's value, its constant included: the smaller number, so the stricter measure. */
static int ccsr_row(vectors_work *w) {
    double constant, other;
    seg_psd_quadratic_report report;
    if (seg_ccsr_quadratic(w->ctx, &(seg_spectral_problem){&w->F15, &w->pairs, 1}, w->H, w->b, &constant) != SEG_OK)
        return bench_fail("%s", w->ctx->message);
    int code = bench_row(w, w->options->runs, "CCSR, cone of side 15", CCSR_VECTORS, 20, ccsr);
    if (code)
        return code;
    if (seg_psd_quadratic_check(w->ctx, CCSR_VECTORS, w->H, w->b, w->out, &report) != SEG_OK ||
        bench_ccsr_dsdp(w->ctx, CCSR_VECTORS, w->H, w->b, &other) != SEG_OK)
        return bench_fail("%s", w->ctx->message);
    const double value = report.objective + constant;
    bench_judge(w, "gap", report.gap / value, 1e-6);
    printf(" %d steps, PSD %.1e, objective %.9g, DSDP's %.9g (apart %.1e); paper 52 s\n", w->steps,
           report.primal_distance, value, other + constant, fabs(report.objective - other) / value);
    return 0;
}

/* ---- PCKMeans on a long table with two constraints. ---- */

static seg_status pckmeans(vectors_work *w) {
    const seg_problem problem = {
        .n = w->large.rows, .k = 5, .features = &w->large, .constraints = &w->two, .restarts = 1};
    SCOPED(seg_clustering) found;
    seg_status status = seg_cluster(w->ctx, seg_method_find("pckmeans"), NULL, &problem, &found);
    w->objective = found.objective;
    w->steps = found.iterations;
    w->broken = !status && (found.label[0] != found.label[5]) + (found.label[0] == found.label[1]);
    return status;
}

static int pckmeans_row(vectors_work *w) {
    const size_t n = w->options->small ? 1000 : 20000;
    const seg_pair must = {0, 5, 1, 1}, cannot = {0, 1, -1, 1};
    SCOPED(seg_labels) labels = {0};
    int code = 1;
    if (generate(w->ctx, n, 5, 5, &w->large, &labels) || seg_constraints_create(w->ctx, n, &w->two) ||
        seg_constraints_add(w->ctx, &w->two, must) || seg_constraints_add(w->ctx, &w->two, cannot))
        bench_fail("%s", w->ctx->message);
    else
        code = bench_row(w, 1, "PCKMeans, 5 columns, one run", n, 100, pckmeans);
    if (!code)
        printf(" %d steps, objective %.9g, %d of 2 constraints broken; Python 16 s\n", w->steps, w->objective,
               w->broken);
    return code;
}

int bench_vectors(const bench_options *options) {
    seg_context ctx;
    vectors_work w = {.ctx = &ctx, .options = options};
    ctx = seg_context_default();
    ctx.threads = options->threads < 0 ? 1 : options->threads;
    const size_t p = seg_svec_length(CCSR_VECTORS);
    w.H = bench_alloc(p * p, sizeof *w.H);
    w.b = bench_alloc(p, sizeof *w.b);
    w.out = bench_alloc(p, 2 * sizeof *w.out);
    int code = prepare(&w) ? bench_fail("%s", ctx.message) : 0;
    if (!code) {
        printf("%d runs of the short ones after a warm-up, %d threads (0: all processors)\n\n", options->runs,
               ctx.threads);
        printf("%-31s %6s %10s %10s %10s\n", "solver", "size", "min ms", "median ms", "cpu ms");
        code = ccskl_row(&w) || ccsr_row(&w) || bench_kernel_rows(&w) || pckmeans_row(&w) || bench_monotone_row(&w);
    }
    seg_matrix_free(&w.X);
    seg_matrix_free(&w.large);
    seg_matrix_free(&w.F20);
    seg_matrix_free(&w.F15);
    seg_csr_free(&w.W);
    seg_csr_free(&w.S);
    seg_constraints_free(&w.pairs);
    seg_constraints_free(&w.two);
    free(w.H);
    free(w.b);
    free(w.out);
    seg_context_end(&ctx);
    return code || w.missed;
}
