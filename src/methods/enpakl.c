/* ENPAKL: non-parametric kernel learning from sub-kernels [chen2011npkl, Algorithms 2 and 3]. */
#include "base/base.h"
#include "constraints/held_out_pairs.h"
#include "graph/harmonic.h"
#include "graph/laplacian.h"
#include "groups/groups.h"
#include "kernels/sub_kernels.h"
#include "linalg/dense.h"
#include "methods/assign.h"
#include "methods/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const solver_choice[] = {"descend", "project", "pcp", NULL};
static const char *const weights_choice[] = {"harmonic", "lle", NULL};
static const char *const alpha_choice[] = {"degree", "equal", NULL};
static const char *const extras_choice[] = {"on", "off", NULL};
static const char *const cannot_choice[] = {"auto", "each", "sum", NULL};
/* What ENPAKL and ENPAKL1 share. */
/* clang-format off */
#define WEIGHTS_ROW \
    {"weights", 0, 0, 1, 1, weights_choice, \
     "extension by the graph's absorption probabilities, or by Eq. 30 as printed"}
#define SMOOTHER_ROW \
    {"smoother", 20, 0, 1000, 1, NULL, "neighbours in the smoother's graph; 0 = all pairs, Eq. 15 as printed"}
#define SIGMA_SCALE_ROW \
    {"sigma-scale", 0.15, 1e-3, 1e3, 0, NULL, "its Gaussian's width, times the mean distance (paper: 1)"}
#define NEIGHBOURS_ROW \
    {"neighbours", 10, 1, 64, 1, NULL, "neighbours of Eq. 30; used with weights=lle"}
#define ALPHA_ROW \
    {"alpha", 0, 0, 1, 1, alpha_choice, "weights of the sub-kernels: by degree (Eq. 33) or equal"}
/* clang-format on */
static const seg_param params[] = {
    {"solver", 0, 0, 2, 1, solver_choice,
     "low-rank descent on the sphere, Algorithm 2's projections as printed, or PCP's program"},
    WEIGHTS_ROW,
    {"B", 0, 0, 2000, 1, NULL, "landmarks shared by the sub-kernels (paper: 20 or 100); 0 = one sub-kernel over all"},
    {"R", 100, 1, 2000, 1, NULL, "further samples in each sub-kernel (paper: 10 or 100); used where B > 0"},
    {"rank", 12, 2, 200, 1, NULL, "columns of a sub-kernel's factor"},
    {"lambda", -1, -1, 1e6, 0, NULL,
     "weight of the smoothness term (paper: 1); -1: 0.1 for groups, for listed pairs chosen by them"},
    {"guard", 0.05, 1e-9, 1, 0, NULL, "keeps each logarithm bounded, as a share of its matrix's trace"},
    SMOOTHER_ROW,
    SIGMA_SCALE_ROW,
    NEIGHBOURS_ROW,
    ALPHA_ROW,
    {"cannot", 0, 0, 2, 1, cannot_choice,
     "listed cannot-links enter each by itself (with solver=descend), or as one sum as printed; auto: sum for images, "
     "each "
     "else; those of groups are always one sum"},
    {"extras", 0, 0, 1, 1, extras_choice,
     "what is printed nowhere: groups found in listed pairs or for unmarked clusters before the last step, N-cuts "
     "where "
     "there are must-links alone"},
    {"iterations", 200, 1, 100000, 1, NULL, "limit of the solver's steps"},
};
enum { AUTO, EACH, SUM }; /* of the parameter cannot */
enum {
    SOLVER,
    WEIGHTS,
    LANDMARKS,
    PORTION,
    RANK,
    LAMBDA,
    GUARD,
    SMOOTHER,
    SIGMA,
    NEIGHBOURS,
    ALPHA,
    CANNOT,
    EXTRAS,
    ITERATIONS
};

/* Listed pairs are sparse and need the papers' weight of smoothness. Groups give all their pairs, and with that weight
 * neighbouring groups would be merged (docs/history/default-method.md). */
#define GROUP_LAMBDA 0.1

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
                                                 : SEG_ENPAKL_LAMBDA,
        .guard = param[GUARD],
        .each =
            (param[CANNOT] == EACH || (param[CANNOT] == AUTO && !problem->patches)) && !problem->constraints->groups,
        .smoother_neighbours = (int)param[SMOOTHER],
        .sigma_scale = param[SIGMA],
        .landmarks = (size_t)param[LANDMARKS],
        .portion = (size_t)param[PORTION],
        .extension_tolerance = problem->patches || problem->n > MANY ? SEG_HARMONIC_LABELS : SEG_HARMONIC_FINE,
        .lle_neighbours = (int)param[NEIGHBOURS],
        .laplacian = problem->laplacian,
        .equal_alpha = param[ALPHA] == 1,
        .iterations = (int)param[ITERATIONS],
        .tolerance = 1e-5,
    };
}

