#include "evaluation/experiments/curves.h"

#include "base/base.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/statistics.h"
#include "evaluation/report/text.h"
#include "evaluation/runner/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 2000 };

/* What the numbers of constraints are. */
static const char *x_label(const seg_run *run, const seg_curve *curve) {
    static const char *const drawn[] = {NULL, "constraints", "must-links and cannot-links per class",
                                        "must-links per class, cannot-links per pair of classes"};
    return run->pairs == SEG_PAIRS_NONE || run->pairs == (seg_pairs_drawn)run->protocol->pairs ? curve->x_label
                                                                                               : drawn[run->pairs];
}

void seg_first_value(const seg_item *cell, int count, double *out) {
    for (int r = 0; r < count; r++)
        out[r] = cell[r].value[0];
}

/* All numbers of a run under one reduction: sets x variants x sizes x realizations, NAN where there is none. */
typedef struct table {
    const seg_run *run;
    const seg_curve *curve;
    int sizes[256]; /* of each set; sets beyond share the last entry's place and are refused */
    double *number;
    double *mean, *low, *high, *x; /* sets x variants x sizes */
} table;

static size_t cell_of(const table *t, size_t d, int v, int s) {
    return (d * (size_t)t->run->variants + (size_t)v) * SEG_MOST_SIZES + (size_t)s;
}

static double *numbers_of(const table *t, size_t d, int v, int s) {
    return t->number + cell_of(t, d, v, s) * (size_t)t->run->realizations;
}

static size_t present(const double *from, int count, double *to) {
    size_t kept = 0;
    for (int r = 0; r < count; r++)
        if (!isnan(from[r]))
            to[kept++] = from[r];
    return kept;
}

static seg_status fill_cell(seg_context *ctx, table *t, size_t d, int v, int s, int size, seg_text *csv) {
    const seg_run *run = t->run;
    const size_t at = cell_of(t, d, v, s);
    double *numbers = numbers_of(t, d, v, s), *kept = seg_alloc(ctx, (size_t)run->realizations, sizeof *kept);
    int count;
    const seg_item *cell = seg_run_cell(run, d, v, s, &count);
    seg_status status = kept ? SEG_OK : SEG_ERR_MEMORY;
    for (int r = 0; r < run->realizations; r++)
        numbers[r] = NAN;
    t->x[at] = size;
    t->mean[at] = t->low[at] = t->high[at] = NAN;
    if (!status && cell) {
        t->curve->reduce(cell, count, numbers);
        const size_t used = present(numbers, count, kept);
        if (used > 0) {
            t->mean[at] = seg_mean(kept, used);
            status = seg_bootstrap_mean(ctx, kept, used, 0.95, RESAMPLES, seg_item_seed(run->seed, cell->key),
                                        &t->low[at], &t->high[at]);
        }
        const int level = cell->variant->flags & SEG_VARIANT_UNCONSTRAINED;
        if (!status && (!level || s == 0))
            status = seg_text_add(ctx, csv, "%s,%s,%d,%d,%d,%.6g,%.6g,%.6g,%.6g\n", cell->set->name,
                                  cell->variant->name, cell->size, count, count - (int)used, t->mean[at],
                                  seg_deviation(kept, used), t->low[at], t->high[at]);
    }
    free(kept);
    return status;
}

static seg_status fill(seg_context *ctx, table *t, seg_text *csv) {
    const seg_run *run = t->run;
    seg_status status =
        seg_text_add(ctx, csv, "dataset,method,constraints,realizations,failed,mean,deviation,low,high\n");
    for (size_t d = 0; d < run->datasets && !status; d++) {
        int size[SEG_MOST_SIZES];
        t->sizes[d] = seg_run_sizes(run, &run->data[d], size);
        for (int v = 0; v < run->variants; v++)
            for (int s = 0; s < t->sizes[d] && !status; s++)
                status = fill_cell(ctx, t, d, v, s, size[s], csv);
    }
    return status;
}

typedef struct pairing {
    double *a, *b;
    size_t count;
} pairing;

