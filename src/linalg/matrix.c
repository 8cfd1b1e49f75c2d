#include "linalg/sparse.h"

#include "base/base.h"
#include "base/lanes.h"

enum {
    SMALL_WORK = 150000, /* multiplications; below it waking threads costs more than it saves */
    TILE = 8             /* columns summed in registers */
};

typedef struct product {
    const seg_csr *A;
    size_t cols;
    const double *x;
    double *y;
} product;

/* Four running sums per row hide the latency of the additions; their order is fixed, whichever thread has the row. */
static void multiply_vector(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const product *p = arg;
    const size_t *start = p->A->start;
    const int32_t *column = p->A->column;
    const double *value = p->A->value, *x = p->x;
    double *y = p->y;
    for (size_t i = first; i < last; i++) {
        double a = 0, b = 0, c = 0, d = 0;
        size_t e = start[i], end = start[i + 1];
        for (; e + 4 <= end; e += 4) {
            a += value[e] * x[column[e]];
            b += value[e + 1] * x[column[e + 1]];
            c += value[e + 2] * x[column[e + 2]];
            d += value[e + 3] * x[column[e + 3]];
        }
        for (; e < end; e++)
            a += value[e] * x[column[e]];
        y[i] = (a + b) + (c + d);
    }
}

void seg_csr_times_vector(const seg_context *ctx, const seg_csr *A, const double *x, double *y) {
    const int threads = A->start[A->rows] < SMALL_WORK ? 1 : seg_threads(ctx);
    seg_parallel_on(ctx, threads, A->rows, 0, multiply_vector, &(product){A, 1, x, y});
}

/* One row of A X: TILE columns at a time in registers, then the rest. */
SEG_WIDER_TOO static void multiply_row(const seg_csr *A, size_t row, size_t cols, const double *X, double *y) {
    size_t first = 0, begin = A->start[row], end = A->start[row + 1];
    for (; first + TILE <= cols; first += TILE) {
        double sum[TILE] = {0};
        for (size_t e = begin; e < end; e++) {
            const double *x = X + (size_t)A->column[e] * cols + first;
            double w = A->value[e];
            for (int t = 0; t < TILE; t++)
                sum[t] += w * x[t];
        }
        memcpy(y + first, sum, sizeof sum);
    }
    for (size_t t = first; t < cols; t++)
        y[t] = 0;
    for (size_t e = begin; first < cols && e < end; e++) {
        const double *x = X + (size_t)A->column[e] * cols;
        for (size_t t = first; t < cols; t++)
            y[t] += A->value[e] * x[t];
    }
}

static void multiply_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const product *p = arg;
    for (size_t i = first; i < last; i++)
        multiply_row(p->A, i, p->cols, p->x, p->y + i * p->cols);
}

void seg_csr_times_matrix(const seg_context *ctx, const seg_csr *A, size_t cols, const double *X, double *Y) {
    /* With several columns a multiplication takes a third of the time. */
    int threads = A->start[A->rows] < 3 * SMALL_WORK / (cols + 1) ? 1 : seg_threads(ctx);
    seg_parallel_on(ctx, threads, A->rows, 0, multiply_rows, &(product){A, cols, X, Y});
}

seg_status seg_symmetric_times(const seg_context *ctx, const seg_symmetric *A, size_t cols, const double *X,
                               double *Y) {
    if (!A->sparse)
        return A->times(A->user, cols, X, Y);
    if (cols == 1)
        seg_csr_times_vector(ctx, A->sparse, X, Y);
    else
        seg_csr_times_matrix(ctx, A->sparse, cols, X, Y);
    return SEG_OK;
}

seg_status seg_csr_transpose(seg_context *ctx, const seg_csr *A, seg_csr *out) {
    SEG_TRY(seg_csr_create(ctx, A->cols, A->rows, A->start[A->rows], out));
    for (size_t e = 0; e < A->start[A->rows]; e++)
        out->start[A->column[e] + 1]++;
    for (size_t c = 0; c < A->cols; c++)
        out->start[c + 1] += out->start[c];
    for (size_t r = 0; r < A->rows; r++)
        for (size_t e = A->start[r]; e < A->start[r + 1]; e++) {
            const size_t at = out->start[A->column[e]]++;
            out->column[at] = (int32_t)r;
            out->value[at] = A->value[e];
        }
    /* Filling moved every start to the next row's: move them back. */
    memmove(out->start + 1, out->start, A->cols * sizeof *out->start);
    out->start[0] = 0;
    return SEG_OK;
}

seg_status seg_matrix_create(seg_context *ctx, size_t rows, size_t cols, seg_matrix *out) {
    size_t entries;
    *out = (seg_matrix){0};
    if (!seg_multiply(rows, cols, &entries))
        return seg_fail(ctx, SEG_ERR_USAGE, "a matrix of %zu x %zu numbers is too large", rows, cols);
    double *at = seg_alloc_zero(ctx, entries, sizeof *at);
    SEG_TRY(seg_allocated(at));
    *out = (seg_matrix){.rows = rows, .cols = cols, .at = at};
    return SEG_OK;
}

void seg_matrix_free(seg_matrix *matrix) {
    SEG_CLEAR(matrix, matrix->at, matrix->single);
}

seg_status seg_csr_create(seg_context *ctx, size_t rows, size_t cols, size_t entries, seg_csr *out) {
    memset(out, 0, sizeof *out);
    if (cols > INT32_MAX || rows > INT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "a sparse matrix of %zu x %zu is too large", rows, cols);
    SEG_RELEASED(seg_csr_free) seg_csr made = {.rows = rows, .cols = cols};
    SEG_TRY(seg_allocated(made.start = seg_alloc_zero(ctx, rows + 1, sizeof *made.start)));
    SEG_TRY(seg_allocated(made.column = seg_alloc(ctx, entries, sizeof *made.column)));
    SEG_TRY(seg_allocated(made.value = seg_alloc(ctx, entries, sizeof *made.value)));
    return SEG_HANDED_OVER(out, made);
}

/* w->diagonal: 0 until the diagonal entry has a place, then that place plus 1. */
void seg_row_put(seg_row_writer *w, int32_t column, double value) {
    if (!w->diagonal && (size_t)column > w->row) {
        w->A->column[w->at] = (int32_t)w->row;
        w->diagonal = ++w->at;
    }
    w->A->column[w->at] = column;
    w->A->value[w->at++] = value;
}

void seg_row_end(seg_row_writer *w, double diagonal) {
    if (!w->diagonal) {
        w->A->column[w->at] = (int32_t)w->row;
        w->diagonal = ++w->at;
    }
    w->A->value[w->diagonal - 1] = diagonal;
    w->diagonal = 0;
    w->A->start[++w->row] = w->at;
}

void seg_csr_free(seg_csr *matrix) {
    SEG_CLEAR(matrix, matrix->start, matrix->column, matrix->value);
}
