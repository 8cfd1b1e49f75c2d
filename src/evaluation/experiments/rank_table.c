/* Methods ranked over data sets and numbers of listed pairs [demsar2006]: each method with its defaults, as the command
 * line runs it. A block is a data set with a number of pairs; methods rank by their mean error over the realizations. A
 * method that fails on a block, or takes longer than LIMIT, ranks last. In addition, the best method is compared with
 * each of the others by Wilcoxon's signed-rank test over all blocks, adjusted by Holm's method [garcia2008]. */
#include "evaluation/experiments/measure.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/statistics.h"
#include "evaluation/runner/runner.h"

#include "base/base.h"
#include "kernels/sdp_kernels.h"
#include "selection/cluster.h"

#define LIMIT 20 /* seconds of processor time */

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
    {.name = "mpck-means", .method = "mpck-means"},
    {.name = "cop-kmeans", .method = "cop-kmeans"},
    {.name = "hmrf-kmeans", .method = "hmrf-kmeans"},
};

static int is_late(void *user, SEG_UNUSED double done, SEG_UNUSED const char *stage) {
    return seg_processor_seconds() > *(const double *)user;
}

static seg_status label(seg_context *ctx, const seg_item *item, seg_trial *trial) {
    const seg_method *method = seg_method_find(item->variant->method);
    double until = seg_processor_seconds() + LIMIT;
    const seg_variant *variant = item->variant;
    const int asked = variant->params || variant->param[0] || variant->more || (variant->flags & SEG_VARIANT_PRINTED);
    seg_params params;
    SEG_RELEASED(seg_clustering_free) seg_clustering found = {0};
    const seg_progress_fn progress = ctx->progress;
    void *user = ctx->progress_user;
    if (asked)
        SEG_TRY(seg_variant_params(ctx, variant, trial->problem.n, &params));
    trial->problem.restarts = STARTS;
    ctx->progress = is_late;
    ctx->progress_user = &until;
    const seg_status status = seg_cluster_any(ctx, method, asked ? &params : NULL, &trial->problem, &found);
    ctx->progress = progress;
    ctx->progress_user = user;
    if (status == SEG_ERR_CANCELLED && is_late(&until, 0, NULL))
        return seg_fail(ctx, SEG_ERR_NUMERIC, "no result in %d seconds", LIMIT);
    if (!status)
        memcpy(trial->label, found.label, trial->problem.n * sizeof *trial->label);
    return status == SEG_ERR_CONTRADICTION ? SEG_ERR_NUMERIC : status;
}

static seg_status solve(seg_context *ctx, const seg_run *run, const seg_item *item, double *value) {
    seg_scores scores;
    SEG_RELEASED(seg_trial_end) seg_trial trial = {0};
    SEG_TRY(seg_trial_begin(ctx, run, item, &trial));
    SEG_TRY(label(ctx, item, &trial));
    SEG_TRY(seg_mean_scores(ctx, trial.label, 1, &item->set->labels, NULL, &scores));
    value[ERROR] = scores.clustering_error;
    value[PAIRWISE] = 1 - scores.pairwise_accuracy;
    value[NMI] = 1 - scores.nmi;
    return SEG_OK;
}

typedef struct table {
    const seg_run *run;
    int methods, sizes;
    int size[SEG_MOST_SIZES]; /* of the first data set; they name the blocks */
    double *mean;             /* of each value, size, data set and method: VALUES x sizes x sets x methods */
    double rank[VALUES][SEG_MOST_SIZES + 1][SEG_MOST_VARIANTS]; /* mean ranks by size; last row: over all blocks */
    seg_friedman test[SEG_MOST_SIZES + 1];
    int order[SEG_MOST_VARIANTS];       /* methods by mean rank over all blocks */
    double p[SEG_MOST_VARIANTS];        /* signed-rank test of each against the first of `order`, whose own p is NAN */
    double adjusted[SEG_MOST_VARIANTS]; /* p adjusted by Holm's method */
} table;

static double *cells(const table *t, int value, int size, size_t data) {
    return t->mean + (((size_t)value * (size_t)t->sizes + (size_t)size) * t->run->datasets + data) * (size_t)t->methods;
}

