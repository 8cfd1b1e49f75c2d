#include "linalg/wide_rows.h"

#include "base/base.h"
#include "base/lanes.h"

#include <math.h>

enum {
    TILE = 1 << 16 /* bytes of a tile's doubles */
};

SEG_WIDER_TOO static void widen(size_t count, const float *restrict from, double *restrict to) {
    for (size_t e = 0; e < count; e++)
        to[e] = (double)from[e];
}

/* A wrapper, because not every system lets other files call a function with two bodies (SEG_WIDER_TOO). */
void seg_widen(size_t count, const float *from, double *to) {
    widen(count, from, to);
}

size_t seg_rows_tile(const seg_matrix *X) {
    const size_t row = X->cols * sizeof(double);
    return row < TILE / SEG_LEAST_TILE ? TILE / (row ? row : 1) : SEG_LEAST_TILE;
}

double *seg_rows_room(seg_context *ctx, const seg_matrix *X, int threads) {
    size_t numbers = 0;
    if (!X->at &&
        (!seg_multiply(seg_rows_tile(X), X->cols, &numbers) || !seg_multiply(numbers, (size_t)threads, &numbers)))
        numbers = SIZE_MAX; /* refused by the allocation */
    return seg_alloc(ctx, numbers, sizeof(double));
}

size_t seg_rows_first_beyond(const seg_matrix *X, double most) {
    const size_t count = X->rows * X->cols;
    size_t e = 0;
    while (e < count && fabs(seg_rows_number(X, e)) <= most)
        e++;
    return e;
}
