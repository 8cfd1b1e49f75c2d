/* MatrixMarket coordinate files: the entries of a matrix that are not zero, a line each. */
#ifndef SEG_VECTORS_SPARSE_READ_H
#define SEG_VECTORS_SPARSE_READ_H

#include "vectors/load.h"

#include <segment/matrix.h>

/* The bytes begin as MatrixMarket does. */
int seg_matrix_market_is(const unsigned char *bytes, size_t size);

/* Read `matrix coordinate real|integer|pattern general` into a dense matrix. Entries that are listed twice are added.
 * The matrix is allocated when the sizes are known to be possible, before any entry is read.
 * SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY (also where the context's limit is passed), SEG_ERR_CANCELLED; `out` is zeroed
 * on failure. */
seg_status seg_matrix_market_read(seg_context *ctx, const seg_loaded *file, seg_matrix *out);

#endif
