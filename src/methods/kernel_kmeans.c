/* Kernel k-means, plain and weighted [dhillon2004kernel; kulis2009sskk, Algorithm 1], k-means++ starts. Constraints
 * only name the clusters. */
#include "methods/method.h"
#include "methods/similarities.h"

static const char *const weights_choice[] = {"equal", "degree", NULL};
static const seg_param params[] = {
    SEG_KERNEL_PARAMS,
    {"weights", 0, 0, 1, 1, weights_choice,
     "of the samples: equal, or their similarities' sums (on a graph: the normalized cut)"},
    {"sweeps", 50, 0, 1000, 1, NULL, "sweeps of single moves after the batch steps"},
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_kernel_choice choice = {(seg_vector_kernel)param[0], param[1], param[2]};
    const seg_sskk_options options = {.objective = param[3] == 0 ? SEG_SSKK_ASSOCIATION : SEG_SSKK_WEIGHTED,
                                      .shift = SEG_SHIFT_ADAPTIVE,
                                      .start = SEG_SSKK_FARTHEST,
                                      .sweeps = (int)param[4]};
    seg_constraints none = {0};
    seg_status status = seg_constraints_create(ctx, problem->n, &none);
    if (status == SEG_OK)
        status = seg_solve_kernel(ctx, problem, &none, &choice, options, out);
    seg_constraints_free(&none);
    return status;
}

static const char *const paper[] = {"sweeps=0", NULL};

const seg_method_row seg_method_kernel_kmeans = {
    {"kernel-kmeans", "kernel k-means, plain or weighted", "dhillon2004kernel; kulis2009sskk, Algorithm 1", 0, 5,
     params, paper, "moves of single samples behind the batch steps", SEG_PAPER_GRAPH_NONE},
    solve,
};
