#include "evaluation/runner/results.h"

#include "base/base.h"
#include "base/name_text.h"
#include "evaluation/runner/report_folder.h"
#include "evaluation/runner/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Add a record to the item of its name; the records of an item follow each other. `left` of all records are still to be
 * added. */
static seg_status add_record(seg_context *ctx, const seg_record *record, size_t left, seg_results *out) {
    const char *mark = strrchr(record->key, '#');
    const size_t length = mark ? (size_t)(mark - record->key) : 0;
    seg_results_item *item = out->items ? &out->item[out->items - 1] : NULL;
    if (!mark || !length)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the journal has a record '%s' that matches no item; start again with --restart", record->key);
    char *name = seg_format(ctx, "%.*s", (int)length, record->key);
    if (!name)
        return SEG_ERR_MEMORY;
    seg_name_decode(name);
    if (item && strcmp(item->name, name) == 0) {
        free(name);
    } else {
        item = &out->item[out->items];
        item->name = name;
        const size_t repeats = (size_t)out->settings.repeats; /* as the journal states: any number */
        item->repeat = seg_alloc_zero(ctx, repeats < left ? repeats : left, sizeof *item->repeat);
        out->items++;
        if (!item->repeat)
            return SEG_ERR_MEMORY;
    }
    if (item->repeats == out->settings.repeats)
        return seg_fail(ctx, SEG_ERR_INPUT, "the journal has too many results for '%s'; start again with --restart",
                        item->name);
    seg_item_result *result = &item->repeat[item->repeats];
    seg_status status = seg_item_result_parse(ctx, record->text, result);
    if (status)
        return status;
    item->repeats++;
    if (result->attempts != (result->outcome == SEG_ITEM_SCORED ? out->settings.labels : 0))
        return seg_fail(ctx, SEG_ERR_INPUT, "the journal lacks methods for '%s'; start again with --restart",
                        item->name);
    for (int a = 0; a < result->attempts; a++)
        out->failures += result->attempt[a].status != SEG_OK;
    return SEG_OK;
}

/* A journal is sorted by keys, and '#' and the repeat's number end them: "a#00001" may stand behind "a b#00001". The
 * report goes by names. */
static int by_name(const void *a, const void *b) {
    return strcmp(((const seg_results_item *)a)->name, ((const seg_results_item *)b)->name);
}

seg_status seg_results_read(seg_context *ctx, seg_journal *journal, const char *settings, seg_results *out) {
    const seg_record *record;
    size_t records;
    memset(out, 0, sizeof *out);
    seg_status status = seg_settings_parse(ctx, settings, &out->settings);
    if (status || (status = seg_journal_sorted(ctx, journal, &record, &records)) != SEG_OK)
        goto done;
    out->item = seg_alloc_zero(ctx, records + 1, sizeof *out->item);
    if (!out->item) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    for (size_t r = 0; r < records && status == SEG_OK; r++)
        status = add_record(ctx, &record[r], records - r, out);
    if (status)
        goto done;
    qsort(out->item, out->items, sizeof *out->item, by_name);
    for (size_t i = 0; i < out->items; i++) {
        const seg_outcome outcome = out->item[i].repeat[0].outcome;
        out->scored += outcome == SEG_ITEM_SCORED;
        out->skipped += outcome == SEG_ITEM_SKIPPED;
        out->broken += outcome == SEG_ITEM_BROKEN;
    }
    const size_t expected = out->settings.items * (size_t)out->settings.repeats;
    out->missing = expected > records ? expected - records : 0;
done:
    if (status)
        seg_results_free(out);
    return status;
}

void seg_results_free(seg_results *results) {
    for (size_t i = 0; results->item && i < results->items; i++) {
        for (int r = 0; r < results->item[i].repeats; r++)
            seg_item_result_free(&results->item[i].repeat[r]);
        free(results->item[i].repeat);
        free(results->item[i].name);
    }
    free(results->item);
    seg_settings_free(&results->settings);
    memset(results, 0, sizeof *results);
}

static double curve_at(const seg_attempt *attempt, int at) {
    const int last = attempt->curve_count - 1;
    return last < 0 ? NAN : attempt->curve[at < last ? at : last];
}

