/* A Gaussian mixture fitted in several spaces at once, under constraints: equivalence constraints in EM
 * [shental2004mixtures], samples that no constraint names count less. */
#ifndef SEG_CLUSTERING_GAUSSIAN_MIXTURE_H
#define SEG_CLUSTERING_GAUSSIAN_MIXTURE_H

#include "clustering/linked_samples.h"

enum { SEG_MIXTURE_SPACES = 2 };

/* Rows of the samples in the spaces that take part, centred; their second moments are made once. */
typedef struct seg_mixture_data {
    size_t n, k, d;                        /* samples, clusters, columns of all spaces together */
    int spaces;                            /* 1 .. SEG_MIXTURE_SPACES */
    size_t column[SEG_MIXTURE_SPACES + 1]; /* where each space begins in a row of Z, and the end */
    const double *Z;                       /* n x d */
    double *moments;                       /* d x d, sum of z z' over all samples; owned */
    double shrink;                         /* of a covariance towards a multiple of the identity, 0 .. 1 */
} seg_mixture_data;

/* Make the moments. SEG_OK, SEG_ERR_MEMORY. Cost O(n d^2). */
seg_status seg_mixture_prepare(seg_context *ctx, seg_mixture_data *data);
void seg_mixture_data_free(seg_mixture_data *data);

typedef struct seg_mixture_options {
    double weight;  /* of a sample that no constraint names, > 0; others count 1 */
    int iterations; /* limit, >= 1 */
} seg_mixture_options;

typedef struct seg_mixture_result {
    int iterations, converged;
    size_t broken; /* cannot-links */
} seg_mixture_result;

typedef struct seg_soft_clusters {
    int32_t *label; /* n */
    double *score;  /* n x k, rows sum to 1 */
} seg_soft_clusters;

/* Fit. All clusters of a space share one covariance, so that log-densities are linear in a row except for terms that
 * are the same in all clusters; a sample's are those of the spaces, added, each divided by how many spaces there are.
 * In each step means, covariances and shares of the clusters are made from the weighted memberships, neighbourhoods get
 * the clusters of the largest sum of their members' log-densities that keeps the cannot-links (seg_link_labels), and
 * belong there wholly, all others belong to each cluster by its posterior probability. to: labels, the start, and the
 * labels found; scores, filled. The same bytes for any number of threads and any order of listed pairs. SEG_OK,
 * SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost of an iteration O(n k d + d^3). */
seg_status seg_mixture_fit(seg_context *ctx, const seg_mixture_data *data, const seg_neighbourhoods *near,
                           const seg_mixture_options *options, seg_soft_clusters to, seg_mixture_result *result);

#endif
