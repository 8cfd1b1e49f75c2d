/* Rows of a matrix of doubles, or of floats that are converted to doubles when they are read: the conversion is exact,
 * so results do not depend on which of the two is in memory. */
#pragma once

#include <segment/matrix.h>

/* The e-th number. */
static inline double seg_rows_number(const seg_matrix *X, size_t e) {
    return X->at ? X->at[e] : (double)X->single[e];
}

/* `count` floats as doubles. */
void seg_widen(size_t count, const float *from, double *to);

/* The `count` rows from `first` on: in X itself if it holds doubles, else converted into `room`. */
static inline const double *seg_rows_at(const seg_matrix *X, size_t first, size_t count, double *room) {
    if (X->at)
        return X->at + first * X->cols;
    seg_widen(count * X->cols, X->single + first * X->cols, room);
    return room;
}

#define SEG_LEAST_TILE ((size_t)8) /* rows */
/* Rows that are processed together, so that their doubles stay in the cache: at least SEG_LEAST_TILE. */
size_t seg_rows_tile(const seg_matrix *X);
/* Workspace for one tile per thread; nearly nothing if rows are doubles. The caller frees it; NULL: out of memory. */
double *seg_rows_room(seg_context *ctx, const seg_matrix *X, int threads);
/* One thread's part of that workspace. */
static inline double *seg_rows_own_room(const seg_matrix *X, double *room, int worker) {
    return !X->at ? room + (size_t)worker * seg_rows_tile(X) * X->cols : room;
}

/* The mean of all rows, and the sum of their squared distances to it. room: seg_rows_room; mean: cols. */
double seg_rows_scatter(const seg_matrix *X, double *room, double *mean);

/* The index of the first number that is not finite or beyond `most` in magnitude, rows * cols if there is none. */
size_t seg_rows_first_beyond(const seg_matrix *X, double most);

/* Vectors scaled so that squares, and sums of squares, stay in the range of doubles. */
typedef struct seg_in_unit {
    const seg_matrix *X; /* the given matrix if its numbers are neither very large nor very small, else `own` */
    seg_matrix own;      /* the given matrix times 2^-exponent, which is exact */
    int exponent;
} seg_in_unit;

/* All columns share one scale. doubles: 1 converts floats to doubles even if they need no scaling. what: the prefix of
 * messages. SEG_OK, SEG_ERR_USAGE (a number that is not finite), SEG_ERR_MEMORY. */
seg_status seg_in_unit_create(seg_context *ctx, const seg_matrix *X, int doubles, const char *what, seg_in_unit *out);
void seg_in_unit_free(seg_in_unit *unit);

/* Scale a length likewise; never 0 or infinite unless it was before. */
double seg_to_unit(const seg_in_unit *unit, double value);
