/* Learned kernels with a unit diagonal: TRAGEK's and PCP's programs and ENPAKL's sub-kernel, with what is left of the
 * conditions on them; and CCSR's program once more as a semidefinite program. */
#include "vectors.h"

#include "kernels/sdp_kernels.h"
#include "kernels/smoother.h"
#include "kernels/sub_kernels.h"
#include "linalg/dense.h"
#include "optim/psd_quadratic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK = 12 }; /* ENPAKL's default, with its other settings below */
static const double lambda = 1, guard = 0.05, sigma_scale = 0.15;

/* w->diagonal and w->least of a kernel as a solver left it. */
static seg_status look_at(vectors_work *w, size_t n, const double *K) {
    double *value = bench_alloc(n * (n + 1), sizeof *value);
    seg_status status = seg_eigen_dense(w->ctx, n, K, value, value + n);
    w->least = value[0];
    w->diagonal = 0;
    for (size_t i = 0; i < n; i++)
        w->diagonal = fmax(w->diagonal, fabs(K[i * n + i] - 1));
    free(value);
    return status;
}

/* Solve and check as the methods do. */
static seg_status solve_program(vectors_work *w, seg_sdp *sdp, double constant) {
    seg_sdp_solution solution;
    seg_status status = seg_sdp_solve(w->ctx, sdp, 1e-6 /* the methods' default */, &solution);
    if (!status)
        status = look_at(w, solution.X[0].rows, solution.X[0].at);
    w->residuals = solution.residuals;
    w->objective = solution.residuals.primal + constant;
    w->steps = solution.iterations;
    seg_sdp_solution_free(&solution);
    seg_sdp_free(sdp);
    return status;
}

static seg_status tragek(vectors_work *w) {
    const seg_tragek_options options = {.lambda = 1, .lambda1 = 1, .lambda2 = 1};
    seg_sdp sdp;
    double constant;
    seg_status status = seg_tragek_program(w->ctx, &w->S, &w->pairs, &options, &sdp, &constant);
    return status ? status : solve_program(w, &sdp, constant);
}

static seg_status pcp(vectors_work *w) {
    seg_sdp sdp;
    int32_t *sample = bench_alloc(w->X.rows, sizeof *sample);
    seg_status status = seg_pcp_program(w->ctx, &w->S, &w->pairs, &sdp, sample);
    free(sample);
    return status ? status : solve_program(w, &sdp, 0);
}

static void print_kernel(vectors_work *w, double most) {
    printf(" %d steps, objective %.9g, least eigenvalue %.1e;", w->steps, w->objective, w->least);
    bench_judge(w, "PSD", fmax(-w->least, 0), most);
    bench_judge(w, "diagonal", w->diagonal, most);
}

static void print_program(vectors_work *w) {
    print_kernel(w, 1e-5);
    bench_judge(w, "constraints", w->residuals.constraints, 1e-5);
    bench_judge(w, "duality gap", w->residuals.gap, 1e-5);
    putchar('\n');
}

/* ---- ENPAKL's sub-kernel over all constrained samples. ---- */

struct subkernel {
    seg_links links;
    seg_csr S;
    double *V, *K;
};

static seg_status descent(vectors_work *w) {
    const seg_subkernel_problem problem = {&w->sub->links, &w->sub->S, lambda, guard};
    seg_subkernel_result result = {0};
    seg_subkernel_start(1, 1, &w->sub->links, RANK, w->sub->V);
    seg_status status = seg_subkernel_descend(w->ctx, &problem, RANK, (seg_limits){2000, 1e-7}, w->sub->V, &result);
    w->objective = result.objective;
    w->steps = result.iterations;
    return status;
}

static seg_status printed(vectors_work *w) {
    const seg_subkernel_problem problem = {&w->sub->links, &w->sub->S, lambda, guard};
    const size_t m = w->sub->links.m;
    seg_subkernel_result result = {0};
    seg_subkernel_start(1, 1, &w->sub->links, RANK, w->sub->V);
    seg_gemm((seg_shape){0, 1, m, m, RANK}, 1, w->sub->V, w->sub->V, 0, w->sub->K);
    seg_status status = seg_subkernel_project(w->ctx, &problem, (seg_limits){300, 1e-6}, w->sub->K, &result);
    w->objective = result.objective;
    w->steps = result.iterations;
    return status;
}

