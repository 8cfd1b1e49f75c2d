/* ENPAKL: non-parametric kernel learning from sub-kernels [chen2011npkl, Algorithms 2 and 3]. */
#include "base/base.h"
#include "constraints/held_out_pairs.h"
#include "graph/harmonic.h"
#include "groups/groups.h"
#include "kernels/sub_kernels.h"
#include "linalg/dense.h"
#include "methods/assign.h"
#include "methods/steps.h"

/* What ENPAKL and ENPAKL1 share. */
/* clang-format off */
#define WEIGHTS_ROW \
    {"weights", 0, 0, 1, 1, SEG_WORDS("harmonic", "lle"), \
     "extension by the graph's absorption probabilities, or by Eq. 30 as printed"}
#define SMOOTHER_ROW \
    {"smoother", 20, 0, 1000, 1, NULL, "neighbours in the smoother's graph; 0 = all pairs, Eq. 15 as printed"}
#define SIGMA_SCALE_ROW \
    {"sigma-scale", 0.15, 1e-3, 1e3, 0, NULL, "its Gaussian's width, times the mean distance (paper: 1)"}
#define SIGMA_OF_ROW \
    {"sigma-of", 0, 0, 1, 1, SEG_WORDS("subset", "data"), \
     "that mean: of the sub-kernel's samples, or of the data set as printed"}
#define NEIGHBOURS_ROW \
    {"neighbours", 10, 1, 64, 1, NULL, "neighbours of Eq. 30; used with weights=lle"}
#define ALPHA_ROW \
    {"alpha", 0, 0, 1, 1, SEG_WORDS("degree", "equal"), "weights of the sub-kernels: by degree (Eq. 33) or equal"}
/* clang-format on */
static const seg_param params[] = {
    {"solver", 0, 0, 2, 1, SEG_WORDS("descend", "project", "pcp"),
     "low-rank descent on the sphere, Algorithm 2's projections as printed, or PCP's program"},
    WEIGHTS_ROW,
    {"B", 0, 0, 2000, 1, NULL, "landmarks shared by the sub-kernels (paper: 20 or 100); 0 = one sub-kernel over all"},
    {"R", 100, 1, 2000, 1, NULL, "further samples in each sub-kernel (paper: 10 or 100); used where B > 0"},
    {"rank", 12, 2, 200, 1, NULL, "columns of a sub-kernel's factor"},
    {"lambda", -1, -1, 1e6, 0, NULL,
     "weight of the smoothness term (paper: 1); -1: 0.1 for groups, 1 for listed pairs"},
    {"guard", 0.05, 1e-9, 1, 0, NULL, "keeps each logarithm bounded, as a share of its matrix's trace"},
    SMOOTHER_ROW,
    SIGMA_SCALE_ROW,
    SIGMA_OF_ROW,
    NEIGHBOURS_ROW,
    ALPHA_ROW,
    {"cannot", 0, 0, 2, 1, SEG_WORDS("auto", "each", "sum"),
     "listed cannot-links enter each by itself (with solver=descend), or as one sum as printed; auto: sum for images, "
     "each else; those of groups are always one sum"},
    SEG_EXTRAS_ROW,
    {"iterations", 200, 1, 100000, 1, NULL, "limit of the solver's steps"},
};
enum { AUTO, EACH, SUM }; /* of the parameter cannot */
enum { SOLVER, WEIGHTS, LANDMARKS, PORTION, RANK, LAMBDA, GUARD, SMOOTHER, SIGMA, SIGMA_OF };
enum { NEIGHBOURS = SIGMA_OF + 1, ALPHA, CANNOT, EXTRAS, ITERATIONS };

/* Listed pairs are sparse and need the papers' weight of smoothness. Groups give all their pairs, and with that weight
 * neighbouring groups would be merged (docs/history/default-method.md). */
#define GROUP_LAMBDA 0.1
#define PAIR_LAMBDA  1.0

/* Beyond this number of samples the extension stops when labels no longer change, as for the patches of an image. */
#define MANY 50000

