/* Protocols that score held-out samples, which have no constraints.
 *
 * held-out: NMI in two-fold cross-validation [kulis2009sskk, Sec. 5.2]: the constraints come from one half of the
 * samples, all are clustered, and the other half is scored. A realization is a run of both folds.
 *
 * active-curve: learning curves of active against random choice of constraints [basu2004active, Sec. 5]: PCKMeans in
 * ten-fold cross-validation. Questions are asked about nine tenths of the samples, all are clustered, and the last
 * tenth is scored. Realizations 1..10 are the folds of one partition, 11..20 of the next. Its variants are the
 * strategies; other methods than PCKMeans follow one of them (STRATEGY:METHOD). */
#include "evaluation/experiments/measure.h"
#include "evaluation/runner/runner.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/dense.h"

#include <segment/active.h>

#define HALF_STREAM  0x666f6c64u /* "fold" */
#define TENTH_STREAM 0x74656e66u /* "tenf" */
enum { TENTHS = 10 };
enum { HALF_NMI, HALF_NMI_ALL, HALF_VALUES };
enum { TEST_NMI, TEST_F, NMI_ALL, ASKED, OBJECTIVE, VALUES }; /* OBJECTIVE: of the method's own result, per sample */

static const seg_variant halves[] = {
    {.name = "hmrf-kmeans", .method = "hmrf-kmeans", .param = {"unit=constraints"}, .style = 6},
    {.name = "ss-kernel-linear", .method = "kernel-hmrf-kmeans", .param = {"kernel=linear"}, .style = 1},
    {.name = "ss-kernel-exponential", .method = "kernel-hmrf-kmeans", .param = {"kernel=exponential"}, .style = 0},
    {.name = "ratio-association", .method = "sskk", .param = {"objective=association"}, .style = 5},
    {.name = "ratio-cut", .method = "sskk", .param = {"objective=ratio-cut"}, .style = 3},
    {.name = "normalized-cut", .method = "sskk", .param = {"objective=normalized-cut"}, .style = 2},
    {.name = "spectral-learning", .method = "spectral-learning", .style = 4},
};

/* 0 .. 400, at most the number of pairs in the training half. */
static int half_sizes(const seg_dataset *set, int *size) {
    const size_t half = set->labels.n / 2, most = half * (half - 1) / 2;
    int count = 0;
    for (int s = 0; s <= 8 && (s == 0 || (size_t)(50 * s) <= most); s++)
        size[count++] = 50 * s;
    return count;
}

/* The order is that of `strategy`. */
static const seg_variant learners[] = {
    {.name = "random", .method = "pckmeans", .style = 6},
    {.name = "explore", .method = "pckmeans", .style = 2},
    {.name = "explore-consolidate", .method = "pckmeans", .style = 0},
    {.name = "minmax", .method = "pckmeans", .style = 1},
    {.name = "explore-unknown-k", .method = "pckmeans", .style = 3}, /* nothing follows from k [Sec. 4.2] */
    {.name = "npu", .method = "pckmeans", .style = 4},
    {.name = "aipc", .method = "pckmeans", .style = 5},
};
static const seg_active_strategy strategy[] = {SEG_ACTIVE_RANDOM, SEG_ACTIVE_EXPLORE, SEG_ACTIVE_EXPLORE_CONSOLIDATE,
                                               SEG_ACTIVE_MINMAX, SEG_ACTIVE_EXPLORE, SEG_ACTIVE_NPU,
                                               SEG_ACTIVE_AIPC};
enum { UNKNOWN_K = 4 };

/* in[i] is 1 if sample i is in fold fold[0] of a random partition into fold[1] folds, which depends on the run's seed
 * and on `stream` alone. */
