#include "graph/spectrum/smooth_operator.h"

#include "base/base.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#include <math.h>
#include <string.h>

/* Small beside any eigenvalue that matters, which keeps those apart, large beside the rounding of the factor. Between
 * 1e-7 and 1e-4 it makes no difference to the number of solutions. */
static const double SHIFT = 1e-6;

/* L + shift I. */
static seg_status shifted_laplacian(seg_context *ctx, const seg_csr *S, seg_csr *A) {
    const size_t n = S->rows;
    seg_row_writer w = {.A = A};
    SEG_TRY(seg_csr_create(ctx, n, n, S->start[n] + n, A));
    for (size_t i = 0; i < n; i++) {
        double loop = 0;
        for (size_t e = S->start[i]; e < S->start[i + 1]; e++)
            if ((size_t)S->column[e] == i)
                loop = S->value[e];
            else
                seg_row_put(&w, S->column[e], -S->value[e]);
        seg_row_end(&w, 1 + SHIFT - loop);
    }
    return SEG_OK;
}

seg_status seg_smooth_operator_create(seg_context *ctx, const seg_csr *S, const seg_components *components, size_t most,
                                      seg_smooth_operator *out) {
    *out = (seg_smooth_operator){.ctx = ctx, .S = S, .components = components};
    out->along = seg_arena_alloc(ctx, &out->arena, (size_t)components->count, sizeof *out->along);
    out->share = seg_arena_alloc(ctx, &out->arena, most, sizeof *out->share);
    out->work = seg_arena_alloc(ctx, &out->arena, S->rows, sizeof *out->work);
    return out->arena.status;
}

seg_status seg_smooth_operator_invert(seg_smooth_operator *op, double operations, double entries) {
    SEG_RELEASED(seg_csr_free) seg_csr A = {0};
    SEG_TRY(shifted_laplacian(op->ctx, op->S, &A));
    return seg_cholesky_create_within(op->ctx, &A, operations, entries, &op->factor);
}

void seg_smooth_operator_free(seg_smooth_operator *op) {
    seg_cholesky_free(op->factor);
    seg_arena_free(&op->arena);
}

static void project(const seg_smooth_operator *op, double *x) {
    const size_t n = op->S->rows, known = op->known;
    seg_components_take_away(op->components, 1, op->along, x);
    if (known == 0)
        return;
    seg_gemv((seg_shape){.transpose_a = 1, .m = n, .n = known}, 1, op->vector, x, 0, op->share);
    seg_gemv((seg_shape){.m = n, .n = known}, -1, op->vector, op->share, 1, x);
}

void seg_smooth_operator_apply(void *user, const double *x, double *y) {
    seg_smooth_operator *op = user;
    size_t n = op->S->rows;
    int before = seg_blas_begin();
    memcpy(op->work, x, n * sizeof *x);
    project(op, op->work);
    seg_status status = SEG_OK;
    if (op->factor)
        status = seg_cholesky_solve(op->ctx, op->factor, 1, op->work, y);
    else
        seg_csr_times_vector(op->ctx, op->S, op->work, y);
    for (size_t i = 0; !op->factor && i < n; i++)
        y[i] += 2 * op->work[i];
    project(op, y);
    if (status != SEG_OK && op->status == SEG_OK) {
        op->status = status;
        if (op->ctx)
            memcpy(op->message, op->ctx->message, sizeof op->message);
    }
    if (op->status != SEG_OK)
        y[0] = NAN; /* ends the iteration */
    seg_blas_end(before);
}

double seg_smooth_operator_eigenvalue(const seg_smooth_operator *op, double theta) {
    return op->factor ? 1 / theta - SHIFT : 3 - theta;
}

double seg_smooth_operator_crowd(void) {
    return 0.99 / SHIFT;
}
