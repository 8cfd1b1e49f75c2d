/* Vectors in a unit in which squares, and sums of them, stay in the range of doubles. */
#ifndef SEG_LINALG_UNIT_H
#define SEG_LINALG_UNIT_H

#include "linalg/wide_rows.h"

typedef struct seg_in_unit {
    const seg_matrix *X; /* what was given where its numbers are neither very large nor very small, else `own` */
    seg_matrix own;      /* what was given times 2^-exponent, which is exact */
    int exponent;
} seg_in_unit;

/* The columns share the unit. doubles: 1: floats become doubles even where they need no other unit. `what` stands
 * before messages. SEG_OK, SEG_ERR_USAGE (a number that is not finite), SEG_ERR_MEMORY. */
seg_status seg_in_unit_create(seg_context *ctx, const seg_matrix *X, int doubles, const char *what, seg_in_unit *out);
void seg_in_unit_free(seg_in_unit *unit);

/* A length (power 1) or a squared length (power 2) of the given unit in the new one; never 0 or infinite where it was
 * neither. */
double seg_to_unit(const seg_in_unit *unit, double value, int power);

#endif
