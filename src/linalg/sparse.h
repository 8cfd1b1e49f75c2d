/* Sparse symmetric matrices: products, and the solution of positive definite systems. */
#pragma once

#include <segment/matrix.h>

/* The sum of row i: a node's degree. */
static inline double seg_csr_row_sum(const seg_csr *A, size_t i) {
    double sum = 0;
    for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
        sum += A->value[e];
    return sum;
}

/* The entry in row i and column j, 0 where none is stored. */
static inline double seg_csr_at(const seg_csr *A, size_t i, size_t j) {
    for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
        if ((size_t)A->column[e] == j)
            return A->value[e];
    return 0;
}

/* y = A x for a vector, rows split over the context's threads (each row is summed by one thread in a fixed order: the
 * same bytes for any number of threads). */
void seg_csr_times_vector(const seg_context *ctx, const seg_csr *A, const double *x, double *y);

/* Y = A X, X and Y row-major with `cols` columns. */
void seg_csr_times_matrix(const seg_context *ctx, const seg_csr *A, size_t cols, const double *X, double *Y);

/* A symmetric matrix given by its products: a sparse matrix, or a function `times`. */
typedef struct seg_symmetric {
    size_t n;
    const seg_csr *sparse;
    /* Used where sparse is NULL. Y = A X as seg_csr_times_matrix. SEG_OK, SEG_ERR_CANCELLED, ... */
    seg_status (*times)(void *user, size_t cols, const double *X, double *Y);
    void *user;
} seg_symmetric;
seg_status seg_symmetric_times(const seg_context *ctx, const seg_symmetric *A, size_t cols, const double *X, double *Y);

/* A symmetric operator of n unknowns: y = A x. */
typedef struct seg_operator {
    size_t n;
    void (*apply)(void *user, const double *x, double *y);
    void *user;
} seg_operator;
/* The `count` algebraically smallest or largest eigenpairs of an operator, by ARPACK (dsaupd/dseupd), start vector
 * drawn from the context's seed. */
typedef struct seg_lanczos_options {
    int count;        /* eigenpairs wanted, 1 .. n-1 */
    int largest;      /* 1: largest algebraic, 0: smallest */
    int basis;        /* Lanczos vectors, 0 = max(2*count+1, 20), at most n */
    int restarts;     /* limit of implicit restarts, 0 = 1000 */
    double tolerance; /* relative, 0 = 1e-10 */
    int start;        /* index of the start vector: each index gives another random one */
    double crowd;     /* give up if, not converged after about 50 restarts, all wanted Ritz values are above this, too
                         close to each other; 0: never */
} seg_lanczos_options;
/* value: count numbers, ascending if smallest, descending if largest; vector: n x count row-major (column c), norm one.
 * iterations: products with the operator; may be NULL. SEG_OK, SEG_ERR_NUMERIC (with the code of ARPACK, in words where
 * it can occur), SEG_ERR_MEMORY, SEG_ERR_USAGE. */
seg_status seg_lanczos(seg_context *ctx, const seg_operator *op, const seg_lanczos_options *options, double *value,
                       double *vector, int *iterations);

/* A sparse Cholesky factorisation of a symmetric positive definite matrix (CHOLMOD; both triangles given). */
typedef struct seg_cholesky seg_cholesky;
seg_status seg_cholesky_create(seg_context *ctx, const seg_csr *A, seg_cholesky **out);
/* The same, unless it would take more than `operations`, or the factor more than `entries` numbers, which the cheap
 * symbolic analysis tells: then nothing is factorised, SEG_OK and *out NULL. */
seg_status seg_cholesky_create_within(seg_context *ctx, const seg_csr *A, double operations, double entries,
                                      seg_cholesky **out);
/* Solve A X = B for `cols` right-hand sides, B and X row-major n x cols (may be the same array). */
seg_status seg_cholesky_solve(seg_context *ctx, seg_cholesky *factor, size_t cols, const double *B, double *X);
void seg_cholesky_free(seg_cholesky *factor);

/* The transpose; columns of a row ascend, whatever their order in A. SEG_OK, SEG_ERR_MEMORY. Cost O(entries). */
seg_status seg_csr_transpose(seg_context *ctx, const seg_csr *A, seg_csr *out);

/* Fills a sparse matrix row by row. The columns of a row must come in ascending order; the diagonal entry, known at the
 * end of the row, is inserted at its place. */
typedef struct seg_row_writer {
    seg_csr *A;
    size_t at, diagonal, row;
} seg_row_writer;
void seg_row_put(seg_row_writer *w, int32_t column, double value);
/* End row w->row and begin the next one. */
void seg_row_end(seg_row_writer *w, double diagonal);

/* Allocate a sparse matrix with room for `entries` (start all zero). @return as seg_matrix_create. */
seg_status seg_csr_create(seg_context *ctx, size_t rows, size_t cols, size_t entries, seg_csr *out);

/* The best approximate eigenvectors in the span of given vectors. */

/* The Rayleigh-Ritz step: replace the columns of X (n x cols, row-major, independent) by the orthonormal Ritz vectors
 * of the symmetric matrix S in their span. value: cols Ritz values, descending; residual: cols norms |S x - value x|.
 * SEG_OK, SEG_ERR_NUMERIC (dependent columns, numbers that are not finite), SEG_ERR_MEMORY, or what a product gives.
 * Cost cols products with S and O(n cols^2). */
seg_status seg_rayleigh_ritz(seg_context *ctx, const seg_symmetric *S, size_t cols, double *X, double *value,
                             double *residual);
