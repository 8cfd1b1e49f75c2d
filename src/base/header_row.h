/* How readers of numeric text recognise a header: in the first row no field looks like a number or is "?", and one is a
 * word. Other rows are data, and refused if they are not valid. */
#pragma once

#include <stddef.h>

/* 1 if the first ASCII letter, digit or underscore of the field is a digit, or the text from there is "inf" or
 * "infinity": "7", "-.5", "1,5", "0x10", "$3", "12:30". The text has no blanks around it. */
int seg_looks_like_number(const char *text, size_t length);

/* 1 for a missing value: empty, "?", "NA", "N/A", "nan". */
int seg_is_missing_value(const char *text, size_t length);

/* What is known of a row after some of its fields: zeroed at first. */
typedef struct seg_row_look {
    int words, data; /* it has a word, a number or "?" */
} seg_row_look;
void seg_row_look_at(seg_row_look *row, const char *text, size_t length);
static inline int seg_row_is_header(seg_row_look row) {
    return row.words && !row.data;
}
