#include "kernels/sskk.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_STEPS = 200, GIVEN = -1 };

static double trace_of(const seg_similarities *A) {
    double trace = 0;
    for (size_t i = 0; i < A->n; i++)
        trace += seg_similarities_diagonal(A, i);
    return trace;
}

/* The start of a run. */
static seg_status start_run(seg_context *ctx, const seg_similarities *A, const seg_constraints *constraints,
                            const seg_sskk_options *options, int run, int32_t *label) {
    const int both = options->start == SEG_SSKK_BEST;
    const int random = options->start == SEG_SSKK_RANDOM || (both && run % 2);
    if (run == GIVEN) {
        memcpy(label, options->given, A->n * sizeof *label);
        return SEG_OK;
    }
    return seg_farthest_first(ctx, A, constraints, options->k, random ? SEG_SEEDS_RANDOM : SEG_SEEDS_FARTHEST,
                              (uint64_t)(both ? run / 2 : run), label, NULL);
}

seg_status seg_sskk(seg_context *ctx, const seg_similarities *A, int gram, const seg_constraints *constraints,
                    const seg_sskk_options *options, int32_t *label, double *sum, seg_sskk_model *model,
                    seg_sskk_result *result) {
    const size_t n = A->n, k = (size_t)options->k;
    seg_sskk_model own = {0};
    size_t cells;
    const int runs = options->start == SEG_SSKK_GIVEN ? 0 : constraints->groups == options->k ? 1 : options->restarts;
    int found = 0;
    seg_status status;
    if (!seg_multiply(n, k, &cells))
        cells = SIZE_MAX;
    int32_t *try_label = seg_alloc(ctx, n, sizeof *try_label);
    double *try_sum = seg_alloc(ctx, cells, sizeof *try_sum);
    memset(result, 0, sizeof *result);
    if (model)
        memset(model, 0, sizeof *model);
    if (!try_label || !try_sum) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    if ((status = seg_sskk_model_create(ctx, A, gram, constraints, options, &own)) != SEG_OK)
        goto done;
    const seg_kernel_kmeans_options steps = {.k = options->k,
                                             .weight = own.weight,
                                             .shift = own.shift,
                                             .use = options->shift,
                                             .iterations = BATCH_STEPS,
                                             .sweeps = options->sweeps};
    for (int run = options->given ? GIVEN : 0; run < runs; run++) {
        seg_kernel_kmeans_result now;
        if ((status = start_run(ctx, A, constraints, options, run, try_label)) != SEG_OK ||
            (status = seg_kernel_kmeans(ctx, &(seg_kernel_problem){&own.B, &own.links}, &steps, try_label, try_sum,
                                        &now)) != SEG_OK)
            goto done;
        if (found && !(now.objective > result->trace))
            continue;
        found = 1;
        result->trace = now.objective;
        result->iterations = now.iterations;
        result->converged = now.converged;
        memcpy(label, try_label, n * sizeof *label);
        memcpy(sum, try_sum, cells * sizeof *sum);
    }
    result->shift = own.shift;
    result->objective = -result->trace;
    if (options->objective == SEG_SSKK_NORMALIZED_CUT)
        result->objective += options->k;
    else if (gram && options->objective == SEG_SSKK_ASSOCIATION)
        result->objective += trace_of(A);
    else if (gram && options->objective == SEG_SSKK_WEIGHTED)
        for (size_t i = 0; i < n; i++)
            result->objective += own.weight[i] * seg_similarities_diagonal(A, i);
    if (model) {
        *model = own;
        if (model->B.extra)
            model->B.extra = &model->pairs;
        memset(&own, 0, sizeof own);
    }
done:
    seg_sskk_model_free(&own);
    free(try_label);
    free(try_sum);
    return status;
}
