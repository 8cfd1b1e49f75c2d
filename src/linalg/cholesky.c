#include "linalg/sparse.h"

#include "base/base.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"

#include <suitesparse/cholmod.h>

struct seg_cholesky {
    size_t n;
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *X, *Y, *E; /* solution and workspace, kept between solves */
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
    return seg_all_finite(A->start[A->rows], A->value)
               ? SEG_OK
               : seg_fail(ctx, SEG_ERR_NUMERIC, "a sparse matrix holds a number that is not finite; check the weights");
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
    /* Only AMD: METIS uses the random numbers of the C library, which other threads may use as well. */
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
}

/* Memory of the entries and their row indices, of the workspace for one dense block, and of the vectors of a solve. */
static size_t factor_bytes(const seg_cholesky *c) {
    const cholmod_factor *f = c->factor;
    const size_t numbers = f->is_super ? f->xsize + f->maxcsize : (size_t)c->common.lnz;
    return numbers * sizeof(double) + (f->is_super ? f->ssize : (size_t)c->common.lnz) * sizeof(int) +
           4 * c->n * sizeof(double);
}

seg_status seg_cholesky_create(seg_context *ctx, const seg_csr *A, seg_cholesky **out) {
    return seg_cholesky_create_within(ctx, A, INFINITY, INFINITY, out);
}

/* Analyse and factorise. *within 0 if a limit is exceeded: then nothing is factorised. */
static seg_status factorise(seg_context *ctx, const seg_csr *A, double operations, double entries, seg_cholesky *made,
                            int *within) {
    cholmod_common *common = &made->common;
    seg_status status = SEG_OK;
    const int started = cholmod_start(common);
    set_options(common);
    cholmod_sparse *lower = lower_triangle(A, common);
    if (lower)
        made->factor = cholmod_analyze(lower, common);
    if (made->factor)
        *within = common->fl <= operations && common->lnz <= entries;
    else /* more entries than can be counted */
        *within = (isinf(operations) && isinf(entries)) || common->status != CHOLMOD_TOO_LARGE;
    if (made->factor && *within)
        status = seg_reserve(ctx, factor_bytes(made), "the factor of the graph");
    if (made->factor && *within && !status)
        cholmod_factorize(lower, made->factor, common);
    if (!status && *within &&
        (!started || !made->factor || common->status != CHOLMOD_OK || made->factor->minor < made->n))
        status = say_cholmod(ctx, common);
    cholmod_free_sparse(&lower, common);
    return status;
}

seg_status seg_cholesky_create_within(seg_context *ctx, const seg_csr *A, double operations, double entries,
                                      seg_cholesky **out) {
    int within = 1;
    *out = NULL;
    SEG_TRY(check_matrix(ctx, A));
    seg_cholesky *made = *out = seg_alloc_zero(ctx, 1, sizeof *made);
    SEG_TRY(seg_allocated(made));
    made->n = A->rows;
    const int before = seg_blas_begin(), levels = seg_openmp_begin();
    seg_status status = factorise(ctx, A, operations, entries, made, &within);
    seg_openmp_end(levels);
    seg_blas_end(before);
    if (status || !within)
        seg_cholesky_free(seg_taken(out));
    return status;
}

/* factor->X = A^-1 B for `count` vectors, stored column by column. */
static seg_status solve_columns(seg_context *ctx, seg_cholesky *factor, size_t count, const double *B) {
    const size_t n = factor->n;
    cholmod_dense right = {.nrow = n, .ncol = count, .nzmax = n * count, .d = n, .xtype = CHOLMOD_REAL};
    right.x = (void *)B; /* which is only read */
    const int before = seg_blas_begin();
    const int solved = cholmod_solve2(CHOLMOD_A, factor->factor, &right, NULL, &factor->X, NULL, &factor->Y, &factor->E,
                                      &factor->common);
    seg_blas_end(before);
    return solved ? SEG_OK : say_cholmod(ctx, &factor->common);
}

seg_status seg_cholesky_solve(seg_context *ctx, seg_cholesky *factor, size_t cols, const double *B, double *X) {
    const size_t n = factor->n;
    if (cols == 0)
        return SEG_OK;
    SEG_LOCAL(double, column, seg_alloc(ctx, n, cols * sizeof *column));
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cols; c++)
            column[c * n + i] = B[i * cols + c];
    const seg_status status = solve_columns(ctx, factor, cols, column);
    const double *solution = status ? NULL : factor->X->x;
    for (size_t i = 0; !status && i < n; i++)
        for (size_t c = 0; c < cols; c++)
            X[i * cols + c] = solution[c * n + i];
    return status;
}

void seg_cholesky_free(seg_cholesky *factor) {
    if (!factor)
        return;
    cholmod_free_factor(&factor->factor, &factor->common);
    cholmod_free_dense(&factor->X, &factor->common);
    cholmod_free_dense(&factor->Y, &factor->common);
    cholmod_free_dense(&factor->E, &factor->common);
    cholmod_finish(&factor->common);
    free(factor);
}
