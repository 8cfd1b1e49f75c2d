/* Kernel-HMRF-KMeans: the HMRF objective with cluster-size weighted penalties, as kernel k-means on S + W
 * [kulis2009sskk, Algorithm 2]. */
#include "methods/method.h"
#include "methods/similarities.h"

static const char *const shift_choice[] = {"bound", "adaptive", NULL};
static const seg_param params[] = {
    SEG_KERNEL_PARAMS,
    {"penalty", 1, 0, 1e6, 0, NULL, "cost of a violated constraint, times the paper's n / (k C)"},
    {"shift", 1, 0, 1, 1, shift_choice,
     "diagonal shift: the bound that makes the kernel positive semidefinite, or only as much as descent needs"},
    {"sweeps", 50, 0, 1000, 1, NULL, "sweeps of single moves after the batch steps; 0 is the paper's algorithm"},
    {"start", 0, 0, 2, 1, seg_starts_choice,
     "where the runs start: farthest-first over the must-links' components (Algorithm 3), random, or both in turn "
     "(best)"},
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_kernel_choice choice = {(seg_vector_kernel)param[0], param[1], param[2]};
    const seg_sskk_options options = {.objective = SEG_SSKK_ASSOCIATION,
                                      .penalty = param[3],
                                      .shift = (seg_kernel_shift)param[4],
                                      .sweeps = (int)param[5],
                                      .start = (seg_sskk_start)param[6]};
    return seg_solve_kernel(ctx, problem, problem->constraints, &choice, options, out);
}

static const char *const paper[] = {"kernel=linear", "shift=bound", "sweeps=0", "start=farthest", NULL};

const seg_method_row seg_method_kernel_hmrf_kmeans = {
    {"kernel-hmrf-kmeans", "kernel k-means with penalties for constraints", "kulis2009sskk, Algorithm 2",
     SEG_NEEDS_CONSTRAINTS, sizeof params / sizeof *params, params, paper,
     "an exponential kernel; several starts, the best kept; no more diagonal shift than descent needs; moves of single "
     "samples",
     SEG_PAPER_GRAPH_NONE},
    solve,
};