static seg_status choose_fold(seg_context *ctx, const seg_run *run, uint64_t stream, size_t n, const size_t fold[2],
                              unsigned char *in) {
    SEG_LOCAL(size_t, order, seg_alloc(ctx, n, sizeof *order));
    seg_random random = seg_random_seeded(run->seed, stream);
    for (size_t i = 0; i < n; i++) {
        const size_t j = seg_random_below(&random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < n; i++)
        in[order[i]] = i >= fold[0] * n / fold[1] && i < (fold[0] + 1) * n / fold[1];
    return SEG_OK;
}

/* Label all samples; score the test samples, and all. Methods run without constraints too: curves begin there. */
static seg_status label_and_score(seg_context *ctx, const seg_run *run, const seg_item *item,
                                  const seg_constraints *constraints, const unsigned char *test, double *value) {
    const seg_problem problem = seg_item_problem(run, item, constraints);
    SEG_RELEASED(seg_clustering_free) seg_clustering first = {0};
    seg_scores scores;
    const seg_labels *labels = &item->set->labels;
    SEG_LOCAL(int32_t, label, seg_alloc(ctx, (size_t)run->restarts, labels->n * sizeof *label));
    SEG_TRY(seg_label_often(ctx, item->variant, &problem, run->restarts, label, &first));
    value[OBJECTIVE] = first.objective / (double)labels->n;
    SEG_TRY(seg_mean_scores(ctx, label, run->restarts, labels, test, &scores));
    value[TEST_NMI] = scores.nmi;
    value[TEST_F] = scores.pairwise_f;
    SEG_TRY(seg_mean_scores(ctx, label, run->restarts, labels, NULL, &scores));
    value[NMI_ALL] = scores.nmi;
    return SEG_OK;
}

static seg_status solve_halves(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    const size_t n = item->set->labels.n, first[] = {0, 2};
    const uint64_t own_seed = ctx->seed;
    SEG_LOCAL(unsigned char, half, seg_alloc(ctx, n, 2));
    SEG_TRY(choose_fold(ctx, run, HALF_STREAM + (uint64_t)item->realization, n, first, half));
    for (size_t i = 0; i < n; i++)
        half[n + i] = !half[i];
    for (int f = 0; f < 2; f++) {
        SEG_RELEASED(seg_constraints_free) seg_constraints constraints = {0};
        double found[VALUES];
        ctx->seed = seg_shared_seed(run, item) + (uint64_t)f;
        SEG_TRY(seg_draw_as_asked(ctx, run, item, half + (size_t)f * n, &constraints));
        ctx->seed = own_seed + (uint64_t)f;
        SEG_TRY(label_and_score(ctx, run, item, &constraints, half + (size_t)(1 - f) * n, found));
        value[HALF_NMI] += found[TEST_NMI] / 2;
        value[HALF_NMI_ALL] += found[NMI_ALL] / 2;
    }
    return SEG_OK;
}

/* Ask about the samples outside the test fold. `out`: the answers as constraints among all samples. */
static seg_status ask(seg_context *ctx, const seg_item *item, const unsigned char *test, seg_constraints *out,
                      size_t *asked) {
    const seg_dataset *set = item->set;
    const size_t n = set->labels.n;
    size_t samples = 0;
    SEG_RELEASED(seg_matrix_free) seg_matrix X = {0};
    SEG_RELEASED(seg_constraints_free) seg_constraints answers = {0};
    seg_active_tally tally = {0};
    SEG_LOCAL(int32_t, own, seg_alloc(ctx, n, 2 * sizeof *own));
    for (size_t i = 0; i < n; i++)
        if (!test[i]) {
            own[samples] = (int32_t)i;
            own[n + samples++] = set->labels.label[i];
        }
    SEG_TRY(seg_constraints_create(ctx, n, out));
    SEG_TRY(seg_rows_taken(ctx, &set->X, own, samples, &X));
    const seg_active_spec spec = {.strategy = strategy[item->variant->own],
                                  .k = item->variant->own == UNKNOWN_K ? 0 : set->labels.classes,
                                  .budget = (size_t)item->size,
                                  .n = samples,
                                  .features = &X};
    SEG_TRY(seg_active_from_labels(ctx, &spec, &(seg_label_oracle){.label = own + n}, &answers, &tally));
    *asked = tally.asked;
    for (size_t p = 0; p < answers.pairs; p++) {
        seg_pair pair = answers.pair[p];
        pair.i = own[pair.i];
        pair.j = own[pair.j];
        SEG_TRY(seg_constraints_add(ctx, out, pair));
    }
    return SEG_OK;
}

static seg_status solve_learning(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    const size_t n = item->set->labels.n, fold[] = {(size_t)(item->realization % TENTHS), TENTHS};
    const uint64_t own_seed = ctx->seed;
    char key[256];
    size_t asked = 0;
    SEG_RELEASED(seg_constraints_free) seg_constraints constraints = {0};
    SEG_LOCAL(unsigned char, test, seg_alloc(ctx, n, 1));
    SEG_TRY(choose_fold(ctx, run, TENTH_STREAM + (uint64_t)(item->realization / TENTHS), n, fold, test));
    /* The key lacks the number of questions, so that a longer list of questions continues a shorter one, and the
     * method, so that all methods get the same answers. */
    snprintf(key, sizeof key, "%s/%s/%04d", item->set->name, learners[item->variant->own].name, item->realization);
    ctx->seed = seg_item_seed(run->seed, key);
    SEG_TRY(ask(ctx, item, test, &constraints, &asked));
    ctx->seed = own_seed;
    value[ASKED] = (double)asked;
    return label_and_score(ctx, run, item, &constraints, test, value);
}

static const seg_curve half_curves[] = {
    {"nmi-test", "held-out half, without constraints", "constraints", "NMI of the test half", 1, 0, HALF_NMI, NULL},
    {"nmi-all", "all samples", "constraints", "NMI of all samples", 1, 0, HALF_NMI_ALL, NULL},
};
static const seg_curve learning_curves[] = {
    {"nmi-test", "held-out tenth, without questions", "questions", "NMI of the test tenth", 1, 0, TEST_NMI, NULL},
    {"f-test", "held-out tenth, without questions", "questions", "pairwise F of the test tenth", 1, 0, TEST_F, NULL},
    {"nmi-all", "all samples", "questions", "NMI of all samples", 1, 0, NMI_ALL, NULL},
    {"objective", "the method's own objective", "questions", "objective per sample", 0, 0, OBJECTIVE, NULL},
};

const seg_protocol seg_protocol_held_out = {
    .info = {"held-out", "NMI of the held-out half, two-fold cross-validation", "kulis2009sskk, Secs. 5.2, 5.3",
             SEG_WORDS("two-circles", "gaussians"), 5, 1, 20, 1, "runs of two folds", "restarts, averaged"},
    SEG_VARIANTS(halves),
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_UNIFORM,
    .columns = "nmi_test,nmi_all",
    .values = HALF_VALUES,
    .sizes = half_sizes,
    .solve = solve_halves,
    SEG_CURVES(half_curves),
};

const seg_protocol seg_protocol_active_curve = {
    .info = {"active-curve", "learning curves of active against random choice of constraints, ten folds",
             "basu2004active, Sec. 5", SEG_WORDS("gaussians", "two-circles"), 10, 1, 10, 1, "folds",
             "restarts, averaged"},
    SEG_VARIANTS(learners),
    .pairs = SEG_PAIRS_NONE,
    .columns = "nmi_test,f_test,nmi_all,asked,objective",
    .values = VALUES,
    .size = {5, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300},
    .listed = 12,
    .solve = solve_learning,
    SEG_CURVES(learning_curves),
};
