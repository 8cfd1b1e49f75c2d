#include "linalg/rayleigh_ritz.h"

#include "base/base.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"
#include "linalg/tall.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

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
static seg_status products(const size *s, const double *A, const double *B, double sign, double *C) {
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
    if ((status = seg_symmetric_times(ctx, S, cols, X, SX)) || (status = products(&s, X, X, 1, G)) ||
        (status = products(&s, X, SX, -1, H)) || /* minus: LAPACK's order, ascending */
        (status = solve_small(ctx, cols, G, H, value, T)) || (status = turn(&s, T, X)) || (status = turn(&s, T, SX)))
        return status;
    for (size_t c = 0; c < cols; c++)
        residual[c] = value[c] = -value[c];
    return seg_tall_residuals(ctx, n, cols, SX, X, residual);
}