/* Groups by a kernel that is learned from listed pairs; out->groups is 0 where none are found. *kernel: that kernel,
 * its rows scaled to the unit sphere, where phi(x) lies (footnote 5); rows that are mixtures were inside it. */
static seg_status groups_of_pairs(seg_context *ctx, const seg_problem *problem, const double *param,
                                  seg_enpakl_result *kernel, seg_constraints *out) {
    const seg_enpakl_options options = read_options(problem, param);
    memset(out, 0, sizeof *out);
    const seg_status status =
        seg_enpakl_learn(ctx, problem->features, problem->affinity, problem->constraints, &options, kernel);
    if (status)
        return status;
    seg_rows_to_sphere(kernel->factor.rows, kernel->factor.cols, kernel->factor.at);
    return seg_groups_from_pairs(ctx, problem, &kernel->factor, out);
}

seg_status seg_enpakl_groups(seg_context *ctx, const seg_problem *problem, seg_constraints *out) {
    seg_enpakl_result kernel = {0};
    seg_params own;
    seg_params_default(&seg_method_enpakl.info, &own);
    const seg_status status = groups_of_pairs(ctx, problem, own.value, &kernel, out);
    seg_enpakl_result_free(&kernel);
    return status;
}

/* With must-links alone nothing in Eq. 21 separates samples: the optimal kernel is constant, and the clusters of
 * k-means on it are meaningless. */
static seg_status without_cannot_links(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    seg_status status = seg_method_solve(ctx, &seg_method_ncut, problem, out);
    seg_log(
        ctx, SEG_LOG_WARNING,
        "ENPAKL learns nothing from must-links alone: its best kernel puts everything in one cluster; these are the "
        "clusters of ncut, with the must-links kept; add a cannot-link");
    return status ? status : seg_keep_pairs(ctx, problem, out, NULL);
}

static void warn_of_few(seg_context *ctx, const seg_problem *problem) {
    const seg_constraints *given = problem->constraints;
    if (given->groups == 0 && given->pairs < (size_t)problem->k)
        seg_log(ctx, SEG_LOG_WARNING,
                "ENPAKL knows the data by its constrained samples alone, and %zu pair%s for %d clusters say%s little; "
                "the method auto falls back on what needs none",
                given->pairs, given->pairs == 1 ? "" : "s", problem->k, given->pairs == 1 ? "s" : "");
}

/* Whether the pairs choose lambda. An image has many pairs and a graph that connects its regions; one run takes long
 * there, and the papers' weight is the right one (docs/history/pairs.md). */
static int is_left_to_pairs(const seg_problem *problem, const double *param) {
    return param[LAMBDA] == -1 && problem->constraints->groups == 0 && param[SOLVER] != SEG_ENPAKL_PCP &&
           !problem->patches;
}

/* ---- How smooth the kernel of listed pairs is, chosen by the pairs. ---- */

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *given, seg_clustering *out);

#define FOLDS    3
#define MOST_FIT 0.5
#define SWITCH   0.5 /* of a pair */

static const double candidates[] = {SEG_ENPAKL_LAMBDA, 0.5, 0.3, 2};
enum { TRIED = sizeof candidates / sizeof *candidates };

typedef struct trial {
    seg_problem problem;
    double param[SEG_MAX_PARAMS];
    seg_held_out held;
    double fit; /* weight of the pairs that the learner knew */
} trial;

/* ENPAKL's labels. *failed: 1 if ENPAKL failed numerically or by the constraints. */
static seg_status labels_of(seg_context *ctx, const trial *t, const seg_constraints *constraints, int *failed,
                            seg_clustering *out) {
    seg_problem own = t->problem;
    own.constraints = constraints;
    own.restarts = 1;
    *failed = 0;
    seg_status status = seg_clustering_begin(ctx, &own, out);
    if (status)
        return status;
    status = solve(ctx, &own, t->param, out);
    if (status)
        seg_clustering_free(out);
    *failed = status == SEG_ERR_NUMERIC || status == SEG_ERR_CONTRADICTION || status == SEG_ERR_USAGE;
    return *failed ? SEG_OK : status;
}

