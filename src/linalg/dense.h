/* Small dense problems, by BLAS and LAPACK. Everything here runs BLAS on one thread (blas_threads.h), so that a result
 * does not depend on the number of processors. */
#pragma once

#include <segment/matrix.h>

/* All eigenpairs of the symmetric n x n matrix A (row-major, both triangles filled, left unchanged), ascending.
 * value: n numbers; vector: n x n row-major, COLUMN c is the c-th eigenvector, norm one. LAPACK dsyevd.
 * SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n^3). */
seg_status seg_eigen_dense(seg_context *ctx, size_t n, const double *A, double *value, double *vector);

int seg_all_finite(size_t count, const double *x);

/* Replace the symmetric n x n matrix A (row-major) by the nearest positive semidefinite one in the Frobenius norm
 * (negative eigenvalues set to 0) [chen2011npkl, Theorem 3]. Cost O(n^3). */
seg_status seg_psd_project(seg_context *ctx, size_t n, double *A);

/* Replace the symmetric positive definite n x n matrix A (row-major) by its Cholesky factor, for
 * seg_cholesky_dense_solve. LAPACK dpotrf. SEG_OK, SEG_ERR_NUMERIC (not positive definite). Cost O(n^3). */
seg_status seg_cholesky_dense(seg_context *ctx, size_t n, double *A);
/* Replace x by the solution of A z = x. LAPACK dpotrs. Cost O(n^2). */
void seg_cholesky_dense_solve(size_t n, const double *factor, double *x);

/* Singular values of the n x n matrix A (row-major): A = U diag(singular) V', singular descending; U and V row-major,
 * the s-th singular vectors in their columns s. LAPACK dgesvd. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n^3). */
seg_status seg_svd_dense(seg_context *ctx, size_t n, const double *A, double *U, double *singular, double *V);

/* Which of the factors are transposed (0/1), and the sizes of a product. */
typedef struct seg_shape {
    int transpose_a, transpose_b;
    size_t m, n, k;
} seg_shape;

/* C (m x n) = alpha * op(A) * op(B) + beta * C, all row-major; A is m x k or (transposed) k x m. */
void seg_gemm(seg_shape shape, double alpha, const double *A, const double *B, double beta, double *C);

/* y = alpha * op(A) * x + beta * y; A is m x n row-major. */
void seg_gemv(seg_shape shape, double alpha, const double *A, const double *x, double beta, double *y);

static inline double seg_sum(size_t n, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
static inline double seg_dot(size_t n, const double *x, const double *y) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
/* A += weight * x x', the lower triangle. */
static inline void seg_add_outer(size_t n, double weight, const double *x, double *A) {
    for (size_t i = 0; i < n; i++) {
        const double left = weight * x[i];
        for (size_t j = 0; j <= i; j++)
            A[i * n + j] += left * x[j];
    }
}
/* Make A exactly symmetric: entries opposite each other get their mean. */
static inline void seg_symmetrise(size_t n, double *A) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
}
/* |x - y|^2 */
static inline double seg_distance2(size_t n, const double *x, const double *y) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

/* The rows of X that are listed, in this order, as a matrix of their own. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_rows_taken(seg_context *ctx, const seg_matrix *X, const int32_t *row, size_t rows, seg_matrix *out);

/* Append columns of zeros. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_matrix_widen(seg_context *ctx, size_t columns, seg_matrix *X);

/* Project the n rows of X (n x d) on the first out->cols eigenvectors, the largest first; `vector` (d x d) has them in
 * its columns, the largest last. */
void seg_project(const double *X, size_t n, size_t d, const double *vector, seg_matrix *out);

/* Normalise each of the n rows of Z to length one; zero rows stay zero. */
void seg_rows_to_sphere(size_t n, size_t columns, double *Z);
