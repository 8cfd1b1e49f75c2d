/* Factors Z of kernels K = Z Z'. */
#ifndef SEG_KERNELS_FACTOR_H
#define SEG_KERNELS_FACTOR_H

#include <segment/matrix.h>

/* Replace Z by Z times the leading eigenvectors of Z'Z, with as few columns as keep all but the share `lost` of the
 * trace. At least one column stays. Cost O(n r^2 + r^3). */
seg_status seg_factor_compress(seg_context *ctx, double lost, seg_matrix *Z);

/* Set V (m x r) to the leading r eigenvectors of K (m x m, symmetric) times the roots of their eigenvalues, rows
 * normalised.
 */
seg_status seg_factor_of_kernel(seg_context *ctx, size_t m, const double *K, size_t r, double *V);

#endif
