/* ENPAKL1: ENPAKL with PCP as the learner of its sub-kernels [chen2011npkl, Sec. 5.3]. */
#include "methods/method.h"

#include <string.h>

static const char *const weights_choice[] = {"harmonic", "lle", NULL};
static const char *const extras_choice[] = {"on", "off", NULL};
static const char *const alpha_choice[] = {"degree", "equal", NULL};
/* The names and meanings are those of ENPAKL. */
static const seg_param params[] = {
    {"weights", 0, 0, 1, 1, weights_choice,
     "extension by the graph's absorption probabilities, or by Eq. 30 as printed"},
    {"B", 100, 0, 500, 1, NULL, "landmarks shared by the sub-kernels (paper: 100); 0 = one sub-kernel over all"},
    {"R", 100, 1, 500, 1, NULL, "further samples in each sub-kernel (paper: 100); used where B > 0"},
    {"smoother", 20, 0, 1000, 1, NULL, "neighbours in the smoother's graph; 0 = all pairs, Eq. 15 as printed"},
    {"sigma-scale", 0.15, 1e-3, 1e3, 0, NULL, "its Gaussian's width, times the mean distance (paper: 1)"},
    {"neighbours", 10, 1, 64, 1, NULL, "neighbours of Eq. 30; used with weights=lle"},
    {"extras", 0, 0, 1, 1, extras_choice, "as ENPAKL's: what is printed nowhere"},
    {"alpha", 0, 0, 1, 1, alpha_choice, "weights of the sub-kernels: by degree (Eq. 33) or equal"},
};
#define COUNT ((int)(sizeof params / sizeof params[0]))

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_method *enpakl = &seg_method_enpakl.info;
    seg_params all;
    seg_status status;
    seg_params_default(enpakl, &all);
    if ((status = seg_params_set(ctx, enpakl, "solver=pcp", &all)) != SEG_OK)
        return status;
    for (int mine = 0; mine < COUNT; mine++)
        for (int other = 0; other < enpakl->param_count; other++)
            if (strcmp(params[mine].name, enpakl->param[other].name) == 0)
                all.value[other] = param[mine];
    return seg_method_enpakl.solve(ctx, problem, all.value, out);
}

static const char *const paper[] = {"weights=lle", "B=100", "R=100", "smoother=0", "sigma-scale=1", "extras=off", NULL};

const seg_method_row seg_method_enpakl1 = {
    {"enpakl1", "ENPAKL with PCP's sub-kernels", "chen2011npkl, Sec. 5.3",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_NEEDS_FEATURES, COUNT, params, paper,
     "the patch graph's absorption probabilities as weights; the smoother's graph of 20 neighbours and a small width; "
     "N-cuts where there are must-links alone",
     SEG_PAPER_GRAPH_KNN},
    solve,
};
