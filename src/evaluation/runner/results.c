#include "evaluation/runner/results.h"
#include "base/base.h"
#include "base/hash.h"
#include "evaluation/report/text.h"

#include <segment/options.h>

#include <inttypes.h>
#include <sys/stat.h>

/* A byte that no text contains is hashed after it, so that two texts hash differently from both as one. */
static uint64_t hash_text(uint64_t hash, const char *text) {
    return seg_hash(seg_hash(hash, text ? text : "", text ? strlen(text) : 0), "\xff", 1);
}

/* Hash the size of a file in place of its contents, since data sets are large. */
static uint64_t hash_file(uint64_t hash, const char *path) {
    struct stat about;
    char size[32] = "none";
    if (path && stat(path, &about) == 0 && S_ISREG(about.st_mode))
        snprintf(size, sizeof size, "%jd", (intmax_t)about.st_size);
    return hash_text(hash, size);
}

static char *describe_source(seg_context *ctx, const seg_photo_set *set, const seg_plan *plan) {
    if (plan->source == SEG_SOURCE_PAIRS)
        return seg_format(ctx, "%d must-links and %d cannot-links per class", plan->pairs, plan->pairs);
    if (plan->source == SEG_SOURCE_CLICKS)
        return seg_format(ctx, "simulated user, up to %d clicks, %s", plan->clicks,
                          plan->object_first ? "the first in the object answered alone"
                                             : "the first mask after one in each region");
    return seg_format(ctx, "strokes%s%s", set->scribbles_folder ? " of " : "",
                      set->scribbles_folder ? set->scribbles_folder : "");
}

/* The options that are not the defaults; parameters of methods are left out. */
static char *describe_how(seg_context *ctx, const seg_plan *plan) {
    static const char *const name[] = {"patch", "features", "graph", "knn", "sigma", "refine"};
    char *text = seg_format(ctx, "%s", "");
    seg_options usual = seg_options_default();
    for (size_t i = 0; plan->how && text && i < sizeof name / sizeof *name; i++) {
        char ours[256], theirs[256];
        if (seg_options_get(ctx, plan->how, name[i], ours, sizeof ours) ||
            seg_options_get(ctx, &usual, name[i], theirs, sizeof theirs) || strcmp(ours, theirs) == 0)
            continue;
        SEG_FREED char *shorter = text;
        text = seg_format(ctx, "%s%s%s %s", shorter, *shorter ? ", " : "", name[i], ours);
    }
    return text;
}

/* The last component of the path that is not ".". */
static char *title_of(seg_context *ctx, const char *folder) {
    SEG_FREED char *real = realpath(folder, NULL);
    const char *path = real ? real : folder, *slash = strrchr(path, '/');
    return seg_format(ctx, "%s", slash && slash[1] ? slash + 1 : path);
}

/* All settings on one line, whatever the names contain. */
static char *make_line(const seg_settings *settings, const seg_photo_set *set, const seg_plan *plan) {
    uint64_t hash = SEG_HASH_START;
    SEG_FREED char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    for (size_t i = 0; i < set->items; i++) {
        hash = hash_text(hash, set->item[i].name);
        hash = hash_file(hash, set->item[i].photo);
        hash = hash_file(hash, set->item[i].truth);
        hash = hash_file(hash, set->item[i].scribbles);
    }
    fprintf(to, "segment %s eval; %s; %s, %zu images %016" PRIx64 "; %s", SEG_VERSION, settings->title,
            settings->dataset, set->items, hash, settings->source);
    if (*settings->how)
        fprintf(to, "; %s", settings->how);
    if (plan->max_memory) /* plans are adapted to it */
        fprintf(to, "; at most %zu bytes", plan->max_memory);
    fprintf(to, "; seed %" PRIu64 "; methods", plan->seed);
    for (int m = 0; m < settings->labels; m++)
        fprintf(to, "%s%s", m ? "," : " ", settings->label[m]);
    return seg_text_end(to) ? seg_name_encode(text, SEG_NAME_LINE) : NULL;
}

