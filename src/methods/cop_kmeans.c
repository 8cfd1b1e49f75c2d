/* COP-KMeans: k-means that never breaks a constraint [wagstaff2001cop]. As printed, every iteration assigns all samples
 * again and fails at the first one without a possible cluster. Here a first assignment is searched for until it is
 * found or shown not to exist, and later moves keep all constraints. */
#include "methods/method.h"
#include "methods/pairwise.h"

static const char *const search_choice[] = {"full", "none", NULL};
static const seg_param params[] = {
    {"start", SEG_START_LARGEST, 0, 1, 1, seg_start_choice, SEG_START_HELP},
    {"rest", 0, 0, 1, 1, seg_rest_choice, SEG_REST_HELP},
    {"search", 0, 0, 1, 1, search_choice,
     "for an assignment that keeps all constraints; none: as printed, which starts at drawn samples whatever start and "
     "rest say, and fails where a sample finds no cluster"},
    SEG_DISTANCE_PARAM,
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_pckmeans_options options = {.kind = SEG_PCKMEANS_HARD,
                                          .start = param[0] == 0 ? SEG_START_LARGEST : SEG_START_FARTHEST,
                                          .perturbed = param[1] == 1,
                                          .printed = param[2] == 1,
                                          .cosine = param[3] == 1,
                                          .distortion = 1};
    return seg_solve_pairwise(ctx, problem, options, out);
}

static const char *const paper[] = {"search=none", NULL};

const seg_method_row seg_method_cop_kmeans = {
    {"cop-kmeans", "k-means that keeps every constraint", "wagstaff2001cop, Table 1", SEG_NEEDS_FEATURES,
     sizeof params / sizeof params[0], params, paper,
     "starts from the must-links' neighbourhoods; an assignment that keeps all constraints is searched for until it is "
     "found or shown not to exist, and each step starts from the last one",
     SEG_PAPER_GRAPH_NONE},
    solve,
};
