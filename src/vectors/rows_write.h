/* Rows of numbers as CSV or NPY, by the file's name. */
#ifndef SEG_VECTORS_ROWS_WRITE_H
#define SEG_VECTORS_ROWS_WRITE_H

#include <segment/matrix.h>

/* Fill in row i. Rows are asked for one after the other, so that no matrix need be there whole. */
typedef void (*seg_row_of)(const void *user, size_t i, double *row);

/* head: lines before the rows of CSV, or NULL. SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY, SEG_ERR_CANCELLED; the file appears
 * complete or not at all. */
seg_status seg_rows_write(seg_context *ctx, const char *path, const char *head, size_t rows, size_t cols, seg_row_of of,
                          const void *user);

#endif
