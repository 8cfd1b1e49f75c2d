/* The beginning of an NPY file. */
#ifndef SEG_VECTORS_NPY_WRITE_H
#define SEG_VECTORS_NPY_WRITE_H

#include "image/file.h"

#include <stddef.h>

/* Put magic, version and header; the numbers follow in C order.
 * @param type  'f' or 'i': 8 bytes a number in this machine's order
 * @param cols  0 for an array of one dimension */
void seg_npy_put_header(seg_writer *writer, char type, size_t rows, size_t cols);

#endif
