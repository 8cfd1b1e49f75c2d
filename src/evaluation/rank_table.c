/* Methods ranked over data sets and numbers of listed pairs [demsar2006]: each method with its defaults, as the command
 * line runs it. A block is a data set with a number of pairs; methods rank by their mean error over the realizations. A
 * method that fails there, or takes longer than LIMIT, ranks last. */
#include "evaluation/measure.h"
#include "evaluation/plot.h"
#include "evaluation/rank_statistics.h"
#include "evaluation/statistics.h"
#include "evaluation/text.h"

#include "base/base.h"
#include "kernels/pcp.h"
#include "kernels/tragek.h"
#include "methods/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIMIT 20 /* seconds of the processor */

enum { ERROR, PAIRWISE, NMI, VALUES, STARTS = 10, SIZES = 4 };

static const seg_variant variants[] = {
    {.name = "mixture", .method = "mixture"},
    {.name = "auto", .method = "auto"},
    {.name = "enpakl", .method = "enpakl"},
    {.name = "enpakl1", .method = "enpakl1"},
    {.name = "tragek", .method = "tragek", .flags = SEG_VARIANT_FEW, .most = SEG_TRAGEK_SAMPLES},
    {.name = "pcp", .method = "pcp", .flags = SEG_VARIANT_FEW, .most = SEG_PCP_SAMPLES},
    {.name = "ccskl", .method = "ccskl"},
    {.name = "ccsr", .method = "ccsr"},
    {.name = "spectral-learning", .method = "spectral-learning"},
    {.name = "sskk", .method = "sskk"},
    {.name = "kernel-hmrf-kmeans", .method = "kernel-hmrf-kmeans"},
    {.name = "ncut", .method = "ncut"},
    {.name = "kmeans", .method = "kmeans"},
    {.name = "seeded-kmeans", .method = "seeded-kmeans"},
    {.name = "constrained-kmeans", .method = "constrained-kmeans"},
    {.name = "pckmeans", .method = "pckmeans"},
    {.name = "cop-kmeans", .method = "cop-kmeans"},
    {.name = "hmrf-kmeans", .method = "hmrf-kmeans"},
};
enum { METHODS = sizeof variants / sizeof *variants };

static const int pairs[SIZES] = {0, 10, 50, 200};

static int sizes(const seg_dataset *set, int *size) {
    (void)set;
    memcpy(size, pairs, sizeof pairs);
    return SIZES;
}

static int is_late(void *user, double done, const char *stage) {
    const double *until = user;
    (void)done;
    (void)stage;
    return (double)clock() / CLOCKS_PER_SEC > *until;
}

static seg_status label(seg_context *ctx, const seg_item *item, seg_trial *trial) {
    const seg_method *method = seg_method_find(item->variant->method);
    double until = (double)clock() / CLOCKS_PER_SEC + LIMIT;
    seg_clustering found = {0};
    seg_progress_fn progress = ctx->progress;
    void *user = ctx->progress_user;
    trial->problem.restarts = STARTS;
    ctx->progress = is_late;
    ctx->progress_user = &until;
    seg_status status = seg_cluster_any(ctx, method, NULL, &trial->problem, &found);
    ctx->progress = progress;
    ctx->progress_user = user;
    if (status == SEG_ERR_CANCELLED && is_late(&until, 0, NULL))
        status = seg_fail(ctx, SEG_ERR_NUMERIC, "no result in %d seconds", LIMIT);
    if (status == SEG_ERR_CONTRADICTION)
        status = SEG_ERR_NUMERIC;
    if (!status)
        memcpy(trial->label, found.label, trial->problem.n * sizeof *trial->label);
    seg_clustering_free(&found);
    return status;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    seg_scores scores = {0};
    seg_trial trial;
    seg_status status = seg_trial_begin(ctx, run, item, 0, &trial);
    if (!status)
        status = label(ctx, item, &trial);
    if (!status)
        status = seg_mean_scores(ctx, trial.label, 1, &item->set->labels, NULL, &scores);
    value[ERROR] = scores.clustering_error;
    value[PAIRWISE] = 1 - scores.pairwise_accuracy;
    value[NMI] = 1 - scores.nmi;
    return seg_trial_end(ctx, status, &trial, value, VALUES);
}

/* ---- The report. ---- */

typedef struct table {
    const seg_run *run;
    double *mean;                    /* of each value, size, data set and method: VALUES x SIZES x sets x METHODS */
    double rank[SIZES + 1][METHODS]; /* mean ranks; the last row over all blocks */
    seg_friedman test[SIZES + 1];
} table;

