/* HMRF-KMeans with squared Euclidean distance and generalised Potts penalties [kulis2009sskk, Eq. 2], started
 * farthest-first [kulis2009sskk, Algorithm 3]; w in units of n / (k constraints) [kulis2009sskk, Sec. 5.2]. */
#include "methods/method.h"
#include "methods/pairwise.h"

static const char *const unit_choice[] = {"one", "constraints", NULL};
static const char *const pairs_choice[] = {"listed", "closure", NULL};
static const char *const moves_choice[] = {"things", "neighbourhoods", NULL};
static const seg_param params[] = {
    {"w", 1, 0, 1e12, 0, NULL, "cost of a broken constraint: 0 = none, 1e12 = hard"},
    {"unit", 1, 0, 1, 1, unit_choice, "of w: one, or n / (k constraints) (paper)"},
    {"pairs", 1, 0, 1, 1, pairs_choice, "that cost: the listed ones, or all that the closure implies (paper)"},
    {"moves", 1, 0, 1, 1, moves_choice, "things alone, as printed, or whole neighbourhoods, too"},
    {"start", SEG_START_FARTHEST, 0, 1, 1, seg_start_choice, SEG_START_HELP},
    {"rest", 0, 0, 1, 1, seg_rest_choice, SEG_REST_HELP},
};
enum { WEIGHT, UNIT, PAIRS, MOVES, START, REST };

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_pckmeans_options options = {.kind = SEG_PCKMEANS_SOFT,
                                          .start = param[START] == 0 ? SEG_START_LARGEST : SEG_START_FARTHEST,
                                          .perturbed = param[REST] == 1,
                                          .w = param[WEIGHT],
                                          .unit = param[UNIT] == 0 ? SEG_PCKMEANS_ONE : SEG_PCKMEANS_CONSTRAINTS,
                                          .distortion = 1,
                                          .closure = param[PAIRS] == 1,
                                          .whole = param[MOVES] == 1};
    return seg_solve_pairwise(ctx, problem, options, out);
}

const seg_method_row seg_method_hmrf_kmeans = {
    {"hmrf-kmeans", "hidden Markov random field k-means, Potts penalties", "kulis2009sskk, Eq. 2", SEG_NEEDS_FEATURES,
     sizeof params / sizeof params[0], params},
    solve,
};
