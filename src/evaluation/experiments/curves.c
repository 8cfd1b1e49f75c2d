#include "evaluation/experiments/protocol.h"

#include "base/base.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/statistics.h"
#include "evaluation/runner/runner.h"

/* All values of a run under one reduction: sets x variants x sizes x realizations, NAN if there is none. */
typedef struct table {
    const seg_run *run;
    const seg_curve *curve;
    double *number;
    double *mean, *low, *high, *x; /* sets x variants x sizes */
    double *a, *b;                 /* room for all pairs of values by which two methods are compared */
} table;

static size_t cell_of(const table *t, size_t d, int v, int s) {
    return (d * (size_t)t->run->variants + (size_t)v) * SEG_MOST_SIZES + (size_t)s;
}

static double *numbers_of(const table *t, size_t d, int v, int s) {
    return t->number + cell_of(t, d, v, s) * (size_t)t->run->realizations;
}

static seg_status fill_cell(seg_context *ctx, table *t, size_t d, int v, int s, FILE *csv) {
    const seg_run *run = t->run;
    const size_t at = cell_of(t, d, v, s);
    double *numbers = numbers_of(t, d, v, s);
    size_t used = 0;
    int count;
    const seg_item *cell = seg_run_cell(run, d, v, s, &count);
    for (int r = 0; r < run->realizations; r++)
        numbers[r] = NAN;
    t->mean[at] = t->low[at] = t->high[at] = NAN;
    if (!cell)
        return SEG_OK;
    if (t->curve->reduce)
        t->curve->reduce(cell, count, numbers);
    for (int r = 0; r < count; r++) {
        if (!t->curve->reduce)
            numbers[r] = cell[r].value[t->curve->value];
        if (!isnan(numbers[r]))
            t->a[used++] = numbers[r];
    }
    seg_interval of;
    SEG_TRY(seg_bootstrap_mean(ctx, t->a, used, seg_item_seed(run->seed, cell->key), &of));
    t->mean[at] = of.mean;
    t->low[at] = of.low;
    t->high[at] = of.high;
    if (s == 0 || !(cell->variant->flags & SEG_VARIANT_UNCONSTRAINED))
        fprintf(csv, "%s,%s,%d,%d,%d,%.6g,%.6g,%.6g,%.6g\n", cell->set->name, cell->variant->name, cell->size, count,
                count - (int)used, t->mean[at], seg_deviation(t->a, used), t->low[at], t->high[at]);
    return SEG_OK;
}

static seg_status fill(seg_context *ctx, table *t, FILE *csv) {
    const seg_run *run = t->run;
    fprintf(csv, "dataset,method,constraints,realizations,failed,mean,deviation,low,high\n");
    for (size_t d = 0; d < run->datasets; d++) {
        int size[SEG_MOST_SIZES];
        const int sizes = seg_run_sizes(run, &run->data[d], size);
        for (int v = 0; v < run->variants; v++)
            for (int s = 0; s < sizes; s++) {
                t->x[cell_of(t, d, v, s)] = size[s];
                SEG_TRY(fill_cell(ctx, t, d, v, s, csv));
            }
    }
    return SEG_OK;
}

static void add_pair(const table *t, double a, double b, size_t *count) {
    if (!isnan(a) && !isnan(b)) {
        t->a[*count] = a;
        t->b[(*count)++] = b;
    }
}

static seg_status compare(seg_context *ctx, const table *t, const char *set, const int v[2], size_t count, FILE *csv) {
    seg_paired test;
    if (count == 0)
        return SEG_OK;
    SEG_TRY(seg_wilcoxon(ctx, t->a, t->b, count, &test));
    const int more = t->curve->more_is_better;
    fprintf(csv, "%s,%s,%s,%.6g,%.6g,%zu,%zu,%zu,%.3g\n", set, t->run->variant[v[0]].name, t->run->variant[v[1]].name,
            seg_mean(t->a, count), seg_mean(t->b, count), more ? test.above : test.below,
            more ? test.below : test.above, test.tied, test.p);
    return SEG_OK;
}