static seg_status judge_held_out(seg_context *ctx, const trial *t, seg_judgement *judged) {
    for (int part = 0; part < t->held.parts; part++) {
        seg_clustering found = {0};
        int failed;
        if (seg_constraints_cannots(&t->held.others[part]) == 0)
            continue;
        const seg_status status = labels_of(ctx, t, &t->held.others[part], &failed, &found);
        if (status)
            return status;
        if (!failed)
            seg_held_out_judge(&t->held, part, found.label, judged);
        seg_clustering_free(&found);
    }
    return SEG_OK;
}

static double share(double broken, double all) {
    return all > 0 ? broken / all : 0;
}

/* *loss: INFINITY if ENPAKL fails; with `enough`, 0 if no pair is broken, and then none are held out. */
static seg_status loss_of(seg_context *ctx, const trial *t, int enough, double *loss) {
    seg_judgement known = {0}, held = {0};
    seg_clustering found = {0};
    int failed;
    *loss = INFINITY;
    seg_status status = labels_of(ctx, t, t->problem.constraints, &failed, &found);
    if (status || failed)
        return status;
    seg_judge_pairs(t->problem.constraints, found.label, &known);
    seg_clustering_free(&found);
    if (enough && known.must_broken + known.cannot_broken == 0) {
        *loss = 0;
        return SEG_OK;
    }
    if ((status = judge_held_out(ctx, t, &held)) != SEG_OK)
        return status;
    const double must =
        t->fit * share(known.must_broken, known.must) + (1 - t->fit) * share(held.must_broken, held.must);
    const double cannot =
        t->fit * share(known.cannot_broken, known.cannot) + (1 - t->fit) * share(held.cannot_broken, held.cannot);
    *loss = seg_pair_loss(must, cannot, t->problem.k);
    return SEG_OK;
}

seg_status seg_enpakl_choose_lambda(seg_context *ctx, const seg_problem *problem, const double *param, double *lambda) {
    const double from = ctx ? ctx->progress_from : 0, to = ctx ? ctx->progress_to : 1;
    const size_t pairs = problem->constraints->pairs;
    trial t = {.problem = *problem};
    seg_constraints sorted = {0};
    seg_laplacian *own = NULL;
    unsigned char *named = NULL;
    size_t names;
    double least = INFINITY;
    seg_status status = seg_pairs_in_order(ctx, problem->constraints, &sorted);
    *lambda = SEG_ENPAKL_LAMBDA;
    if (status)
        return status;
    sorted.closure = problem->constraints->closure; /* lent */
    t.problem.constraints = &sorted;
    memcpy(t.param, param, sizeof t.param);
    if (!t.problem.laplacian && (status = seg_laplacian_create(ctx, problem->affinity, &own)) != SEG_OK)
        goto done;
    t.problem.laplacian = own ? own : problem->laplacian;
    if ((status = seg_constraints_named(ctx, &sorted, &named, &names)) != SEG_OK ||
        (status = seg_held_out_plan(ctx, &sorted, FOLDS, seg_held_out_parts(problem->n, pairs, FOLDS), &t.held)) !=
            SEG_OK)
        goto done;
    t.fit = fmin((double)names / (double)sorted.n, MOST_FIT);
    for (int c = 0; c < TRIED && least > 0; c++) {
        double loss;
        seg_progress_share(ctx, from + (to - from) * c / (TRIED + 1), from + (to - from) * (c + 1) / (TRIED + 1));
        t.param[LAMBDA] = candidates[c];
        if ((status = loss_of(ctx, &t, c == 0, &loss)) != SEG_OK)
            break;
        seg_log(ctx, SEG_LOG_INFO, "enpakl: lambda %g: loss %.4f", candidates[c], loss);
        if (loss + (c ? SWITCH / (double)pairs : 0) < least) {
            least = loss;
            *lambda = candidates[c];
        }
    }
    seg_progress_share(ctx, from + (to - from) * TRIED / (TRIED + 1), to);
done:
    free(named);
    seg_held_out_free(&t.held);
    seg_laplacian_free(own);
    sorted.closure = NULL;
    seg_constraints_free(&sorted);
    return status;
}

