/* HMRF-KMeans with squared Euclidean distance and generalised Potts penalties [kulis2009sskk, Eq. 2], started
 * farthest-first [kulis2009sskk, Algorithm 3]. w is in units of n / (k constraints) [kulis2009sskk, Sec. 5.2], by
 * default times the mean variance of a column, because the effect of the paper's unit depends on the unit of the data.
 */
#include "methods/method.h"
#include "methods/pairwise.h"

static const char *const unit_choice[] = {"one", "constraints", "spread", NULL};
static const seg_param params[] = {
    {"w", 1, 0, 1e12, 0, NULL, "cost of a broken constraint: 0 = none, 1e12 = hard"},
    {"unit", 2, 0, 2, 1, unit_choice,
     "of w: one, n / (k constraints) (paper), or that times per column's mean variance"},
    SEG_SOFT_PARAMS(SEG_START_FARTHEST),
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    return seg_solve_soft(ctx, problem, param, SEG_PCKMEANS_CONSTRAINTS, 1, 0, out);
}

static const char *const paper[] = {"unit=constraints", "pairs=closure",  "moves=samples",
                                    "start=farthest",   "rest=perturbed", NULL};

const seg_method_row seg_method_hmrf_kmeans = {
    {"hmrf-kmeans", "hidden Markov random field k-means, Potts penalties", "kulis2009sskk, Eq. 2", SEG_NEEDS_FEATURES,
     sizeof params / sizeof params[0], params, paper,
     "costs in the columns' variance, of the listed pairs alone; whole neighbourhoods may move; clusters without a "
     "neighbourhood start by k-means++",
     SEG_PAPER_GRAPH_NONE},
    solve,
};
