#include "subkernel.h"

#include "kernels/smoother.h"
#include "linalg/dense.h"

#include <stdlib.h>
#include <string.h>

int bench_subkernel_make(seg_context *ctx, const seg_matrix *X, const seg_constraints *c, const uint8_t *in,
                         bench_subkernel *sub) {
    const size_t d = X->cols;
    AUTOFREE int32_t *member = bench_alloc(X->rows, sizeof *member);
    seg_matrix own = {0, d, bench_alloc(X->rows * d, sizeof(double))};
    for (size_t i = 0; i < X->rows; i++)
        if (in[i]) {
            memcpy(own.at + own.rows * d, X->at + i * d, d * sizeof(double));
            member[own.rows++] = (int32_t)i;
        }
    sub->V = bench_alloc(own.rows * BENCH_RANK, sizeof(double));
    sub->K = bench_alloc(own.rows * own.rows, sizeof(double));
    seg_status status = seg_links_create(ctx, c, member, own.rows, &sub->links);
    if (!status)
        status = seg_smoother_create(ctx, &own, 20, sub->sigma_scale, 0, &sub->S);
    free(own.at);
    return status ? bench_fail("%s", ctx->message) : 0;
}

void bench_subkernel_free(bench_subkernel *sub) {
    seg_links_free(&sub->links);
    seg_csr_free(&sub->S);
    free(sub->V);
    free(sub->K);
}

static seg_status solve(seg_context *ctx, bench_subkernel *sub, int descend, double *objective, int *steps) {
    const seg_subkernel_problem problem = {&sub->links, &sub->S, sub->lambda, sub->guard};
    const size_t m = sub->links.m;
    seg_subkernel_result result = {0};
    seg_subkernel_start(1, 1, &sub->links, BENCH_RANK, sub->V);
    if (!descend)
        seg_gemm((seg_shape){0, 1, m, m, BENCH_RANK}, 1, sub->V, sub->V, 0, sub->K);
    const seg_status status =
        descend ? seg_subkernel_descend(ctx, &problem, BENCH_RANK, (seg_limits){2000, 1e-7}, sub->V, &result)
                : seg_subkernel_project(ctx, &problem, (seg_limits){300, 1e-6}, sub->K, &result);
    *objective = result.objective;
    *steps = result.iterations;
    return status;
}

seg_status bench_subkernel_descend(seg_context *ctx, bench_subkernel *sub, double *objective, int *steps) {
    return solve(ctx, sub, 1, objective, steps);
}

seg_status bench_subkernel_project(seg_context *ctx, bench_subkernel *sub, double *objective, int *steps) {
    return solve(ctx, sub, 0, objective, steps);
}