static double attempt_value(const seg_attempt *attempt, seg_figure_kind kind) {
    return kind == SEG_FIGURE_ACCURACY  ? attempt->scores.pairwise_accuracy
           : kind == SEG_FIGURE_SECONDS ? attempt->seconds
           : kind == SEG_FIGURE_MEMORY  ? (double)attempt->memory / 1e6
                                        : curve_at(attempt, (int)kind - SEG_FIGURE_CURVE);
}

double seg_results_value(const seg_results *results, size_t item, int method, seg_figure_kind kind) {
    const seg_results_item *of = &results->item[item];
    double sum = 0;
    int count = 0;
    for (int r = 0; r < of->repeats; r++)
        if (of->repeat[r].outcome == SEG_ITEM_SCORED && of->repeat[r].attempt[method].status == SEG_OK) {
            sum += attempt_value(&of->repeat[r].attempt[method], kind);
            count++;
        }
    return count ? sum / count : NAN;
}

size_t seg_results_values(const seg_results *results, int method, seg_figure_kind kind, double *value) {
    size_t count = 0;
    for (size_t i = 0; i < results->items; i++) {
        const double one = seg_results_value(results, i, method, kind);
        if (!isnan(one))
            value[count++] = one;
    }
    return count;
}

static const seg_click_column columns[] = {
    {SEG_CLICK_NOC, "noc_80", "NoC@80", 2, 1},
    {SEG_CLICK_NOC + 1, "noc_85", "NoC@85", 2, 1},
    {SEG_CLICK_NOC + 2, "noc_90", "NoC@90", 2, 1},
    {SEG_CLICK_FAILED, "failures_80", "fail@80", 0, 1},
    {SEG_CLICK_FAILED + 1, "failures_85", "fail@85", 0, 1},
    {SEG_CLICK_FAILED + 2, "failures_90", "fail@90", 0, 1},
    {SEG_CLICK_IOU, "iou_1", "IoU@1", 3, 1},
    {SEG_CLICK_IOU + 1, "iou_2", "IoU@2", 3, 2},
    {SEG_CLICK_IOU + 2, "iou_5", "IoU@5", 3, 5},
    {SEG_CLICK_IOU + 3, "iou_10", "IoU@10", 3, 10},
    {SEG_CLICK_IOU + 4, "iou_20", "IoU@20", 3, 20},
    {SEG_CLICK_STEPS, "steps", "steps", 0, 1},
    {SEG_CLICK_FALLS, "falls_05", "fall>.05", 0, 1},
    {SEG_CLICK_FALLS + 1, "falls_20", "fall>.2", 0, 1},
    {SEG_CLICK_SECONDS, "seconds_per_click", "s/click", 3, 1},
};
static const double goals[] = {0.8, 0.85, 0.9}, falls[] = {0.05, 0.2};

int seg_click_columns(const seg_results *results, int timing, const seg_click_column **out) {
    int count = 0;
    for (int c = 0; c < (timing ? SEG_CLICK_COLUMNS : SEG_CLICK_SECONDS); c++)
        if (columns[c].clicks <= results->settings.clicks)
            out[count++] = &columns[c];
    return count;
}

/* `unanswered`: clicks before the first mask. */
static void add_clicks(const seg_attempt *attempt, int most, int unanswered, double *sum) {
    int noc = most;
    for (int g = 0; g < 3; g++) {
        int n = 0;
        while (n < attempt->curve_count && !(attempt->curve[n] >= goals[g]))
            n++;
        noc = n < attempt->curve_count ? n + 1 : most;
        sum[SEG_CLICK_NOC + g] += noc;
        sum[SEG_CLICK_FAILED + g] += n == attempt->curve_count;
    }
    for (int c = SEG_CLICK_IOU; c < SEG_CLICK_STEPS; c++)
        sum[c] += curve_at(attempt, columns[c].clicks - 1);
    for (int n = unanswered + 1; n < noc && n < attempt->curve_count; n++) {
        sum[SEG_CLICK_STEPS]++;
        for (int f = 0; f < 2; f++)
            sum[SEG_CLICK_FALLS + f] += attempt->curve[n] < attempt->curve[n - 1] - falls[f];
    }
    sum[SEG_CLICK_SECONDS] += attempt->seconds / attempt->curve_count;
}

