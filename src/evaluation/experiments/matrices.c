/* Protocols that show matrices over all samples, the samples ordered by class. An item leaves its matrix in the run's
 * folder (SET-VARIANT.npy), from which the figure is drawn.
 *
 * distances: distance matrices of the data, the spectral embedding and the learned kernels [li2009ccskl, Fig. 4;
 * li2009ccsr, Fig. 5]: learned embeddings should show the classes as blocks. Each method has the candidate graph on
 * which its error is least, as in the papers, and as many random constraints as samples.
 *
 * kernels: kernel matrices that the methods learn on the artificial sets [chen2011npkl, Fig. 2; kulis2009sskk,
 * Sec. 5.3]: within a class they should tend to 1, between classes to -1 (TRAGEK) or 0. */
#include "evaluation/experiments/measure.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/text.h"

#include "base/base.h"
#include "kernels/sdp_kernels.h"
#include "vectors/vectors_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 400, MOST_CLASSES_SHOWN = 8 };
enum { WITHIN, BETWEEN, SCORE, VALUES }; /* SCORE: the error of `distances`, the accuracy of `kernels` */

static const seg_variant embeddings[] = {
    {.name = "data", .method = "kmeans", .param = {"seeds=none"}, .flags = SEG_VARIANT_UNCONSTRAINED},
    {.name = "spectral", .method = "ncut", .flags = SEG_VARIANT_UNCONSTRAINED},
    {.name = "ccskl", .method = "ccskl"},
    {.name = "ccsr", .method = "ccsr"},
    {.name = "enpakl", .method = "enpakl"},
};
static const seg_variant kernels[] = {
    {.name = "tragek", .method = "tragek", .most = SEG_TRAGEK_SAMPLES},
    {.name = "tragek:paper", .method = "tragek", .flags = SEG_VARIANT_PRINTED, .most = SEG_TRAGEK_SAMPLES},
    {.name = "pcp", .method = "pcp", .most = SEG_PCP_SAMPLES},
    {.name = "enpakl", .method = "enpakl"},
    {.name = "ccsr", .method = "ccsr"},
};

static int as_many_as_samples(const seg_dataset *set, int *size) {
    size[0] = (int)set->X.rows;
    return 1;
}

/* Of the angle between two rows; 0 for a row of zeros. */
static double cosine(const seg_matrix *Z, size_t i, size_t j) {
    double dot = 0, own = 0, other = 0;
    for (size_t c = 0; c < Z->cols; c++) {
        const double a = Z->at[i * Z->cols + c], b = Z->at[j * Z->cols + c];
        dot += a * b;
        own += a * a;
        other += b * b;
    }
    return own > 0 && other > 0 ? dot / sqrt(own * other) : 0;
}

/* Samples class after class. */
static size_t *class_order(seg_context *ctx, const seg_labels *labels) {
    size_t *order = seg_alloc(ctx, labels->n, sizeof *order), next = 0;
    for (int c = 0; order && c < labels->classes; c++)
        for (size_t i = 0; i < labels->n; i++)
            if (labels->label[i] == c)
                order[next++] = i;
    return order;
}

static char *item_path(seg_context *ctx, const seg_run *run, const seg_item *item) {
    return seg_format(ctx, "%s/%s-%s.npy", run->options->out, item->set->name, item->variant->name);
}

/* Write the matrix, at most 400 x 400 (averages over blocks), and measure its mean entry over pairs of samples within
 * classes and between them (i != j): value[WITHIN], value[BETWEEN]. */
