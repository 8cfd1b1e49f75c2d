#include "linalg/rayleigh_ritz.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { LEAST_ROWS = 4096, MOST_BLOCKS = 64 };

/* Rows of a block: nothing but n decides. */
static size_t block_rows(size_t n) {
    const size_t even = (n + MOST_BLOCKS - 1) / MOST_BLOCKS;
    return even > LEAST_ROWS ? even : LEAST_ROWS;
}

typedef struct sums {
    size_t rows, cols;
    const double *A, *B, *value;
    double *part; /* sums of each block */
} sums;

/* G += A'B over `rows` rows; four at a time, so that G is read and written a quarter as often. */
SEG_WIDER_TOO static void add_products(size_t rows, size_t cols, const double *A, const double *B, double *G) {
    size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        const double *x = A + i * cols, *y = B + i * cols;
        for (size_t p = 0; p < cols; p++) {
            const double x0 = x[p], x1 = x[cols + p], x2 = x[2 * cols + p], x3 = x[3 * cols + p];
            double *g = G + p * cols;
            for (size_t q = 0; q < cols; q++)
                g[q] += (x0 * y[q] + x1 * y[cols + q]) + (x2 * y[2 * cols + q] + x3 * y[3 * cols + q]);
        }
    }
    for (; i < rows; i++)
        for (size_t p = 0; p < cols; p++)
            for (size_t q = 0; q < cols; q++)
                G[p * cols + q] += A[i * cols + p] * B[i * cols + q];
}

static void gram_block(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const sums *s = arg;
    add_products(last - first, s->cols, s->A + first * s->cols, s->B + first * s->cols,
                 s->part + first / s->rows * s->cols * s->cols);
}

/* One block after the other; total: `cells` numbers. */
static seg_status sum_blocks(seg_context *ctx, size_t n, size_t cells, sums *s, seg_body body, double *total) {
    s->rows = block_rows(n);
    const size_t blocks = (n + s->rows - 1) / s->rows;
    SEG_FREED double *part = s->part = seg_alloc_zero(ctx, blocks, cells * sizeof *part);
    if (!part)
        return SEG_ERR_MEMORY;
    seg_parallel(ctx, n, s->rows, body, s);
    memset(total, 0, cells * sizeof *total);
    for (size_t block = 0; block < blocks; block++)
        for (size_t e = 0; e < cells; e++)
            total[e] += part[block * cells + e];
    return SEG_OK;
}

seg_status seg_tall_gram(seg_context *ctx, size_t n, size_t cols, const double *A, const double *B, double *G) {
    return sum_blocks(ctx, n, cols * cols, &(sums){.cols = cols, .A = A, .B = B}, gram_block, G);
}

static void residual_block(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const sums *s = arg;
    const size_t cols = s->cols;
    double *square = s->part + first / s->rows * cols;
    for (size_t i = first; i < last; i++)
        for (size_t c = 0; c < cols; c++) {
            const double r = s->A[i * cols + c] - s->value[c] * s->B[i * cols + c];
            square[c] += r * r;
        }
}

seg_status seg_tall_residuals(seg_context *ctx, size_t n, size_t cols, const double *Y, const double *X,
                              double *value) {
    sums s = {.cols = cols, .A = Y, .B = X, .value = value};
    const seg_status status = sum_blocks(ctx, n, cols, &s, residual_block, value);
    for (size_t c = 0; !status && c < cols; c++)
        value[c] = sqrt(value[c]);
    return status;
}

typedef struct turning {
    size_t cols;
    const double *T;
    double *X;
} turning;

SEG_WIDER_TOO static void turn_rows(size_t rows, size_t cols, const double *T, double *X) {
    double turned[4][SEG_TALL_MOST_COLUMNS];
    for (size_t i = 0; i < rows; i += 4) {
        const size_t taken = rows - i < 4 ? rows - i : 4;
        double *x = X + i * cols;
        memset(turned, 0, sizeof turned);
        for (size_t p = 0; p < cols; p++) {
            const double *t = T + p * cols;
            for (size_t r = 0; r < taken; r++) {
                const double own = x[r * cols + p];
                for (size_t q = 0; q < cols; q++)
                    turned[r][q] += own * t[q];
            }
        }
        for (size_t r = 0; r < taken; r++)
            memcpy(x + r * cols, turned[r], cols * sizeof *x);
    }
}

static void turn_block(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const turning *t = arg;
    turn_rows(last - first, t->cols, t->T, t->X + first * t->cols);
}

