/* The last step of methods: labels and scores from an embedding's rows and groups; names, samples for all clusters. */
#pragma once

#include "kernels/sdp_kernels.h"
#include "linalg/wide_rows.h"

#include <segment/methods.h>

enum { SEG_ASSIGN_GROUPS = 1, SEG_ASSIGN_COSINE = 2 };

/* k-means on the rows of Z (n x r, doubles or floats). how: with SEG_ASSIGN_GROUPS the groups' samples stay in their
 * clusters, else all samples are free, and the clusters are named afterwards; with SEG_ASSIGN_COSINE spherical k-means
 * [dhillon2001concept], Z's rows have length one, and the objective is the sum of 1 - cos. score: exp(-d^2 / 2 s^2)
 * with the distance d to each centre, normalised; s^2 is the mean squared distance to the own centre. A group's samples
 * have score 1. */
seg_status seg_assign_kmeans(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, int how,
                             seg_clustering *out);

/* Note how the method's own solver ended. */
static inline void seg_clustering_solved(seg_clustering *out, double objective, int iterations, int converged) {
    out->objective = objective;
    out->iterations = iterations;
    out->converged = converged;
}

/* Divide k scores by their sum; where that is 0, they become equal. */
void seg_normalise_scores(size_t k, double *score);

/* These scores: exp(-scale d^2) with the distance d to each centre (k x r), normalised. If constraints keep a sample
 * from its nearest centre, its label in `held` (may be NULL) has score 1. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_score_by_distance(seg_context *ctx, const seg_matrix *Z, const double *centre, double scale,
                                 const int32_t *held, seg_matrix *score);

extern const char *const seg_extras_choice[]; /* 0: on, 1: off */
#define SEG_EXTRAS_ROW                                                                                                 \
    {                                                                                                                  \
        "extras", 0, 0, 1, 1, seg_extras_choice,                                                                       \
            "what is printed nowhere (docs/methods.md): groups found in listed pairs before the last step, and more"   \
    }

/* seg_assign_kmeans with groups on the factor of a learned kernel. `out` takes over the factor as its embedding, and
 * the solver's objective, iterations and residuals. */
seg_status seg_assign_unit_kernel(seg_context *ctx, const seg_problem *problem, seg_unit_kernel *kernel,
                                  seg_clustering *out);

/* Labels where rows of Z are mixtures of the groups' centres (unit vectors), as harmonic extension makes them. The
 * scores are the row's barycentric coordinates with respect to the centres (least squares with sum one), with negative
 * ones set to 0; the label is the largest. Needs as many groups as clusters. A row of zeros has equal scores. */
seg_status seg_assign_mixture(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, seg_clustering *out);

/* Renumber the clusters so that the one with most of a group's samples has the group's number, largest overlaps first
 * (where all its clusters are taken, a group gets a free one), then put the groups' samples into their clusters. Scores
 * are permuted alike. */
seg_status seg_name_clusters(seg_context *ctx, const seg_problem *problem, seg_clustering *out);

/* Give samples to empty clusters, and make each label the largest score, the first of equals. Each empty cluster takes
 * the samples that fit their own cluster least (by their mean score), with all that must link to them, from clusters
 * that keep other samples; groups stay. No constraint is broken by that. If nothing else can move, separated samples
 * that must link are first put into one cluster. A warning says what was done; `method` names what left the clusters
 * empty. The problem's constraints are closed and leave problem->k or more samples when those that must link count as
 * one. label and score of `out` change. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY. Cost O(n) per empty cluster. */
seg_status seg_fill_clusters(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out);

/* Put samples that must link into the cluster with most of them, then fill empty clusters as above. */
seg_status seg_join_linked(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out);