static seg_status measure_matrix(seg_context *ctx, const seg_run *run, const seg_item *item, const seg_matrix *Z,
                                 double (*entry)(const seg_matrix *, size_t, size_t), double *value) {
    const seg_labels *labels = &item->set->labels;
    const size_t n = labels->n, shown = n < MOST_SHOWN ? n : MOST_SHOWN;
    seg_matrix picture = {0};
    size_t *order = class_order(ctx, labels);
    double *members = seg_alloc_zero(ctx, shown, sizeof *members);
    char *path = item_path(ctx, run, item);
    seg_status status = order && members && path ? seg_matrix_create(ctx, shown, shown, &picture) : SEG_ERR_MEMORY;
    double sum[2] = {0, 0};
    size_t counted[2] = {0, 0};
    for (size_t a = 0; a < n && !status; a++)
        members[a * shown / n]++;
    for (size_t a = 0; a < n && !status; a++) {
        for (size_t b = 0; b < n; b++) {
            const double found = entry(Z, order[a], order[b]);
            const size_t row = a * shown / n, col = b * shown / n;
            picture.at[row * shown + col] += found / (members[row] * members[col]);
            const int apart = labels->label[order[a]] != labels->label[order[b]];
            sum[apart] += a == b ? 0 : found;
            counted[apart] += a != b;
        }
        status = seg_poll(ctx);
    }
    value[WITHIN] = sum[0] / (counted[0] ? (double)counted[0] : 1);
    value[BETWEEN] = sum[1] / (counted[1] ? (double)counted[1] : 1);
    if (!status)
        status = seg_npy_write(ctx, path, &picture);
    seg_matrix_free(&picture);
    free(order);
    free(members);
    free(path);
    return status;
}

static seg_status solve_distances(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    const int data = strcmp(item->variant->name, "data") == 0;
    seg_clustering best = {0};
    seg_trial trial;
    seg_status status = seg_trial_begin(ctx, run, item, &trial);
    value[SCORE] = INFINITY;
    const seg_csr *graph[SEG_CANDIDATES];
    const int graphs = seg_item_graphs(item, graph);
    for (int g = 0; g < (data ? 1 : graphs) && !status; g++) {
        seg_clustering found = {0};
        seg_scores scores;
        double failed;
        trial.problem.affinity = graph[g];
        status = seg_trial_score(ctx, &trial, &found, &scores);
        if (!status && scores.clustering_error < value[SCORE]) {
            seg_clustering_free(&best);
            best = found;
            value[SCORE] = scores.clustering_error;
            continue;
        }
        seg_clustering_free(&found);
        status = seg_soften(ctx, status, item, &failed, 1);
    }
    if (!status && value[SCORE] == INFINITY)
        status = seg_fail(ctx, SEG_ERR_NUMERIC, "no candidate graph could be used");
    if (!status)
        status = measure_matrix(ctx, run, item, data ? &item->set->X : &best.embedding, seg_row_distance, value);
    seg_clustering_free(&best);
    return seg_trial_end(ctx, status, &trial, value, VALUES);
}

static seg_status solve_kernels(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    seg_trial trial;
    seg_scores scores = {0};
    seg_clustering found = {0};
    seg_status status = seg_trial_begin(ctx, run, item, &trial);
    if (!status)
        status = seg_trial_score(ctx, &trial, &found, &scores);
    value[SCORE] = scores.pairwise_accuracy;
    if (!status)
        status = measure_matrix(ctx, run, item, &found.embedding, cosine, value);
    seg_clustering_free(&found);
    return seg_trial_end(ctx, status, &trial, value, VALUES);
}

/* Panels of a set, and what they borrow. */
typedef struct page {
    seg_panel panel[SEG_MOST_VARIANTS + 1];
    size_t panels;
    seg_matrix matrix[SEG_MOST_VARIANTS];
    char caption[SEG_MOST_VARIANTS][128];
    size_t matrices;
    seg_series series[MOST_CLASSES_SHOWN];
    double *points;
} page;

static seg_status add_points(seg_context *ctx, const seg_dataset *set, page *out) {
    const size_t n = set->X.rows,
                 shown = set->labels.classes < MOST_CLASSES_SHOWN ? (size_t)set->labels.classes : MOST_CLASSES_SHOWN;
    size_t next = 0;
    out->points = seg_alloc(ctx, n, 2 * sizeof *out->points);
    if (!out->points)
        return SEG_ERR_MEMORY;
    for (size_t c = 0; c < shown; c++) {
        const size_t first = next;
        for (size_t i = 0; i < n; i++)
            if (set->labels.label[i] == (int32_t)c) {
                out->points[next] = set->X.at[2 * i];
                out->points[n + next++] = set->X.at[2 * i + 1];
            }
        out->series[c] = (seg_series){
            .count = next - first, .x = out->points + first, .y = out->points + n + first, .style = (int)c};
    }
    out->panel[out->panels++] =
        (seg_panel){.kind = SEG_PANEL_SCATTER, .title = "points", .series = out->series, .series_count = shown};
    return SEG_OK;
}

