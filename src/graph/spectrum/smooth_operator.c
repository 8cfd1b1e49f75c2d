#include "graph/spectrum/smooth_operator.h"

#include "base/base.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Small beside any eigenvalue that matters, which keeps those apart, large beside the rounding of the factor. Between
 * 1e-7 and 1e-4 it makes no difference to the number of solutions. */
static const double SHIFT = 1e-6;

/* L + shift I. */
static seg_status shifted_laplacian(seg_context *ctx, const seg_csr *S, seg_csr *A) {
    size_t n = S->rows, at = 0;
    seg_status status = seg_csr_create(ctx, n, n, S->start[n] + n, A);
    for (size_t i = 0; status == SEG_OK && i < n; i++) {
        size_t e = S->start[i], end = S->start[i + 1];
        double own = 1 + SHIFT;
        for (; e < end && (size_t)S->column[e] < i; e++) {
            A->column[at] = S->column[e];
            A->value[at++] = -S->value[e];
        }
        if (e < end && (size_t)S->column[e] == i)
            own -= S->value[e++];
        A->column[at] = (int32_t)i;
        A->value[at++] = own;
        for (; e < end; e++) {
            A->column[at] = S->column[e];
            A->value[at++] = -S->value[e];
        }
        A->start[i + 1] = at;
    }
    return status;
}

seg_status seg_smooth_operator_create(seg_context *ctx, const seg_symmetric *S, const seg_components *components,
                                      const double *root, size_t most, seg_smooth_operator *out) {
    *out = (seg_smooth_operator){.ctx = ctx, .S = S, .components = components, .root = root, .status = SEG_OK};
    out->along = seg_alloc(ctx, (size_t)components->count, sizeof *out->along);
    out->share = seg_alloc(ctx, most, sizeof *out->share);
    out->work = seg_alloc(ctx, S->n, sizeof *out->work);
    if (out->along && out->share && out->work)
        return SEG_OK;
    seg_smooth_operator_free(out);
    return SEG_ERR_MEMORY;
}

seg_status seg_smooth_operator_invert(seg_smooth_operator *op, double operations, double entries) {
    seg_csr A = {0};
    if (!op->S->sparse)
        return SEG_OK;
    seg_status status = shifted_laplacian(op->ctx, op->S->sparse, &A);
    if (status == SEG_OK)
        status = seg_cholesky_create_within(op->ctx, &A, operations, entries, &op->factor);
    seg_csr_free(&A);
    return status;
}

void seg_smooth_operator_free(seg_smooth_operator *op) {
    if (!op)
        return;
    seg_cholesky_free(op->factor);
    free(op->along);
    free(op->share);
    free(op->work);
    memset(op, 0, sizeof *op);
}

static void project(const seg_smooth_operator *op, double *x) {
    int n = (int)op->S->n, known = (int)op->known;
    seg_components_take_away(op->components, op->root, 1, op->along, x);
    if (known == 0)
        return;
    seg_gemv(1, (size_t)n, (size_t)known, 1, op->vector, x, 0, op->share);
    seg_gemv(0, (size_t)n, (size_t)known, -1, op->vector, op->share, 1, x);
}

void seg_smooth_operator_apply(void *user, const double *x, double *y) {
    seg_smooth_operator *op = user;
    size_t n = op->S->n;
    int before = seg_blas_begin();
    memcpy(op->work, x, n * sizeof *x);
    project(op, op->work);
    seg_status status = op->factor ? seg_cholesky_solve(op->ctx, op->factor, 1, op->work, y)
                                   : seg_symmetric_times(op->ctx, op->S, 1, op->work, y);
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

/* The same for one vector; a graph in one part, the usual case, needs no look at the parts. */
static void take_away_from(const seg_smooth_operator *op, double *x) {
    const size_t n = op->S->n;
    double sum[4] = {0};
    if (op->components->count != 1) {
        seg_components_take_away(op->components, op->root, 1, op->along, x);
        return;
    }
    for (size_t i = 0; i < n; i++)
        sum[i % 4] += op->root[i] * x[i];
    sum[0] += sum[1] + (sum[2] + sum[3]);
    for (size_t i = 0; i < n; i++)
        x[i] -= sum[0] * op->root[i];
}

seg_status seg_smooth_operator_apply_block(seg_smooth_operator *op, size_t count, const double *X, double *Y) {
    const size_t n = op->S->n;
    memcpy(Y, X, n * count * sizeof *X);
    for (size_t v = 0; v < count; v++)
        take_away_from(op, Y + v * n);
    const seg_status status = seg_cholesky_solve_vectors(op->ctx, op->factor, count, Y, Y);
    for (size_t v = 0; v < count; v++)
        take_away_from(op, Y + v * n);
    return status;
}

double seg_smooth_operator_eigenvalue(const seg_smooth_operator *op, double theta) {
    return op->factor ? 1 / theta - SHIFT : 3 - theta;
}

double seg_smooth_operator_crowd(void) {
    return 0.99 / SHIFT;
}