void seg_tall_turn(const seg_context *ctx, size_t n, size_t cols, const double *T, double *X) {
    seg_parallel(ctx, n, LEAST_ROWS, turn_block, &(turning){cols, T, X});
}

enum { WORTH = 2000000 }; /* entries from which several threads are faster than BLAS on one */

/* H v = theta G v by G = LL' (row-major lower): H <- L^-1 H L^-T, symmetrised, and T <- L^-T times its eigenvectors. */
static seg_status solve_small(seg_context *ctx, size_t cols, double *G, double *H, double *value, double *T) {
    int order = (int)cols;
    for (size_t e = 0; e < cols * cols; e++)
        if (!isfinite(G[e]) || !isfinite(H[e]))
            return seg_fail(ctx, SEG_ERR_NUMERIC,
                            "approximate eigenvectors hold numbers that are not finite; check the weights");
    int before = seg_blas_begin();
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', order, G, order);
    if (info == 0) {
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, order, order, 1, G, order, H,
                    order);
        cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, order, order, 1, G, order, H,
                    order);
    }
    seg_blas_end(before);
    if (info != 0)
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "approximate eigenvectors are linearly dependent (dpotrf, code %d, %zu vectors); ask for fewer "
                        "or check for extreme weights",
                        (int)info, cols);
    for (size_t i = 0; i < cols; i++)
        for (size_t j = 0; j < i; j++)
            H[i * cols + j] = H[j * cols + i] = 0.5 * (H[i * cols + j] + H[j * cols + i]);
    seg_status status = seg_eigen_dense(ctx, cols, H, value, T);
    if (status != SEG_OK)
        return status;
    before = seg_blas_begin();
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, order, order, 1, G, order, T, order);
    seg_blas_end(before);
    return SEG_OK;
}

/* Matrices of n x cols. */
typedef struct size {
    seg_context *ctx;
    size_t n, cols;
    int tall; /* 1: worth several threads */
} size;

/* C = sign A'B. */
static seg_status gram(const size *s, const double *A, const double *B, double sign, double *C) {
    if (!s->tall) {
        seg_gemm((seg_shape){1, 0, s->cols, s->cols, s->n}, sign, A, B, 0, C);
        return SEG_OK;
    }
    const seg_status status = seg_tall_gram(s->ctx, s->n, s->cols, A, B, C);
    for (size_t e = 0; e < s->cols * s->cols; e++)
        C[e] *= sign;
    return status;
}

/* X = X T. */
static seg_status turn(const size *s, const double *T, double *X) {
    if (s->tall) {
        seg_tall_turn(s->ctx, s->n, s->cols, T, X);
        return SEG_OK;
    }
    SEG_FREED double *turned = seg_alloc(s->ctx, s->n, s->cols * sizeof *turned);
    if (!turned)
        return SEG_ERR_MEMORY;
    seg_gemm((seg_shape){0, 0, s->n, s->cols, s->cols}, 1, X, T, 0, turned);
    memcpy(X, turned, s->n * s->cols * sizeof *X);
    return SEG_OK;
}

seg_status seg_rayleigh_ritz(seg_context *ctx, const seg_symmetric *S, size_t cols, double *X, double *value,
                             double *residual) {
    size_t n = S->n, cells = 0, small = 0;
    seg_status status;
    if (!seg_multiply(n, cols, &cells) || !seg_multiply(cols, cols, &small) || cols > INT32_MAX)
        return seg_fail(ctx, SEG_ERR_MEMORY, "%zu eigenvectors are too many; ask for fewer", cols);
    const size s = {ctx, n, cols, cells >= WORTH && cols <= SEG_TALL_MOST_COLUMNS};
    SEG_FREED double *SX = seg_alloc(ctx, cells, sizeof *SX);
    SEG_FREED double *G = seg_alloc(ctx, small, sizeof *G);
    SEG_FREED double *H = seg_alloc(ctx, small, sizeof *H);
    SEG_FREED double *T = seg_alloc(ctx, small, sizeof *T);
    if (!SX || !G || !H || !T)
        return SEG_ERR_MEMORY;
    if ((status = seg_symmetric_times(ctx, S, cols, X, SX)) || (status = gram(&s, X, X, 1, G)) ||
        (status = gram(&s, X, SX, -1, H)) || /* minus: LAPACK's order, ascending */
        (status = solve_small(ctx, cols, G, H, value, T)) || (status = turn(&s, T, X)) || (status = turn(&s, T, SX)))
        return status;
    for (size_t c = 0; c < cols; c++)
        residual[c] = value[c] = -value[c];
    return seg_tall_residuals(ctx, n, cols, SX, X, residual);
}
