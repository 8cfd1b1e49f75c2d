/* The rule by which all readers of numbers in text tell a header from data: a first row is a header where none of its
 * fields looks like a number, one of them is a word, and a later row has fields that all look like numbers. What is not
 * a header is data, and refused where it is not what it should be. */
#ifndef SEG_BASE_HEADER_ROW_H
#define SEG_BASE_HEADER_ROW_H

#include <stddef.h>

/* 1 where a person would take the field for a number, in whatever notation: "7", "-.5", "1,5", "0x10", a minus sign of
 * Unicode before digits, full-width or Arabic digits, "$3", "12:30", "inf". The text is UTF-8, without blanks around.
 */
int seg_looks_like_number(const char *text, size_t length);

/* 1 for what stands for a value that is missing: nothing, "?", "NA", "N/A", "nan". */
int seg_is_missing_value(const char *text, size_t length);

/* Fields of one row, counted one after the other. */
typedef struct seg_row_look {
    size_t numbers, words; /* neither: missing values */
    int unknown;           /* there is a "?": no name, but a value that is not known */
} seg_row_look;
void seg_row_look_at(seg_row_look *row, const char *text, size_t length);

/* Whether the row may be a header, as far as it alone tells; whether a later row shows that it is one. */
int seg_row_may_be_header(const seg_row_look *row);
int seg_row_is_numbers(const seg_row_look *row);

#endif