seg_status seg_settings_make(seg_context *ctx, const seg_photo_set *set, const seg_plan *plan, seg_settings *out) {
    *out = (seg_settings){.dataset = set->layout->name,
                          .title = title_of(ctx, set->folder),
                          .source = describe_source(ctx, set, plan),
                          .how = describe_how(ctx, plan),
                          .label = seg_alloc(ctx, (size_t)plan->compared_count, sizeof *out->label),
                          .labels = plan->compared_count,
                          .clicks = plan->source == SEG_SOURCE_CLICKS ? plan->clicks : 0,
                          .object_first = plan->object_first,
                          .seed = plan->seed};
    for (int m = 0; m < plan->compared_count && out->label; m++)
        out->label[m] = plan->compared[m].label;
    if (out->title && out->source && out->how && out->label)
        out->line = make_line(out, set, plan);
    return out->line ? SEG_OK : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while describing the run");
}

void seg_settings_free(seg_settings *settings) {
    SEG_CLEAR(settings, settings->label, settings->title, settings->source, settings->how, settings->line);
}

static seg_status add_item(seg_context *ctx, const seg_journal *journal, const char *name, seg_results *out) {
    seg_results_item *item = &out->item[out->items++];
    seg_item_result *result = &item->result;
    item->name = name;
    SEG_FREED char *key = seg_item_key(ctx, name);
    const char *text = key ? seg_journal_find(journal, key) : NULL;
    if (!text)
        return key ? seg_fail(ctx, SEG_ERR_INPUT, "the journal has no result for '%s'", name) : SEG_ERR_MEMORY;
    SEG_TRY(seg_item_result_parse(ctx, text, result));
    if (result->attempts != (result->outcome == SEG_ITEM_SCORED ? out->settings->labels : 0))
        return seg_fail(ctx, SEG_ERR_INPUT, "the journal lacks methods for '%s'; start again with --restart", name);
    for (int a = 0; a < result->attempts; a++)
        out->failures += result->attempt[a].status != SEG_OK;
    out->scored += result->outcome == SEG_ITEM_SCORED;
    out->skipped += result->outcome == SEG_ITEM_SKIPPED;
    out->broken += result->outcome == SEG_ITEM_BROKEN;
    return SEG_OK;
}

static double curve_at(const seg_attempt *attempt, int at) {
    const int last = attempt->curve_count - 1;
    return last < 0 ? NAN : attempt->curve[at < last ? at : last];
}

/* The attempt of a method on an item; NULL if the item was not scored or the method failed. */
static const seg_attempt *attempt_of(const seg_results *results, size_t item, int method) {
    const seg_item_result *result = &results->item[item].result;
    return result->outcome == SEG_ITEM_SCORED && result->attempt[method].status == SEG_OK ? &result->attempt[method]
                                                                                          : NULL;
}

/* Accuracies (`click` 0) or IoUs after `click` clicks, of the items for which the method has one. @return how many */
static size_t values_of(const seg_results *results, int method, int click, double *value) {
    size_t count = 0;
    for (size_t i = 0; i < results->items; i++) {
        const seg_attempt *attempt = attempt_of(results, i, method);
        if (attempt && (!click || attempt->curve_count))
            value[count++] = click ? curve_at(attempt, click - 1) : attempt->scores.pairwise_accuracy;
    }
    return count;
}