static seg_enpakl_options read_options(const seg_problem *problem, const double *param) {
    /* Separate labels need at least one column each. */
    const double rank = fmax(param[RANK], problem->k);
    return (seg_enpakl_options){
        .solver = (seg_enpakl_solver)param[SOLVER],
        .weights = param[WEIGHTS] == 0 ? SEG_ENPAKL_HARMONIC : SEG_ENPAKL_LLE,
        .rank = (int)rank,
        .lambda = param[LAMBDA] >= 0             ? param[LAMBDA]
                  : problem->constraints->groups ? GROUP_LAMBDA
                                                 : PAIR_LAMBDA,
        .guard = param[GUARD],
        .each =
            (param[CANNOT] == EACH || (param[CANNOT] == AUTO && !problem->patches)) && !problem->constraints->groups,
        .smoother_neighbours = (int)param[SMOOTHER],
        .sigma_scale = param[SIGMA],
        .whole_sigma = param[SIGMA_OF] == 1,
        .landmarks = (size_t)param[LANDMARKS],
        .portion = (size_t)param[PORTION],
        .extension_tolerance = problem->patches || problem->n > MANY ? SEG_HARMONIC_LABELS : SEG_HARMONIC_FINE,
        .lle_neighbours = (int)param[NEIGHBOURS],
        .laplacian = seg_prepared_of(problem).laplacian,
        .equal_alpha = param[ALPHA] == 1,
        .iterations = (int)param[ITERATIONS],
        .tolerance = 1e-5,
    };
}

/* Groups by a kernel that is learned from listed pairs; out->groups is 0 where none are found. *kernel: that kernel. */
static seg_status groups_of_pairs(seg_context *ctx, const seg_problem *problem, const double *param,
                                  seg_enpakl_result *kernel, seg_constraints *out) {
    const seg_enpakl_options options = read_options(problem, param);
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_enpakl_learn(ctx, problem->features, problem->affinity, problem->constraints, &options, kernel));
    return seg_groups_from_pairs(ctx, problem, &kernel->factor, out);
}

seg_status seg_enpakl_groups(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    SEG_RELEASED(seg_enpakl_result_free) seg_enpakl_result kernel = {0};
    return groups_of_pairs(ctx, problem, seg_params_default(&seg_method_enpakl.info).value, &kernel, out);
}

/* With must-links alone nothing in Eq. 21 separates samples: the best kernel is constant, its clusters meaningless. */
static seg_status without_cannot_links(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    SEG_TRY(seg_method_solve(ctx, &seg_method_ncut, problem, out));
    seg_log(
        ctx, SEG_LOG_WARNING,
        "ENPAKL learns nothing from must-links alone: its best kernel puts everything in one cluster; these are the "
        "clusters of ncut, with the must-links kept; add a cannot-link");
    return seg_keep_pairs(ctx, problem, out, NULL);
}

static void warn_of_few(seg_context *ctx, const seg_problem *problem) {
    const seg_constraints *given = problem->constraints;
    if (given->groups == 0 && given->pairs < (size_t)problem->k)
        seg_log(ctx, SEG_LOG_WARNING,
                "ENPAKL knows the data by its constrained samples alone, and %zu pair%s for %d clusters say%s little; "
                "the method auto falls back on what needs none",
                given->pairs, given->pairs == 1 ? "" : "s", problem->k, given->pairs == 1 ? "s" : "");
}

