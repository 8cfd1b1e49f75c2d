/* k-means on the features: k-means++ starts [arthur2007kmeanspp], Lloyd's iterations, the best of the restarts. */
#include "clustering/kmeans.h"
#include "methods/assign.h"
#include "methods/method.h"
#include "methods/pairwise.h"

#include <math.h>

static const char *const seeds_choice[] = {"fixed", "none", NULL};
static const seg_param params[] = {
    {"seeds", 0, 0, 1, 1, seeds_choice,
     "marked samples stay in their cluster (fixed), or only name it afterwards (none)"},
    SEG_DISTANCE_PARAM,
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    seg_matrix unit;
    seg_status status;
    if (param[1] == 1) {
        if ((status = seg_sphere_create(ctx, problem->features, &unit)) != SEG_OK)
            return status;
        status = seg_assign_spherical(ctx, problem, &unit, param[0] == 0, out);
        seg_matrix_free(&unit);
        return status;
    }
    status = seg_assign_kmeans(ctx, problem, problem->features, param[0] == 0, out);
    out->objective = ldexp(out->objective, 2 * problem->exponent);
    return status;
}

static const char *const paper[] = {"seeds=none", NULL};

const seg_method_row seg_method_kmeans = {
    {"kmeans", "k-means on the features, k-means++ starts", "arthur2007kmeanspp; seeds fixed: basu2002seeding",
     SEG_NEEDS_FEATURES, sizeof params / sizeof params[0], params, paper, "samples of groups stay in their clusters",
     SEG_PAPER_GRAPH_NONE},
    solve,
};