enum { PAGE = SEG_TABLE_PAGE | SEG_TABLE_JSON, ALL = PAGE | SEG_TABLE_TERMINAL };
static const seg_column columns[SEG_COLUMNS] = {
    [SEG_COLUMN_IMAGES] = {NULL, "images", 0, ALL, 0},
    [SEG_COLUMN_MEAN] = {"mean", "mean", 4, ALL, 0},
    [SEG_COLUMN_LOW] = {NULL, "low", 4, ALL, 0},
    [SEG_COLUMN_HIGH] = {NULL, "high", 4, ALL, 0},
    [SEG_COLUMN_MEDIAN] = {"median", "median", 4, ALL, 0},
    [SEG_COLUMN_WORST] = {"worst", "worst", 4, ALL, 0},
    [SEG_COLUMN_DEVIATION] = {"deviation", NULL, 0, SEG_TABLE_JSON, 0},
    [SEG_COLUMN_FIRST_QUARTILE] = {"first_quartile", NULL, 0, SEG_TABLE_JSON, 0},
    [SEG_COLUMN_THIRD_QUARTILE] = {"third_quartile", NULL, 0, SEG_TABLE_JSON, 0},
    [SEG_COLUMN_DICE] = {"mean_dice", "Dice", 4, PAGE, 0},
    [SEG_COLUMN_ERROR] = {"mean_error", NULL, 0, SEG_TABLE_JSON, 0},
    [SEG_COLUMN_SECONDS] = {NULL, "seconds", 3, ALL, 0},
    [SEG_COLUMN_MEMORY] = {NULL, "MB", 0, PAGE, 0},
    [SEG_COLUMN_NOC] = {"noc_80", "NoC@80", 2, SEG_TABLE_CLICKS, 1},
    {"noc_85", "NoC@85", 2, SEG_TABLE_CLICKS, 1},
    {"noc_90", "NoC@90", 2, SEG_TABLE_CLICKS, 1},
    [SEG_COLUMN_FAILED] = {"failures_80", "fail@80", 0, SEG_TABLE_CLICKS, 1},
    {"failures_85", "fail@85", 0, SEG_TABLE_CLICKS, 1},
    {"failures_90", "fail@90", 0, SEG_TABLE_CLICKS, 1},
    [SEG_COLUMN_IOU] = {"iou_1", "IoU@1", 3, SEG_TABLE_CLICKS, 1},
    {"iou_2", "IoU@2", 3, SEG_TABLE_CLICKS, 2},
    {"iou_5", "IoU@5", 3, SEG_TABLE_CLICKS, 5},
    {"iou_10", "IoU@10", 3, SEG_TABLE_CLICKS, 10},
    {"iou_20", "IoU@20", 3, SEG_TABLE_CLICKS, 20},
    [SEG_COLUMN_STEPS] = {"steps", "steps", 0, SEG_TABLE_CLICKS, 1},
    [SEG_COLUMN_FALLS] = {"falls_05", "fall>.05", 0, SEG_TABLE_CLICKS, 1},
    {"falls_20", "fall>.2", 0, SEG_TABLE_CLICKS, 1},
    [SEG_COLUMN_SECONDS_PER_CLICK] = {NULL, "s/click", 3, SEG_TABLE_CLICKS, 1},
};
static const double goals[] = {0.8, 0.85, 0.9}, falls[] = {0.05, 0.2};

const seg_column *seg_results_column(const seg_results *results, int at, unsigned table, int timing) {
    const seg_column *column = &columns[at];
    const int timed = at == SEG_COLUMN_SECONDS || at == SEG_COLUMN_MEMORY || at == SEG_COLUMN_SECONDS_PER_CLICK;
    const int clicks = table == SEG_TABLE_CLICKS && at == SEG_COLUMN_IMAGES; /* also in the table of clicks */
    return (column->tables & (unsigned)table || clicks) && column->clicks <= results->settings->clicks &&
                   (timing || !timed)
               ? column
               : NULL;
}

/* `unanswered`: clicks before the first mask. */
static void add_clicks(const seg_attempt *attempt, int most, int unanswered, double *sum) {
    int noc = most;
    for (int g = 0; g < 3; g++) {
        int n = 0;
        while (n < attempt->curve_count && !(attempt->curve[n] >= goals[g]))
            n++;
        noc = n < attempt->curve_count ? n + 1 : most;
        sum[SEG_COLUMN_NOC + g] += noc;
        sum[SEG_COLUMN_FAILED + g] += n == attempt->curve_count;
    }
    for (int c = SEG_COLUMN_IOU; c < SEG_COLUMN_STEPS; c++)
        sum[c] += curve_at(attempt, columns[c].clicks - 1);
    for (int n = unanswered + 1; n < noc && n < attempt->curve_count; n++) {
        sum[SEG_COLUMN_STEPS]++;
        for (int f = 0; f < 2; f++)
            sum[SEG_COLUMN_FALLS + f] += attempt->curve[n] < attempt->curve[n - 1] - falls[f];
    }
    sum[SEG_COLUMN_SECONDS_PER_CLICK] += attempt->seconds / attempt->curve_count;
}

