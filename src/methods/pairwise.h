/* What the k-means methods with pairwise constraints share. */
#ifndef SEG_METHODS_PAIRWISE_H
#define SEG_METHODS_PAIRWISE_H

#include "clustering/pckmeans.h"

#include <segment/methods.h>

/* The choices of the parameters `start` and `rest`, in the order of the enumeration's and the flag's values. */
extern const char *const seg_start_choice[],
    *const seg_rest_choice[], *const seg_pairs_choice[], *const seg_moves_choice[], *const seg_distance_choice[];
#define SEG_START_HELP "neighbourhoods that start clusters: the largest, or farthest-first"
#define SEG_REST_HELP  "other clusters start by k-means++, or at random perturbations of the mean as printed"

/* The parameter `distance`: cosine is spherical k-means [dhillon2001concept] with the method's constraints. */
#define SEG_DISTANCE_PARAM                                                                                             \
    {                                                                                                                  \
        "distance", 0, 0, 1, 1, seg_distance_choice,                                                                   \
            "squared Euclidean, or 1 - cos of the angle, whatever the rows' lengths (spherical k-means)"               \
    }

/* The parameters behind `w` and `unit` of a method where broken constraints have a cost. */
#define SEG_SOFT_PARAMS(first)                                                                                         \
    {"pairs", 1, 0, 1, 1, seg_pairs_choice, "that cost: the listed ones, or all that the closure implies (paper)"},    \
        {"moves", 1, 0, 1, 1, seg_moves_choice, "samples alone, as printed, or whole neighbourhoods, too"},            \
        {"start", first, 0, 1, 1, seg_start_choice, SEG_START_HELP}, {                                                 \
        "rest", 0, 0, 1, 1, seg_rest_choice, SEG_REST_HELP                                                             \
    }

/* Run k-means with the problem's features and constraints. Scores as in seg_assign_kmeans, but 1 for a sample that its
 * constraints keep from the nearest centre. Then clusters are named after the groups, whose samples get their own
 * cluster even if a soft method put them elsewhere. k, restarts, iterations and stream of the options are set here.
 * With `cosine` the rows are scaled to length one, so that half a squared distance is 1 - cos. */
seg_status seg_solve_pairwise(seg_context *ctx, const seg_problem *problem, seg_pckmeans_options options,
                              seg_clustering *out);

/* Solve by a method with the parameters w, unit and SEG_SOFT_PARAMS, in this order. `unit` is what the value 1 of the
 * parameter unit means; 2 is SEG_PCKMEANS_SPREAD. */
seg_status seg_solve_soft(seg_context *ctx, const seg_problem *problem, const double *param, seg_pckmeans_unit unit,
                          double distortion, int cosine, seg_clustering *out);

#endif
