/* Text split into lines and fields. */
#ifndef SEG_VECTORS_TABLE_H
#define SEG_VECTORS_TABLE_H

#include "base/bytes.h"
#include "vectors/load.h"
#include "vectors/number.h"

#include <segment/context.h>

typedef struct seg_field {
    const char *text; /* borrowed from the table's bytes, no terminating 0; surrounding blanks and quotes are removed */
    size_t length;
} seg_field;

typedef struct seg_table {
    const char *label; /* of the file, for messages; borrowed */
    seg_span left;     /* what is still to be read */
    size_t line;       /* number of the line that was read last, from 1 */
    char separator;    /* ',', ';', tab, or ' ' for any run of blanks; 0 if a line is one field */
    seg_field *field;  /* of the line that was read last; owned */
    size_t fields, room;
    locale_t locale; /* "C" */
} seg_table;

/* Begin to read a text; the file is borrowed and must outlive the fields.
 * @param split_blanks  0 if blanks belong to the fields, as in labels of several words
 * SEG_OK, SEG_ERR_INPUT (no text), SEG_ERR_MEMORY. The caller closes it in every case. */
seg_status seg_table_open(seg_context *ctx, const seg_loaded *file, int split_blanks, seg_table *out);
void seg_table_close(seg_table *table);

/* The fields of the next line that is neither blank nor a comment. *more is 0 at the end. */
seg_status seg_table_next(seg_context *ctx, seg_table *table, int *more);

/* Number of lines left, including blank lines and comments. */
size_t seg_table_lines_left(const seg_table *table);

/* Refuse a field: "FILE:LINE: column C, 'TEXT', FAULT". */
seg_status seg_table_refuse(seg_context *ctx, const seg_table *table, size_t column, const char *fault);

/* Parse the field as a number, or refuse it. */
seg_status seg_table_number(seg_context *ctx, const seg_table *table, size_t column, double *value);

/* Copy the texts of fields into one block: the pointers, then the texts, each ended by 0. NULL if out of memory. */
char **seg_fields_copy(seg_context *ctx, const seg_field *field, size_t count);

/* *header is 1 if the line read last, the table's first, is a header by the rule of base/header_row.h. A header must
 * name each of the `count` columns from `first`. SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_table_is_header(seg_context *ctx, const seg_table *table, size_t first, size_t count, int *header);

#endif
