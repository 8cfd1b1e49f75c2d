/* Vectors scaled so that squares, and sums of squares, stay in the range of doubles. */
#ifndef SEG_LINALG_UNIT_H
#define SEG_LINALG_UNIT_H

#include "linalg/wide_rows.h"

typedef struct seg_in_unit {
    const seg_matrix *X; /* the given matrix if its numbers are neither very large nor very small, else `own` */
    seg_matrix own;      /* the given matrix times 2^-exponent, which is exact */
    int exponent;
} seg_in_unit;

/* All columns share one scale. doubles: 1 converts floats to doubles even if they need no scaling. what: the prefix of
 * messages. SEG_OK, SEG_ERR_USAGE (a number that is not finite), SEG_ERR_MEMORY. */
seg_status seg_in_unit_create(seg_context *ctx, const seg_matrix *X, int doubles, const char *what, seg_in_unit *out);
void seg_in_unit_free(seg_in_unit *unit);

/* Scale a length (power 1) or a squared length (power 2) likewise; never 0 or infinite unless it was before. */
double seg_to_unit(const seg_in_unit *unit, double value, int power);

#endif
