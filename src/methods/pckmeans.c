/* PCKMeans: a broken constraint costs w [basu2004active, Eq. 2.1 and Sec. 3]. */
#include "methods/method.h"
#include "methods/pairwise.h"

static const char *const unit_choice[] = {"one", "distance", NULL};
static const char *const pairs_choice[] = {"listed", "closure", NULL};
static const char *const moves_choice[] = {"things", "neighbourhoods", NULL};
static const seg_param params[] = {
    {"w", 1, 0, 1e12, 0, NULL, "cost of a broken constraint: 0 = none (Seeded-KMeans), 1e12 = hard"},
    {"unit", 1, 0, 1, 1, unit_choice, "of w: one (paper: 1 on iris), or the mean squared distance of two things"},
    {"pairs", 1, 0, 1, 1, pairs_choice, "that cost: the listed ones, or all that the closure implies (paper)"},
    {"moves", 1, 0, 1, 1, moves_choice, "things alone, as printed, or whole neighbourhoods, too"},
    {"start", SEG_START_LARGEST, 0, 1, 1, seg_start_choice, SEG_START_HELP},
    {"rest", 0, 0, 1, 1, seg_rest_choice, SEG_REST_HELP},
};
enum { WEIGHT, UNIT, PAIRS, MOVES, START, REST };

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_pckmeans_options options = {.kind = SEG_PCKMEANS_SOFT,
                                          .start = param[START] == 0 ? SEG_START_LARGEST : SEG_START_FARTHEST,
                                          .perturbed = param[REST] == 1,
                                          .w = param[WEIGHT],
                                          .unit = param[UNIT] == 0 ? SEG_PCKMEANS_ONE : SEG_PCKMEANS_DISTANCE,
                                          .distortion = 0.5,
                                          .closure = param[PAIRS] == 1,
                                          .whole = param[MOVES] == 1};
    return seg_solve_pairwise(ctx, problem, options, out);
}

const seg_method_row seg_method_pckmeans = {
    {"pckmeans", "pairwise constrained k-means, broken constraints cost", "basu2004active, Fig. 1", SEG_NEEDS_FEATURES,
     sizeof params / sizeof params[0], params},
    solve,
};
