#include "graph/harmonic.h"

#include "base/base.h"
#include "linalg/sparse.h"

#include <string.h>

/* Fraction of a node's degree added to the diagonal, so that the system is not singular on components without a fixed
 * node; far too small to change values elsewhere. */
#define GROUND 1e-10

static seg_status check(seg_context *ctx, const seg_csr *W, size_t nodes, const seg_matrix *F) {
    if (W->rows == W->cols && W->rows == nodes && F->rows == nodes)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_USAGE, "harmonic extension: %zu rows of values for a graph of %zu x %zu nodes",
                    F->rows, W->rows, W->cols);
}

/* The rows of fixed nodes become those of the identity, with their values on the right-hand side. */
seg_status seg_harmonic_directly(seg_context *ctx, const seg_csr *W, const uint8_t *fixed, seg_matrix *F) {
    const size_t n = W->rows, r = F->cols;
    SEG_RELEASED(seg_csr_free) seg_csr L = {0};
    seg_row_writer w = {.A = &L};
    seg_cholesky *factor;
    SEG_TRY(check(ctx, W, n, F));
    if (r == 0)
        return SEG_OK;
    SEG_TRY(seg_csr_create(ctx, n, n, W->start[n] + n, &L));
    for (size_t i = 0; i < n; i++) {
        double degree = 0, *f = F->at + i * r;
        if (!fixed[i])
            memset(f, 0, r * sizeof *f);
        for (size_t e = W->start[i]; !fixed[i] && e < W->start[i + 1]; e++) {
            const size_t j = (size_t)W->column[e];
            if (j == i)
                continue;
            degree += W->value[e];
            for (size_t c = 0; fixed[j] && c < r; c++)
                f[c] += W->value[e] * F->at[j * r + c];
            if (!fixed[j])
                seg_row_put(&w, (int32_t)j, -W->value[e]);
        }
        seg_row_end(&w, degree > 0 ? degree * (1 + GROUND) : 1);
    }
    SEG_TRY(seg_cholesky_create(ctx, &L, &factor));
    const seg_status status = seg_cholesky_solve(ctx, factor, r, F->at, F->at);
    seg_cholesky_free(factor);
    return status;
}

seg_status seg_harmonic_extend(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const uint8_t *fixed,
                               double tolerance, seg_matrix *F) {
    const size_t n = W->rows, r = F->cols;
    SEG_TRY(check(ctx, W, seg_laplacian_nodes(laplacian), F));
    SEG_FREED double *absorb = seg_alloc(ctx, n, sizeof *absorb), *X = seg_alloc_zero(ctx, n, r * sizeof *X);
    if (!absorb || !X)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        absorb[i] = fixed[i] ? SEG_FIXED : 0;
        if (fixed[i])
            memcpy(X + i * r, F->at + i * r, r * sizeof *X);
    }
    seg_status status = seg_laplacian_solve(ctx, laplacian, &(seg_laplacian_system){absorb, r, tolerance, X, X, NULL});
    if (status)
        return status == SEG_ERR_NUMERIC ? seg_harmonic_directly(ctx, W, fixed, F) : status;
    memcpy(F->at, X, n * r * sizeof *X);
    return SEG_OK;
}
