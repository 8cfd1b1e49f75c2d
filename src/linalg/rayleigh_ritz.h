/* The best approximate eigenvectors in the span of given vectors. */
#ifndef SEG_LINALG_RAYLEIGH_RITZ_H
#define SEG_LINALG_RAYLEIGH_RITZ_H

#include "linalg/sparse.h"

/* The Rayleigh-Ritz step: the columns of X (n x cols, row-major, independent) become orthonormal vectors of the same
 * span, best for the symmetric matrix S. value: cols Ritz values, descending; residual: cols norms |S x - value x|.
 * SEG_OK, SEG_ERR_NUMERIC (dependent columns, numbers that are not finite), SEG_ERR_MEMORY, or what a product gives.
 * Cost cols products with S and O(n cols^2). */
seg_status seg_rayleigh_ritz(seg_context *ctx, const seg_symmetric *S, size_t cols, double *X, double *value,
                             double *residual);

/* Products of matrices with many rows and few columns, on the context's threads: BLAS must not run on several (see
 * linalg/products.h). Sums go over fixed blocks of rows, in their order: the same bytes for any number of threads. */
enum { SEG_TALL_MOST_COLUMNS = 256 };

/* G (cols x cols) = A'B for A and B n x cols, all row-major. SEG_OK, SEG_ERR_MEMORY. Cost O(n cols^2). */
seg_status seg_tall_gram(seg_context *ctx, size_t n, size_t cols, const double *A, const double *B, double *G);

/* X (n x cols) becomes X T, T cols x cols; cols <= SEG_TALL_MOST_COLUMNS. Cost O(n cols^2). */
void seg_tall_turn(const seg_context *ctx, size_t n, size_t cols, const double *T, double *X);

/* value: cols numbers, which become the norms of the columns of Y - X diag(value). SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_tall_residuals(seg_context *ctx, size_t n, size_t cols, const double *Y, const double *X, double *value);

#endif
