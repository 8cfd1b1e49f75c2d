/* The best approximate eigenvectors in the span of given vectors. */
#ifndef SEG_LINALG_RAYLEIGH_RITZ_H
#define SEG_LINALG_RAYLEIGH_RITZ_H

#include "linalg/sparse.h"

/* The Rayleigh-Ritz step: replace the columns of X (n x cols, row-major, independent) by the orthonormal Ritz vectors
 * of the symmetric matrix S in their span. value: cols Ritz values, descending; residual: cols norms |S x - value x|.
 * SEG_OK, SEG_ERR_NUMERIC (dependent columns, numbers that are not finite), SEG_ERR_MEMORY, or what a product gives.
 * Cost cols products with S and O(n cols^2). */
seg_status seg_rayleigh_ritz(seg_context *ctx, const seg_symmetric *S, size_t cols, double *X, double *value,
                             double *residual);

#endif
