/* Several soft clusterings of the same samples as one: their weighted mean, the clusters matched to those of the
 * first (method mixture). */
#ifndef SEG_METHODS_MIXTURE_JOINT_H
#define SEG_METHODS_MIXTURE_JOINT_H

#include "clustering/neighbourhoods.h"

/* mean: n x k, `score` times its share is added to it. Cluster c of `score` counts as that of `reference` (n x k) which
 * the matching of clusters with the largest sum of products of their columns says; the first `groups` are the same in
 * both. Rows of score and reference sum to 1. SEG_OK, SEG_ERR_MEMORY. Cost O(n k^2 + k^3). */
seg_status seg_joint_add(seg_context *ctx, size_t n, size_t k, int32_t groups, const double *reference,
                         const double *score, double share, double *mean);

/* mean: n x k, divided by `shares`, their sum. label: n, labels of neighbourhoods that keep the cannot-links, and their
 * labels now: by the means of their members, the cannot-links kept (seg_link_labels); their rows of `mean` are 1 there.
 * All others get the label of their largest score. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_joint_end(seg_context *ctx, const seg_neighbourhoods *near, size_t k, double shares, double *mean,
                         int32_t *label);

#endif
