/* A random walker with the priors of a forest [grady2005priors, Eq. 8; geurts2006]: the scores of the default method
 * where every cluster has a group. */
#ifndef SEG_METHODS_RANDOM_WALK_H
#define SEG_METHODS_RANDOM_WALK_H

#include <segment/methods.h>

typedef struct seg_random_walk_options {
    double prior;       /* weight of the forest at each step, as a share of a sample's degree */
    double termination; /* probability that the walk ends there without a label, likewise */
    double blend;       /* share of the forest's votes in the scores (geometric mean) */
    int trees;          /* of the forest; 0: no forest, as where the problem has no features */
    double tolerance;   /* of the solver; 0: enough where a prior bounds the scores from below */
} seg_random_walk_options;

/* The problem has as many groups as clusters, no pairs and an affinity graph. Fills label, score and iterations.
 * SEG_OK, SEG_ERR_USAGE (fewer groups), SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_random_walk(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                           seg_clustering *out);

/* The walk with problem->prior and the marked samples, if there are any. At each step it ends in the prior, with the
 * share options->prior of the degree. With marked samples it ends more rarely, and in the geometric mean of the prior
 * and the votes of a forest grown on them. Clusters need no groups. Fills label, score and iterations; errors as above.
 */
seg_status seg_walk_with_prior(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                               seg_clustering *out);

#endif
