#include "linalg/dense.h"
#include "base/base.h"
#include "linalg/blas_threads.h"

#include <cblas.h>
#include <lapacke.h>

enum { DENSE_LIMIT = 32000 }; /* beyond it dsyevd's workspace of 1 + 6n + 2n^2 numbers overflows LAPACK's integers */

int seg_all_finite(size_t count, const double *x) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

static void transpose_square(size_t n, double *A) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            SEG_SWAP(double, A[i * n + j], A[j * n + i]);
}

/* Eigenpairs with the c-th eigenvector in ROW c: LAPACK's columns seen from a row-major language. */
static seg_status eigen_rows(seg_context *ctx, size_t n, const double *A, double *value, double *vector) {
    if (n > DENSE_LIMIT)
        return seg_fail(ctx, SEG_ERR_MEMORY,
                        "a dense eigenproblem of %zu unknowns is too large (limit %d); ask for fewer eigenvectors", n,
                        DENSE_LIMIT);
    if (!seg_all_finite(n * n, A))
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "a matrix of %zu x %zu holds a number that is not finite; check the features and weights", n,
                        n);
    lapack_int order = (lapack_int)n, work_size = 1 + 6 * order + 2 * order * order, iwork_size = 3 + 5 * order;
    SEG_LOCAL(double, work, seg_alloc(ctx, (size_t)work_size, sizeof *work));
    SEG_LOCAL(lapack_int, iwork, seg_alloc(ctx, (size_t)iwork_size, sizeof *iwork));
    memcpy(vector, A, n * n * sizeof *vector);
    int before = seg_blas_begin();
    lapack_int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', order, vector, order, value, work, work_size,
                                          iwork, iwork_size);
    seg_blas_end(before);
    return info ? seg_fail(ctx, SEG_ERR_NUMERIC,
                           "LAPACK's symmetric eigensolver did not converge (dsyevd, code %d, %zu unknowns); check for "
                           "extreme weights",
                           (int)info, n)
                : SEG_OK;
}

seg_status seg_eigen_dense(seg_context *ctx, size_t n, const double *A, double *value, double *vector) {
    if (n == 0)
        return SEG_OK;
    SEG_TRY(eigen_rows(ctx, n, A, value, vector));
    transpose_square(n, vector);
    return SEG_OK;
}

/* A = beta A + the sum over `count` rows v of `vector` of |value| v v', both triangles; scales the rows. */
static void add_outer_products(size_t n, size_t count, const double *value, double *vector, double beta, double *A) {
    for (size_t c = 0; c < count; c++) {
        double root = sqrt(fabs(value[c]));
        for (size_t i = 0; i < n; i++)
            vector[c * n + i] *= root;
    }
    int before = seg_blas_begin();
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)n, (int)count, 1, vector, (int)n, beta, A, (int)n);
    seg_blas_end(before);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            A[i * n + j] = A[j * n + i];
}

seg_status seg_psd_project(seg_context *ctx, size_t n, double *A) {
    size_t negative = 0;
    if (n == 0)
        return SEG_OK;
    SEG_LOCAL(double, value, seg_alloc(ctx, n, sizeof *value));
    SEG_LOCAL(double, vector, seg_alloc(ctx, n, n * sizeof *vector));
    SEG_TRY(eigen_rows(ctx, n, A, value, vector));
    while (negative < n && value[negative] < 0)
        negative++;
    /* Subtract the negative part or sum up the positive one, whichever has fewer terms. */
    if (negative > 0 && negative <= n / 2)
        add_outer_products(n, negative, value, vector, 1, A);
    else if (negative > 0)
        add_outer_products(n, n - negative, value + negative, vector + negative * n, 0, A);
    return SEG_OK;
}

seg_status seg_cholesky_dense(seg_context *ctx, size_t n, double *A) {
    if (n == 0)
        return SEG_OK;
    int before = seg_blas_begin();
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, A, (lapack_int)n);
    seg_blas_end(before);
    return info ? seg_fail(ctx, SEG_ERR_NUMERIC,
                           "a dense system of %zu equations is not positive definite (dpotrf, code %d)", n, (int)info)
                : SEG_OK;
}

