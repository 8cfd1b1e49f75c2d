/* NMI measured where no constraints were given [kulis2009sskk, Sec. 5.2]: in two-fold cross-validation the constraints
 * come from one half of the samples, all are clustered, and the other half is scored. A realization is a run of both
 * folds. */
#include "evaluation/experiments/curves.h"
#include "evaluation/experiments/measure.h"

#include "base/base.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#define FOLD_STREAM 0x666f6c64u /* "fold" */

static const seg_variant variants[] = {
    {.name = "hmrf-kmeans", .method = "hmrf-kmeans", .param = {"unit=constraints"}, .style = 6},
    {.name = "ss-kernel-linear", .method = "kernel-hmrf-kmeans", .param = {"kernel=linear"}, .style = 1},
    {.name = "ss-kernel-exponential", .method = "kernel-hmrf-kmeans", .param = {"kernel=exponential"}, .style = 0},
    {.name = "ratio-association", .method = "sskk", .param = {"objective=association"}, .style = 5},
    {.name = "ratio-cut", .method = "sskk", .param = {"objective=ratio-cut"}, .style = 3},
    {.name = "normalized-cut", .method = "sskk", .param = {"objective=normalized-cut"}, .style = 2},
    {.name = "spectral-learning", .method = "spectral-learning", .style = 4},
};

/* 0 .. 400; as many as the training half's pairs allow. */
static int sizes(const seg_dataset *set, int *size) {
    const size_t half = set->X.rows / 2, most = half * (half - 1) / 2;
    int count = 0;
    for (int s = 0; s <= 8 && (s == 0 || (size_t)(50 * s) <= most); s++)
        size[count++] = 50 * s;
    return count;
}

/* A random half of the samples, the same for all variants and numbers of constraints. */
static seg_status split(seg_context *ctx, const seg_run *run, const seg_item *item, unsigned char *first) {
    const size_t n = item->set->X.rows;
    size_t *order = seg_alloc(ctx, n, sizeof *order);
    seg_random random;
    if (!order)
        return SEG_ERR_MEMORY;
    seg_random_seed(&random, run->seed, FOLD_STREAM + (uint64_t)item->realization);
    for (size_t i = 0; i < n; i++) {
        const size_t j = seg_random_below(&random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < n; i++)
        first[order[i]] = i < n / 2;
    free(order);
    return SEG_OK;
}

/* Without constraints, too, each method is itself: where its own curve begins. */
static seg_status label_samples(seg_context *ctx, const seg_run *run, const seg_item *item,
                                const seg_constraints *constraints, int32_t *label) {
    const seg_problem problem = seg_item_problem(run, item, constraints);
    return seg_label_often(ctx, item->variant, &problem, run->restarts, label, NULL);
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    const size_t n = item->set->X.rows;
    const uint64_t own_seed = ctx->seed;
    unsigned char *fold = seg_alloc(ctx, n, 2);
    int32_t *label = seg_alloc(ctx, (size_t)run->restarts, n * sizeof *label);
    seg_status status = fold && label ? split(ctx, run, item, fold) : SEG_ERR_MEMORY;
    for (size_t i = 0; i < n && !status; i++)
        fold[n + i] = !fold[i];
    for (int f = 0; f < 2 && !status; f++) {
        seg_constraints constraints = {0};
        seg_scores test = {0}, all = {0};
        ctx->seed = seg_shared_seed(run, item) + (uint64_t)f;
        status = seg_draw_as_asked(ctx, run, item, fold + (size_t)f * n, &constraints);
        ctx->seed = own_seed + (uint64_t)f;
        if (!status)
            status = label_samples(ctx, run, item, &constraints, label);
        if (!status)
            status = seg_mean_scores(ctx, label, run->restarts, &item->set->labels, fold + (size_t)(1 - f) * n, &test);
        if (!status)
            status = seg_mean_scores(ctx, label, run->restarts, &item->set->labels, NULL, &all);
        value[0] += test.nmi / 2;
        value[1] += all.nmi / 2;
        seg_constraints_free(&constraints);
    }
    free(fold);
    free(label);
    return status ? seg_soften(ctx, status, item, value, 2) : SEG_OK;
}

static void second_value(const seg_item *cell, int count, double *out) {
    for (int r = 0; r < count; r++)
        out[r] = cell[r].value[1];
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    static const seg_curve test = {.stem = "nmi-test",
                                   .title = "held-out half, without constraints",
                                   .x_label = "constraints",
                                   .y_label = "NMI of the test half",
                                   .more_is_better = 1,
                                   .reduce = seg_first_value};
    static const seg_curve all = {.stem = "nmi-all",
                                  .title = "all samples",
                                  .x_label = "constraints",
                                  .y_label = "NMI of all samples",
                                  .more_is_better = 1,
                                  .reduce = second_value};
    const seg_status status = seg_curve_report(ctx, run, &test);
    return status ? status : seg_curve_report(ctx, run, &all);
}

static const char *const synthetic[] = {"two-circles", "gaussians", NULL};

const seg_protocol seg_protocol_held_out = {
    .info = {"held-out", "NMI of the held-out half, two-fold cross-validation", "kulis2009sskk, Secs. 5.2, 5.3",
             synthetic, 5, 1, 20, 1, "runs of two folds", "restarts, averaged"},
    .variant = variants,
    .variants = sizeof variants / sizeof *variants,
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_UNIFORM,
    .columns = "nmi_test,nmi_all",
    .values = 2,
    .sizes = sizes,
    .solve = solve,
    .report = report,
};
