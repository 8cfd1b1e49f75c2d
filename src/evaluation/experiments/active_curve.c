/* Learning curves of active against random choice of constraints [basu2004active, Sec. 5]: PCKMeans in ten-fold
 * cross-validation. Questions are asked about nine tenths of the samples, all are clustered, the last tenth is scored.
 * Realizations 1..10 are the folds of one partition, 11..20 of the next. */
#include "evaluation/experiments/curves.h"
#include "evaluation/experiments/measure.h"
#include "evaluation/runner/runner.h"

#include "base/base.h"
#include "base/random.h"

#include <segment/active.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLD_STREAM 0x74656e66u /* "tenf" */
enum { FOLDS = 10 };
enum { TEST_NMI, TEST_F, NMI_ALL, ASKED, VALUES };

/* The order is that of `strategy`. */
static const seg_variant variants[] = {
    {.name = "random", .method = "pckmeans", .style = 6},
    {.name = "explore", .method = "pckmeans", .style = 2},
    {.name = "explore-consolidate", .method = "pckmeans", .style = 0},
    {.name = "minmax", .method = "pckmeans", .style = 1},
};
static const seg_active_strategy strategy[] = {SEG_ACTIVE_RANDOM, SEG_ACTIVE_EXPLORE, SEG_ACTIVE_EXPLORE_CONSOLIDATE,
                                               SEG_ACTIVE_MINMAX};

static int sizes(const seg_dataset *set, int *size) {
    static const int questions[] = {5, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300};
    (void)set;
    memcpy(size, questions, sizeof questions);
    return (int)(sizeof questions / sizeof *questions);
}

/* The fold's tenth; the same for all variants and numbers of questions. */
static seg_status choose_test(seg_context *ctx, const seg_run *run, const seg_item *item, unsigned char *test) {
    const size_t n = item->set->X.rows, fold = (size_t)(item->realization % FOLDS);
    size_t *order = seg_alloc(ctx, n, sizeof *order);
    seg_random random;
    if (!order)
        return SEG_ERR_MEMORY;
    seg_random_seed(&random, run->seed, FOLD_STREAM + (uint64_t)(item->realization / FOLDS));
    for (size_t i = 0; i < n; i++) {
        const size_t j = seg_random_below(&random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < n; i++)
        test[order[i]] = i >= fold * n / FOLDS && i < (fold + 1) * n / FOLDS;
    free(order);
    return SEG_OK;
}

/* Ask about the samples outside the test; the answers as constraints among all samples. */
static seg_status ask(seg_context *ctx, const seg_item *item, const unsigned char *test, seg_constraints *out,
                      size_t *asked) {
    const seg_dataset *set = item->set;
    const size_t n = set->X.rows, d = set->X.cols;
    size_t samples = 0;
    seg_matrix X = {0};
    seg_constraints answers = {0};
    seg_active_tally tally = {0};
    int32_t *own = seg_alloc(ctx, n, 2 * sizeof *own);
    seg_status status = seg_constraints_create(ctx, n, out);
    if (!own)
        status = SEG_ERR_MEMORY;
    for (size_t i = 0; i < n && !status; i++)
        if (!test[i]) {
            own[samples] = (int32_t)i;
            own[n + samples++] = set->labels.label[i];
        }
    if (status || (status = seg_matrix_create(ctx, samples, d, &X)) != SEG_OK)
        goto done;
    for (size_t i = 0; i < samples; i++)
        memcpy(X.at + i * d, set->X.at + (size_t)own[i] * d, d * sizeof *X.at);
    const seg_active_spec spec = {.strategy = strategy[item->variant->own],
                                  .k = set->labels.classes,
                                  .budget = (size_t)item->size,
                                  .n = samples,
                                  .features = &X};
    const seg_label_oracle oracle = {.label = own + n};
    if ((status = seg_active_from_labels(ctx, &spec, &oracle, &answers, &tally)) != SEG_OK)
        goto done;
    *asked = tally.asked;
    for (size_t p = 0; p < answers.pairs && !status; p++) {
        seg_pair pair = answers.pair[p];
        pair.i = own[pair.i];
        pair.j = own[pair.j];
        status = seg_constraints_add(ctx, out, pair);
    }
done:
    seg_constraints_free(&answers);
    seg_matrix_free(&X);
    free(own);
    return status;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    const size_t n = item->set->X.rows;
    const uint64_t own_seed = ctx->seed;
    char key[256];
    size_t asked = 0;
    seg_scores held_out = {0}, all = {0};
    seg_constraints constraints = {0};
    unsigned char *test = seg_alloc(ctx, n, 1);
    int32_t *label = seg_alloc(ctx, (size_t)run->restarts, n * sizeof *label);
    seg_status status = test && label ? choose_test(ctx, run, item, test) : SEG_ERR_MEMORY;
    /* Without the number of questions: a longer list of questions continues the shorter one. */
    snprintf(key, sizeof key, "%s/%s/%04d", item->set->name, item->variant->name, item->realization);
    ctx->seed = seg_item_seed(run->seed, key);
    if (!status)
        status = ask(ctx, item, test, &constraints, &asked);
    ctx->seed = own_seed;
    const seg_problem problem = seg_item_problem(run, item, &constraints);
    if (!status)
        status = seg_label_often(ctx, item->variant, &problem, run->restarts, label, NULL);
    if (!status)
        status = seg_mean_scores(ctx, label, run->restarts, &item->set->labels, test, &held_out);
    if (!status)
        status = seg_mean_scores(ctx, label, run->restarts, &item->set->labels, NULL, &all);
    value[TEST_NMI] = held_out.nmi;
    value[TEST_F] = held_out.pairwise_f;
    value[NMI_ALL] = all.nmi;
    value[ASKED] = (double)asked;
    seg_constraints_free(&constraints);
    free(test);
    free(label);
    return status ? seg_soften(ctx, status, item, value, VALUES) : SEG_OK;
}

static void pairwise_f(const seg_item *cell, int count, double *out) {
    for (int r = 0; r < count; r++)
        out[r] = cell[r].value[TEST_F];
}

static void nmi_all(const seg_item *cell, int count, double *out) {
    for (int r = 0; r < count; r++)
        out[r] = cell[r].value[NMI_ALL];
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    static const seg_curve curves[] = {
        {"nmi-test", "held-out tenth, without questions", "questions", "NMI of the test tenth", 1, 0, seg_first_value},
        {"f-test", "held-out tenth, without questions", "questions", "pairwise F of the test tenth", 1, 0, pairwise_f},
        {"nmi-all", "all samples", "questions", "NMI of all samples", 1, 0, nmi_all},
    };
    seg_status status = SEG_OK;
    for (size_t c = 0; c < sizeof curves / sizeof *curves && !status; c++)
        status = seg_curve_report(ctx, run, &curves[c]);
    return status;
}

static const char *const synthetic[] = {"gaussians", "two-circles", NULL};

const seg_protocol seg_protocol_active_curve = {
    .info = {"active-curve", "learning curves of active against random choice of constraints, ten folds",
             "basu2004active, Sec. 5", synthetic, 10, 1, 10, 1, "folds", "restarts, averaged"},
    .variant = variants,
    .variants = sizeof variants / sizeof *variants,
    .pairs = SEG_PAIRS_NONE,
    .fixed = 1,
    .columns = "nmi_test,f_test,nmi_all,asked",
    .values = VALUES,
    .sizes = sizes,
    .solve = solve,
    .report = report,
};
