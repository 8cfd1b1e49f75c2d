/* The beginning of an NPY file. */
#ifndef SEG_VECTORS_NPY_WRITE_H
#define SEG_VECTORS_NPY_WRITE_H

#include "image/file.h"

#include <segment/matrix.h>

#include <stddef.h>

/* Put magic, version and header; the numbers follow in C order, in this machine's.
 * @param type   'f', 'i' or 'u', `bytes` bytes a number
 * @param shape  of `dimensions` numbers, 1..3 */
void seg_npy_put_header(seg_writer *writer, char type, int bytes, int dimensions, const size_t *shape);

/* Write a matrix as NPY (float64, C order), as carefully as seg_labels_write. @return as seg_labels_write */
seg_status seg_npy_write(seg_context *ctx, const char *path, const seg_matrix *matrix);

#endif
