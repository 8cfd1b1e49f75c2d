/* Write files of numbers: the header of an NPY file, and rows as CSV or NPY. */
#pragma once

#include "image/file.h"

#include <segment/matrix.h>

/* Write magic, version and header of NPY; the numbers follow in C order, in native byte order.
 * @param type   'f', 'i' or 'u', with `bytes` bytes per number
 * @param shape  `dimensions` numbers, 1..3 */
void seg_npy_put_header(seg_writer *writer, char type, int bytes, int dimensions, const size_t *shape);

/* Rows that are computed one by one, so that the whole matrix need not be in memory. */
typedef struct seg_rows {
    const char *head; /* lines before the rows of CSV, or NULL */
    size_t rows, cols;
    void (*of)(const void *user, size_t i, double *row); /* sets row i */
    const void *user;
} seg_rows;

/* Write rows as NPY if the name ends in .npy, else as CSV. SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY, SEG_ERR_CANCELLED; the
 * file appears complete or not at all. */
seg_status seg_rows_write(seg_context *ctx, const char *path, const seg_rows *rows);
