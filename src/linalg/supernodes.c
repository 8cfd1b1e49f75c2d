#include "linalg/supernodes.h"

#include "base/lanes.h"

enum { VECTORS = SEG_SUPERNODE_VECTORS, ROWS = 4 };

typedef double row_of __attribute__((vector_size(VECTORS * sizeof(double)), aligned(8)));

/* L Y = Y, block by block: the triangle, then what it takes away below, ROWS rows at a time. */
SEG_WIDER_TOO
static void forward(const seg_supernodes *f, row_of *Y) {
    for (size_t s = 0; s < f->count; s++) {
        const size_t cols = (size_t)(f->super[s + 1] - f->super[s]), rows = (size_t)(f->pi[s + 1] - f->pi[s]);
        const double *L = f->x + f->px[s];
        const int *row = f->row + f->pi[s];
        row_of *own = Y + f->super[s];
        for (size_t c = 0; c < cols; c++) {
            const double *column = L + c * rows;
            own[c] /= column[c];
            for (size_t r = c + 1; r < cols; r++)
                own[r] -= column[r] * own[c];
        }
        size_t r = cols;
        for (; r + ROWS <= rows; r += ROWS) {
            row_of sum[ROWS] = {{0}};
            for (size_t c = 0; c < cols; c++)
                for (size_t i = 0; i < ROWS; i++)
                    sum[i] += L[c * rows + r + i] * own[c];
            for (size_t i = 0; i < ROWS; i++)
                Y[row[r + i]] -= sum[i];
        }
        for (; r < rows; r++) {
            row_of sum = {0};
            for (size_t c = 0; c < cols; c++)
                sum += L[c * rows + r] * own[c];
            Y[row[r]] -= sum;
        }
    }
}

/* L' Y = Y, from the last block to the first. */
SEG_WIDER_TOO
static void backward(const seg_supernodes *f, row_of *Y) {
    for (size_t s = f->count; s-- > 0;) {
        const size_t cols = (size_t)(f->super[s + 1] - f->super[s]), rows = (size_t)(f->pi[s + 1] - f->pi[s]);
        const double *L = f->x + f->px[s];
        const int *row = f->row + f->pi[s];
        row_of *own = Y + f->super[s];
        size_t c = 0;
        for (; c + ROWS <= cols; c += ROWS) {
            row_of sum[ROWS] = {{0}};
            const double *column = L + c * rows;
            for (size_t r = cols; r < rows; r++)
                for (size_t i = 0; i < ROWS; i++)
                    sum[i] += column[i * rows + r] * Y[row[r]];
            for (size_t i = 0; i < ROWS; i++)
                own[c + i] -= sum[i];
        }
        for (; c < cols; c++) {
            row_of sum = {0};
            for (size_t r = cols; r < rows; r++)
                sum += L[c * rows + r] * Y[row[r]];
            own[c] -= sum;
        }
        for (c = cols; c-- > 0;) {
            const double *column = L + c * rows;
            for (size_t r = c + 1; r < cols; r++)
                own[c] -= column[r] * own[r];
            own[c] /= column[c];
        }
    }
}

void seg_supernodes_solve(const seg_supernodes *factor, const double *B, double *work, double *X) {
    const size_t n = factor->n;
    for (size_t i = 0; i < n; i++) {
        const size_t from = factor->order ? (size_t)factor->order[i] : i;
        for (size_t v = 0; v < VECTORS; v++)
            work[i * VECTORS + v] = B[v * n + from];
    }
    forward(factor, (row_of *)(void *)work);
    backward(factor, (row_of *)(void *)work);
    for (size_t i = 0; i < n; i++) {
        const size_t to = factor->order ? (size_t)factor->order[i] : i;
        for (size_t v = 0; v < VECTORS; v++)
            X[v * n + to] = work[i * VECTORS + v];
    }
}
