#include "linalg/rayleigh_ritz.h"

#include "base/base.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

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
    SEG_TRY(seg_eigen_dense(ctx, cols, H, value, T));
    before = seg_blas_begin();
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, order, order, 1, G, order, T, order);
    seg_blas_end(before);
    return SEG_OK;
}

/* X = X T; room: workspace. */
static void turn(size_t n, size_t cols, const double *T, double *X, double *room) {
    seg_gemm((seg_shape){0, 0, n, cols, cols}, 1, X, T, 0, room);
    memcpy(X, room, n * cols * sizeof *X);
}

seg_status seg_rayleigh_ritz(seg_context *ctx, const seg_symmetric *S, size_t cols, double *X, double *value,
                             double *residual) {
    size_t n = S->n, cells = 0, small = 0;
    if (!seg_multiply(n, cols, &cells) || !seg_multiply(cols, cols, &small) || cols > INT32_MAX)
        return seg_fail(ctx, SEG_ERR_MEMORY, "%zu eigenvectors are too many; ask for fewer", cols);
    SEG_FREED double *SX = seg_alloc(ctx, cells, sizeof *SX), *room = seg_alloc(ctx, cells, sizeof *room);
    SEG_FREED double *G = seg_alloc(ctx, small, sizeof *G), *H = seg_alloc(ctx, small, sizeof *H);
    SEG_FREED double *T = seg_alloc(ctx, small, sizeof *T);
    if (!SX || !room || !G || !H || !T)
        return SEG_ERR_MEMORY;
    SEG_TRY(seg_symmetric_times(ctx, S, cols, X, SX));
    seg_gemm((seg_shape){1, 0, cols, cols, n}, 1, X, X, 0, G);
    seg_gemm((seg_shape){1, 0, cols, cols, n}, -1, X, SX, 0, H); /* minus: LAPACK sorts ascending */
    SEG_TRY(solve_small(ctx, cols, G, H, value, T));
    turn(n, cols, T, X, room);
    turn(n, cols, T, SX, room);
    memset(residual, 0, cols * sizeof *residual);
    for (size_t c = 0; c < cols; c++)
        value[c] = -value[c];
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cols; c++) {
            const double r = SX[i * cols + c] - value[c] * X[i * cols + c];
            residual[c] += r * r;
        }
    for (size_t c = 0; c < cols; c++)
        residual[c] = sqrt(residual[c]);
    return SEG_OK;
}
