/* Numbers in text, read strictly: decimal notation with a point, whatever the program's locale. */
#ifndef SEG_VECTORS_NUMBER_H
#define SEG_VECTORS_NUMBER_H

#include <locale.h>
#include <stddef.h>

#include <segment/matrix.h>

#define SEG_LARGEST_NUMBER     SEG_LARGEST_FEATURE /* of any number in a file */
#define SEG_LARGEST_SIMILARITY 1e100 /* of a kernel's entry and an edge's weight, whose squares and sums are finite */

typedef enum seg_number_kind {
    SEG_NUMBER_GOOD = 0,
    SEG_NUMBER_MISSING, /* empty, ?, NA, N/A or NaN */
    SEG_NUMBER_LARGE,   /* infinite or above SEG_LARGEST_NUMBER */
    SEG_NUMBER_WORD     /* anything else */
} seg_number_kind;

/* Parse a text of that length, without blanks around it. A good number is stored in *value, correctly rounded. */
seg_number_kind seg_number_parse(const char *text, size_t length, locale_t locale, double *value);

/* What is wrong with a value that is not good, and how to fix it, for messages. */
const char *seg_number_fault(seg_number_kind kind);

#endif
