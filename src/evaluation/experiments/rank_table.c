/* Methods ranked over data sets and numbers of listed pairs [demsar2006]: each method with its defaults, as the command
 * line runs it. A block is a data set with a number of pairs; methods rank by their mean error over the realizations. A
 * method that fails on a block, or takes longer than LIMIT, ranks last. In addition the best method is compared with
 * each other by Wilcoxon's signed-rank test over all blocks, adjusted by Holm's method [garcia2008]. */
#include "evaluation/experiments/measure.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/statistics.h"
#include "evaluation/report/text.h"

#include "base/base.h"
#include "kernels/sdp_kernels.h"
#include "selection/cluster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIMIT 20 /* seconds of the processor */

enum { ERROR, PAIRWISE, NMI, VALUES, STARTS = 10 };

static const seg_variant variants[] = {
    {.name = "mixture", .method = "mixture"},
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

static int is_late(void *user, double done, const char *stage) {
    const double *until = user;
    (void)done;
    (void)stage;
    return (double)clock() / CLOCKS_PER_SEC > *until;
}

static seg_status label(seg_context *ctx, const seg_item *item, seg_trial *trial) {
    const seg_method *method = seg_method_find(item->variant->method);
    double until = (double)clock() / CLOCKS_PER_SEC + LIMIT;
    const seg_variant *variant = item->variant;
    const int asked = variant->params || variant->param[0] || variant->more || (variant->flags & SEG_VARIANT_PRINTED);
    seg_params params;
    seg_clustering found = {0};
    seg_progress_fn progress = ctx->progress;
    void *user = ctx->progress_user;
    trial->problem.restarts = STARTS;
    ctx->progress = is_late;
    ctx->progress_user = &until;
    seg_status status = asked ? seg_variant_params(ctx, variant, trial->problem.n, &params) : SEG_OK;
    if (!status)
        status = seg_cluster_any(ctx, method, asked ? &params : NULL, &trial->problem, &found);
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
    seg_status status = seg_trial_begin(ctx, run, item, &trial);
    if (!status)
        status = label(ctx, item, &trial);
    if (!status)
        status = seg_mean_scores(ctx, trial.label, 1, &item->set->labels, NULL, &scores);
    value[ERROR] = scores.clustering_error;
    value[PAIRWISE] = 1 - scores.pairwise_accuracy;
    value[NMI] = 1 - scores.nmi;
    return seg_trial_end(ctx, status, &trial, value, VALUES);
}

typedef struct ranking {
    double of[SEG_MOST_SIZES + 1][SEG_MOST_VARIANTS]; /* mean ranks by size and method; last row: over all blocks */
} ranking;

typedef struct table {
    const seg_run *run;
    int methods, sizes;
    int size[SEG_MOST_SIZES]; /* of the first data set, to name the blocks by */
    double *mean;             /* of each value, size, data set and method: VALUES x sizes x sets x methods; owned */
    ranking by[VALUES];
    seg_friedman test[SEG_MOST_SIZES + 1];
    int order[SEG_MOST_VARIANTS];       /* methods by mean rank over all blocks */
    double p[SEG_MOST_VARIANTS];        /* signed-rank test of each against the first of `order`; its own is NAN */
    double adjusted[SEG_MOST_VARIANTS]; /* the same by Holm's method */
} table;

static double *cells(const table *t, int value, int size, size_t data) {
    return t->mean + (((size_t)value * (size_t)t->sizes + (size_t)size) * t->run->datasets + data) * (size_t)t->methods;
}

static const char *name_of(const table *t, int v) {
    return t->run->variant[v].name;
}

static void fill(table *t) {
    for (size_t d = 0; d < t->run->datasets; d++)
        for (int s = 0; s < t->sizes; s++)
            for (int v = 0; v < t->methods; v++) {
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

/* Mean ranks by one value. */
static void rank_all(table *t, int value) {
    const double sets = (double)t->run->datasets;
    ranking *rank = &t->by[value];
    memset(rank, 0, sizeof *rank);
    for (int s = 0; s < t->sizes; s++)
        for (size_t d = 0; d < t->run->datasets; d++) {
            double own[SEG_MOST_VARIANTS];
            seg_rank_row(cells(t, value, s, d), (size_t)t->methods, own);
            for (int v = 0; v < t->methods; v++) {
                rank->of[s][v] += own[v] / sets;
                rank->of[t->sizes][v] += own[v] / sets / t->sizes;
            }
        }
}

static void order_by(const double *rank, int methods, int *order) {
    for (int v = 0; v < methods; v++) {
        int at = v;
        for (; at > 0 && rank[order[at - 1]] > rank[v]; at--)
            order[at] = order[at - 1];
        order[at] = v;
    }
}

static seg_status write_cells(seg_context *ctx, const table *t) {
    seg_text csv = {0};
    seg_text_add(ctx, &csv, "dataset,constraints,method,error,pairwise_error,nmi_loss,rank\n");
    for (size_t d = 0; d < t->run->datasets; d++)
        for (int s = 0; s < t->sizes; s++) {
            double own[SEG_MOST_VARIANTS];
            seg_rank_row(cells(t, ERROR, s, d), (size_t)t->methods, own);
            for (int v = 0; v < t->methods; v++)
                seg_text_add(ctx, &csv, "%s,%d,%s,%.6g,%.6g,%.6g,%g\n", t->run->data[d].name, t->size[s], name_of(t, v),
                             cells(t, ERROR, s, d)[v], cells(t, PAIRWISE, s, d)[v], cells(t, NMI, s, d)[v], own[v]);
        }
    return seg_text_write(ctx, &csv, t->run->options->out, "rank-table.csv");
}

/* Blocks behind a row of mean ranks: of one size, or all. */
static size_t blocks_of(const table *t, int row) {
    return t->run->datasets * (size_t)(row == t->sizes ? t->sizes : 1);
}

static const char *row_name(const table *t, int row, char *text, size_t size) {
    if (row == t->sizes)
        return "all";
    snprintf(text, size, "%d", t->size[row]);
    return text;
}

/* Signed-rank test of two methods over all blocks that both did. */
static seg_status compare(seg_context *ctx, const table *t, int a, int b, seg_paired *out) {
    const size_t blocks = blocks_of(t, t->sizes);
    double *x = seg_alloc(ctx, 2 * blocks, sizeof *x), *y = x ? x + blocks : NULL;
    size_t count = 0;
    if (!x)
        return SEG_ERR_MEMORY;
    for (int s = 0; s < t->sizes; s++)
        for (size_t d = 0; d < t->run->datasets; d++) {
            x[count] = cells(t, ERROR, s, d)[a];
            y[count] = cells(t, ERROR, s, d)[b];
            count += !isnan(x[count]) && !isnan(y[count]);
        }
    const seg_status status = seg_wilcoxon(ctx, x, y, count, out);
    free(x);
    return status;
}

static seg_status compare_all(seg_context *ctx, table *t) {
    seg_paired test;
    seg_status status = SEG_OK;
    for (int v = 0; v < t->methods && !status; v++) {
        status = compare(ctx, t, t->order[0], v, &test);
        t->p[v] = v == t->order[0] ? NAN : test.p;
    }
    seg_holm(t->p, (size_t)t->methods, t->adjusted);
    return status;
}

static seg_status write_ranks(seg_context *ctx, const table *t) {
    seg_text csv = {0};
    char text[16];
    seg_text_add(ctx, &csv,
                 "constraints,blocks,method,mean_rank,friedman_chi2,friedman_p,"
                 "iman_davenport_f,critical_difference,wilcoxon_p,holm_p\n");
    for (int s = 0; s <= t->sizes; s++)
        for (int v = 0; v < t->methods; v++) {
            seg_text_add(ctx, &csv, "%s,%zu,%s,%.6g,%.6g,%.3g,%.6g,%.6g,", row_name(t, s, text, sizeof text),
                         blocks_of(t, s), name_of(t, v), t->by[ERROR].of[s][v], t->test[s].chi2, t->test[s].p,
                         t->test[s].f, t->test[s].critical);
            if (s == t->sizes && v != t->order[0])
                seg_text_add(ctx, &csv, "%.3g,%.3g\n", t->p[v], t->adjusted[v]);
            else
                seg_text_add(ctx, &csv, ",\n");
        }
    return seg_text_write(ctx, &csv, t->run->options->out, "ranks.csv");
}

static seg_status write_markdown(seg_context *ctx, const table *t) {
    seg_text md = {0};
    char text[16];
    seg_text_add(ctx, &md, "| method | all %zu blocks |", blocks_of(t, t->sizes));
    for (int s = 0; s < t->sizes; s++)
        seg_text_add(ctx, &md, " %s%s |", row_name(t, s, text, sizeof text), s ? "" : " pairs");
    seg_text_add(ctx, &md, " by pairwise accuracy | by NMI | p | p, Holm |\n|");
    for (int c = 0; c < t->sizes + 6; c++)
        seg_text_add(ctx, &md, "---|");
    for (int i = 0; i < t->methods; i++) {
        const int v = t->order[i];
        seg_text_add(ctx, &md, "\n| %s | %.2f |", name_of(t, v), t->by[ERROR].of[t->sizes][v]);
        for (int s = 0; s < t->sizes; s++)
            seg_text_add(ctx, &md, " %.2f |", t->by[ERROR].of[s][v]);
        seg_text_add(ctx, &md, " %.2f | %.2f |", t->by[PAIRWISE].of[t->sizes][v], t->by[NMI].of[t->sizes][v]);
        if (i)
            seg_text_add(ctx, &md, " %.1e | %.1e |", t->p[v], t->adjusted[v]);
        else
            seg_text_add(ctx, &md, " | |");
    }
    seg_text_add(ctx, &md, "\n| critical difference | %.2f |", t->test[t->sizes].critical);
    for (int s = 0; s < t->sizes; s++)
        seg_text_add(ctx, &md, " %.2f |", t->test[s].critical);
    seg_text_add(ctx, &md, " | | | |\n| Friedman's p | %.1e |", t->test[t->sizes].p);
    for (int s = 0; s < t->sizes; s++)
        seg_text_add(ctx, &md, " %.1e |", t->test[s].p);
    seg_text_add(ctx, &md, " | | | |\n");
    return seg_text_write(ctx, &md, t->run->options->out, "ranks.md");
}

/* Mean ranks over all blocks with half a critical difference to either side: methods whose bars do not meet differ. */
static seg_status draw(seg_context *ctx, const table *t) {
    const double half = t->test[t->sizes].critical / 2;
    const char *name[SEG_MOST_VARIANTS];
    double own[SEG_MOST_VARIANTS], low[SEG_MOST_VARIANTS], high[SEG_MOST_VARIANTS];
    for (int i = 0; i < t->methods; i++) {
        name[i] = name_of(t, t->order[i]);
        own[i] = t->by[ERROR].of[t->sizes][t->order[i]];
        low[i] = own[i] - half;
        high[i] = own[i] + half;
    }
    const seg_series bars = {.count = (size_t)t->methods, .y = own, .low = low, .high = high};
    const seg_panel panel = {.kind = SEG_PANEL_BARS,
                             .x = {.category = name, .categories = (size_t)t->methods},
                             .y = {.label = "mean rank, half a critical difference"},
                             .series = &bars,
                             .series_count = 1};
    const seg_figure figure = {.panel = &panel,
                               .panel_count = 1,
                               .columns = 1,
                               .width = 26.0 * t->methods,
                               .height = 200,
                               .note = t->run->about};
    return seg_figure_write(ctx, &figure, t->run->options->out, "ranks");
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    table *t = seg_alloc_zero(ctx, 1, sizeof *t);
    if (!t)
        return SEG_ERR_MEMORY;
    t->run = run;
    t->methods = run->variants;
    t->sizes = SEG_MOST_SIZES;
    for (size_t d = run->datasets; d-- > 0;) { /* the fewest sizes; t->size is at last that of the first set */
        const int own = seg_run_sizes(run, &run->data[d], t->size);
        t->sizes = own < t->sizes ? own : t->sizes;
    }
    seg_status status = run->datasets && t->methods > 1
                            ? SEG_OK
                            : seg_fail(ctx, SEG_ERR_USAGE,
                                       "rank-table compares methods and needs at least two; there is %d", t->methods);
    t->mean = status ? NULL
                     : seg_alloc(ctx, (size_t)VALUES * (size_t)t->sizes * (size_t)t->methods,
                                 run->datasets * sizeof *t->mean);
    if (!status && !t->mean)
        status = SEG_ERR_MEMORY;
    if (!status) {
        fill(t);
        for (int value = 0; value < VALUES; value++)
            rank_all(t, value);
        for (int s = 0; s <= t->sizes; s++)
            seg_friedman_test(t->by[ERROR].of[s], (size_t)t->methods, blocks_of(t, s), &t->test[s]);
        order_by(t->by[ERROR].of[t->sizes], t->methods, t->order);
        if ((status = compare_all(ctx, t)) == SEG_OK && (status = write_cells(ctx, t)) == SEG_OK &&
            (status = write_ranks(ctx, t)) == SEG_OK && (status = write_markdown(ctx, t)) == SEG_OK)
            status = draw(ctx, t);
    }
    free(t->mean);
    free(t);
    return status;
}

static const char *const synthetic[] = {"gaussians", "two-circles", NULL};

const seg_protocol seg_protocol_rank_table = {
    .info = {"rank-table", "methods ranked over data sets and numbers of listed pairs, with critical differences",
             "demsar2006, Sec. 3.2.2", synthetic, 5, 1, 10, 1, "sets of constraints", "runs of each method"},
    .variant = variants,
    .variants = sizeof variants / sizeof *variants,
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_UNIFORM,
    .columns = "error,pairwise_error,nmi_loss",
    .values = VALUES,
    .size = {0, 10, 50, 200},
    .listed = 4,
    .solve = solve,
    .report = report,
};