static double *cells(const table *t, int value, int size, size_t data) {
    return t->mean + (((size_t)value * SIZES + (size_t)size) * t->run->datasets + data) * METHODS;
}

static void fill(table *t) {
    for (size_t d = 0; d < t->run->datasets; d++)
        for (int s = 0; s < SIZES; s++)
            for (int v = 0; v < METHODS; v++) {
                int count;
                const seg_item *cell = seg_run_cell(t->run, d, v, s, &count);
                for (int x = 0; x < VALUES; x++) {
                    double *mean = &cells(t, x, s, d)[v];
                    *mean = cell ? 0 : NAN;
                    for (int r = 0; cell && r < count; r++)
                        *mean += cell[r].value[x] / count;
                }
            }
}

/* Mean ranks by one value; rows as in table.rank. */
static void rank_all(const table *t, int value, double rank[SIZES + 1][METHODS]) {
    const double sets = (double)t->run->datasets;
    memset(rank, 0, (SIZES + 1) * sizeof *rank);
    for (int s = 0; s < SIZES; s++)
        for (size_t d = 0; d < t->run->datasets; d++) {
            double own[METHODS];
            seg_rank_row(cells(t, value, s, d), METHODS, own);
            for (int v = 0; v < METHODS; v++) {
                rank[s][v] += own[v] / sets;
                rank[SIZES][v] += own[v] / sets / SIZES;
            }
        }
}

static void order_by(const double *rank, int *order) {
    for (int v = 0; v < METHODS; v++) {
        int at = v;
        for (; at > 0 && rank[order[at - 1]] > rank[v]; at--)
            order[at] = order[at - 1];
        order[at] = v;
    }
}

static seg_status write_cells(seg_context *ctx, const table *t) {
    seg_text csv = {0};
    seg_status status = seg_text_add(ctx, &csv, "dataset,constraints,method,error,pairwise_error,nmi_loss,rank\n");
    for (size_t d = 0; d < t->run->datasets; d++)
        for (int s = 0; s < SIZES; s++) {
            double own[METHODS];
            seg_rank_row(cells(t, ERROR, s, d), METHODS, own);
            for (int v = 0; v < METHODS && !status; v++)
                status = seg_text_add(ctx, &csv, "%s,%d,%s,%.6g,%.6g,%.6g,%g\n", t->run->data[d].name, pairs[s],
                                      variants[v].name, cells(t, ERROR, s, d)[v], cells(t, PAIRWISE, s, d)[v],
                                      cells(t, NMI, s, d)[v], own[v]);
        }
    if (!status)
        status = seg_text_write(ctx, &csv, t->run->options->out, "rank-table.csv");
    seg_text_free(&csv);
    return status;
}

static const char *row_name(int row, char *text, size_t size) {
    if (row == SIZES)
        return "all";
    snprintf(text, size, "%d", pairs[row]);
    return text;
}

static seg_status write_ranks(seg_context *ctx, const table *t) {
    seg_text csv = {0};
    char text[16];
    seg_status status = seg_text_add(ctx, &csv,
                                     "constraints,blocks,method,mean_rank,friedman_chi2,friedman_p,"
                                     "iman_davenport_f,critical_difference\n");
    for (int s = 0; s <= SIZES; s++)
        for (int v = 0; v < METHODS && !status; v++)
            status = seg_text_add(ctx, &csv, "%s,%zu,%s,%.6g,%.6g,%.3g,%.6g,%.6g\n", row_name(s, text, sizeof text),
                                  t->run->datasets * (s == SIZES ? SIZES : 1), variants[v].name, t->rank[s][v],
                                  t->test[s].chi2, t->test[s].p, t->test[s].f, t->test[s].critical);
    if (!status)
        status = seg_text_write(ctx, &csv, t->run->options->out, "ranks.csv");
    seg_text_free(&csv);
    return status;
}

/* Signed-rank test of two methods over all blocks that both did. */
static seg_status compare(seg_context *ctx, const table *t, int a, int b, seg_paired *out) {
    const size_t blocks = t->run->datasets * SIZES;
    double *x = seg_alloc(ctx, 2 * blocks, sizeof *x), *y = x ? x + blocks : NULL;
    size_t count = 0;
    if (!x)
        return SEG_ERR_MEMORY;
    for (int s = 0; s < SIZES; s++)
        for (size_t d = 0; d < t->run->datasets; d++) {
            x[count] = cells(t, ERROR, s, d)[a];
            y[count] = cells(t, ERROR, s, d)[b];
            count += !isnan(x[count]) && !isnan(y[count]);
        }
    const seg_status status = seg_wilcoxon(ctx, x, y, count, out);
    free(x);
    return status;
}