/* Compute what needs a pass over the attempts. */
static void add_up(const seg_results *results, int method, seg_standing *out) {
    const seg_settings *settings = results->settings;
    double *value = out->value, least = INFINITY;
    size_t attempts = 0;
    for (size_t i = 0; i < results->items; i++) {
        const seg_attempt *attempt = attempt_of(results, i, method);
        out->failed += !attempt && results->item[i].result.outcome == SEG_ITEM_SCORED;
        if (!attempt)
            continue;
        value[SEG_COLUMN_DICE] += attempt->scores.mean_dice;
        value[SEG_COLUMN_ERROR] += attempt->scores.error_rate;
        value[SEG_COLUMN_SECONDS] += attempt->seconds;
        value[SEG_COLUMN_MEMORY] += (double)attempt->memory / 1e6;
        if (settings->clicks && attempt->curve_count)
            add_clicks(attempt, settings->clicks, settings->object_first ? 0 : results->item[i].result.k - 1, value);
        attempts++;
        if (attempt->scores.pairwise_accuracy < least) {
            least = attempt->scores.pairwise_accuracy;
            out->worst = results->item[i].name;
        }
    }
    for (int c = SEG_COLUMN_DICE; c < SEG_COLUMNS && attempts; c++)
        if (columns[c].decimals || c == SEG_COLUMN_ERROR || c == SEG_COLUMN_MEMORY) /* not a count */
            value[c] /= (double)attempts;
}

/* `value`: room for one number per item. */
static seg_status stand(seg_context *ctx, const seg_results *results, int method, double *value, seg_standing *out) {
    const uint64_t seed = seg_item_seed(results->settings->seed, "bootstrap");
    const size_t count = values_of(results, method, 0, value);
    double *of = out->value;
    seg_summary accuracy;
    seg_interval mean;
    SEG_TRY(seg_summarise(ctx, value, count, &accuracy));
    SEG_TRY(seg_bootstrap_mean(ctx, value, count, seed, &mean));
    of[SEG_COLUMN_IMAGES] = (double)count;
    of[SEG_COLUMN_MEAN] = mean.mean;
    of[SEG_COLUMN_LOW] = mean.low;
    of[SEG_COLUMN_HIGH] = mean.high;
    of[SEG_COLUMN_DEVIATION] = accuracy.deviation;
    of[SEG_COLUMN_WORST] = accuracy.least;
    of[SEG_COLUMN_FIRST_QUARTILE] = accuracy.first_quartile;
    of[SEG_COLUMN_MEDIAN] = accuracy.median;
    of[SEG_COLUMN_THIRD_QUARTILE] = accuracy.third_quartile;
    add_up(results, method, out);
    for (int c = 0; c < results->settings->clicks; c++)
        SEG_TRY(seg_bootstrap_mean(ctx, value, values_of(results, method, c + 1, value), seed, &out->iou[c]));
    return SEG_OK;
}

seg_status seg_results_compare(seg_context *ctx, const seg_results *results, int a, int b, seg_paired *out) {
    SEG_LOCAL(double, x, seg_alloc(ctx, results->items + 1, 2 * sizeof *x));
    double *y = x + results->items + 1;
    size_t count = 0;
    for (size_t i = 0; i < results->items; i++) {
        const seg_attempt *one = attempt_of(results, i, a), *other = attempt_of(results, i, b);
        if (one && other) {
            x[count] = one->scores.pairwise_accuracy;
            y[count++] = other->scores.pairwise_accuracy;
        }
    }
    return seg_wilcoxon(ctx, x, y, count, out);
}

static seg_status read_all(seg_context *ctx, const seg_journal *journal, const seg_photo_set *set, seg_results *out) {
    const size_t methods = (size_t)out->settings->labels, clicks = (size_t)out->settings->clicks;
    seg_interval *iou;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->item, set->items), SEG_ARRAY(out->standing, methods),
                             SEG_ARRAY(iou, methods * clicks)));
    SEG_LOCAL(double, value, seg_alloc(ctx, set->items, sizeof *value));
    for (size_t i = 0; i < set->items; i++)
        SEG_TRY(add_item(ctx, journal, set->item[i].name, out));
    for (size_t m = 0; m < methods; m++) {
        out->standing[m].iou = iou + m * clicks;
        SEG_TRY(stand(ctx, out, (int)m, value, &out->standing[m]));
    }
    return SEG_OK;
}

seg_status seg_results_read(seg_context *ctx, const seg_journal *journal, const seg_photo_set *set,
                            const seg_settings *settings, seg_results *out) {
    *out = (seg_results){.settings = settings};
    SEG_RETURN_OR(read_all(ctx, journal, set, out), seg_results_free(out));
}

void seg_results_free(seg_results *results) {
    for (size_t i = 0; i < results->items; i++)
        seg_item_result_free(&results->item[i].result);
    SEG_CLEAR(results, results->item);
}
