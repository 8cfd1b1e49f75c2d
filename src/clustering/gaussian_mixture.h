/* A Gaussian mixture fitted in several feature spaces at once, by EM with equivalence constraints
 * [shental2004mixtures]; samples in no constraint have less weight. */
#pragma once

#include "clustering/linked_samples.h"

enum { SEG_MIXTURE_SPACES = 2 };

/* Centred features of the samples in the spaces used, and their second moments, which are computed once. */
typedef struct seg_mixture_data {
    size_t n, k, d;                        /* samples, clusters, columns of all spaces together */
    int spaces;                            /* 1 .. SEG_MIXTURE_SPACES */
    size_t column[SEG_MIXTURE_SPACES + 1]; /* first column of each space in Z, and the end */
    const double *Z;                       /* n x d */
    double *moments;                       /* d x d, sum of z z' over all samples; owned */
    double shrink;                         /* shrinkage of covariances towards a multiple of the identity, 0 .. 1 */
} seg_mixture_data;

/* Compute the moments. SEG_OK, SEG_ERR_MEMORY. Cost O(n d^2). */
seg_status seg_mixture_prepare(seg_context *ctx, seg_mixture_data *data);
void seg_mixture_data_free(seg_mixture_data *data);

typedef struct seg_mixture_options {
    double weight;  /* of a sample in no constraint, > 0; others have weight 1 */
    int iterations; /* limit, >= 1 */
} seg_mixture_options;

typedef struct seg_mixture_result {
    int iterations, converged;
    size_t broken; /* number of broken cannot-links */
} seg_mixture_result;

typedef struct seg_soft_clusters {
    int32_t *label; /* n */
    double *score;  /* n x k, rows sum to 1 */
} seg_soft_clusters;

/* Fit. In each space all clusters share one covariance, so that log-densities are linear in the features up to terms
 * that are the same for all clusters. The log-density of a sample is the mean of those of the spaces. Each step
 * computes means, covariances and priors of the clusters from the weighted memberships. Then neighbourhoods are
 * assigned to clusters that maximise the sum of their members' log-densities under the cannot-links (seg_link_labels),
 * with membership 1; all other samples belong to each cluster with its posterior probability. to: labels, in: the
 * start, out: the labels found; scores, out. The same bytes for any number of threads and any order of listed pairs.
 * SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost of an iteration O(n k d + d^3). */
seg_status seg_mixture_fit(seg_context *ctx, const seg_mixture_data *data, const seg_neighbourhoods *near,
                           const seg_mixture_options *options, seg_soft_clusters to, seg_mixture_result *result);
