/* Products of matrices with many rows and few columns, on the context's threads: BLAS must not run on several (see
 * products.h). Sums go over fixed blocks of rows, in their order: the same bytes for any number of threads. */
#ifndef SEG_LINALG_TALL_H
#define SEG_LINALG_TALL_H

#include <segment/context.h>

#include <stddef.h>

enum { SEG_TALL_MOST_COLUMNS = 256 };

/* G (a x b) = A'B for A n x a and B n x b, all row-major. SEG_OK, SEG_ERR_MEMORY. Cost O(n a b). */
seg_status seg_tall_gram(seg_context *ctx, size_t n, size_t a, const double *A, size_t b, const double *B, double *G);

/* X (n x cols) becomes X T, T cols x cols; cols <= SEG_TALL_MOST_COLUMNS. Cost O(n cols^2). */
void seg_tall_turn(const seg_context *ctx, size_t n, size_t cols, const double *T, double *X);

/* square: cols squared norms of the columns of Y - X diag(value). SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_tall_residuals(seg_context *ctx, size_t n, size_t cols, const double *Y, const double *X,
                              const double *value, double *square);

#endif
