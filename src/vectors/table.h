/* Text split into lines and fields, and what is in them. */
#pragma once

#include "base/bytes.h"
#include "vectors/load.h"

#include <segment/vectors.h>

#include <locale.h>

/* --- Numbers in text, read strictly: decimal notation with a point, whatever the program's locale. --- */

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

/* --- Lines and fields. --- */

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
    size_t fields;
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

/* --- Class numbers from the texts of labels (labels_read.c). --- */

/* Number the distinct texts of the table from 0: in numerical order if all are numbers below 2^53 in magnitude,
 * otherwise in the order of their bytes. None may be missing (checked by the caller).
 * SEG_OK, SEG_ERR_INPUT (more than SEG_MAX_CLASSES), SEG_ERR_MEMORY. */
seg_status seg_classes_of_texts(seg_context *ctx, const seg_table *table, const seg_field *text, size_t n,
                                seg_labels *out);

/* The same for a column of an NPY file read into X. SEG_ERR_INPUT also for whole numbers from 2^53 on: not exact. */
seg_status seg_classes_of_column(seg_context *ctx, const seg_loaded *file, const seg_matrix *X, size_t column,
                                 seg_labels *out);