static void add_pair(pairing *pairs, double a, double b) {
    if (!isnan(a) && !isnan(b)) {
        pairs->a[pairs->count] = a;
        pairs->b[pairs->count++] = b;
    }
}

static seg_status compare(seg_context *ctx, const table *t, const char *set, int v, int w, const pairing *pairs,
                          seg_text *csv) {
    seg_paired test;
    if (pairs->count == 0)
        return SEG_OK;
    const seg_status status = seg_wilcoxon(ctx, pairs->a, pairs->b, pairs->count, &test);
    if (status)
        return status;
    const int more = t->curve->more_is_better;
    return seg_text_add(ctx, csv, "%s,%s,%s,%.6g,%.6g,%zu,%zu,%zu,%.3g\n", set, t->run->variant[v].name,
                        t->run->variant[w].name, seg_mean(pairs->a, pairs->count), seg_mean(pairs->b, pairs->count),
                        more ? test.above : test.below, more ? test.below : test.above, test.tied, test.p);
}

static seg_status compare_all(seg_context *ctx, const table *t, seg_text *csv) {
    const seg_run *run = t->run;
    const size_t most = SEG_MOST_SIZES * ((size_t)run->realizations + run->datasets);
    pairing within = {seg_alloc(ctx, most, sizeof(double)), seg_alloc(ctx, most, sizeof(double)), 0};
    pairing overall = {seg_alloc(ctx, most, sizeof(double)), seg_alloc(ctx, most, sizeof(double)), 0};
    seg_status status = within.a && within.b && overall.a && overall.b ? SEG_OK : SEG_ERR_MEMORY;
    if (!status)
        status = seg_text_add(ctx, csv, "dataset,a,b,mean_a,mean_b,a_better,b_better,equal,p\n");
    for (int v = 0; v < run->variants; v++)
        for (int w = v + 1; w < run->variants && !status; w++) {
            overall.count = 0;
            for (size_t d = 0; d < run->datasets && !status; d++) {
                within.count = 0;
                for (int s = 0; s < t->sizes[d]; s++) {
                    add_pair(&overall, t->mean[cell_of(t, d, v, s)], t->mean[cell_of(t, d, w, s)]);
                    for (int r = 0; r < run->realizations; r++)
                        add_pair(&within, numbers_of(t, d, v, s)[r], numbers_of(t, d, w, s)[r]);
                }
                status = compare(ctx, t, run->data[d].name, v, w, &within, csv);
            }
            if (!status && run->datasets > 1)
                status = compare(ctx, t, "all", v, w, &overall, csv);
        }
    free(within.a);
    free(within.b);
    free(overall.a);
    free(overall.b);
    return status;
}

