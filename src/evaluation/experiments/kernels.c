/* Kernel matrices that the methods learn on the artificial sets [chen2011npkl, Fig. 2; kulis2009sskk, Sec. 5.3]: within
 * a class they should tend to 1, between classes to -1 (TRAGEK) or 0. */
#include "evaluation/experiments/matrices.h"
#include "evaluation/experiments/measure.h"

#include "base/base.h"
#include "kernels/sdp_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const seg_variant variants[] = {
    {.name = "tragek", .method = "tragek", .most = SEG_TRAGEK_SAMPLES},
    {.name = "tragek:paper", .method = "tragek", .flags = SEG_VARIANT_PRINTED, .most = SEG_TRAGEK_SAMPLES},
    {.name = "pcp", .method = "pcp", .most = SEG_PCP_SAMPLES},
    {.name = "enpakl", .method = "enpakl"},
    {.name = "ccsr", .method = "ccsr"},
};
enum { WITHIN, BETWEEN, ACCURACY, VALUES };

static int sizes(const seg_dataset *set, int *size) {
    (void)set;
    size[0] = 100; /* the most of Fig. 3 */
    return 1;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    seg_trial trial;
    seg_scores scores = {0};
    seg_clustering found = {0};
    seg_status status = seg_trial_begin(ctx, run, item, &trial);
    if (!status)
        status = seg_trial_score(ctx, &trial, &found, &scores);
    value[ACCURACY] = scores.pairwise_accuracy;
    if (!status)
        status = seg_matrix_item(ctx, run, item, &found.embedding, seg_entry_cosine, &value[WITHIN], &value[BETWEEN]);
    seg_clustering_free(&found);
    return seg_trial_end(ctx, status, &trial, value, VALUES);
}

static void caption(const seg_item *item, char *text, size_t size) {
    snprintf(text, size, "within %.2f, between %.2f\naccuracy %.3f", item->value[WITHIN], item->value[BETWEEN],
             item->value[ACCURACY]);
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    static const seg_matrix_figure figure = {
        .stem = "kernels", .colours = SEG_COLOURS_DIVERGING, .low = -1, .high = 1, .scatter = 1, .caption = caption};
    return seg_matrix_report(ctx, run, &figure);
}

static const char *const synthetic[] = {"chessboard", "double-spiral", "two-circles", NULL};

const seg_protocol seg_protocol_kernels = {
    .info = {"kernels", "learned kernel matrices of the artificial sets", "chen2011npkl, Fig. 2", synthetic, 1, 10, 1,
             10, "sets of constraints", "starts of k-means, averaged"},
    .variant = variants,
    .variants = sizeof variants / sizeof *variants,
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_BETWEEN,
    .fixed = 1,
    .columns = "within,between,accuracy",
    .values = VALUES,
    .sizes = sizes,
    .solve = solve,
    .report = report,
};
