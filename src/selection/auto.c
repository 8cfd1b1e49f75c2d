/* The default method. If every cluster has a group it is a random walker with priors [grady2005priors] on the affinity
 * graph. A walk from an unmarked sample ends at a marked sample. At every step it may also end where it is, with the
 * label that a forest grown on the marked samples gives that sample, or without a label, which gives near samples more
 * weight. Without these two the scores are those of ENPAKL with one sub-kernel, because its rows are mixtures of the
 * groups' rows by the same probabilities. If some clusters have no group, the mixture finds groups for them. With
 * listed pairs alone, vectors get the constrained mixture (mixture.c), and graphs and images one of several methods
 * that the pairs choose (by_pairs.h). Knowledge from other images is one more prior, and then no cluster needs a group.
 */
#include "base/base.h"
#include "groups/groups.h"
#include "selection/by_pairs.h"

static const seg_param params[] = {
    {"prior", 4e-4, 0, 1e3, 0, NULL,
     "the forest's say at each step of the walk, as a share of a sample's degree; in a volume ten times the default"},
    {"termination", 5e-4, 1e-6, 1e3, 0, NULL,
     "the probability that the walk ends there without counting, as a share of a sample's degree"},
    {"blend", 0.15, 0, 1, 0, NULL, "share of the forest's own opinion in the scores (geometric mean)"},
    {"trees", 40, 1, 1000, 1, NULL, "trees of the forest"},
    {"learn-from", SEG_LEARN_FROM, 0, 1e6, 0, NULL,
     "listed pairs per cluster from which on methods that learn are candidates"},
    {"folds", 3, 2, 20, 1, NULL, "the pairs are held out in so many parts, where samples and pairs are few"},
};
enum { PRIOR, TERMINATION, BLEND, TREES, LEARN_FROM, FOLDS };

/* A walk from groups for all clusters: the marked ones, and those that the mixture finds. */
static seg_status walk_from_all(seg_context *ctx, const seg_problem *problem, const seg_random_walk_options *options,
                                seg_clustering *out) {
    seg_problem own = *problem;
    SEG_RELEASED(seg_constraints_free) seg_constraints groups = {0};
    SEG_TRY(seg_complete_groups(ctx, problem, &groups));
    own.constraints = &groups;
    out->ran = "random-walker";
    SEG_TRY(seg_random_walk(ctx, &own, options, out));
    return groups.pairs > 0 ? seg_keep_pairs(ctx, problem, out, NULL) : SEG_OK;
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_by_pairs_options options = {.walk = {.prior = param[PRIOR],
                                                   .termination = param[TERMINATION],
                                                   .blend = param[BLEND],
                                                   .trees = (int)param[TREES]},
                                          .learn_from = param[LEARN_FROM],
                                          .folds = (int)param[FOLDS]};
    const seg_constraints *given = problem->constraints;
    /* The background needs no group where it is known otherwise. */
    const int marked = (given->groups == problem->k || problem->background) && given->pairs == 0;
    if (marked || problem->prior)
        out->ran = "random-walker";
    if (problem->prior)
        return seg_walk_with_prior(ctx, problem, &options.walk, out);
    if (given->groups == 0 && problem->features && !problem->context) /* vectors, not an image */
        return seg_method_solve(ctx, &seg_method_mixture, problem, out);
    if (given->groups == 0)
        return seg_by_pairs(ctx, problem, &options, out);
    if (marked)
        return seg_random_walk(ctx, problem, &options.walk, out);
    return problem->features && given->groups == problem->k ? seg_method_solve(ctx, &seg_method_enpakl, problem, out)
                                                            : walk_from_all(ctx, problem, &options.walk, out);
}

const seg_method_row seg_method_auto = {
    {"auto", "random walker with the priors of a forest; for pairs alone, mixture or the method they speak for",
     "grady2005priors, Eq. 8; geurts2006", SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_USES_CONTEXT,
     SEG_PARAMS(params), NULL, NULL, SEG_PAPER_GRAPH_NONE},
    solve,
};
