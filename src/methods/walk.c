/* The random walker alone: a walk from an unmarked sample ends at the first marked sample that it meets, and the sample
 * belongs to each cluster with the probability that this is one of the cluster's [grady2006]. At every step it may also
 * end where it is, without a label, which gives near samples more weight: priors that are equal for all labels
 * [grady2005priors, Eq. 8]. The default method joins it with a forest (selection/auto.c). */
#include "base/base.h"
#include "constraints/closed.h"
#include "constraints/held_out_pairs.h"
#include "groups/groups.h"
#include "methods/random_walk.h"
#include "methods/steps.h"

#include <string.h>

/* Without a forest nothing bounds the probabilities from below, and they are small far from the marked samples. */
#define TOLERANCE 1e-10

static const seg_param params[] = {
    {"termination", 5e-4, 0, 0.01, 0, NULL,
     "the probability that the walk ends there without counting, as a share of a sample's degree; 0: never"},
};

static seg_status groups_of_pairs(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    seg_spectrum spectrum = {0};
    if (problem->features)
        return seg_enpakl_groups(ctx, problem, out);
    seg_status status = seg_smoothest(ctx, problem, seg_ccsr_columns(problem), &spectrum);
    if (!status)
        status = seg_ccsr_groups(ctx, problem, &spectrum, out);
    seg_spectrum_free(&spectrum);
    return status;
}

/* Groups for all clusters: the marked ones, where all are marked; for pairs with cannot-links among them, the groups
 * that a learned kernel shows, and then out has no pairs; else those that CCSKL completes. Must-links alone do not keep
 * the samples of a learned kernel apart. */
static seg_status groups_of_all(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    const seg_constraints *given = problem->constraints;
    seg_status status = SEG_OK;
    memset(out, 0, sizeof *out);
    if (given->groups == problem->k)
        return (status = seg_constraints_create(ctx, given->n, out)) ? status : seg_constraints_append(ctx, given, out);
    if (given->groups == 0 && given->pairs == 0 && !problem->prior)
        return seg_fail(ctx, SEG_ERR_USAGE, "the method walk needs marked samples or pairs, and there are none");
    if (given->groups == 0 && seg_constraints_cannots(given) > 0)
        status = groups_of_pairs(ctx, problem, out);
    if (status || out->groups == problem->k)
        return status;
    seg_constraints_free(out);
    return seg_groups_by_ccskl(ctx, problem, out);
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_random_walk_options options = {.termination = param[0], .tolerance = TOLERANCE};
    seg_problem own = *problem;
    seg_constraints groups = {0};
    seg_status status = groups_of_all(ctx, problem, &groups);
    own.constraints = &groups;
    if (!status)
        status = seg_random_walk(ctx, &own, &options, out);
    /* Groups that were found from the pairs have used them already. */
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
