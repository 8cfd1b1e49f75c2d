/* The forest alone: extremely randomised trees grown on the marked samples [geurts2006], whose votes are the scores.
 * Only the context features connect a sample with its neighbours. The default method uses the votes as the priors of a
 * walk (selection/auto.c). */
#include "likelihood/forest.h"
#include "groups/groups.h"
#include "methods/steps.h"

#include <string.h>

#define FLOOR 1e-3 /* the least vote, as in the default method */

static const seg_param params[] = {
    {"trees", 40, 1, 1000, 1, NULL, "trees of the forest"},
    {"candidates", 0, 0, 1000, 1, NULL, "features tried at each split; 0: the root of their number, rounded up"},
};
enum { TREES, CANDIDATES };

/* Marked samples keep their labels. Votes are sums in single precision, so rows are normalised again. */
static void decide(const seg_constraints *groups, seg_clustering *out) {
    const size_t k = (size_t)out->k;
    for (size_t i = 0; i < out->n; i++) {
        double *score = out->score.at + i * k, sum = 0;
        size_t best = 0;
        for (size_t c = 0; c < k; c++)
            sum += score[c];
        for (size_t c = 0; c < k; c++)
            score[c] /= sum;
        if (groups->group[i] >= 0) {
            best = (size_t)groups->group[i];
            memset(score, 0, k * sizeof *score);
            score[best] = 1;
        }
        for (size_t c = 0; c < k; c++)
            if (score[c] > score[best])
                best = c;
        out->label[i] = (int32_t)best;
    }
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_forest_options options = {
        .trees = (int)param[TREES], .candidates = (int)param[CANDIDATES], .floor = FLOOR};
    const seg_matrix *X = problem->context ? problem->context : problem->features;
    seg_constraints groups = {0};
    seg_matrix votes = {0};
    seg_status status = seg_groups_by_pckmeans(ctx, problem, &groups);
    if (!status)
        status = seg_forest_posterior(ctx, X, groups.group, problem->k, &options, &votes);
    if (!status) {
        seg_matrix_free(&out->score);
        out->score = votes;
        decide(&groups, out);
        if (groups.pairs > 0)
            status = seg_keep_pairs(ctx, problem, out, NULL);
    }
    seg_constraints_free(&groups);
    return status;
}

const seg_method_row seg_method_forest = {
    {"forest", "forest of extremely randomised trees grown on the marked samples", "geurts2006",
     SEG_NEEDS_FEATURES | SEG_NEEDS_CONSTRAINTS | SEG_USES_CONTEXT, sizeof params / sizeof params[0], params, NULL,
     NULL, SEG_PAPER_GRAPH_NONE},
    solve,
};