/* ---- The method. ---- */

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    SEG_RELEASED(seg_constraints_free) seg_constraints more = {0};
    seg_problem own = *problem;
    SEG_RELEASED(seg_enpakl_result_free) seg_enpakl_result kernel = {0};
    int learned = 0;
    const int whole = param[WEIGHTS] == 0 && param[LANDMARKS] == 0; /* one sub-kernel, harmonic weights */
    if (param[LAMBDA] < 0 && param[LAMBDA] != -1)
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter lambda of enpakl is a number from 0 to 1e+06, or -1, not %g",
                        param[LAMBDA]);
    const int extras = param[EXTRAS] == 0;
    if (extras && problem->constraints->groups == 0 && seg_constraints_cannots(problem->constraints) == 0)
        return without_cannot_links(ctx, problem, out);
    warn_of_few(ctx, problem);
    if (extras && problem->constraints->groups > 0 && problem->constraints->groups < problem->k)
        SEG_TRY(seg_complete_groups(ctx, problem, &more));
    else if (extras && problem->constraints->groups == 0 && whole) {
        SEG_TRY(groups_of_pairs(ctx, problem, param, &kernel, &more));
        learned = more.groups == 0;
    }
    if (more.groups > 0)
        own.constraints = &more;
    if (!learned) {
        const seg_enpakl_options options = read_options(&own, param);
        seg_enpakl_result_free(&kernel);
        SEG_TRY(seg_enpakl_learn(ctx, problem->features, problem->affinity, own.constraints, &options, &kernel));
    }
    seg_clustering_solved(out, kernel.objective, kernel.iterations, kernel.converged);
    out->embedding = kernel.factor;
    memset(&kernel.factor, 0, sizeof kernel.factor);
    if (own.constraints->groups == problem->k && whole)
        return seg_assign_mixture(ctx, &own, &out->embedding, out);
    /* phi(x) lies on the unit sphere (footnote 5), and rows that are mixtures are inside it. */
    seg_rows_to_sphere(out->embedding.rows, out->embedding.cols, out->embedding.at);
    return seg_assign_kmeans(ctx, &own, &out->embedding, SEG_ASSIGN_GROUPS, out);
}

static const char *const paper[] = {
    "solver=project", "weights=lle",   "B=20",          "R=10",         "rank=200",   "lambda=1",   "guard=1e-9",
    "smoother=0",     "sigma-scale=1", "sigma-of=data", "alpha=degree", "cannot=sum", "extras=off", NULL};

const seg_method_row seg_method_enpakl = {
    {"enpakl", "non-parametric kernel learning from sub-kernels", "chen2011npkl, Algorithms 2 and 3",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_NEEDS_FEATURES, SEG_PARAMS(params), paper,
     "one sub-kernel over all constrained samples, learned by descent on the sphere; absorption probabilities as "
     "weights; listed cannot-links one by one; groups from the pairs before the last step",
     SEG_PAPER_GRAPH_KNN},
    solve,
};

/* ---- ENPAKL1: ENPAKL with PCP as the learner of its sub-kernels [chen2011npkl, Sec. 5.3]. ---- */

/* The names and meanings are those of ENPAKL. */
static const seg_param enpakl1_params[] = {
    WEIGHTS_ROW,
    {"B", 100, 0, 500, 1, NULL, "landmarks shared by the sub-kernels (paper: 100); 0 = one sub-kernel over all"},
    {"R", 100, 1, 500, 1, NULL, "further samples in each sub-kernel (paper: 100); used where B > 0"},
    SMOOTHER_ROW,
    SIGMA_SCALE_ROW,
    SIGMA_OF_ROW,
    NEIGHBOURS_ROW,
    SEG_EXTRAS_ROW,
    ALPHA_ROW,
};
#define COUNT ((int)(sizeof enpakl1_params / sizeof *enpakl1_params))

static seg_status solve_enpakl1(seg_context *ctx, const seg_problem *problem, const double *param,
                                seg_clustering *out) {
    const seg_method *enpakl = &seg_method_enpakl.info;
    seg_params all = seg_params_default(enpakl);
    SEG_TRY(seg_params_set(ctx, enpakl, "solver=pcp", &all));
    for (int mine = 0; mine < COUNT; mine++)
        for (int other = 0; other < enpakl->param_count; other++)
            if (strcmp(enpakl1_params[mine].name, enpakl->param[other].name) == 0)
                all.value[other] = param[mine];
    return solve(ctx, problem, all.value, out);
}

const seg_method_row seg_method_enpakl1 = {
    {"enpakl1", "ENPAKL with PCP's sub-kernels", "chen2011npkl, Sec. 5.3",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_NEEDS_FEATURES, COUNT, enpakl1_params,
     SEG_WORDS("weights=lle", "B=100", "R=100", "smoother=0", "sigma-scale=1", "sigma-of=data", "extras=off"),
     "the patch graph's absorption probabilities as weights; the smoother's graph of 20 neighbours and a small width; "
     "N-cuts where there are must-links alone",
     SEG_PAPER_GRAPH_KNN},
    solve_enpakl1,
};
