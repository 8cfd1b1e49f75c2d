/* Distance matrices of the data, the spectral embedding and the learned kernels [li2009ccskl, Fig. 4; li2009ccsr,
 * Fig. 5]: learned embeddings should show the classes as blocks. Each method has the candidate graph on which its error
 * is least, as in the papers; as many random constraints as samples. */
#include "evaluation/matrices.h"
#include "evaluation/measure.h"
#include "evaluation/statistics.h"

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

/* The method on one graph: mean error over the restarts. */
static seg_status try_graph(seg_context *ctx, const seg_run *run, const seg_item *item, const seg_problem *problem,
                            int32_t *label, seg_clustering *found, double *error) {
    seg_scores scores = {0};
    seg_status status = seg_label_often(ctx, item->variant, problem, run->restarts, label, found);
    if (!status)
        status = seg_mean_scores(ctx, label, run->restarts, &item->set->labels, NULL, &scores);
    *error = scores.clustering_error;
    return status;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    const int level = item->variant->flags & SEG_VARIANT_UNCONSTRAINED, data = strcmp(item->variant->name, "data") == 0;
    const uint64_t own_seed = ctx->seed;
    seg_constraints constraints = {0};
    seg_clustering best = {0};
    int32_t *label = seg_alloc(ctx, (size_t)run->restarts, item->set->X.rows * sizeof *label);
    seg_status status = label ? SEG_OK : SEG_ERR_MEMORY;
    ctx->seed = seg_shared_seed(run, item);
    if (!status && !level)
        status = seg_draw_pairs(ctx, &item->set->labels, NULL, (size_t)item->size, &constraints);
    ctx->seed = own_seed;
    seg_problem problem = seg_item_problem(run, item, level ? NULL : &constraints);
    value[ERROR] = INFINITY;
    for (int g = 0; g < (data ? 1 : SEG_CANDIDATES) && !status; g++) {
        seg_clustering found = {0};
        double error;
        problem.affinity = &item->set->candidate[g];
        status = try_graph(ctx, run, item, &problem, label, &found, &error);
        if (!status && error < value[ERROR]) {
            seg_clustering_free(&best);
            best = found;
            value[ERROR] = error;
            continue;
        }
        seg_clustering_free(&found);
        double failed;
        status = seg_soften(ctx, status, item, &failed, 1);
    }
    if (!status && value[ERROR] == INFINITY)
        status = seg_fail(ctx, SEG_ERR_NUMERIC, "no candidate graph could be used");
    if (!status)
        status = seg_matrix_item(ctx, run, item, data ? &item->set->X : &best.embedding, seg_entry_distance,
                                 &value[WITHIN], &value[BETWEEN]);
    seg_clustering_free(&best);
    seg_constraints_free(&constraints);
    free(label);
    return status ? seg_soften(ctx, status, item, value, VALUES) : SEG_OK;
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
    .columns = "within,between,error",
    .values = VALUES,
    .sizes = sizes,
    .solve = solve,
    .report = report,
};
