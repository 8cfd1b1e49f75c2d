/* Learned kernels with a unit diagonal: TRAGEK's and PCP's programs and ENPAKL's sub-kernel, with what is left of the
 * conditions on them; and CCSR's program once more as a semidefinite program. */
#include "subkernel.h"
#include "vectors.h"

#include "kernels/sdp_kernels.h"
#include "linalg/dense.h"
#include "optim/psd_quadratic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* w->diagonal and w->least of a kernel as a solver left it. */
static seg_status look_at(vectors_work *w, size_t n, const double *K) {
    AUTOFREE double *value = bench_alloc(n * (n + 1), sizeof *value);
    seg_status status = seg_eigen_dense(w->ctx, n, K, value, value + n);
    w->least = value[0];
    w->diagonal = 0;
    for (size_t i = 0; i < n; i++)
        w->diagonal = fmax(w->diagonal, fabs(K[i * n + i] - 1));
    return status;
}

/* Solve and check as the methods do. */
static seg_status solve_program(vectors_work *w, seg_sdp *sdp, double constant) {
    SCOPED(seg_sdp_solution) solution;
    seg_status status = seg_sdp_solve(w->ctx, sdp, 1e-6 /* the methods' default */, &solution);
    if (!status)
        status = look_at(w, solution.X[0].rows, solution.X[0].at);
    w->residuals = solution.residuals;
    w->objective = solution.residuals.primal + constant;
    w->steps = solution.iterations;
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
    AUTOFREE int32_t *sample = bench_alloc(w->X.rows, sizeof *sample);
    seg_status status = seg_pcp_program(w->ctx, &w->S, &w->pairs, &sdp, sample);
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

static seg_status descent(vectors_work *w) {
    return bench_subkernel_descend(w->ctx, w->sub, &w->objective, &w->steps);
}

static seg_status printed(vectors_work *w) {
    return bench_subkernel_project(w->ctx, w->sub, &w->objective, &w->steps);
}

static int subkernel_rows(vectors_work *w) {
    const size_t n = w->X.rows;
    SCOPED(bench_subkernel) sub = {.lambda = 1, .guard = 0.05, .sigma_scale = 0.15};
    AUTOFREE double *degree = bench_alloc(n, sizeof *degree);
    AUTOFREE uint8_t *in = bench_alloc(n, 1);
    seg_constraint_degrees(&w->pairs, degree);
    for (size_t i = 0; i < n; i++)
        in[i] = degree[i] > 0;
    w->sub = &sub;
    int code = bench_subkernel_make(w->ctx, &w->X, &w->pairs, in, &sub);
    const size_t m = sub.links.m;
    if (!code && !(code = bench_row(w, w->options->runs, "ENPAKL descent on the sphere", m, 0, descent))) {
        seg_gemm((seg_shape){0, 1, m, m, BENCH_RANK}, 1, sub.V, sub.V, 0, sub.K);
        look_at(w, m, sub.K);
        print_kernel(w, 1e-9);
        putchar('\n');
        if (!(code = bench_row(w, 1, "ENPAKL Algorithm 2 as printed", m, 0, printed))) {
            look_at(w, m, sub.K);
            print_kernel(w, 1e-9);
            putchar('\n');
        }
    }
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
    SCOPED(seg_sdp) sdp = {0};
    SCOPED(seg_sdp_solution) solution = {0};
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
    free(R);
    return status;
}
