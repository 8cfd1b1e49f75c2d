/* A sub-kernel's smoothness: the normalized Laplacian of a Gaussian graph on its samples [chen2011npkl, Eqs. 14-15]. */
#pragma once

#include <segment/matrix.h>

/* X: m x d features of the samples. neighbours 0: every pair is an edge, as printed (m^2 entries); else the
 * nearest-neighbour graph. The Gaussian's width is sigma_scale times `spread`, where that is 0 times the mean distance
 * of all pairs (of evenly picked rows where m is large). S: m x m. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_smoother_create(seg_context *ctx, const seg_matrix *X, int neighbours, double sigma_scale, double spread,
                               seg_csr *S);

/* Turn affinities W (symmetric, no diagonal) into I - D^-1/2 W D^-1/2. */
seg_status seg_normalized_laplacian(seg_context *ctx, const seg_csr *W, seg_csr *out);
