#include <segment/matrix.h>

#include "base/base.h"
#include "linalg/sparse.h"

#include <stdlib.h>
#include <string.h>

seg_status seg_matrix_create(seg_context *ctx, size_t rows, size_t cols, seg_matrix *out) {
    size_t entries;
    *out = (seg_matrix){0};
    if (!seg_multiply(rows, cols, &entries))
        return seg_fail(ctx, SEG_ERR_USAGE, "a matrix of %zu x %zu numbers is too large", rows, cols);
    double *at = seg_alloc_zero(ctx, entries, sizeof *at);
    if (!at)
        return SEG_ERR_MEMORY;
    *out = (seg_matrix){.rows = rows, .cols = cols, .at = at};
    return SEG_OK;
}

void seg_matrix_free(seg_matrix *matrix) {
    if (!matrix)
        return;
    free(matrix->at);
    free(matrix->single);
    memset(matrix, 0, sizeof *matrix);
}

seg_status seg_csr_create(seg_context *ctx, size_t rows, size_t cols, size_t entries, seg_csr *out) {
    memset(out, 0, sizeof *out);
    if (cols > INT32_MAX || rows > INT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "a sparse matrix of %zu x %zu is too large", rows, cols);
    out->start = seg_alloc_zero(ctx, rows + 1, sizeof *out->start);
    out->column = seg_alloc(ctx, entries, sizeof *out->column);
    out->value = seg_alloc(ctx, entries, sizeof *out->value);
    if (!out->start || !out->column || !out->value) {
        seg_csr_free(out);
        return SEG_ERR_MEMORY;
    }
    out->rows = rows;
    out->cols = cols;
    return SEG_OK;
}

void seg_csr_free(seg_csr *matrix) {
    if (!matrix)
        return;
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    memset(matrix, 0, sizeof *matrix);
}
