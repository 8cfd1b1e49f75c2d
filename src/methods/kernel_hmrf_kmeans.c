/* Kernel-HMRF-KMeans: the HMRF objective with cluster-size weighted penalties, as kernel k-means on S + W
 * [kulis2009sskk, Algorithm 2]. */
#include "methods/method.h"
#include "methods/similarities.h"

#include "base/base.h"

#include <stdlib.h>

static const char *const kernel_choice[] = {"linear", "exponential", NULL};
static const char *const shift_choice[] = {"bound", "adaptive", NULL};
static const seg_param params[] = {
    {"kernel", 1, 0, 1, 1, kernel_choice, "of the features, where the problem brings no kernel"},
    {"width", 0, 0, 1e9, 0, NULL, "of the exponential kernel; 0 = from the data"},
    {"width-scale", 3, 0.01, 100, 0, NULL, "width from the data: times the mean distance to ten neighbours"},
    {"penalty", 1, 0, 1e6, 0, NULL, "cost of a violated constraint, times the paper's n / (k C)"},
    {"shift", 1, 0, 1, 1, shift_choice,
     "diagonal shift: the bound that makes the kernel positive semidefinite, or only as much as descent needs"},
    {"sweeps", 50, 0, 1000, 1, NULL, "sweeps of single moves after the batch steps; 0 is the paper's algorithm"},
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_sskk_options options = {.k = problem->k,
                                      .objective = SEG_SSKK_ASSOCIATION,
                                      .penalty = param[3],
                                      .shift = (seg_kernel_shift)param[4],
                                      .sweeps = (int)param[5],
                                      .restarts = problem->restarts};
    seg_similarities S;
    seg_matrix centred = {0};
    seg_sskk_model model = {0};
    seg_sskk_result result;
    int gram;
    double *sum = seg_alloc(ctx, problem->n, (size_t)problem->k * sizeof *sum);
    seg_status status = SEG_ERR_MEMORY;
    if (!sum ||
        (status = seg_similarities_of(ctx, problem, (seg_vector_kernel)param[0], param[1], param[2], &centred, &S,
                                      &gram)) != SEG_OK ||
        (status = seg_sskk(ctx, &S, gram, problem->constraints, &options, out->label, sum, &model, &result)) != SEG_OK)
        goto done;
    out->objective = result.objective;
    out->iterations = result.iterations;
    out->converged = result.converged;
    status = seg_assign_sums(ctx, problem, &model, gram, sum, out);
done:
    seg_sskk_model_free(&model);
    seg_matrix_free(&centred);
    free(sum);
    return status;
}

const seg_method_row seg_method_kernel_hmrf_kmeans = {
    {"kernel-hmrf-kmeans", "kernel k-means with penalties for constraints", "kulis2009sskk, Algorithm 2",
     SEG_NEEDS_CONSTRAINTS, 6, params},
    solve,
};