/* Compute the mean errors of each block and their ranks, and write both to rank-table.csv. */
static void fill(table *t, FILE *csv) {
    const seg_run *run = t->run;
    fprintf(csv, "dataset,constraints,method,error,pairwise_error,nmi_loss,rank\n");
    for (size_t d = 0; d < run->datasets; d++)
        for (int s = 0; s < t->sizes; s++) {
            double own[VALUES][SEG_MOST_VARIANTS];
            for (int x = 0; x < VALUES; x++) {
                double *mean = cells(t, x, s, d);
                for (int v = 0; v < t->methods; v++) {
                    int count;
                    const seg_item *cell = seg_run_cell(run, d, v, s, &count);
                    mean[v] = cell ? 0 : NAN;
                    for (int r = 0; cell && r < count; r++)
                        mean[v] += cell[r].value[x] / count;
                    mean[v] = round(mean[v] * 1e9) / 1e9; /* equal means are ties, however they are added up */
                }
                seg_rank_row(mean, (size_t)t->methods, own[x]);
                for (int v = 0; v < t->methods; v++) {
                    t->rank[x][s][v] += own[x][v] / (double)run->datasets;
                    t->rank[x][t->sizes][v] += own[x][v] / (double)run->datasets / t->sizes;
                }
            }
            for (int v = 0; v < t->methods; v++)
                fprintf(csv, "%s,%d,%s,%.6g,%.6g,%.6g,%g\n", run->data[d].name, t->size[s], run->variant[v].name,
                        cells(t, ERROR, s, d)[v], cells(t, PAIRWISE, s, d)[v], cells(t, NMI, s, d)[v], own[ERROR][v]);
        }
}

static void put_in_order(table *t) {
    const double *rank = t->rank[ERROR][t->sizes];
    for (int v = 0; v < t->methods; v++) {
        int at = v;
        for (; at > 0 && rank[t->order[at - 1]] > rank[v]; at--)
            t->order[at] = t->order[at - 1];
        t->order[at] = v;
    }
}

/* Number of blocks in a row of mean ranks: those of one size, or all. */
static size_t blocks_of(const table *t, int row) {
    return t->run->datasets * (size_t)(row == t->sizes ? t->sizes : 1);
}

/* Friedman's test of every row; signed-rank tests of the best method against each other one, over common blocks. */
static seg_status compare_all(seg_context *ctx, table *t) {
    const size_t blocks = blocks_of(t, t->sizes);
    SEG_LOCAL(double, x, seg_alloc(ctx, 2 * blocks, sizeof *x));
    double *y = x + blocks;
    seg_paired test;
    for (int s = 0; s <= t->sizes; s++)
        seg_friedman_test(t->rank[ERROR][s], (size_t)t->methods, blocks_of(t, s), &t->test[s]);
    for (int v = 0; v < t->methods; v++) {
        size_t count = 0;
        for (int s = 0; s < t->sizes; s++)
            for (size_t d = 0; d < t->run->datasets; d++) {
                x[count] = cells(t, ERROR, s, d)[t->order[0]];
                y[count] = cells(t, ERROR, s, d)[v];
                count += !isnan(x[count]) && !isnan(y[count]);
            }
        SEG_TRY(seg_wilcoxon(ctx, x, y, count, &test));
        t->p[v] = v == t->order[0] ? NAN : test.p;
    }
    seg_holm(t->p, (size_t)t->methods, t->adjusted);
    return SEG_OK;
}

/* The columns are all blocks, then those of each size. */
static void put_markdown(const table *t, FILE *md) {
    fprintf(md, "| method | all %zu blocks |", blocks_of(t, t->sizes));
    for (int s = 0; s < t->sizes; s++)
        fprintf(md, " %d%s |", t->size[s], s ? "" : " pairs");
    fprintf(md, " by pairwise accuracy | by NMI | p | p, Holm |\n|");
    for (int c = 0; c < t->sizes + 6; c++)
        fprintf(md, "---|");
    for (int i = 0; i < t->methods; i++) {
        const int v = t->order[i];
        fprintf(md, "\n| %s |", t->run->variant[v].name);
        for (int c = 0; c <= t->sizes; c++)
            fprintf(md, " %.2f |", t->rank[ERROR][c ? c - 1 : t->sizes][v]);
        fprintf(md, " %.2f | %.2f |", t->rank[PAIRWISE][t->sizes][v], t->rank[NMI][t->sizes][v]);
        if (i)
            fprintf(md, " %.1e | %.1e |", t->p[v], t->adjusted[v]);
        else
            fprintf(md, " | |");
    }
    for (int friedman = 0; friedman < 2; friedman++) {
        fprintf(md, "\n| %s |", friedman ? "Friedman's p" : "critical difference");
        for (int c = 0; c <= t->sizes; c++) {
            const seg_friedman *test = &t->test[c ? c - 1 : t->sizes];
            fprintf(md, friedman ? " %.1e |" : " %.2f |", friedman ? test->p : test->critical);
        }
        fprintf(md, " | | | |");
    }
    fputc('\n', md);
}

