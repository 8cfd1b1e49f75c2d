#include "linalg/tall.h"

#include "base/base.h"
#include "base/lanes.h"
#include "base/parallel.h"

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
