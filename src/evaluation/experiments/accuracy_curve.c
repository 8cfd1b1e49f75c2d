/* Pairwise accuracy and running time against the number of constraints per class [chen2011npkl, Secs. 5.2 to 5.4]: k
 * must-links in each class, k cannot-links between every two classes. The graph is the 20-nearest-neighbour graph;
 * variants called `paper` run as printed, on the graph of their paper: the complete graph of Eq. 15 for TRAGEK and PCP,
 * ENPAKL and ENPAKL1 with Eq. 30's weights and B = 20, R = 10, on the larger sets B = R = 100. Running time is measured
 * in processor seconds of the process that learns the kernel, so that other work on the machine hardly changes it;
 * graphs are made beforehand, as in the paper. */
#include "evaluation/experiments/measure.h"
#include "evaluation/runner/runner.h"

#include "base/base.h"
#include "base/random.h"
#include "kernels/sdp_kernels.h"

#define SAMPLE_STREAM 0x70637073u /* "pcps" */
enum { SAMPLES = 10 };

enum { FEW = SEG_VARIANT_FEW, PRINTED = SEG_VARIANT_PRINTED };
enum { BY_SIZE = SEG_VARIANT_BY_SIZE, SAMPLED = SEG_VARIANT_SAMPLED };
static const seg_variant variants[] = {
    {.name = "kmeans", .method = "kmeans", .param = {"seeds=none"}, .flags = SEG_VARIANT_UNCONSTRAINED, .style = 6},
    {.name = "sskk", .method = "sskk", .style = 2},
    {.name = "sskk:paper", .method = "sskk", .flags = PRINTED, .style = 8},
    {.name = "pcp", .method = "pcp", .flags = FEW, .style = 1, .most = SEG_PCP_SAMPLES},
    {.name = "pcp-sample", .method = "pcp", .flags = FEW | PRINTED | SAMPLED, .style = 9, .most = SEG_PCP_SAMPLES},
    {.name = "tragek", .method = "tragek", .flags = FEW, .style = 0, .most = SEG_TRAGEK_SAMPLES},
    {.name = "tragek:paper", .method = "tragek", .flags = FEW | PRINTED, .style = 5, .most = SEG_TRAGEK_SAMPLES},
    {.name = "enpakl", .method = "enpakl", .style = 4},
    {.name = "enpakl:paper", .method = "enpakl", .flags = PRINTED | BY_SIZE, .style = 3},
    {.name = "enpakl1:paper", .method = "enpakl1", .param = {"B=20", "R=10"}, .flags = PRINTED | BY_SIZE, .style = 7},
};

static const seg_variant timed[] = {
    {.name = "pcp", .method = "pcp", .style = 1, .most = SEG_PCP_SAMPLES},
    {.name = "tragek", .method = "tragek", .style = 0, .most = SEG_TRAGEK_SAMPLES},
    {.name = "enpakl", .method = "enpakl", .style = 4},
    {.name = "enpakl1", .method = "enpakl1", .param = {"B=20", "R=10"}, .style = 7},
    {.name = "ccskl", .method = "ccskl", .style = 2},
    {.name = "ccsr", .method = "ccsr", .style = 3},
};

/* Draw `most` of the constraints, each with the same probability. */
static seg_status sample(seg_context *ctx, const seg_constraints *from, size_t most, int draw, seg_constraints *out) {
    SEG_TRY(seg_constraints_create(ctx, from->n, out));
    seg_random random = seg_random_seeded(ctx->seed, SAMPLE_STREAM + (uint64_t)draw);
    size_t wanted = most < from->pairs ? most : from->pairs;
    for (size_t p = 0; p < from->pairs; p++)
        if (seg_random_below(&random, from->pairs - p) < wanted) {
            SEG_TRY(seg_constraints_add(ctx, out, from->pair[p]));
            wanted--;
        }
    return SEG_OK;
}

/* PCPSample: as many constraints as TRAGEK's program has conditions on the diagonal, drawn ten times. The value is the
 * best of the ten accuracies. This is an upper bound for PCP: only the labels tell which draw is best. */
static seg_status best_sample(seg_context *ctx, seg_trial *trial, double *value) {
    seg_status failed = SEG_OK;
    *value = -1;
    for (int draw = 0; draw < SAMPLES; draw++) {
        SEG_RELEASED(seg_constraints_free) seg_constraints few = {0};
        seg_scores scores;
        SEG_TRY(sample(ctx, &trial->constraints, trial->problem.n, draw, &few));
        trial->problem.constraints = &few;
        const seg_status status = seg_trial_score(ctx, trial, NULL, &scores);
        if (status == SEG_OK)
            *value = fmax(*value, scores.pairwise_accuracy);
        else if (status == SEG_ERR_NUMERIC || status == SEG_ERR_USAGE)
            failed = status;
        else
            return status;
    }
    return *value >= 0 ? SEG_OK : failed;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    SEG_RELEASED(seg_trial_end) seg_trial trial = {0};
    seg_scores scores;
    SEG_TRY(seg_trial_begin(ctx, run, item, &trial));
    if (item->variant->flags & SAMPLED)
        return best_sample(ctx, &trial, value);
    SEG_TRY(seg_trial_score(ctx, &trial, NULL, &scores));
    *value = scores.pairwise_accuracy;
    return SEG_OK;
}

static int timed_sizes(const seg_dataset *set, int *size) {
    for (int s = 0; s < 5; s++)
        size[s] = (s == 0 ? 10 : 25 * s) * (set->labels.n > SEG_SMALL_SET ? 5 : 1);
    return 5;
}

static seg_status solve_timed(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    SEG_RELEASED(seg_trial_end) seg_trial trial = {0};
    SEG_TRY(seg_trial_begin(ctx, run, item, &trial));
    const double before = seg_processor_seconds();
    SEG_TRY(seg_label_often(ctx, item->variant, &trial.problem, 1, trial.label, NULL));
    *value = seg_processor_seconds() - before;
    return SEG_OK;
}

#define PAIRS "must-links per class, cannot-links per pair of classes"
static const seg_curve accuracy[] = {{"accuracy", NULL, PAIRS, "pairwise accuracy", 1, 0, 0, NULL}};
static const seg_curve seconds[] = {{"time", NULL, PAIRS, "processor seconds", 0, 1, 0, NULL}};

const seg_protocol seg_protocol_accuracy_curve = {
    .info = {"accuracy-curve", "pairwise accuracy against constraints per class", "chen2011npkl, Secs. 5.2, 5.3",
             SEG_WORDS("chessboard", "double-spiral", "gaussians"), 4, 10, 20, 10, "sets of constraints",
             "starts of k-means, averaged"},
    SEG_VARIANTS(variants),
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_BETWEEN,
    .columns = "accuracy",
    .values = 1,
    .solve = solve,
    SEG_CURVES(accuracy),
};

const seg_protocol seg_protocol_running_time = {
    .info = {"running-time", "processor time against the number of constraints", "chen2011npkl, Sec. 5.4",
             SEG_WORDS("chessboard", "gaussians"), 3, 1, 10, 1, "sets of constraints", "not used"},
    SEG_VARIANTS(timed),
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_BETWEEN,
    .timed = 1,
    .columns = "seconds",
    .values = 1,
    .sizes = timed_sizes,
    .solve = solve_timed,
    SEG_CURVES(seconds),
};