/* Draw mean ranks, half a critical difference to either side: methods whose bars are apart differ significantly. */
static seg_status draw(seg_context *ctx, const table *t) {
    const double half = t->test[t->sizes].critical / 2;
    const char *name[SEG_MOST_VARIANTS];
    double own[SEG_MOST_VARIANTS], low[SEG_MOST_VARIANTS], high[SEG_MOST_VARIANTS];
    for (int i = 0; i < t->methods; i++) {
        name[i] = t->run->variant[t->order[i]].name;
        own[i] = t->rank[ERROR][t->sizes][t->order[i]];
        low[i] = own[i] - half;
        high[i] = own[i] + half;
    }
    const seg_series bars = {.count = (size_t)t->methods, .y = own, .low = low, .high = high};
    const seg_panel panel = {.x = {.category = name, .categories = (size_t)t->methods},
                             .y = {.label = "mean rank, half a critical difference"},
                             .series = &bars,
                             .series_count = 1};
    const seg_figure figure = {
        .panel = &panel, .panel_count = 1, .width = 26.0 * t->methods, .height = 200, .note = t->run->about};
    return seg_figure_write(ctx, &figure, t->run->options->out, "ranks");
}

static seg_status report(seg_context *ctx, const seg_run *run) {
    const size_t cells = run->datasets * (size_t)run->variants * SEG_MOST_SIZES * VALUES;
    SEG_RELEASED(seg_writer_abandon) seg_writer csv = {0}, md = {0};
    SEG_LOCAL(table, t, seg_alloc_zero(ctx, 1, sizeof *t));
    SEG_LOCAL(double, mean, seg_alloc(ctx, cells, sizeof *mean));
    if (run->variants < 2)
        return seg_fail(ctx, SEG_ERR_USAGE, "rank-table compares methods and needs at least two; there is %d",
                        run->variants);
    t->run = run;
    t->mean = mean;
    t->methods = run->variants;
    t->sizes = SEG_MOST_SIZES;
    for (size_t d = run->datasets; d-- > 0;) { /* the fewest sizes; in the end, t->size is that of the first set */
        const int own = seg_run_sizes(run, &run->data[d], t->size);
        t->sizes = own < t->sizes ? own : t->sizes;
    }
    SEG_TRY(seg_report_open(ctx, run->options->out, "rank-table.csv", &csv));
    fill(t, csv.file);
    SEG_TRY(seg_writer_commit(ctx, &csv));
    put_in_order(t);
    SEG_TRY(compare_all(ctx, t));
    SEG_TRY(seg_report_open(ctx, run->options->out, "ranks.md", &md));
    put_markdown(t, md.file);
    SEG_TRY(seg_writer_commit(ctx, &md));
    return draw(ctx, t);
}

const seg_protocol seg_protocol_rank_table = {
    .info = {"rank-table", "methods ranked over data sets and numbers of listed pairs, with critical differences",
             "demsar2006, Sec. 3.2.2", SEG_WORDS("gaussians", "two-circles"), 5, 1, 10, 1, "sets of constraints",
             "runs of each method"},
    SEG_VARIANTS(variants),
    .graphs = SEG_DATASET_KNN,
    .pairs = SEG_PAIRS_UNIFORM,
    .columns = "error,pairwise_error,nmi_loss",
    .values = VALUES,
    .size = {0, 10, 50, 200},
    .listed = 4,
    .solve = solve,
    .report = report,
};
