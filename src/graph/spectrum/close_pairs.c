/* Eigenpairs of a symmetric matrix whose eigenvalues are too close to each other for the Lanczos method. */
#include "base/base.h"
#include "base/random.h"
#include "graph/spectrum/spectrum.h"
#include "linalg/dense.h"

/* ---- Components. ---- */

/* Union-find; the root of a tree is its smallest member, paths are halved on the way up. */
static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void unite(int32_t *parent, int32_t a, int32_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

seg_status seg_components_find(seg_context *ctx, const seg_csr *W, const double *degree, seg_components *out) {
    memset(out, 0, sizeof *out);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->of, W->rows)));
    out->n = W->rows;
    int32_t n = (int32_t)W->rows, *parent = out->of;
    for (int32_t i = 0; i < n; i++)
        parent[i] = i;
    for (int32_t i = 0; i < n; i++)
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            int32_t j = W->column[e];
            double least = degree[i] < degree[j] ? degree[i] : degree[j];
            if (W->value[e] > SEG_NEGLIGIBLE_EDGE * least)
                unite(parent, i, j);
        }
    /* A parent is never larger than its children, so one ascending pass replaces roots by component numbers; entries
     * below i are already replaced, stored as -1 - number. */
    for (int32_t i = 0; i < n; i++) {
        int32_t root = parent[i];
        parent[i] = root == i ? -1 - out->count++ : parent[root];
    }
    for (int32_t i = 0; i < n; i++)
        parent[i] = -1 - parent[i];
    return SEG_OK;
}

void seg_components_free(seg_components *components) {
    SEG_CLEAR(components, components->of, components->root);
}

void seg_components_take_away(const seg_components *components, size_t cols, double *along, double *X) {
    const double *root = components->root;
    memset(along, 0, (size_t)components->count * cols * sizeof *along);
    for (size_t i = 0; i < components->n; i++) {
        double *sum = along + (size_t)components->of[i] * cols;
        for (size_t c = 0; c < cols; c++)
            sum[c] += root[i] * X[i * cols + c];
    }
    for (size_t i = 0; i < components->n; i++) {
        const double *sum = along + (size_t)components->of[i] * cols;
        for (size_t c = 0; c < cols; c++)
            X[i * cols + c] -= sum[c] * root[i];
    }
}

/* The same with its own workspace. */
static seg_status take_away_from(seg_context *ctx, const seg_components *components, size_t cols, double *X) {
    SEG_LOCAL(double, along, seg_alloc(ctx, (size_t)components->count, cols * sizeof *along));
    seg_components_take_away(components, cols, along, X);
    return SEG_OK;
}

/* ---- Pairs. ---- */

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
    const seg_status status = take_away_from(ctx, pairs->components, cols, X);
    return status == SEG_OK ? seg_rayleigh_ritz(ctx, pairs->S, cols, X, value, residual) : status;
}

seg_status seg_close_pairs_dense(seg_context *ctx, const seg_close_pairs *pairs, size_t count, double *value,
                                 double *vector) {
    const seg_components *known = pairs->components;
    const size_t n = pairs->S->n;
    size_t cells;
    if (!seg_multiply(n, n, &cells))
        return seg_fail(ctx, SEG_ERR_MEMORY, "a dense graph of %zu nodes is too large; ask for fewer eigenvectors", n);
    SEG_LOCAL(double, A, seg_alloc(ctx, cells, sizeof *A));
    SEG_LOCAL(double, all_values, seg_alloc(ctx, n, sizeof *all_values));
    SEG_LOCAL(double, all_vectors, seg_alloc_zero(ctx, cells, sizeof *all_vectors));
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
    SEG_FREED double *X = seg_alloc(ctx, n, cols * sizeof *X), *of = seg_alloc(ctx, cols, 2 * sizeof *of);
    double worst = INFINITY;
    SEG_TRY(seg_allocated(X && of));
    seg_random random = seg_random_seeded(ctx ? ctx->seed : 1, INVERSE_STREAM);
    for (size_t e = 0; e < n * cols; e++)
        X[e] = seg_random_normal(&random);
    for (int step = 0; step < INVERSE_STEPS && worst > INVERSE_TOLERANCE; step++) {
        SEG_TRY(seg_poll(ctx));
        SEG_TRY(take_away_from(ctx, pairs->components, cols, X));
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
