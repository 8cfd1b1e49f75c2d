/* Distance matrices of the data, the spectral embedding and the learned kernels [li2009ccskl, Fig. 4; li2009ccsr,
 * Fig. 5]: learned embeddings should show the classes as blocks. Each method has the candidate graph on which its error
 * is least, as in the papers; as many random constraints as samples. */
#include "evaluation/experiments/matrices.h"
#include "evaluation/experiments/measure.h"
#include "evaluation/report/statistics.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const seg_variant variants[] = {
    {.name = "data", .method = "kmeans", .param = {"seeds=none"}, .flags = SEG_VARIANT_UNCONSTRAINED},
    {.name = "spectral", .method = "ncut", .flags = SEG_VARIANT_UNCONSTRAINED},
    {.name = "ccskl", .method = "ccskl"},
    {.name = "ccsr", .method = "ccsr"},
    {.name = "enpakl", .method = "enpakl"},
};
enum { WITHIN, BETWEEN, ERROR, VALUES };

static int sizes(const seg_dataset *set, int *size) {
    size[0] = (int)set->X.rows;
    return 1;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    const int data = strcmp(item->variant->name, "data") == 0;
    seg_clustering best = {0};
    seg_trial trial;
    seg_status status = seg_trial_begin(ctx, run, item, &trial);
    value[ERROR] = INFINITY;
    const seg_csr *graph[SEG_CANDIDATES];
    const int graphs = seg_item_graphs(item, graph);
    for (int g = 0; g < (data ? 1 : graphs) && !status; g++) {
        seg_clustering found = {0};
        seg_scores scores;
        double failed;
        trial.problem.affinity = graph[g];
        status = seg_trial_score(ctx, &trial, &found, &scores);
        if (!status && scores.clustering_error < value[ERROR]) {
            seg_clustering_free(&best);
            best = found;
            value[ERROR] = scores.clustering_error;
            continue;
        }
        seg_clustering_free(&found);
        status = seg_soften(ctx, status, item, &failed, 1);
    }
    if (!status && value[ERROR] == INFINITY)
        status = seg_fail(ctx, SEG_ERR_NUMERIC, "no candidate graph could be used");
    if (!status)
        status = seg_matrix_item(ctx, run, item, data ? &item->set->X : &best.embedding, seg_entry_distance,
                                 &value[WITHIN], &value[BETWEEN]);
    seg_clustering_free(&best);
    return seg_trial_end(ctx, status, &trial, value, VALUES);
}

static void caption(const seg_item *item, char *text, size_t size) {
    snprintf(text, size, "between / within %.2f, error %.3f", item->value[BETWEEN] / item->value[WITHIN],
             item->value[ERROR]);
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    static const seg_matrix_figure figure = {.stem = "distances", .colours = SEG_COLOURS_GREY, .caption = caption};
    return seg_matrix_report(ctx, run, &figure);
}

static const char *const synthetic[] = {"gaussians", "two-circles", NULL};

const seg_protocol seg_protocol_distances = {
    .info = {"distances", "distance matrices of data, spectral embedding and learned kernels",
             "li2009ccskl, Fig. 4; li2009ccsr, Fig. 5", synthetic, 1, 5, 1, 50, "sets of constraints",
             "starts of k-means, averaged"},
    .variant = variants,
    .variants = sizeof variants / sizeof *variants,
    .graphs = SEG_DATASET_CANDIDATES,
    .pairs = SEG_PAIRS_UNIFORM,
    .fixed = 1,
    .columns = "within,between,error",
    .values = VALUES,
    .sizes = sizes,
    .solve = solve,
    .report = report,
};