static seg_status draw(seg_context *ctx, const table *t) {
    const seg_run *run = t->run;
    const size_t variants = (size_t)run->variants;
    seg_panel *panel = seg_alloc_zero(ctx, run->datasets, sizeof *panel);
    seg_series *series = seg_alloc_zero(ctx, run->datasets * variants, sizeof *series);
    char *stem = seg_format(ctx, "%s/%s", run->options->out, t->curve->stem);
    seg_status status = panel && series && stem ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t d = 0; d < run->datasets && !status; d++) {
        panel[d] = (seg_panel){.kind = SEG_PANEL_LINES,
                               .title = run->data[d].name,
                               .x = {.label = x_label(run, t->curve)},
                               .y = {.label = t->curve->y_label, .logarithmic = t->curve->logarithmic},
                               .series = series + d * variants};
        for (int v = 0; v < run->variants; v++) {
            const seg_variant *variant = &run->variant[v];
            const size_t at = cell_of(t, d, v, 0);
            int count;
            if (!seg_run_cell(run, d, v, 0, &count))
                continue;
            const int level = (variant->flags & SEG_VARIANT_UNCONSTRAINED) != 0;
            series[d * variants + panel[d].series_count++] = (seg_series){.name = variant->name,
                                                                          .count = (size_t)t->sizes[d],
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
    if (!status)
        status = seg_figure_write_all(ctx, &figure, stem);
    free(panel);
    free(series);
    free(stem);
    return status;
}

/* STEM.md: what a page needs, a table a set with means and half the interval's length. */
static seg_status fill_page(seg_context *ctx, const table *t, seg_text *page) {
    const seg_run *run = t->run;
    seg_status status = seg_text_add(ctx, page, "%s%s%s: %s.\n", t->curve->y_label, t->curve->title ? ", " : "",
                                     t->curve->title ? t->curve->title : "", run->about);
    for (size_t d = 0; d < run->datasets && !status; d++) {
        int size[SEG_MOST_SIZES];
        seg_run_sizes(run, &run->data[d], size);
        status = seg_text_add(ctx, page, "\n| %s, %s |", run->data[d].name, x_label(run, t->curve));
        for (int s = 0; s < t->sizes[d] && !status; s++)
            status = seg_text_add(ctx, page, " %d |", size[s]);
        if (!status)
            status = seg_text_add(ctx, page, " mean |\n|---|");
        for (int s = 0; s <= t->sizes[d] && !status; s++)
            status = seg_text_add(ctx, page, "---|");
        for (int v = 0; v < run->variants && !status; v++) {
            double sum = 0;
            int count;
            if (!seg_run_cell(run, d, v, 0, &count))
                continue;
            status = seg_text_add(ctx, page, "\n| %s |", run->variant[v].name);
            for (int s = 0; s < t->sizes[d] && !status; s++) {
                const size_t at = cell_of(t, d, v, s);
                sum += t->mean[at];
                status = isnan(t->mean[at])
                             ? seg_text_add(ctx, page, " - |")
                             : seg_text_add(ctx, page, " %.3f (%.3f - %.3f) |", t->mean[at], t->low[at], t->high[at]);
            }
            if (!status)
                status = isnan(sum) ? seg_text_add(ctx, page, " - |")
                                    : seg_text_add(ctx, page, " %.3f |", sum / t->sizes[d]);
        }
        if (!status)
            status = seg_text_add(ctx, page, "\n");
    }
    return status;
}

static seg_status write_text(seg_context *ctx, const table *t, const char *ending, const seg_text *text) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", t->curve->stem, ending);
    return seg_text_write(ctx, text, t->run->options->out, name);
}

seg_status seg_curve_report(seg_context *ctx, const seg_run *run, const seg_curve *curve) {
    const size_t cells = run->datasets * (size_t)run->variants * SEG_MOST_SIZES;
    table t = {.run = run, .curve = curve};
    seg_text means = {0}, compared = {0}, page = {0};
    if (run->datasets > sizeof t.sizes / sizeof *t.sizes)
        return seg_fail(ctx, SEG_ERR_USAGE, "%zu data sets at once; give at most 256", run->datasets);
    t.number = seg_alloc(ctx, cells * (size_t)run->realizations, sizeof *t.number);
    t.mean = seg_alloc(ctx, cells, sizeof *t.mean);
    t.low = seg_alloc(ctx, cells, sizeof *t.low);
    t.high = seg_alloc(ctx, cells, sizeof *t.high);
    t.x = seg_alloc(ctx, cells, sizeof *t.x);
    seg_status status = t.number && t.mean && t.low && t.high && t.x ? SEG_OK : SEG_ERR_MEMORY;
    if (status || (status = fill(ctx, &t, &means)) != SEG_OK || (status = compare_all(ctx, &t, &compared)) != SEG_OK ||
        (status = write_text(ctx, &t, ".csv", &means)) != SEG_OK ||
        (status = write_text(ctx, &t, "-compared.csv", &compared)) != SEG_OK ||
        (status = fill_page(ctx, &t, &page)) != SEG_OK || (status = write_text(ctx, &t, ".md", &page)) != SEG_OK)
        goto done;
    status = draw(ctx, &t);
done:
    seg_text_free(&means);
    seg_text_free(&compared);
    seg_text_free(&page);
    free(t.number);
    free(t.mean);
    free(t.low);
    free(t.high);
    free(t.x);
    return status;
}