static int subkernel_rows(vectors_work *w) {
    const size_t n = w->X.rows, d = w->X.cols;
    struct subkernel sub = {0};
    double *degree = bench_alloc(n, sizeof *degree);
    int32_t *member = bench_alloc(n, sizeof *member);
    seg_matrix own = {0, d, bench_alloc(n * d, sizeof(double))};
    int code = 1;
    seg_constraint_degrees(&w->pairs, degree);
    for (size_t i = 0; i < n; i++)
        if (degree[i] > 0) {
            memcpy(own.at + own.rows * d, w->X.at + i * d, d * sizeof(double));
            member[own.rows++] = (int32_t)i;
        }
    const size_t m = own.rows;
    w->sub = &sub;
    sub.V = bench_alloc(m * RANK, sizeof(double));
    sub.K = bench_alloc(m * m, sizeof(double));
    if (seg_links_create(w->ctx, &w->pairs, member, m, &sub.links) ||
        seg_smoother_create(w->ctx, &own, 20, sigma_scale, 0, &sub.S))
        bench_fail("%s", w->ctx->message);
    else if (!(code = bench_row(w, w->options->runs, "ENPAKL descent on the sphere", m, 0, descent))) {
        seg_gemm((seg_shape){0, 1, m, m, RANK}, 1, sub.V, sub.V, 0, sub.K);
        look_at(w, m, sub.K);
        print_kernel(w, 1e-9);
        putchar('\n');
        if (!(code = bench_row(w, 1, "ENPAKL Algorithm 2 as printed", m, 0, printed))) {
            look_at(w, m, sub.K);
            print_kernel(w, 1e-9);
            putchar('\n');
        }
    }
    seg_links_free(&sub.links);
    seg_csr_free(&sub.S);
    free(sub.V);
    free(sub.K);
    free(own.at);
    free(member);
    free(degree);
    return code;
}

int bench_kernel_rows(vectors_work *w) {
    const int runs = w->options->runs < 3 ? w->options->runs : 3;
    int code = bench_row(w, runs, "TRAGEK", w->X.rows, 10000, tragek);
    if (code)
        return code;
    print_program(w);
    if ((code = bench_row(w, runs, "PCP", w->X.rows, 0, pcp)) != 0)
        return code;
    print_program(w);
    return subkernel_rows(w);
}

/* Over y = (x, nu): maximise -b'x - nu where M(x) and [[I, R x], [(R x)', nu]] are positive semidefinite, H / 2 = R'R,
 * so that nu >= 1/2 x'Hx. H and b are divided by what makes H's largest entry one, as suits the solver. */
seg_status bench_ccsr_dsdp(seg_context *ctx, size_t m, const double *H, const double *b, double *objective) {
    const size_t p = seg_svec_length(m);
    const int size[2] = {(int)m, (int)p + 1};
    double *R = bench_alloc(p * (p + 1), sizeof *R), *value = R + p * p, unit = 0;
    seg_sdp sdp = {0};
    seg_sdp_solution solution = {0};
    for (size_t i = 0; i < p; i++)
        unit = fmax(unit, H[i * p + i]);
    seg_status status = seg_eigen_dense(ctx, p, H, value, R); /* column i of R: by its root it is row i of the factor */
    if (!status)
        status = seg_sdp_create(ctx, (int)p + 1, 2, size, &sdp);
    for (size_t i = 0; i < p && !status; i++)
        status = seg_sdp_add(ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 1}, i, i, 1);
    size_t v = 0;
    for (size_t a = 0; a < m; a++)
        for (size_t c = a; c < m; c++, v++) { /* S = C - sum of y A: A has the other sign */
            if (!status)
                status = seg_sdp_add(ctx, &sdp, (seg_sdp_place){(int)v + 1, 0}, c, a, a == c ? -1 : -M_SQRT1_2);
            for (size_t i = 0; i < p && !status; i++)
                status = seg_sdp_add(ctx, &sdp, (seg_sdp_place){(int)v + 1, 1}, p, i,
                                     -R[v * p + i] * sqrt(0.5 * fmax(value[i], 0) / unit));
            if (!status)
                sdp.right[v] = -b[v] / unit;
        }
    if (!status && (status = seg_sdp_add(ctx, &sdp, (seg_sdp_place){(int)p + 1, 1}, p, p, -1)) == SEG_OK) {
        sdp.right[p] = -1;
        status = seg_sdp_solve(ctx, &sdp, 1e-9, &solution);
    }
    *objective = -solution.dual * unit;
    seg_sdp_solution_free(&solution);
    seg_sdp_free(&sdp);
    free(R);
    return status;
}
