#include "linalg/wide_rows.h"
#include "base/base.h"
#include "base/lanes.h"
#include "linalg/dense.h"

#include <float.h>

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
    return seg_alloc(ctx, X->at ? 0 : (size_t)threads * seg_rows_tile(X), X->cols * sizeof(double));
}

size_t seg_rows_first_beyond(const seg_matrix *X, double most) {
    size_t e = 0;
    while (e < X->rows * X->cols && fabs(seg_rows_number(X, e)) <= most)
        e++;
    return e;
}

double seg_rows_scatter(const seg_matrix *X, double *room, double *mean) {
    double sum = 0;
    memset(mean, 0, X->cols * sizeof *mean);
    for (size_t i = 0; i < X->rows; i++) {
        const double *x = seg_rows_at(X, i, 1, room);
        for (size_t t = 0; t < X->cols; t++)
            mean[t] += x[t];
    }
    for (size_t t = 0; t < X->cols; t++)
        mean[t] /= (double)X->rows;
    for (size_t i = 0; i < X->rows; i++)
        sum += seg_distance2(X->cols, seg_rows_at(X, i, 1, room), mean);
    return sum;
}

/* A largest magnitude of 2^-COMFORTABLE .. 2^COMFORTABLE leaves room for squares of differences below the rounding of
 * the numbers, and for sums of fourth powers. */
#define COMFORTABLE 60

seg_status seg_in_unit_create(seg_context *ctx, const seg_matrix *X, int doubles, const char *what, seg_in_unit *out) {
    double largest = 0;
    *out = (seg_in_unit){.X = X};
    for (size_t e = 0; e < X->rows * X->cols; e++) {
        const double magnitude = fabs(seg_rows_number(X, e));
        if (!isfinite(magnitude))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "%s: column %zu of row %zu is not a finite number; remove or replace it", what,
                            e % X->cols + 1, e / X->cols + 1);
        largest = magnitude > largest ? magnitude : largest;
    }
    const int comfortable = largest == 0 || (ilogb(largest) >= -COMFORTABLE && ilogb(largest) <= COMFORTABLE);
    if (comfortable && (X->at || !doubles))
        return SEG_OK;
    SEG_TRY(seg_matrix_create(ctx, X->rows, X->cols, &out->own));
    out->X = &out->own;
    out->exponent = comfortable ? 0 : ilogb(largest);
    for (size_t e = 0; e < X->rows * X->cols; e++)
        out->own.at[e] = ldexp(seg_rows_number(X, e), -out->exponent);
    return SEG_OK;
}

void seg_in_unit_free(seg_in_unit *unit) {
    seg_matrix_free(&unit->own);
    memset(unit, 0, sizeof *unit);
}

double seg_to_unit(const seg_in_unit *unit, double value) {
    const double turned = ldexp(value, -unit->exponent);
    if (value == 0 || !isfinite(value) || unit->exponent == 0)
        return value;
    return copysign(fmin(fmax(fabs(turned), DBL_MIN), DBL_MAX), value);
}
