/* Seeded-KMeans: the constraints choose the starts only [basu2002seeding, Sec. 3]. */
#include "methods/method.h"
#include "methods/pairwise.h"

static const seg_param params[] = {
    {"start", SEG_START_LARGEST, 0, 1, 1, seg_start_choice, SEG_START_HELP},
    {"rest", 0, 0, 1, 1, seg_rest_choice, SEG_REST_HELP},
    SEG_DISTANCE_PARAM,
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_pckmeans_options options = {.kind = SEG_PCKMEANS_SEEDED,
                                          .start = param[0] == 0 ? SEG_START_LARGEST : SEG_START_FARTHEST,
                                          .perturbed = param[1] == 1,
                                          .cosine = param[2] == 1,
                                          .distortion = 1};
    return seg_solve_pairwise(ctx, problem, options, out);
}

static const char *const paper[] = {"rest=perturbed", NULL};

const seg_method_row seg_method_seeded_kmeans = {
    {"seeded-kmeans", "k-means started from the constraints", "basu2002seeding, Sec. 3", SEG_NEEDS_FEATURES,
     sizeof params / sizeof params[0], params, paper, "clusters without a neighbourhood start by k-means++",
     SEG_PAPER_GRAPH_NONE},
    solve,
};
