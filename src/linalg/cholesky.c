#include "linalg/sparse.h"

#include "base/base.h"
#include "linalg/blas_threads.h"
#include "linalg/openmp_threads.h"
#include "linalg/supernodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

struct seg_cholesky {
    size_t n;
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *X, *Y, *E; /* solution and workspace, kept between solves */
    double *work;             /* of a few vectors; NULL before it is needed */
};

static seg_status say_cholmod(seg_context *ctx, const cholmod_common *common) {
    switch (common->status) {
    case CHOLMOD_OUT_OF_MEMORY:
        return seg_fail(ctx, SEG_ERR_MEMORY,
                        "out of memory in the sparse Cholesky factorisation; use larger patches or fewer neighbours");
    case CHOLMOD_TOO_LARGE:
        return seg_fail(ctx, SEG_ERR_MEMORY,
                        "the sparse Cholesky factor is too large; use larger patches or fewer neighbours");
    case CHOLMOD_NOT_POSDEF:
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "a sparse matrix is not positive definite and has no Cholesky factor; check that every part of "
                        "the graph is tied to a marked patch");
    default:
        return seg_fail(ctx, SEG_ERR_NUMERIC, "the sparse Cholesky factorisation failed (CHOLMOD, status %d)",
                        common->status);
    }
}

static seg_status check_matrix(seg_context *ctx, const seg_csr *A) {
    if (A->rows != A->cols || A->rows == 0 || A->rows > INT32_MAX - 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "a matrix of %zu x %zu has no Cholesky factor", A->rows, A->cols);
    for (size_t e = 0; e < A->start[A->rows]; e++)
        if (!isfinite(A->value[e]))
            return seg_fail(ctx, SEG_ERR_NUMERIC,
                            "a sparse matrix holds a number that is not finite; check the weights");
    return SEG_OK;
}

/* The lower triangle by columns, which is the upper triangle by rows. */
static cholmod_sparse *lower_triangle(const seg_csr *A, cholmod_common *common) {
    size_t n = A->rows, entries = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
            entries += (size_t)A->column[e] >= i;
    cholmod_sparse *lower = cholmod_allocate_sparse(n, n, entries, 1, 1, -1, CHOLMOD_REAL, common);
    if (!lower)
        return NULL;
    int *start = lower->p, *row = lower->i;
    double *value = lower->x;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        start[i] = (int)at;
        for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
            if ((size_t)A->column[e] >= i) {
                row[at] = A->column[e];
                value[at++] = A->value[e];
            }
    }
    start[n] = (int)at;
    return lower;
}

static void set_options(cholmod_common *common) {
    common->print = 0;
    common->error_handler = NULL;
    common->try_catch = 0;
    common->useGPU = 0;
    common->final_ll = 1; /* LL', so that a negative pivot is an error in the simplicial code too */
    /* Only AMD: METIS draws from the C library's random numbers, which other threads may draw from as well. */
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
}

/* The entries with their row numbers, a dense block at a time being added up; the solutions of a solve. */
static size_t factor_bytes(const seg_cholesky *c) {
    const cholmod_factor *f = c->factor;
    const size_t numbers = f->is_super ? f->xsize + f->maxcsize : (size_t)c->common.lnz;
    return numbers * sizeof(double) + (f->is_super ? f->ssize : (size_t)c->common.lnz) * sizeof(int) +
           4 * c->n * sizeof(double);
}

seg_status seg_cholesky_create(seg_context *ctx, const seg_csr *A, seg_cholesky **out) {
    return seg_cholesky_create_within(ctx, A, INFINITY, INFINITY, out);
}

