/* Kernel k-means, plain and weighted [dhillon2004kernel; kulis2009sskk, Algorithm 1], k-means++ starts. Constraints are
 * not used but to name the clusters. */
#include "methods/method.h"
#include "methods/similarities.h"

#include "base/base.h"

#include <stdlib.h>

static const char *const kernel_choice[] = {"linear", "exponential", NULL};
static const char *const weights_choice[] = {"equal", "degree", NULL};
static const seg_param params[] = {
    {"kernel", 1, 0, 1, 1, kernel_choice, "of the features, where the problem brings no kernel"},
    {"width", 0, 0, 1e9, 0, NULL, "of the exponential kernel; 0 = from the data"},
    {"width-scale", 3, 0.01, 100, 0, NULL, "width from the data: times the mean distance to ten neighbours"},
    {"weights", 0, 0, 1, 1, weights_choice,
     "of the things: equal, or their similarities' sums (on a graph: the normalized cut)"},
    {"sweeps", 50, 0, 1000, 1, NULL, "sweeps of single moves after the batch steps"},
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    seg_sskk_options options = {
        .k = problem->k, .shift = SEG_SHIFT_ADAPTIVE, .sweeps = (int)param[4], .restarts = problem->restarts};
    seg_similarities S;
    seg_matrix centred = {0};
    seg_constraints none = {0};
    seg_sskk_model model = {0};
    seg_sskk_result result;
    int gram;
    double *sum = seg_alloc(ctx, problem->n, (size_t)problem->k * sizeof *sum);
    seg_status status = SEG_ERR_MEMORY;
    if (!sum || (status = seg_constraints_create(ctx, problem->n, &none)) != SEG_OK ||
        (status = seg_similarities_of(ctx, problem, (seg_vector_kernel)param[0], param[1], param[2], &centred, &S,
                                      &gram)) != SEG_OK)
        goto done;
    options.objective = param[3] == 0 ? SEG_SSKK_ASSOCIATION : gram ? SEG_SSKK_WEIGHTED : SEG_SSKK_NORMALIZED_CUT;
    if ((status = seg_sskk(ctx, &S, gram, &none, &options, out->label, sum, &model, &result)) != SEG_OK)
        goto done;
    out->objective = result.objective;
    out->iterations = result.iterations;
    out->converged = result.converged;
    status = seg_assign_sums(ctx, problem, &model, gram, sum, out);
done:
    seg_sskk_model_free(&model);
    seg_constraints_free(&none);
    seg_matrix_free(&centred);
    free(sum);
    return status;
}

const seg_method_row seg_method_kernel_kmeans = {
    {"kernel-kmeans", "kernel k-means, plain or weighted", "dhillon2004kernel; kulis2009sskk, Algorithm 1", 0, 5,
     params},
    solve,
};