static seg_status compare_all(seg_context *ctx, table *t, FILE *csv) {
    const seg_run *run = t->run;
    fprintf(csv, "dataset,a,b,mean_a,mean_b,a_better,b_better,equal,p\n");
    for (int v = 0; v < run->variants; v++)
        for (int w = v + 1; w < run->variants; w++) {
            const int both[] = {v, w};
            size_t count = 0;
            int size[SEG_MOST_SIZES];
            for (size_t d = 0; d < run->datasets; d++, count = 0) {
                for (int s = 0; s < seg_run_sizes(run, &run->data[d], size); s++)
                    for (int r = 0; r < run->realizations; r++)
                        add_pair(t, numbers_of(t, d, v, s)[r], numbers_of(t, d, w, s)[r], &count);
                SEG_TRY(compare(ctx, t, run->data[d].name, both, count, csv));
            }
            for (size_t d = 0; run->datasets > 1 && d < run->datasets; d++)
                for (int s = 0; s < seg_run_sizes(run, &run->data[d], size); s++)
                    add_pair(t, t->mean[cell_of(t, d, v, s)], t->mean[cell_of(t, d, w, s)], &count);
            SEG_TRY(compare(ctx, t, "all", both, count, csv));
        }
    return SEG_OK;
}

static seg_status draw(seg_context *ctx, const table *t) {
    const seg_run *run = t->run;
    const size_t variants = (size_t)run->variants;
    SEG_LOCAL(seg_panel, panel, seg_alloc_zero(ctx, run->datasets, sizeof *panel));
    SEG_LOCAL(seg_series, series, seg_alloc_zero(ctx, run->datasets * variants, sizeof *series));
    for (size_t d = 0; d < run->datasets; d++) {
        int size[SEG_MOST_SIZES];
        panel[d] = (seg_panel){.title = run->data[d].name,
                               .x = {.label = t->curve->x_label},
                               .y = {.label = t->curve->y_label, .logarithmic = t->curve->logarithmic},
                               .series = series + d * variants};
        for (int v = 0; v < run->variants; v++) {
            const seg_variant *variant = &run->variant[v];
            const size_t at = cell_of(t, d, v, 0);
            int count;
            if (!seg_run_cell(run, d, v, 0, &count))
                continue;
            const int level = (variant->flags & SEG_VARIANT_UNCONSTRAINED) != 0;
            series[d * variants + panel[d].series_count++] =
                (seg_series){.name = variant->name,
                             .count = (size_t)seg_run_sizes(run, &run->data[d], size),
                             .x = t->x + at,
                             .y = t->mean + at,
                             .low = level ? NULL : t->low + at,
                             .high = level ? NULL : t->high + at,
                             .dashed = level,
                             .style = variant->style};
        }
    }
    const seg_figure figure = {
        .title = t->curve->title, .note = run->about, .panel = panel, .panel_count = run->datasets};
    return seg_figure_write(ctx, &figure, run->options->out, t->curve->stem);
}

/* A table of the curve: STEM and the ending. */
static seg_status write_table(seg_context *ctx, table *t, const char *ending,
                              seg_status (*put)(seg_context *, table *, FILE *)) {
    SEG_RELEASED(seg_writer_abandon) seg_writer csv = {0};
    SEG_FREED char *name = seg_format(ctx, "%s%s", t->curve->stem, ending);
    SEG_TRY(name ? seg_report_open(ctx, t->run->options->out, name, &csv) : SEG_ERR_MEMORY);
    SEG_TRY(put(ctx, t, csv.file));
    return seg_writer_commit(ctx, &csv);
}

seg_status seg_curve_report(seg_context *ctx, const seg_run *run, const seg_curve *curve) {
    const size_t cells = run->datasets * (size_t)run->variants * SEG_MOST_SIZES, each = (size_t)run->realizations,
                 most = SEG_MOST_SIZES * (each > run->datasets ? each : run->datasets);
    table t = {.run = run, .curve = curve};
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(t.number, cells, each), SEG_ARRAY(t.mean, cells), SEG_ARRAY(t.low, cells),
                     SEG_ARRAY(t.high, cells), SEG_ARRAY(t.x, cells), SEG_ARRAY(t.a, most), SEG_ARRAY(t.b, most));
    SEG_TRY(write_table(ctx, &t, ".csv", fill));
    SEG_TRY(write_table(ctx, &t, "-compared.csv", compare_all));
    return draw(ctx, &t);
}
