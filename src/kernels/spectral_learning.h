/* Spectral Learning: affinities of must-links set to one, of cannot-links to zero, then the top eigenvectors
 * [kamvar2003spectral, as in kulis2009sskk, Sect. 2.2.2]. */
#ifndef SEG_KERNELS_SPECTRAL_LEARNING_H
#define SEG_KERNELS_SPECTRAL_LEARNING_H

#include <segment/constraints.h>
#include <segment/matrix.h>

/* X: n x k, created here: the k top eigenvectors of N = (A + d_max I - D) / d_max, which are the bottom ones of the
 * Laplacian D - A; norm one, the smoothest first, the entry of largest magnitude positive. value: k eigenvalues of D -
 * A. A is the graph's affinities divided by the largest, with the constraints put in. The blocks of ones that groups
 * make are never listed: in the Laplacian a group of n_g samples is what is left of a star, one more node joined to
 * each of them by an edge of weight n_g, when that node is eliminated. So the eigenvectors come from Lanczos' method on
 * the inverse of a sparse matrix, factored once; graphs in several parts have their null vectors set apart, and where
 * there are more of them than k, those of the largest parts are taken. SEG_OK, SEG_ERR_USAGE (weights that are negative
 * or not finite), SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED.
 */
seg_status seg_spectral_learning(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints, int k,
                                 seg_matrix *X, double *value);

/* The Laplacian D - A by itself, with the hubs of the groups behind the samples: n + groups nodes, `ridge` added to the
 * samples' diagonal entries. */
seg_status seg_spectral_learning_laplacian(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints,
                                           double ridge, seg_csr *out);

#endif