/* What needs a pass over the single attempts. `strokes` has room for all of them. */
static seg_status add_up(seg_context *ctx, const seg_results *results, int method, double *strokes, seg_standing *out) {
    seg_summary taken;
    size_t attempts = 0, reached = 0;
    double least = INFINITY;
    for (size_t i = 0; i < results->items; i++) {
        const seg_results_item *item = &results->item[i];
        const double accuracy = seg_results_value(results, i, method, SEG_FIGURE_ACCURACY);
        int failed = 0;
        for (int r = 0; r < item->repeats; r++) {
            if (item->repeat[r].outcome != SEG_ITEM_SCORED)
                continue;
            const seg_attempt *attempt = &item->repeat[r].attempt[method];
            failed |= attempt->status != SEG_OK;
            if (attempt->status != SEG_OK)
                continue;
            out->dice += attempt->scores.mean_dice;
            out->error += attempt->scores.error_rate;
            out->seconds += attempt->seconds;
            out->memory += (double)attempt->memory / 1e6;
            if (results->settings.clicks && attempt->curve_count)
                add_clicks(attempt, results->settings.clicks,
                           results->settings.object_first ? 0 : item->repeat[r].k - 1, out->click);
            attempts++;
            if (attempt->strokes)
                strokes[reached++] = attempt->strokes;
        }
        out->failed += (size_t)failed;
        if (accuracy < least) {
            least = accuracy;
            out->worst = item->name;
        }
    }
    if (attempts) {
        out->dice /= (double)attempts;
        out->error /= (double)attempts;
        out->seconds /= (double)attempts;
        out->memory /= (double)attempts;
        for (int c = 0; c < SEG_CLICK_COLUMNS; c++)
            if (columns[c].decimals) /* not a count */
                out->click[c] /= (double)attempts;
    }
    const seg_status status = seg_summarise(ctx, strokes, reached, &taken);
    out->goal = reached;
    out->strokes = taken.median;
    return status;
}

seg_status seg_results_standing(seg_context *ctx, const seg_results *results, int method, seg_standing *out) {
    size_t repeats = 0;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < results->items; i++)
        repeats += (size_t)results->item[i].repeats;
    double *value = seg_alloc(ctx, results->items + 1, sizeof *value);
    double *strokes = seg_alloc(ctx, repeats + 1, sizeof *strokes);
    seg_status status = value && strokes ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK) {
        const size_t count = seg_results_values(results, method, SEG_FIGURE_ACCURACY, value);
        status = seg_summarise(ctx, value, count, &out->accuracy);
        if (status == SEG_OK && count)
            status = seg_bootstrap_mean(ctx, value, count, seg_item_seed(results->settings.seed, "bootstrap"),
                                        &out->low, &out->high);
        if (status == SEG_OK)
            status = add_up(ctx, results, method, strokes, out);
    }
    free(value);
    free(strokes);
    return status;
}

seg_status seg_results_compare(seg_context *ctx, const seg_results *results, int a, int b, seg_paired *out) {
    double *x = seg_alloc(ctx, results->items + 1, 2 * sizeof *x), *y = x ? x + results->items + 1 : NULL;
    size_t count = 0;
    memset(out, 0, sizeof *out);
    if (!x)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < results->items; i++) {
        x[count] = seg_results_value(results, i, a, SEG_FIGURE_ACCURACY);
        y[count] = seg_results_value(results, i, b, SEG_FIGURE_ACCURACY);
        count += !isnan(x[count]) && !isnan(y[count]);
    }
    const seg_status status = seg_wilcoxon(ctx, x, y, count, out);
    free(x);
    return status;
}

seg_status seg_results_after(seg_context *ctx, const seg_results *results, int method, int at, double *mean,
                             double *low, double *high) {
    double *value = seg_alloc(ctx, results->items + 1, sizeof *value);
    seg_status status = value ? SEG_OK : SEG_ERR_MEMORY;
    *mean = *low = *high = NAN;
    if (status == SEG_OK) {
        const size_t count = seg_results_values(results, method, (seg_figure_kind)(SEG_FIGURE_CURVE + at), value);
        if (count) {
            *mean = seg_mean(value, count);
            status =
                seg_bootstrap_mean(ctx, value, count, seg_item_seed(results->settings.seed, "bootstrap"), low, high);
        }
    }
    free(value);
    return status;
}