seg_status seg_cholesky_create_within(seg_context *ctx, const seg_csr *A, double operations, double entries,
                                      seg_cholesky **out) {
    seg_cholesky *made = NULL;
    cholmod_sparse *lower = NULL;
    int started = 0, before = 1, levels, within = 1;
    *out = NULL;
    seg_status status = check_matrix(ctx, A);
    if (status != SEG_OK)
        return status;
    made = seg_alloc_zero(ctx, 1, sizeof *made);
    if (!made)
        return SEG_ERR_MEMORY;
    before = seg_blas_begin();
    levels = seg_openmp_begin();
    started = cholmod_start(&made->common);
    set_options(&made->common);
    made->n = A->rows;
    lower = lower_triangle(A, &made->common);
    if (lower)
        made->factor = cholmod_analyze(lower, &made->common);
    const int limited = !isinf(operations) || !isinf(entries);
    if (limited && !made->factor && made->common.status == CHOLMOD_TOO_LARGE)
        within = 0; /* more entries than can be counted */
    if (made->factor)
        within = made->common.fl <= operations && made->common.lnz <= entries;
    if (made->factor && within)
        status = seg_reserve(ctx, factor_bytes(made), "the factor of the graph");
    if (made->factor && within && status == SEG_OK)
        cholmod_factorize(lower, made->factor, &made->common);
    if (status == SEG_OK && within &&
        (!started || !made->factor || made->common.status != CHOLMOD_OK || made->factor->minor < made->n))
        status = say_cholmod(ctx, &made->common);
    cholmod_free_sparse(&lower, &made->common);
    seg_openmp_end(levels);
    seg_blas_end(before);
    if (status != SEG_OK || !within) {
        seg_cholesky_free(made);
        return status;
    }
    *out = made;
    return SEG_OK;
}

seg_status seg_cholesky_solve(seg_context *ctx, seg_cholesky *factor, size_t cols, const double *B, double *X) {
    seg_status status = SEG_OK;
    size_t n = factor->n;
    cholmod_common *common = &factor->common;
    if (cols == 0)
        return SEG_OK;
    int before = seg_blas_begin();
    cholmod_dense *right = cholmod_allocate_dense(n, cols, n, CHOLMOD_REAL, common);
    if (!right) {
        status = say_cholmod(ctx, common);
        goto done;
    }
    double *column = right->x;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cols; c++)
            column[c * n + i] = B[i * cols + c];
    if (!cholmod_solve2(CHOLMOD_A, factor->factor, right, NULL, &factor->X, NULL, &factor->Y, &factor->E, common)) {
        status = say_cholmod(ctx, common);
        goto done;
    }
    const double *solution = factor->X->x;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cols; c++)
            X[i * cols + c] = solution[c * n + i];
done:
    cholmod_free_dense(&right, common);
    seg_blas_end(before);
    return status;
}

/* By CHOLMOD, any number of vectors. */
static seg_status solve_by_library(seg_context *ctx, seg_cholesky *factor, size_t count, const double *B, double *X) {
    const size_t n = factor->n;
    cholmod_dense right = {.nrow = n, .ncol = count, .nzmax = n * count, .d = n, .xtype = CHOLMOD_REAL};
    right.x = (void *)B; /* which is only read */
    const int before = seg_blas_begin();
    const int solved = cholmod_solve2(CHOLMOD_A, factor->factor, &right, NULL, &factor->X, NULL, &factor->Y, &factor->E,
                                      &factor->common);
    if (solved)
        memcpy(X, factor->X->x, n * count * sizeof *X);
    seg_blas_end(before);
    return solved ? SEG_OK : say_cholmod(ctx, &factor->common);
}

seg_status seg_cholesky_solve_vectors(seg_context *ctx, seg_cholesky *factor, size_t count, const double *B,
                                      double *X) {
    const cholmod_factor *f = factor->factor;
    if (!f->is_super || !f->is_ll || count != SEG_SUPERNODE_VECTORS)
        return solve_by_library(ctx, factor, count, B, X);
    if (!factor->work && !(factor->work = seg_alloc(ctx, factor->n, SEG_SUPERNODE_VECTORS * sizeof *factor->work)))
        return SEG_ERR_MEMORY;
    const seg_supernodes blocks = {.n = factor->n,
                                   .count = f->nsuper,
                                   .super = f->super,
                                   .pi = f->pi,
                                   .px = f->px,
                                   .row = f->s,
                                   .x = f->x,
                                   .order = f->ordering == CHOLMOD_NATURAL ? NULL : f->Perm};
    seg_supernodes_solve(&blocks, B, factor->work, X);
    return SEG_OK;
}

void seg_cholesky_free(seg_cholesky *factor) {
    if (!factor)
        return;
    cholmod_free_factor(&factor->factor, &factor->common);
    cholmod_free_dense(&factor->X, &factor->common);
    cholmod_free_dense(&factor->Y, &factor->common);
    cholmod_free_dense(&factor->E, &factor->common);
    cholmod_finish(&factor->common);
    free(factor->work);
    free(factor);
}
