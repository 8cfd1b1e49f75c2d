/* The last step of every method: rows of an embedding become labels and soft scores, knowing the scribbles. */
#ifndef SEG_METHODS_ASSIGN_H
#define SEG_METHODS_ASSIGN_H

#include "kernels/unit_kernel.h"
#include "linalg/rows.h"

#include <segment/methods.h>

/* k-means on the rows of Z (n x r), the groups' samples fixed to their clusters (use_groups 1) or everything free and
 * the clusters named afterwards (0). score: exp(-d^2 / 2 s^2) to each centre, normalised, s^2 the mean squared distance
 * to the own centre; a group's samples have score 1. */
seg_status seg_assign_kmeans(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, int use_groups,
                             seg_clustering *out);
/* The same for rows that may be floats; cosine 1: spherical k-means [dhillon2001concept], where Z's rows have length
 * one and the objective is the sum of 1 - cos. */
seg_status seg_assign_rows(seg_context *ctx, const seg_problem *problem, const seg_rows *Z, int use_groups, int cosine,
                           seg_clustering *out);

/* Those scores: exp(-scale d^2) to each centre (k x r), normalised; 1 for a sample that its label in `held` (may be
 * NULL) keeps away from the nearest centre. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_score_by_distance(seg_context *ctx, const seg_rows *Z, const double *centre, double scale,
                                 const int32_t *held, seg_matrix *score);

/* As seg_assign_kmeans on the factor of a learned kernel, groups used, which `out` takes over as its embedding, and
 * with it the solver's objective, steps and residuals. */
seg_status seg_assign_unit_kernel(seg_context *ctx, const seg_problem *problem, seg_unit_kernel *kernel,
                                  seg_clustering *out);

/* Rows of Z are mixtures of the groups' centres (unit vectors), as harmonic extension makes them: the score is the
 * row's barycentric coordinates with respect to the centres (least squares with sum one), negative ones cut off; label
 * = largest. Needs as many groups as clusters. A row of zeros has equal scores. */
seg_status seg_assign_mixture(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, seg_clustering *out);

/* Renumber clusters so that the one that holds most of a group's samples carries the group's number (largest overlaps
 * first; a group whose clusters are all taken gets a free number), then put the groups' own samples in their clusters.
 * Scores move along. */
seg_status seg_name_clusters(seg_context *ctx, const seg_problem *problem, seg_clustering *out);

/* A sample's label has its largest score, the first of equals. Each empty cluster takes the samples that fit their own
 * cluster least (by their mean score), with all that must link to them, from clusters that keep others; groups stay.
 * That breaks no constraint that held. Where samples that must link lie apart and nothing else can move, they are
 * brought together first. What was done is logged as a warning; `method` names what left the clusters empty. The
 * problem's constraints are closed and leave problem->k or more samples when those that must link count as one. label
 * and score of `out` change. SEG_OK, SEG_ERR_MEMORY. Cost O(n) an empty cluster, nothing but a count where there is
 * none. */
seg_status seg_fill_clusters(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out);

/* Samples that must link come together, all in the cluster that has most of them; what that empties is filled as above.
 */
seg_status seg_join_linked(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out);

#endif
