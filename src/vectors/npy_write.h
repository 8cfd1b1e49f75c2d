/* The beginning of an NPY file. */
#ifndef SEG_VECTORS_NPY_WRITE_H
#define SEG_VECTORS_NPY_WRITE_H

#include "image/file.h"

#include <stddef.h>

/* Put magic, version and header; the numbers follow in C order, in this machine's.
 * @param type   'f', 'i' or 'u', `bytes` bytes a number
 * @param shape  of `dimensions` numbers, 1..3 */
void seg_npy_put_header(seg_writer *writer, char type, int bytes, int dimensions, const size_t *shape);

#endif
