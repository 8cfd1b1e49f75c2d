#include "kernels/spectral_learning.h"

#include "base/base.h"
#include "graph/components.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DENSE_SAMPLES = 200 };     /* up to here LAPACK's solver is as fast, and it finds multiple eigenvalues */
enum { RESCUED_SAMPLES = 1500 };  /* up to here it is used if Lanczos' method fails: seconds, 36 MB */
static const double RIDGE = 1e-6; /* share of the mean degree that makes the Laplacian invertible */

/* Multiply by (L + ridge I)^-1 without its part along the null vectors of L, by the factor of the matrix with hubs. */
typedef struct inverse {
    seg_context *ctx;
    seg_cholesky *factor;
    size_t n, nodes;
    const seg_components *parts;
    double *part_size, *along; /* of each part: its samples, a sum */
    double *right;             /* nodes */
    seg_status status;
} inverse;

static void project(const inverse *v, double *x) {
    memset(v->along, 0, (size_t)v->parts->count * sizeof *v->along);
    for (size_t i = 0; i < v->n; i++)
        v->along[v->parts->of[i]] += x[i];
    for (size_t i = 0; i < v->n; i++)
        x[i] -= v->along[v->parts->of[i]] / v->part_size[v->parts->of[i]];
}

static void apply(void *user, const double *x, double *y) {
    inverse *v = user;
    memcpy(v->right, x, v->n * sizeof *x);
    memset(v->right + v->n, 0, (v->nodes - v->n) * sizeof *x);
    project(v, v->right);
    if (!v->status)
        v->status = seg_poll(v->ctx);
    if (!v->status)
        v->status = seg_cholesky_solve(v->ctx, v->factor, 1, v->right, v->right);
    project(v, v->right);
    for (size_t i = 0; i < v->n; i++)
        y[i] = v->status ? NAN : v->right[i]; /* ends the iteration */
}

/* Compute all eigenpairs of the dense Laplacian. */
static seg_status solve_dense(seg_context *ctx, const seg_csr *L, size_t n, size_t k, seg_matrix *X, double *value) {
    const size_t nodes = L->rows;
    double *A = seg_alloc_zero(ctx, nodes, nodes * sizeof *A), *vector = seg_alloc(ctx, n, n * sizeof *vector);
    double *all = seg_alloc(ctx, n, sizeof *all);
    seg_status status = SEG_ERR_MEMORY;
    if (!A || !vector || !all)
        goto done;
    for (size_t i = 0; i < nodes; i++)
        for (size_t e = L->start[i]; e < L->start[i + 1]; e++)
            A[i * nodes + (size_t)L->column[e]] = L->value[e];
    for (size_t hub = n; hub < nodes; hub++) /* no two hubs are joined: each is eliminated separately */
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n && A[i * nodes + hub] != 0; j++)
                A[i * nodes + j] -= A[i * nodes + hub] * A[hub * nodes + j] / A[hub * nodes + hub];
    for (size_t i = 0; i < n; i++)
        memmove(A + i * n, A + i * nodes, n * sizeof *A);
    if ((status = seg_eigen_dense(ctx, n, A, all, vector)) != SEG_OK)
        goto done;
    for (size_t c = 0; c < k; c++) {
        value[c] = fmax(all[c], 0);
        for (size_t i = 0; i < n; i++)
            X->at[i * k + c] = vector[i * n + c];
    }
done:
    free(A);
    free(vector);
    free(all);
    return status;
}

/* Set columns of norm one to the indicators of the parts, the largest first. @return how many fit */
static size_t put_null_vectors(const inverse *v, size_t k, seg_matrix *X) {
    const size_t parts = (size_t)v->parts->count;
    size_t put = 0;
    for (size_t p = 0; p < parts; p++)
        v->along[p] = v->part_size[p];
    for (; put < parts && put < k; put++) {
        size_t best = 0;
        for (size_t p = 1; p < parts; p++)
            if (v->along[p] > v->along[best])
                best = p;
        v->along[best] = 0;
        for (size_t i = 0; i < v->n; i++)
            if ((size_t)v->parts->of[i] == best)
                X->at[i * k + put] = 1 / sqrt(v->part_size[best]);
    }
    return put;
}

static void negate(seg_csr *L) {
    for (size_t e = 0; e < L->start[L->rows]; e++)
        L->value[e] = -L->value[e];
}

