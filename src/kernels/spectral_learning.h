/* Spectral Learning: affinities of must-links set to one, of cannot-links to zero, then the top eigenvectors
 * [kamvar2003spectral, as in kulis2009sskk, Sect. 2.2.2]. */
#pragma once

#include <segment/constraints.h>

/* X: n x k, created here: the k top eigenvectors of N = (A + d_max I - D) / d_max, which are the bottom ones of the
 * Laplacian D - A; norm one, the smoothest first, the entry of largest magnitude positive. value: k eigenvalues of D -
 * A. A are the graph's affinities divided by the largest, then changed by the constraints. The blocks of ones of groups
 * are not listed: a group of n_g samples has the Laplacian of a star, one more node joined to each of them by an edge
 * of weight n_g, after that node is eliminated. So Lanczos' method on the inverse of a sparse matrix, factored once,
 * finds the eigenvectors. The null vectors of graphs in several parts are known and treated separately; if there are
 * more than k, those of the largest parts are used. SEG_OK, SEG_ERR_USAGE (weights negative or not finite),
 * SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_spectral_learning(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints, int k,
                                 seg_matrix *X, double *value);

/* The Laplacian D - A with the hubs of the groups behind the samples: n + groups nodes. */
seg_status seg_spectral_learning_laplacian(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints,
                                           seg_csr *out);
