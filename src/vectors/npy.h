/* NPY, the array format of NumPy (its enhancement proposal NEP 1). */
#ifndef SEG_VECTORS_NPY_H
#define SEG_VECTORS_NPY_H

#include <segment/matrix.h>

/* The bytes begin as NPY does. */
int seg_npy_is(const unsigned char *bytes, size_t size);

/* Decode an array of one dimension (a column) or two. Every number is finite and at most 1e100 in magnitude.
 * SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; `out` is zeroed on failure. */
seg_status seg_npy_decode(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                          seg_matrix *out);

#endif
