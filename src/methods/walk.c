/* The random walker alone: a walk from an unmarked sample ends at the first marked sample that it meets, and the sample
 * belongs to each cluster with the probability that this is one of the cluster's [grady2006]. At every step it may also
 * end where it is, without counting, which favours what is near: priors that are equal for all labels
 * [grady2005priors, Eq. 8]. The default method joins it with a forest (auto.c). */
#include "methods/keep_pairs.h"
#include "methods/linked_groups.h"
#include "methods/method.h"
#include "methods/random_walk.h"

/* Without a forest nothing lies beneath the probabilities: those of samples that few walks leave are small. */
#define TOLERANCE 1e-10

static const seg_param params[] = {
    {"termination", 5e-4, 0, 0.01, 0, NULL,
     "the probability that the walk ends there without counting, as a share of a sample's degree; 0: never"},
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_random_walk_options options = {.termination = param[0], .tolerance = TOLERANCE};
    seg_problem own = *problem;
    seg_constraints groups = {0};
    seg_status status = seg_groups_by_graph(ctx, problem, &groups);
    own.constraints = &groups;
    if (!status)
        status = seg_random_walk(ctx, &own, &options, out);
    /* Groups that were found from pairs have weighed them already. */
    if (!status && groups.pairs > 0)
        status = seg_keep_pairs(ctx, problem, out, NULL);
    seg_constraints_free(&groups);
    return status;
}

const seg_method_row seg_method_walk = {
    {"walk", "random walker: the marked samples that walks on the graph end at", "grady2006; grady2005priors, Eq. 8",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, sizeof params / sizeof params[0], params, NULL, NULL,
     SEG_PAPER_GRAPH_NONE},
    solve,
};
