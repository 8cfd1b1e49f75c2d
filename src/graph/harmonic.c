#include "graph/harmonic.h"

#include "base/base.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share of a node's degree added to the diagonal, so that a part of the graph without a fixed node stays solvable; far
 * below what can move a value elsewhere. */
#define GROUND 1e-10

/* L_uu of the free nodes, numbered by `number` in their order. */
static seg_status free_laplacian(seg_context *ctx, const seg_csr *W, const int32_t *number, size_t free_count,
                                 seg_csr *out) {
    size_t entries = free_count, row = 0, at = 0;
    seg_status status;
    for (size_t i = 0; i < W->rows; i++) {
        if (number[i] < 0)
            continue;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            entries += number[W->column[e]] >= 0 && (size_t)W->column[e] != i;
    }
    status = seg_csr_create(ctx, free_count, free_count, entries, out);
    if (status)
        return status;
    for (size_t i = 0; i < W->rows; i++) {
        double degree = 0;
        size_t diagonal = 0;
        int placed = 0;
        if (number[i] < 0)
            continue;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            size_t j = (size_t)W->column[e];
            if (j == i)
                continue;
            degree += W->value[e];
            if (number[j] < 0)
                continue;
            if (!placed && j > i) {
                diagonal = at++;
                placed = 1;
            }
            out->column[at] = number[j];
            out->value[at++] = -W->value[e];
        }
        if (!placed)
            diagonal = at++;
        out->column[diagonal] = (int32_t)row;
        out->value[diagonal] = degree > 0 ? degree * (1 + GROUND) : 1;
        out->start[++row] = at;
    }
    return SEG_OK;
}

struct seg_harmonic {
    const seg_csr *W;
    size_t free_count;
    uint8_t *fixed;  /* n */
    int32_t *number; /* n: number among the free nodes, -1 for fixed ones */
    seg_cholesky *factor;
};

seg_status seg_harmonic_create(seg_context *ctx, const seg_csr *W, const uint8_t *fixed, seg_harmonic **out) {
    const size_t n = W->rows;
    seg_harmonic *h;
    seg_csr L = {0};
    seg_status status = SEG_ERR_MEMORY;
    *out = NULL;
    if (W->cols != n)
        return seg_fail(ctx, SEG_ERR_USAGE, "harmonic extension needs a square matrix, not %zu x %zu", n, W->cols);
    h = seg_alloc_zero(ctx, 1, sizeof *h);
    if (!h)
        return SEG_ERR_MEMORY;
    h->W = W;
    h->fixed = seg_alloc(ctx, n, 1);
    h->number = seg_alloc(ctx, n, sizeof *h->number);
    if (!h->fixed || !h->number)
        goto done;
    for (size_t i = 0; i < n; i++) {
        h->fixed[i] = fixed[i] != 0;
        h->number[i] = fixed[i] ? -1 : (int32_t)h->free_count++;
    }
    status = SEG_OK;
    if (h->free_count > 0 && (status = free_laplacian(ctx, W, h->number, h->free_count, &L)) == SEG_OK)
        status = seg_cholesky_create(ctx, &L, &h->factor);
done:
    seg_csr_free(&L);
    if (status)
        seg_harmonic_free(h);
    else
        *out = h;
    return status;
}

int seg_harmonic_fits(const seg_harmonic *h, const uint8_t *fixed) {
    for (size_t i = 0; i < h->W->rows; i++)
        if (h->fixed[i] != (fixed[i] != 0))
            return 0;
    return 1;
}

seg_status seg_harmonic_apply(seg_context *ctx, seg_harmonic *h, seg_matrix *F) {
    const size_t n = h->W->rows, r = F->cols;
    const seg_csr *W = h->W;
    double *B;
    seg_status status;
    if (F->rows != n)
        return seg_fail(ctx, SEG_ERR_USAGE, "harmonic extension: %zu rows of values for a graph of %zu nodes", F->rows,
                        n);
    if (h->free_count == 0 || r == 0)
        return SEG_OK;
    B = seg_alloc_zero(ctx, h->free_count, r * sizeof *B);
    if (!B)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) { /* B = -L_ul F_l = W_ul F_l */
        if (h->fixed[i])
            continue;
        double *b = B + (size_t)h->number[i] * r;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            size_t j = (size_t)W->column[e];
            if (!h->fixed[j])
                continue;
            for (size_t c = 0; c < r; c++)
                b[c] += W->value[e] * F->at[j * r + c];
        }
    }
    status = seg_cholesky_solve(ctx, h->factor, r, B, B);
    for (size_t i = 0; !status && i < n; i++)
        if (!h->fixed[i])
            memcpy(F->at + i * r, B + (size_t)h->number[i] * r, r * sizeof *B);
    free(B);
    return status;
}

void seg_harmonic_free(seg_harmonic *h) {
    if (!h)
        return;
    seg_cholesky_free(h->factor);
    free(h->fixed);
    free(h->number);
    free(h);
}

static seg_status extend_directly(seg_context *ctx, const seg_csr *W, const uint8_t *fixed, seg_matrix *F) {
    seg_harmonic *h = NULL;
    seg_status status = seg_harmonic_create(ctx, W, fixed, &h);
    if (!status)
        status = seg_harmonic_apply(ctx, h, F);
    seg_harmonic_free(h);
    return status;
}

seg_status seg_harmonic_extend(seg_context *ctx, const seg_csr *W, const seg_laplacian *laplacian, const uint8_t *fixed,
                               double tolerance, seg_matrix *F) {
    const size_t n = W->rows, r = F->cols;
    double *absorb, *X;
    seg_status status;
    if (F->rows != n || seg_laplacian_nodes(laplacian) != n)
        return seg_fail(ctx, SEG_ERR_USAGE, "harmonic extension: %zu rows of values for a graph of %zu nodes", F->rows,
                        n);
    absorb = seg_alloc(ctx, n, sizeof *absorb);
    X = seg_alloc_zero(ctx, n, r * sizeof *X);
    status = absorb && X ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < n; i++) {
        absorb[i] = fixed[i] ? SEG_FIXED : 0;
        if (fixed[i])
            memcpy(X + i * r, F->at + i * r, r * sizeof *X);
    }
    if (!status)
        status = seg_laplacian_solve(ctx, laplacian, absorb, r, tolerance, X, X, NULL);
    if (!status)
        memcpy(F->at, X, n * r * sizeof *X);
    free(absorb);
    free(X);
    return status == SEG_ERR_NUMERIC ? extend_directly(ctx, W, fixed, F) : status;
}
