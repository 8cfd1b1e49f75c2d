/* PCKMeans: a broken constraint costs w [basu2004active, Eq. 2.1 and Sec. 3]. */
#include "methods/method.h"
#include "methods/pairwise.h"

static const char *const unit_choice[] = {"one", "distance", NULL};
static const seg_param params[] = {
    {"w", 1, 0, 1e12, 0, NULL, "cost of a broken constraint: 0 = none (Seeded-KMeans), 1e12 = hard"},
    {"unit", 1, 0, 1, 1, unit_choice, "of w: one (paper: 1 on iris), or the mean squared distance of two samples"},
    SEG_SOFT_PARAMS(SEG_START_LARGEST),
    SEG_DISTANCE_PARAM,
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const int cosine = param[sizeof params / sizeof params[0] - 1] == 1;
    return seg_solve_soft(ctx, problem, param, SEG_PCKMEANS_DISTANCE, 0.5, cosine, out);
}

static const char *const paper[] = {"unit=one",      "pairs=closure",  "moves=samples",
                                    "start=largest", "rest=perturbed", NULL};

const seg_method_row seg_method_pckmeans = {
    {"pckmeans", "pairwise constrained k-means, broken constraints cost", "basu2004active, Fig. 1", SEG_NEEDS_FEATURES,
     sizeof params / sizeof params[0], params, paper,
     "costs in the data's own unit, of the listed pairs alone; whole neighbourhoods may move; clusters without a "
     "neighbourhood start by k-means++",
     SEG_PAPER_GRAPH_NONE},
    solve,
};
