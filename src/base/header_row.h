/* How readers of numeric text recognise a header: in the first row no field looks like a number and one is a word, and
 * a later row has only fields that look like numbers. Other rows are data, and refused if they are not valid. */
#ifndef SEG_BASE_HEADER_ROW_H
#define SEG_BASE_HEADER_ROW_H

#include <stddef.h>

/* 1 if a person would read the field as a number, in any notation: "7", "-.5", "1,5", "0x10", a Unicode minus sign
 * before digits, full-width or Arabic digits, "$3", "12:30", "inf". The text is UTF-8, without blanks around it. */
int seg_looks_like_number(const char *text, size_t length);

/* 1 for a missing value: empty, "?", "NA", "N/A", "nan". */
int seg_is_missing_value(const char *text, size_t length);

/* Fields of one row, counted one after the other. */
typedef struct seg_row_look {
    size_t numbers, words; /* neither: missing values */
    int unknown;           /* the row contains "?": a missing value, not a name */
} seg_row_look;
void seg_row_look_at(seg_row_look *row, const char *text, size_t length);

/* Whether the row by itself may be a header; a later row must confirm it. */
int seg_row_may_be_header(const seg_row_look *row);
int seg_row_is_numbers(const seg_row_look *row);

#endif
