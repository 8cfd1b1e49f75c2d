/* Pairwise accuracy against the constraints of a class [chen2011npkl, Secs. 5.2 and 5.3]: k must-links in each class, k
 * cannot-links between every two. The graph is the 20-nearest-neighbour graph; `printed` scribbles what runs with the
 * paper's own settings: the complete graph of Eq. 15, ENPAKL with B = 20, R = 10, Eq. 30's weights. */
#include "evaluation/curves.h"
#include "evaluation/measure.h"

#include "base/base.h"
#include "kernels/pcp.h"
#include "kernels/tragek.h"

#include <math.h>
#include <stdlib.h>

static const seg_variant variants[] = {
    {.name = "kmeans", .method = "kmeans", .param = {"seeds=none"}, .flags = SEG_VARIANT_UNCONSTRAINED, .style = 6},
    {.name = "sskk", .method = "sskk", .style = 2},
    {.name = "pcp", .method = "pcp", .flags = SEG_VARIANT_FEW, .style = 1, .most = SEG_PCP_SAMPLES},
    {.name = "tragek", .method = "tragek", .flags = SEG_VARIANT_FEW, .style = 0, .most = SEG_TRAGEK_SAMPLES},
    {.name = "tragek-printed",
     .method = "tragek",
     .flags = SEG_VARIANT_FEW | SEG_VARIANT_COMPLETE,
     .style = 5,
     .most = SEG_TRAGEK_SAMPLES},
    {.name = "enpakl", .method = "enpakl", .style = 4},
    {.name = "enpakl-printed",
     .method = "enpakl",
     .param = {"B=20", "R=10", "weights=lle", "smoother=0", "sigma-scale=1", NULL},
     .style = 3},
    {.name = "enpakl1", .method = "enpakl1", .param = {"B=20", "R=10"}, .style = 7},
};

/* The paper's 10 .. 100; 50 .. 500 for its larger sets. */
static int sizes(const seg_dataset *set, int *size) {
    for (int s = 0; s < 10; s++)
        size[s] = (s + 1) * (set->X.rows > 400 ? 50 : 10);
    return 10;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    seg_trial trial;
    seg_scores scores = {0};
    seg_status status = seg_trial_begin(ctx, run, item, 1, &trial);
    if (!status)
        status = seg_trial_score(ctx, &trial, NULL, &scores);
    value[0] = scores.pairwise_accuracy;
    return seg_trial_end(ctx, status, &trial, value, 1);
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    static const seg_curve accuracy = {.stem = "accuracy",
                                       .x_label = "must-links a class, cannot-links a pair of classes",
                                       .y_label = "pairwise accuracy",
                                       .more_is_better = 1,
                                       .reduce = seg_first_value};
    return seg_curve_report(ctx, run, &accuracy);
}

static const char *const synthetic[] = {"chessboard", "double-spiral", "gaussians", NULL};

const seg_protocol seg_protocol_accuracy_curve = {
    .info = {"accuracy-curve", "pairwise accuracy against constraints a class", "chen2011npkl, Secs. 5.2, 5.3",
             synthetic, 4, 10, 20, 10, "sets of constraints", "starts of k-means, averaged"},
    .variant = variants,
    .variants = sizeof variants / sizeof *variants,
    .graphs = SEG_DATASET_KNN | SEG_DATASET_COMPLETE,
    .columns = "accuracy",
    .values = 1,
    .sizes = sizes,
    .solve = solve,
    .report = report,
};
