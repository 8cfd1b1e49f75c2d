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

/* Apart, because a function with two bodies must not be called from other files everywhere. */
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

seg_row_window seg_row_window_open(const seg_matrix *X, size_t first, size_t count, double *room) {
    seg_row_window window = {.X = X, .room = room, .first = first, .count = count};
    while (count > (size_t)SEG_WINDOW_GROUPS << window.shift)
        window.shift++;
    return window;
}

void seg_row_window_widen(seg_row_window *window, size_t group) {
    const seg_matrix *X = window->X;
    const size_t from = group << window->shift, rows = (size_t)1 << window->shift;
    const size_t to = from + rows < window->count ? from + rows : window->count;
    seg_widen((to - from) * X->cols, X->single + (window->first + from) * X->cols, window->room + from * X->cols);
    window->done[group / 64] |= (uint64_t)1 << group % 64;
}

const double *seg_row_window_all(seg_row_window *window) {
    if (window->X->at)
        return window->X->at + window->first * window->X->cols;
    for (size_t group = 0; group << window->shift < window->count; group++)
        if (!(window->done[group / 64] >> group % 64 & 1))
            seg_row_window_widen(window, group);
    return window->room;
}

size_t seg_rows_first_beyond(const seg_matrix *X, double most) {
    const size_t count = X->rows * X->cols;
    size_t e = 0;
    while (e < count && fabs(seg_rows_number(X, e)) <= most)
        e++;
    return e;
}