void seg_cholesky_dense_solve(size_t n, const double *factor, double *x) {
    if (n == 0)
        return;
    int before = seg_blas_begin();
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, 1, factor, (lapack_int)n, x, (lapack_int)n);
    seg_blas_end(before);
}

void seg_gemm(seg_shape s, double alpha, const double *A, const double *B, double beta, double *C) {
    const size_t columns_a = s.transpose_a ? s.m : s.k, columns_b = s.transpose_b ? s.k : s.n;
    if (s.m == 0 || s.n == 0)
        return;
    int before = seg_blas_begin();
    cblas_dgemm(CblasRowMajor, s.transpose_a ? CblasTrans : CblasNoTrans, s.transpose_b ? CblasTrans : CblasNoTrans,
                (int)s.m, (int)s.n, (int)s.k, alpha, A, (int)(columns_a ? columns_a : 1), B,
                (int)(columns_b ? columns_b : 1), beta, C, (int)s.n);
    seg_blas_end(before);
}

seg_status seg_svd_dense(seg_context *ctx, size_t n, const double *A, double *U, double *singular, double *V) {
    if (n > DENSE_LIMIT)
        return seg_fail(ctx, SEG_ERR_MEMORY, "a dense singular value problem of %zu unknowns is too large", n);
    if (!seg_all_finite(n * n, A))
        return seg_fail(ctx, SEG_ERR_NUMERIC, "a matrix of %zu x %zu holds a number that is not finite", n, n);
    lapack_int order = (lapack_int)n, work_size = 10 * order + 64;
    SEG_LOCAL(double, copy, seg_alloc(ctx, n, n * sizeof *copy));
    SEG_LOCAL(double, work, seg_alloc(ctx, (size_t)work_size, sizeof *work));
    memcpy(copy, A, n * n * sizeof *copy);
    /* LAPACK is column-major: it sees A' = V S U', so its left singular vectors are V (its columns are our rows), and
     * its right ones, transposed, are U in row-major order. */
    int before = seg_blas_begin();
    lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', order, order, copy, order, singular, V, order, U,
                                          order, work, work_size);
    seg_blas_end(before);
    if (info)
        return seg_fail(ctx, SEG_ERR_NUMERIC, "LAPACK's singular values did not converge (dgesvd, code %d)", (int)info);
    transpose_square(n, V); /* U is row-major as it stands: LAPACK's U'(s, c) at [c n + s] is our U(c, s) */
    return SEG_OK;
}

void seg_gemv(seg_shape s, double alpha, const double *A, const double *x, double beta, double *y) {
    int before = seg_blas_begin();
    cblas_dgemv(CblasRowMajor, s.transpose_a ? CblasTrans : CblasNoTrans, (int)s.m, (int)s.n, alpha, A, (int)s.n, x, 1,
                beta, y, 1);
    seg_blas_end(before);
}

seg_status seg_matrix_widen(seg_context *ctx, size_t columns, seg_matrix *X) {
    seg_matrix wider;
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols + columns, &wider));
    for (size_t i = 0; X->cols && i < X->rows; i++)
        memcpy(wider.at + i * wider.cols, X->at + i * X->cols, X->cols * sizeof *X->at);
    seg_matrix_free(X);
    *X = wider;
    return SEG_OK;
}

seg_status seg_rows_taken(seg_context *ctx, const seg_matrix *X, const int32_t *row, size_t rows, seg_matrix *out) {
    SEG_TRY(seg_matrix_create(ctx, rows, X->cols, out));
    for (size_t i = 0; i < rows; i++)
        memcpy(out->at + i * X->cols, X->at + (size_t)row[i] * X->cols, X->cols * sizeof *out->at);
    return SEG_OK;
}

void seg_project(const double *X, size_t n, size_t d, const double *vector, seg_matrix *out) {
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < out->cols; c++) {
            double sum = 0;
            for (size_t a = 0; a < d; a++)
                sum += X[i * d + a] * vector[a * d + (d - 1 - c)];
            out->at[i * out->cols + c] = sum;
        }
}

void seg_rows_to_sphere(size_t n, size_t columns, double *Z) {
    for (double *row = Z; row < Z + n * columns; row += columns) {
        const double norm = sqrt(seg_dot(columns, row, row));
        for (size_t c = 0; norm > 0 && c < columns; c++)
            row[c] /= norm;
    }
}
