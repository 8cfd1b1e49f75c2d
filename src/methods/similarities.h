/* What the kernel methods share: which similarities a problem gives, and scores from their sums. */
#ifndef SEG_METHODS_SIMILARITIES_H
#define SEG_METHODS_SIMILARITIES_H

#include "kernels/sskk.h"

#include <segment/methods.h>

/* The kernel on feature vectors, as a choice of parameters. */
typedef enum seg_vector_kernel { SEG_KERNEL_LINEAR = 0, SEG_KERNEL_EXPONENTIAL = 1 } seg_vector_kernel;

/* The mean distance to the ten nearest neighbours, all where there are fewer; 1 where that is zero. */
seg_status seg_neighbour_distance(seg_context *ctx, const seg_matrix *X, double *mean);

/* The problem's kernel where it has one, else a kernel on its features, else its graph. width: of the exponential
 * kernel, 0 = width_scale times the mean distance to the neighbours. centred: takes over the features less their mean,
 * which the linear kernel is computed from (the same clusters, fewer digits lost); free it. gram: see seg_sskk. */
seg_status seg_similarities_of(seg_context *ctx, const seg_problem *problem, seg_vector_kernel kernel, double width,
                               double width_scale, seg_matrix *centred, seg_similarities *out, int *gram);

/* Scores from the sums of seg_sskk, then names for the clusters. Inner products: exp(-d^2 / 2 s^2) of the distances to
 * the centres, s^2 their mean to the own centre, as seg_assign_kmeans. A graph: each cluster's share of the thing's
 * affinities. The own cluster's score is at least any other's. */
seg_status seg_assign_sums(seg_context *ctx, const seg_problem *problem, const seg_sskk_model *model, int gram,
                           const double *sum, seg_clustering *out);

#endif