/* ---- The method. ---- */

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *given, seg_clustering *out) {
    double param[SEG_MAX_PARAMS];
    memcpy(param, given, sizeof param);
    seg_constraints more = {0};
    seg_problem own = *problem;
    seg_enpakl_result kernel = {0};
    seg_status status = SEG_OK;
    int learned = 0; /* the kernel is learned, its rows are on the sphere */
    const int whole = param[WEIGHTS] == 0 && param[LANDMARKS] == 0; /* one sub-kernel, harmonic weights */
    if (param[LAMBDA] < 0 && param[LAMBDA] != -1)
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter lambda of enpakl is a number from 0 to 1e+06, or -1, not %g",
                        param[LAMBDA]);
    const int extras = param[EXTRAS] == 0;
    if (extras && problem->constraints->groups == 0 && seg_constraints_cannots(problem->constraints) == 0)
        return without_cannot_links(ctx, problem, out);
    warn_of_few(ctx, problem);
    if (is_left_to_pairs(problem, param) &&
        (status = seg_enpakl_choose_lambda(ctx, problem, given, &param[LAMBDA])) != SEG_OK)
        return status;
    if (extras && problem->constraints->groups > 0 && problem->constraints->groups < problem->k)
        status = seg_groups_by_ccskl(ctx, problem, &more);
    else if (extras && problem->constraints->groups == 0 && whole) {
        status = groups_of_pairs(ctx, problem, param, &kernel, &more);
        learned = more.groups == 0;
    }
    if (status)
        goto done;
    if (more.groups > 0)
        own.constraints = &more;
    if (!learned) {
        const seg_enpakl_options options = read_options(&own, param);
        seg_enpakl_result_free(&kernel);
        if ((status = seg_enpakl_learn(ctx, problem->features, problem->affinity, own.constraints, &options,
                                       &kernel)) != SEG_OK)
            goto done;
    }
    out->objective = kernel.objective;
    out->iterations = kernel.iterations;
    out->converged = kernel.converged;
    out->embedding = kernel.factor;
    memset(&kernel.factor, 0, sizeof kernel.factor);
    if (own.constraints->groups == problem->k && whole)
        status = seg_assign_mixture(ctx, &own, &out->embedding, out);
    else {
        if (!learned)
            seg_rows_to_sphere(out->embedding.rows, out->embedding.cols, out->embedding.at);
        status = seg_assign_kmeans(ctx, &own, &out->embedding, SEG_ASSIGN_GROUPS, out);
    }
done:
    seg_constraints_free(&more);
    seg_enpakl_result_free(&kernel);
    return status;
}

static const char *const paper[] = {"solver=project", "weights=lle", "B=20",       "R=10",          "rank=200",
                                    "lambda=1",       "guard=1e-9",  "smoother=0", "sigma-scale=1", "alpha=degree",
                                    "cannot=sum",     "extras=off",  NULL};

const seg_method_row seg_method_enpakl = {
    {"enpakl", "non-parametric kernel learning from sub-kernels", "chen2011npkl, Algorithms 2 and 3",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_NEEDS_FEATURES, sizeof params / sizeof params[0], params, paper,
     "one sub-kernel over all constrained samples, learned by descent on the sphere; absorption probabilities as "
     "weights; listed cannot-links one by one; lambda chosen by the pairs; groups from the pairs before the last step",
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
    NEIGHBOURS_ROW,
    {"extras", 0, 0, 1, 1, extras_choice, "as ENPAKL's: what is printed nowhere"},
    ALPHA_ROW,
};
#define COUNT ((int)(sizeof enpakl1_params / sizeof *enpakl1_params))

static seg_status solve_enpakl1(seg_context *ctx, const seg_problem *problem, const double *param,
                                seg_clustering *out) {
    const seg_method *enpakl = &seg_method_enpakl.info;
    seg_params all;
    seg_status status;
    seg_params_default(enpakl, &all);
    if ((status = seg_params_set(ctx, enpakl, "solver=pcp", &all)) != SEG_OK)
        return status;
    for (int mine = 0; mine < COUNT; mine++)
        for (int other = 0; other < enpakl->param_count; other++)
            if (strcmp(enpakl1_params[mine].name, enpakl->param[other].name) == 0)
                all.value[other] = param[mine];
    return solve(ctx, problem, all.value, out);
}

static const char *const enpakl1_paper[] = {"weights=lle",   "B=100",      "R=100", "smoother=0",
                                            "sigma-scale=1", "extras=off", NULL};

const seg_method_row seg_method_enpakl1 = {
    {"enpakl1", "ENPAKL with PCP's sub-kernels", "chen2011npkl, Sec. 5.3",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_NEEDS_FEATURES, COUNT, enpakl1_params, enpakl1_paper,
     "the patch graph's absorption probabilities as weights; the smoother's graph of 20 neighbours and a small width; "
     "N-cuts where there are must-links alone",
     SEG_PAPER_GRAPH_KNN},
    solve_enpakl1,
};