static seg_status write_markdown(seg_context *ctx, const table *t, const int *order) {
    double pairwise[SIZES + 1][METHODS], nmi[SIZES + 1][METHODS];
    seg_text md = {0};
    seg_paired test;
    rank_all(t, PAIRWISE, pairwise);
    rank_all(t, NMI, nmi);
    seg_status status = seg_text_add(
        ctx, &md, "| method | all %zu blocks | 0 pairs | 10 | 50 | 200 | by pairwise accuracy | by NMI | p |\n",
        t->run->datasets * SIZES);
    if (!status)
        status = seg_text_add(ctx, &md, "|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < METHODS && !status; i++) {
        const int v = order[i];
        status = compare(ctx, t, order[0], v, &test);
        if (!status)
            status = seg_text_add(ctx, &md, "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |", variants[v].name,
                                  t->rank[SIZES][v], t->rank[0][v], t->rank[1][v], t->rank[2][v], t->rank[3][v],
                                  pairwise[SIZES][v], nmi[SIZES][v]);
        if (!status)
            status = i ? seg_text_add(ctx, &md, " %.1e |\n", test.p) : seg_text_add(ctx, &md, " |\n");
    }
    if (!status)
        status = seg_text_add(ctx, &md, "| critical difference | %.2f | %.2f | %.2f | %.2f | %.2f | | | |\n",
                              t->test[SIZES].critical, t->test[0].critical, t->test[1].critical, t->test[2].critical,
                              t->test[3].critical);
    if (!status)
        status = seg_text_add(ctx, &md, "| Friedman's p | %.1e | %.1e | %.1e | %.1e | %.1e | | | |\n", t->test[SIZES].p,
                              t->test[0].p, t->test[1].p, t->test[2].p, t->test[3].p);
    if (!status)
        status = seg_text_write(ctx, &md, t->run->options->out, "ranks.md");
    seg_text_free(&md);
    return status;
}

/* Mean ranks over all blocks with half a critical difference to either side: methods whose bars do not meet differ. */
static seg_status draw(seg_context *ctx, const table *t, const int *order) {
    const double half = t->test[SIZES].critical / 2;
    const char *name[METHODS];
    double own[METHODS], low[METHODS], high[METHODS];
    for (int i = 0; i < METHODS; i++) {
        name[i] = variants[order[i]].name;
        own[i] = t->rank[SIZES][order[i]];
        low[i] = own[i] - half;
        high[i] = own[i] + half;
    }
    const seg_series bars = {.count = METHODS, .y = own, .low = low, .high = high};
    const seg_panel panel = {.kind = SEG_PANEL_BARS,
                             .x = {.category = name, .categories = METHODS},
                             .y = {.label = "mean rank, half a critical difference"},
                             .series = &bars,
                             .series_count = 1};
    const seg_figure figure = {.panel = &panel, .panel_count = 1, .columns = 1, .width = 26.0 * METHODS, .height = 200};
    char *stem = seg_format(ctx, "%s/ranks", t->run->options->out);
    const seg_status status = stem ? seg_figure_write_all(ctx, &figure, stem) : SEG_ERR_MEMORY;
    free(stem);
    return status;
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    table t = {.run = run};
    int order[METHODS];
    t.mean = seg_alloc(ctx, VALUES * SIZES * METHODS, run->datasets * sizeof *t.mean);
    if (!t.mean)
        return SEG_ERR_MEMORY;
    fill(&t);
    rank_all(&t, ERROR, t.rank);
    for (int s = 0; s <= SIZES; s++)
        seg_friedman_test(t.rank[s], METHODS, run->datasets * (s == SIZES ? SIZES : 1), &t.test[s]);
    order_by(t.rank[SIZES], order);
    seg_status status = write_cells(ctx, &t);
    if (!status)
        status = write_ranks(ctx, &t);
    if (!status)
        status = write_markdown(ctx, &t, order);
    if (!status)
        status = draw(ctx, &t, order);
    free(t.mean);
    return status;
}

static const char *const synthetic[] = {"gaussians", "two-circles", NULL};

const seg_protocol seg_protocol_rank_table = {
    .info = {"rank-table", "methods ranked over data sets and numbers of listed pairs, with critical differences",
             "demsar2006, Sec. 3.2.2", synthetic, 5, 1, 10, 1, "sets of constraints", "runs of each method"},
    .variant = variants,
    .variants = METHODS,
    .graphs = SEG_DATASET_KNN,
    .columns = "error,pairwise_error,nmi_loss",
    .values = VALUES,
    .sizes = sizes,
    .solve = solve,
    .report = report,
};
