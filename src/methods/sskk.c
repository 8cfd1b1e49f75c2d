/* SS-Kernel-KMeans on a graph: ratio association, ratio cut and normalized cut with penalties for violated constraints
 * [kulis2009sskk, Algorithm 4]. */
#include "methods/assign.h"
#include "methods/method.h"
#include "methods/similarities.h"

#include "base/base.h"

#include <stdlib.h>

static const char *const objective_choice[] = {"association", "ratio-cut", "normalized-cut", NULL};
static const char *const shift_choice[] = {"bound", "adaptive", NULL};
static const char *const start_choice[] = {"best", "farthest", "random", "ncut", NULL};
static const seg_param params[] = {
    {"objective", 2, 0, 2, 1, objective_choice, "what is optimised (the problem's kernel, where given, is the graph)"},
    {"penalty", 1, 0, 1e6, 0, NULL, "cost of a violated constraint, times the paper's n / (k C)"},
    {"shift", 1, 0, 1, 1, shift_choice,
     "diagonal shift: the bound that makes the kernel positive semidefinite, or only as much as descent needs"},
    {"sweeps", 50, 0, 1000, 1, NULL, "sweeps of single moves after the batch steps; 0 is the paper's algorithm"},
    {"start", 0, 0, 3, 1, start_choice,
     "where the runs start: farthest-first over the must-links' components (Algorithm 3), random, from the labels of "
     "ncut, or all of these"},
};

/* Labels of ncut: a descent that starts there ends no higher. */
static seg_status start_of_cuts(seg_context *ctx, const seg_problem *problem, seg_sskk_start start, int32_t **label) {
    seg_clustering cuts = {0};
    seg_problem own = *problem;
    own.kernel = NULL;
    own.restarts = 1; /* the same start for any number of runs */
    seg_status status = seg_clustering_begin(ctx, problem, &cuts);
    if (!status)
        status = seg_method_solve(ctx, &seg_method_ncut, &own, &cuts);
    if (!status)
        status = seg_fill_clusters(ctx, seg_method_ncut.info.name, &own, &cuts);
    if (!status) {
        *label = cuts.label;
        cuts.label = NULL;
    } else if (status == SEG_ERR_NUMERIC && start == SEG_SSKK_BEST)
        status = SEG_OK; /* the other starts remain */
    seg_clustering_free(&cuts);
    return status;
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_similarities A = {
        .n = problem->n, .dense = problem->kernel, .sparse = problem->kernel ? NULL : problem->affinity};
    seg_sskk_options options = {.k = problem->k,
                                .objective = (seg_sskk_objective)param[0],
                                .penalty = param[1],
                                .shift = (seg_kernel_shift)param[2],
                                .sweeps = (int)param[3],
                                .start = (seg_sskk_start)param[4],
                                .restarts = problem->restarts};
    const int gram = problem->kernel != NULL;
    seg_sskk_model model = {0};
    seg_sskk_result result;
    int32_t *cuts = NULL;
    double *sum = seg_alloc(ctx, problem->n, (size_t)problem->k * sizeof *sum);
    seg_status status = sum ? SEG_OK : SEG_ERR_MEMORY;
    if (!status && (options.start == SEG_SSKK_GIVEN ||
                    (options.start == SEG_SSKK_BEST && problem->constraints->groups < problem->k)))
        status = start_of_cuts(ctx, problem, options.start, &cuts);
    options.given = cuts;
    if (status ||
        (status = seg_sskk(ctx, &A, gram, problem->constraints, &options, out->label, sum, &model, &result)) != SEG_OK)
        goto done;
    out->objective = result.objective;
    out->iterations = result.iterations;
    out->converged = result.converged;
    status = seg_assign_sums(ctx, problem, &model, gram, sum, out);
done:
    seg_sskk_model_free(&model);
    free(cuts);
    free(sum);
    return status;
}

static const char *const paper[] = {"shift=bound", "sweeps=0", "start=farthest", NULL};

const seg_method_row seg_method_sskk = {
    {"sskk", "semi-supervised kernel k-means for graph cuts", "kulis2009sskk, Algorithm 4",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, sizeof params / sizeof *params, params, paper,
     "several starts, the best kept; no more diagonal shift than descent needs; moves of single samples",
     SEG_PAPER_GRAPH_KNN},
    solve,
};