static seg_status solve_sparse(seg_context *ctx, seg_csr *L, double ridge, size_t n, size_t k, seg_matrix *X,
                               double *value) {
    inverse v = {.ctx = ctx, .n = n, .nodes = L->rows};
    seg_components parts = {0};
    double *degree = seg_alloc(ctx, L->rows, 2 * sizeof *degree), *found = NULL, *vector = NULL;
    seg_status status = SEG_ERR_MEMORY;
    if (!degree)
        return status;
    for (size_t i = 0; i < L->rows; i++)
        for (size_t e = L->start[i]; e < L->start[i + 1]; e++)
            if ((size_t)L->column[e] == i)
                degree[i] = L->value[e];
    v.right = degree + L->rows;
    negate(L); /* so that edges are positive */
    status = seg_components_find(ctx, L, degree, &parts);
    negate(L);
    if (status)
        goto done;
    v.parts = &parts;
    v.part_size = seg_alloc_zero(ctx, (size_t)parts.count, 2 * sizeof *v.part_size);
    if (!v.part_size) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    v.along = v.part_size + parts.count;
    for (size_t i = 0; i < n; i++)
        v.part_size[parts.of[i]] += 1;
    const size_t nulls = put_null_vectors(&v, k, X), wanted = k - nulls;
    if (wanted == 0)
        goto done;
    found = seg_alloc(ctx, wanted, sizeof *found);
    vector = seg_alloc(ctx, n, wanted * sizeof *vector);
    if (!found || !vector) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    const seg_lanczos_options options = {
        .count = (int)wanted, .largest = 1, .basis = (int)(2 * wanted + 20), .restarts = 300, .tolerance = 1e-8};
    if ((status = seg_cholesky_create(ctx, L, &v.factor)) != SEG_OK)
        goto done;
    status = seg_lanczos(ctx, n, apply, &v, &options, found, vector, NULL);
    if (v.status)
        status = v.status;
    for (size_t c = 0; !status && c < wanted; c++) {
        value[nulls + c] = fmax(1 / found[c] - ridge, 0);
        for (size_t i = 0; i < n; i++)
            X->at[i * k + nulls + c] = vector[i * wanted + c];
    }
done:
    seg_cholesky_free(v.factor);
    seg_components_free(&parts);
    free(v.part_size);
    free(degree);
    free(found);
    free(vector);
    return status;
}

/* Make the entry of largest magnitude, the first of equals, positive. */
static void fix_signs(seg_matrix *X) {
    for (size_t c = 0; c < X->cols; c++) {
        size_t at = c;
        for (size_t i = 0; i < X->rows; i++)
            if (fabs(X->at[i * X->cols + c]) > fabs(X->at[at]))
                at = i * X->cols + c;
        for (size_t i = 0; X->at[at] < 0 && i < X->rows; i++)
            if (i * X->cols + c != at)
                X->at[i * X->cols + c] = -X->at[i * X->cols + c];
        X->at[at] = fabs(X->at[at]);
    }
}

static void add_to_diagonal(seg_csr *L, size_t n, double value) {
    for (size_t i = 0; i < n; i++)
        for (size_t e = L->start[i]; e < L->start[i + 1]; e++)
            L->value[e] += (size_t)L->column[e] == i ? value : 0;
}

seg_status seg_spectral_learning(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints, int k,
                                 seg_matrix *X, double *value) {
    const size_t n = W->rows, clusters = (size_t)k;
    int dense = n <= DENSE_SAMPLES || clusters > n / 4;
    double ridge = 0, degrees = 0;
    seg_csr L = {0};
    seg_status status;
    memset(X, 0, sizeof *X);
    memset(value, 0, clusters * sizeof *value);
    if ((status = seg_spectral_learning_laplacian(ctx, W, constraints, 0, &L)) != SEG_OK ||
        (status = seg_matrix_create(ctx, n, clusters, X)) != SEG_OK)
        goto done;
    for (size_t i = 0; i < n; i++)
        for (size_t e = L.start[i]; e < L.start[i + 1]; e++)
            degrees += (size_t)L.column[e] == i ? L.value[e] : 0;
    ridge = degrees > 0 ? RIDGE * degrees / (double)n : RIDGE;
    if (!dense) {
        add_to_diagonal(&L, n, ridge);
        status = solve_sparse(ctx, &L, ridge, n, clusters, X, value);
    }
    if (status == SEG_ERR_NUMERIC && n <= RESCUED_SAMPLES) { /* eigenvalues too close to each other */
        seg_csr_free(&L);
        status = seg_spectral_learning_laplacian(ctx, W, constraints, 0, &L);
        dense = !status;
    }
    if (dense)
        status = solve_dense(ctx, &L, n, clusters, X, value);
    if (!status)
        fix_signs(X);
done:
    if (status)
        seg_matrix_free(X);
    seg_csr_free(&L);
    return status;
}
