/* NPY, the array format of NumPy (its enhancement proposal NEP 1). */
#ifndef SEG_VECTORS_NPY_H
#define SEG_VECTORS_NPY_H

#include <segment/matrix.h>

/* The bytes begin as NPY does. */
int seg_npy_is(const unsigned char *bytes, size_t size);

/* Decode an array of one dimension (a column) or two. Every number is finite and at most
 * SEG_LARGEST_NUMBER in magnitude.
 * SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; `out` is zeroed on failure. */
seg_status seg_npy_decode(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                          seg_matrix *out);

#define SEG_NPY_TEXT 24 /* bytes of a 64-bit whole number in decimal notation */

/* A column of 64-bit whole numbers with all its digits, which doubles round beyond 2^53: SEG_NPY_TEXT bytes per row,
 * ended by 0. The file is one that seg_npy_decode has read. *whole: 0 where its numbers are of another type, and
 * nothing is written then. SEG_OK, SEG_ERR_INPUT. */
seg_status seg_npy_whole_column(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                                size_t column, char *text, int *whole);

#endif
