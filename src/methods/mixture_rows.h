/* The spaces of the method mixture: the features' principal components and the graph's smoothest coordinates. */
#ifndef SEG_METHODS_MIXTURE_ROWS_H
#define SEG_METHODS_MIXTURE_ROWS_H

#include "clustering/mixture.h"
#include "graph/spectrum.h"

#include <segment/methods.h>

#define SEG_MIXTURE_COLUMNS 1000 /* features of more columns are left to the graph */

/* Z, its columns centred: at most `columns` principal components of the features, where there are features of at most
 * SEG_MIXTURE_COLUMNS columns; then the smoothest eigenvectors of the random walk on the graph but the first, each with
 * mean square one times max(0, 1 - eigenvalue). data: n, k, d, spaces, columns and Z are set. `spectrum`: the problem's
 * smoothest eigenvectors. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n d^2 + d^3), d columns of features. */
seg_status seg_mixture_rows(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, size_t columns,
                            seg_matrix *Z, seg_mixture_data *data);

/* A start from the constraints. With T the second moments of Z and C the mean of z_i z_j' over pairs that must link
 * less that over pairs that cannot (of groups all pairs, by sums), the k - 1 directions that solve C v = e (T + mean
 * variance I) v with the largest e, each times the root of e: k-means of the rows seen along them. It is what a
 * metric learned with the largest regularisation shows [li2009ccsr, Eq. 8, in its limit]. label: n.
 * constraints: pairs in one order. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n d k + pairs d + d^3). */
seg_status seg_mixture_pair_start(seg_context *ctx, const seg_mixture_data *data, const seg_constraints *constraints,
                                  int32_t *label);

#endif
