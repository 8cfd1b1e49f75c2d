#include "graph/spectrum/close_pairs.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/dense.h"
#include "linalg/rayleigh_ritz.h"

#include <math.h>
#include <string.h>

enum {
    LAPACK_NODES = 1500,     /* up to here LAPACK takes a second */
    SPARE_PAIRS = 8,         /* computed besides the wanted ones in inverse iteration */
    INVERSE_STEPS = 100,     /* limit of inverse iterations */
    INVERSE_STREAM = 0x1a5e1 /* of the context's seed */
};
static const double INVERSE_TOLERANCE = 1e-8; /* of the residuals; if it is not reached, RESIDUAL_BOUND decides */
static const double RESIDUAL_BOUND = 1e-6;

seg_status seg_close_pairs_settle(seg_context *ctx, const seg_close_pairs *pairs, size_t cols, double *X, double *value,
                                  double *residual) {
    const seg_status status = seg_components_clean(ctx, pairs->components, cols, X);
    return status == SEG_OK ? seg_rayleigh_ritz(ctx, pairs->S, cols, X, value, residual) : status;
}

seg_status seg_close_pairs_dense(seg_context *ctx, const seg_close_pairs *pairs, size_t count, double *value,
                                 double *vector) {
    const seg_components *known = pairs->components;
    const size_t n = pairs->S->n;
    size_t cells;
    if (!seg_multiply(n, n, &cells))
        return seg_fail(ctx, SEG_ERR_MEMORY, "a dense graph of %zu nodes is too large; ask for fewer eigenvectors", n);
    SEG_FREED double *A = seg_alloc(ctx, cells, sizeof *A);
    SEG_FREED double *all_values = seg_alloc(ctx, n, sizeof *all_values);
    SEG_FREED double *all_vectors = seg_alloc_zero(ctx, cells, sizeof *all_vectors);
    if (!A || !all_values || !all_vectors)
        return SEG_ERR_MEMORY;
    /* -S with the null vectors moved above all others, so that LAPACK's ascending order is the wanted one. */
    for (size_t i = 0; i < n; i++)
        all_vectors[i * n + i] = 1;
    SEG_TRY(seg_symmetric_times(ctx, pairs->S, n, all_vectors, A));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            A[i * n + j] =
                (known && known->of[i] == known->of[j] ? 3 * known->root[i] * known->root[j] : 0) - A[i * n + j];
    seg_status status = seg_eigen_dense(ctx, n, A, all_values, all_vectors);
    for (size_t c = 0; !status && c < count; c++) {
        value[c] = -all_values[c];
        for (size_t i = 0; i < n; i++)
            vector[i * count + c] = all_vectors[i * n + c];
    }
    return status;
}

/* Relative to a cluster of eigenvalues near theta, a step multiplies the components along vectors of a smaller
 * eigenvalue theta' by (shift - theta) / (shift - theta'). Residuals do not depend on which vectors of the cluster are
 * found. */
static seg_status inverse_steps(seg_context *ctx, const seg_close_pairs *pairs, size_t count, double *value,
                                double *vector, double *residual) {
    const size_t n = pairs->S->n, cols = count + SPARE_PAIRS;
    seg_random random;
    SEG_FREED double *X = seg_alloc(ctx, n, cols * sizeof *X), *of = seg_alloc(ctx, cols, 2 * sizeof *of);
    double worst = INFINITY;
    if (!X || !of)
        return SEG_ERR_MEMORY;
    seg_random_seed(&random, ctx ? ctx->seed : 1, INVERSE_STREAM);
    for (size_t e = 0; e < n * cols; e++)
        X[e] = seg_random_normal(&random);
    for (int step = 0; step < INVERSE_STEPS && worst > INVERSE_TOLERANCE; step++) {
        SEG_TRY(seg_poll(ctx));
        SEG_TRY(seg_components_clean(ctx, pairs->components, cols, X));
        SEG_TRY(pairs->invert(pairs->user, cols, X));
        SEG_TRY(seg_close_pairs_settle(ctx, pairs, cols, X, of, of + cols));
        *pairs->products = *pairs->products < INT32_MAX - (int)cols ? *pairs->products + (int)cols : INT32_MAX;
        worst = 0;
        for (size_t c = 0; c < count; c++)
            worst = fmax(worst, of[cols + c]);
    }
    for (size_t i = 0; i < n; i++)
        memcpy(vector + i * count, X + i * cols, count * sizeof *X);
    memcpy(value, of, count * sizeof *of);
    memcpy(residual, of + cols, count * sizeof *of);
    return SEG_OK;
}

seg_status seg_close_pairs_solve(seg_context *ctx, const seg_close_pairs *pairs, size_t count, double *value,
                                 double *vector, double *residual) {
    if (pairs->S->n > LAPACK_NODES)
        return pairs->invert ? inverse_steps(ctx, pairs, count, value, vector, residual) : SEG_ERR_NUMERIC;
    SEG_TRY(seg_close_pairs_dense(ctx, pairs, count, value, vector));
    return seg_close_pairs_settle(ctx, pairs, count, vector, value, residual);
}

seg_status seg_close_pairs_check(seg_context *ctx, size_t count, const double *residual) {
    for (size_t c = 0; c < count; c++)
        if (!(residual[c] <= RESIDUAL_BOUND))
            return seg_fail(ctx, SEG_ERR_NUMERIC,
                            "eigenvector %zu of the graph has a residual of %g, above %g; check that the weights are "
                            "symmetric",
                            c + 1, residual[c], RESIDUAL_BOUND);
    return SEG_OK;
}
