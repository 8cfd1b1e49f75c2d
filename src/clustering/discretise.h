/* Discretisation of spectral embeddings [yu2003multiclass]: the partition nearest to a rotation of the eigenvectors. */
#pragma once

#include <segment/matrix.h>

/* Z: n x k, whose rows are normalised to length one internally. label: n labels 0..k-1. score: NULL or n x k: the
 * rotated rows X R. Alternates X <- nearest indicators of Z R, R <- U V' of the SVD of X' Z, from a start rotation of k
 * nearly orthogonal rows chosen from the context's seed, until the sum of singular values stops growing. iterations may
 * be NULL. */
seg_status seg_discretise(seg_context *ctx, const seg_matrix *Z, uint64_t stream, int32_t *label, double *score,
                          int *iterations);
