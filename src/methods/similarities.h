/* What the kernel methods share: the similarities of a problem, and scores from their sums. */
#ifndef SEG_METHODS_SIMILARITIES_H
#define SEG_METHODS_SIMILARITIES_H

#include "kernels/sskk.h"

#include <segment/methods.h>

/* The kernel on feature vectors, as a choice of parameters. */
typedef enum seg_vector_kernel { SEG_KERNEL_LINEAR = 0, SEG_KERNEL_EXPONENTIAL = 1 } seg_vector_kernel;
extern const char *const seg_kernel_names[];
/* Of seg_sskk_start. */
extern const char *const seg_starts_choice[];

typedef struct seg_kernel_choice {
    seg_vector_kernel kernel;
    double width, width_scale; /* of the exponential one; width 0 = width_scale times the mean distance to neighbours */
} seg_kernel_choice;

/* The first rows of such a method's parameters, in the order of seg_kernel_choice. */
#define SEG_KERNEL_PARAMS                                                                                              \
    {"kernel", 1, 0, 1, 1, seg_kernel_names, "of the features, where the problem brings no kernel"},                   \
        {"width", 0, 0, 1e9, 0, NULL, "of the exponential kernel; 0 = from the data"}, {                               \
        "width-scale", 3, 0.01, 100, 0, NULL, "width from the data: times the mean distance to ten neighbours"         \
    }

/* SS-Kernel-KMeans on the problem's kernel where it has one, else on a kernel on its features, else on its graph (where
 * the objective SEG_SSKK_WEIGHTED is the normalized cut), down to the scores. k and restarts are the problem's. */
seg_status seg_solve_kernel(seg_context *ctx, const seg_problem *problem, const seg_constraints *constraints,
                            const seg_kernel_choice *choice, seg_sskk_options options, seg_clustering *out);

/* Scores from the sums of seg_sskk, then names for the clusters. For inner products the scores are exp(-d^2 / 2 s^2) as
 * in seg_assign_kmeans; for a graph they are each cluster's share of the sample's affinities. No score is larger than
 * that of the own cluster. */
seg_status seg_assign_sums(seg_context *ctx, const seg_problem *problem, const seg_sskk_model *model, int gram,
                           const double *sum, seg_clustering *out);

#endif