static seg_status add_matrix(seg_context *ctx, const seg_run *run, const seg_item *item, page *out) {
    const int kernel = run->protocol == &seg_protocol_kernels;
    const double *value = item->value;
    char *path = item_path(ctx, run, item), *caption = out->caption[out->matrices];
    seg_matrix *matrix = &out->matrix[out->matrices++];
    seg_status status = path ? seg_vectors_read(ctx, path, SEG_LABELS_NONE, matrix, NULL) : SEG_ERR_MEMORY;
    free(path);
    if (kernel)
        snprintf(caption, sizeof out->caption[0], "within %.2f, between %.2f\naccuracy %.3f", value[WITHIN],
                 value[BETWEEN], value[SCORE]);
    else
        snprintf(caption, sizeof out->caption[0], "between / within %.2f, error %.3f", value[BETWEEN] / value[WITHIN],
                 value[SCORE]);
    out->panel[out->panels++] = (seg_panel){.kind = SEG_PANEL_MATRIX,
                                            .title = item->variant->name,
                                            .caption = caption,
                                            .value = matrix->at,
                                            .rows = matrix->rows,
                                            .cols = matrix->cols,
                                            .low = -kernel, /* 0 and 0: its own range */
                                            .high = kernel,
                                            .colours = kernel ? SEG_COLOURS_DIVERGING : SEG_COLOURS_GREY};
    return status;
}

/* One figure per set: NAME-SET.svg, .pdf, .png; with the kernels of points of the plane, the points. */
static seg_status draw_set(seg_context *ctx, const seg_run *run, size_t d) {
    page *out = seg_alloc_zero(ctx, 1, sizeof *out);
    seg_status status = out ? SEG_OK : SEG_ERR_MEMORY;
    if (!status && run->protocol == &seg_protocol_kernels && run->data[d].X.cols == 2)
        status = add_points(ctx, &run->data[d], out);
    for (int v = 0; v < run->variants && !status; v++) {
        int count;
        const seg_item *item = seg_run_cell(run, d, v, 0, &count);
        if (item && !isnan(item->value[0]))
            status = add_matrix(ctx, run, item, out);
    }
    char stem[128];
    snprintf(stem, sizeof stem, "%s-%s", run->protocol->info.name, run->data[d].name);
    if (!status && out->panels > 0) {
        const seg_figure drawn = {.panel = out->panel,
                                  .panel_count = out->panels,
                                  .columns = out->panels < 5 ? out->panels : 3,
                                  .width = 140,
                                  .height = 140,
                                  .title = run->data[d].name};
        status = seg_figure_write_all(ctx, &drawn, run->options->out, stem);
    }
    for (size_t m = 0; out && m < out->matrices; m++)
        seg_matrix_free(&out->matrix[m]);
    if (out)
        free(out->points);
    free(out);
    return status;
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    seg_status status = SEG_OK;
    for (size_t d = 0; d < run->datasets && !status; d++)
        status = draw_set(ctx, run, d);
    return status;
}

static const char *const plain[] = {"gaussians", "two-circles", NULL};
static const char *const twisted[] = {"chessboard", "double-spiral", "two-circles", NULL};

const seg_protocol seg_protocol_distances = {
    .info = {"distances", "distance matrices of data, spectral embedding and learned kernels",
             "li2009ccskl, Fig. 4; li2009ccsr, Fig. 5", plain, 1, 5, 1, 50, "sets of constraints",
             "starts of k-means, averaged"},
    .variant = embeddings,
    .variants = sizeof embeddings / sizeof *embeddings,
    .graphs = SEG_DATASET_CANDIDATES,
    .pairs = SEG_PAIRS_UNIFORM,
    .fixed = 1,
    .columns = "within,between,error",
    .values = VALUES,
    .sizes = as_many_as_samples,
    .solve = solve_distances,
    .report = report,
};

const seg_protocol seg_protocol_kernels = {
    .info = {"kernels", "learned kernel matrices of the artificial sets", "chen2011npkl, Fig. 2", twisted, 1, 10, 1, 10,
             "sets of constraints", "starts of k-means, averaged"},
    .variant = kernels,
    .variants = sizeof kernels / sizeof *kernels,
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_BETWEEN,
    .fixed = 1,
    .columns = "within,between,accuracy",
    .values = VALUES,
    .size = {100}, /* the most of Fig. 3 */
    .listed = 1,
    .solve = solve_kernels,
    .report = report,
};
