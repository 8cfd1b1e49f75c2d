#include "graph/spectrum_solver.h"

#include "base/base.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"
#include "linalg/subspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-7; /* of residual norms; S has norm one */
static const double AWAY = 3;
enum { DENSE_NODES = 200 };           /* up to here LAPACK's solver is as fast and sees every multiplicity */

typedef struct deflated {
    const seg_context *ctx;
    const seg_csr *S;
    const seg_components *components;
    const double *root;
    double *along; /* a row a component */
} deflated;

/* X (n x cols) less `share` times its part along the null vectors. */
static void take_away(const deflated *d, double share, size_t cols, const double *of, double *X) {
    const seg_components *components = d->components;
    memset(d->along, 0, (size_t)components->count * cols * sizeof *d->along);
    for (size_t i = 0; i < components->n; i++) {
        double *along = d->along + (size_t)components->of[i] * cols;
        for (size_t c = 0; c < cols; c++)
            along[c] += d->root[i] * of[i * cols + c];
    }
    for (size_t i = 0; i < components->n; i++) {
        const double *along = d->along + (size_t)components->of[i] * cols;
        for (size_t c = 0; c < cols; c++)
            X[i * cols + c] -= share * along[c] * d->root[i];
    }
}

static void project(void *user, size_t cols, double *X) {
    take_away(user, 1, cols, X, X);
}

/* y = S x - AWAY N N'x: the eigenvalue 1 of the null vectors N goes below the spectrum. */
static void apply_deflated(void *user, const double *x, double *y) {
    const deflated *d = user;
    seg_csr_times_vector(d->ctx, d->S, x, y);
    take_away(d, AWAY, 1, x, y);
}

static seg_status solve_dense(seg_context *ctx, const deflated *d, int count, double *value, double *vector) {
    size_t n = d->S->rows, cells;
    double *A = NULL, *all_values = NULL, *all_vectors = NULL;
    seg_status status = SEG_OK;
    if (!seg_multiply(n, n, &cells))
        return seg_fail(ctx, SEG_ERR_MEMORY, "a dense graph of %zu nodes is too large; ask for fewer eigenvectors", n);
    A = seg_alloc_zero(ctx, cells, sizeof *A);
    all_values = seg_alloc(ctx, n, sizeof *all_values);
    all_vectors = seg_alloc(ctx, cells, sizeof *all_vectors);
    if (!A || !all_values || !all_vectors) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    /* -S with the null vectors above all others, so that LAPACK's ascending order is the wanted one. */
    for (size_t i = 0; i < n; i++) {
        for (size_t e = d->S->start[i]; e < d->S->start[i + 1]; e++)
            A[i * n + (size_t)d->S->column[e]] -= d->S->value[e];
        for (size_t j = 0; j < n; j++)
            if (d->components->of[i] == d->components->of[j])
                A[i * n + j] += AWAY * d->root[i] * d->root[j];
    }
    status = seg_eigen_dense(ctx, n, A, all_values, all_vectors);
    for (size_t c = 0; status == SEG_OK && c < (size_t)count; c++) {
        value[c] = all_values[c];
        for (size_t i = 0; i < n; i++)
            vector[i * (size_t)count + c] = all_vectors[i * n + c];
    }
done:
    free(A);
    free(all_values);
    free(all_vectors);
    return status;
}

/* ARPACK, for the rare spectrum that the filter does not master in its rounds. */
static seg_status solve_lanczos(seg_context *ctx, deflated *d, int count, double *value, double *vector,
                                int *iterations) {
    size_t n = d->S->rows;
    seg_lanczos_options options = {
        .count = count, .largest = 1, .basis = 3 * count + 20, .restarts = 100, .tolerance = TOLERANCE};
    if ((size_t)options.basis > n)
        options.basis = (int)n;
    return seg_lanczos(ctx, n, apply_deflated, d, &options, value, vector, iterations);
}

static seg_status solve_sparse(seg_context *ctx, deflated *d, int count, double *value, double *vector,
                               int *iterations) {
    seg_subspace_options options = {
        .count = count, .lower = -1, .upper = 1, .tolerance = TOLERANCE, .rounds = 60, .project = project, .user = d};
    int converged = 0, products = 0;
    seg_status status = seg_subspace_largest(ctx, d->S, &options, value, vector, iterations, &converged);
    if (status == SEG_OK && !converged) {
        status = solve_lanczos(ctx, d, count, value, vector, &products);
        *iterations += products;
    }
    for (int c = 0; status == SEG_OK && c < count; c++)
        value[c] = -value[c];
    return status;
}

/* Take away what rounding and the tolerance left along the null vectors, and fix the norm. */
static void clean(deflated *d, int count, double *vector) {
    size_t n = d->S->rows, stride = (size_t)count;
    project(d, stride, vector);
    for (size_t c = 0; c < stride; c++) {
        double norm = 0;
        for (size_t i = 0; i < n; i++)
            norm += vector[i * stride + c] * vector[i * stride + c];
        norm = sqrt(norm);
        for (size_t i = 0; norm > 0 && i < n; i++)
            vector[i * stride + c] /= norm;
    }
}

seg_status seg_spectrum_solve(seg_context *ctx, const seg_csr *S, const seg_components *components, const double *root,
                              int count, double *value, double *vector, int *iterations) {
    size_t n = S->rows;
    deflated d = {.ctx = ctx, .S = S, .components = components, .root = root};
    seg_status status;
    *iterations = 0;
    size_t along;
    if (!seg_multiply((size_t)components->count, seg_subspace_block(count), &along))
        along = SIZE_MAX;
    d.along = seg_alloc(ctx, along, sizeof *d.along);
    if (!d.along)
        return SEG_ERR_MEMORY;
    if (n <= DENSE_NODES || (size_t)count > n / 3)
        status = solve_dense(ctx, &d, count, value, vector);
    else
        status = solve_sparse(ctx, &d, count, value, vector, iterations);
    if (status == SEG_OK)
        clean(&d, count, vector);
    for (int c = 0; status == SEG_OK && c < count; c++) {
        double lambda = 1 + value[c];
        value[c] = lambda < 0 ? 0 : lambda > 2 ? 2 : lambda;
    }
    free(d.along);
    return status;
}
