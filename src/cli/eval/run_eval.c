/* segment eval: list the images, evaluate those that the journal lacks, write the report. */
#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/eval/eval_options.h"
#include "evaluation/report/report.h"
#include "evaluation/runner/item.h"
#include "evaluation/runner/report_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_PAIRS 50

typedef struct eval {
    const cli_eval_options *options;
    seg_photo_set set;
    seg_plan protocol;
    seg_journal *journal;
    char *settings;
    seg_results results;
} eval;

static int any_scribbles(const seg_photo_set *set) {
    for (size_t i = 0; i < set->items; i++)
        if (set->item[i].scribbles)
            return 1;
    return strcmp(set->layout->name, "icgbench") == 0; /* in the truths' files */
}

static void set_protocol(eval *e) {
    const cli_eval_options *options = e->options;
    seg_plan *p = &e->protocol;
    p->max_memory = e->options->common.max_memory;
    p->timeout = e->options->common.timeout;
    p->pairs = options->pairs ? options->pairs : DEFAULT_PAIRS;
    p->source = options->simulated || options->clicks       ? SEG_SOURCE_SIMULATED
                : options->pairs || !any_scribbles(&e->set) ? SEG_SOURCE_PAIRS
                                                            : SEG_SOURCE_SCRIBBLES;
    p->corrections = options->clicks ? options->clicks : options->simulated;
    p->user = !options->clicks ? SEG_USER_STROKES : options->object_first ? SEG_USER_CLICKS_OBJECT : SEG_USER_CLICKS;
    p->void_as_class = options->void_as_class;
    p->repeats = options->repeats;
    p->seed = (uint64_t)options->common.seed;
    p->refine = options->segment.refine;
    p->how = &options->segment;
    p->compared = options->compared;
    p->compared_count = options->compared_count;
    p->out = options->out;
}

/* The folders of the pictures, for the methods of the settings. */
static seg_status make_folders(seg_context *ctx, const eval *e) {
    seg_settings settings;
    seg_status status = seg_settings_parse(ctx, e->settings, &settings);
    if (status == SEG_OK) {
        status = seg_layout_make(ctx, e->options->out, (const char *const *)settings.label, settings.labels);
        seg_settings_free(&settings);
    }
    return status;
}

/* The report's folder gets photos/ and masks/, which in a data set's own folder would be taken for the images. */
static int out_is_data(const cli_eval_options *options) {
    struct stat out, set;
    return stat(options->out, &out) == 0 && stat(options->common.words.at[0], &set) == 0 && out.st_dev == set.st_dev &&
           out.st_ino == set.st_ino;
}

/* The journal of the part, or of the whole; *added: what the whole gets from parts. */
static seg_status open_journal(seg_context *ctx, eval *e, const cli_shard *shard, int how, size_t *added) {
    seg_status status = make_folders(ctx, e);
    if (status == SEG_OK)
        status =
            seg_journal_open_part(ctx, &(seg_journal_part){e->options->out, shard->index, shard->count}, e->settings,
                                  how | (e->options->restart ? SEG_JOURNAL_RESTART : 0), added, &e->journal);
    return status;
}

/* The data set and the journal. */
static seg_status prepare(seg_context *ctx, eval *e) {
    const cli_eval_options *options = e->options;
    seg_status status = seg_photo_set_open(ctx, options->dataset, options->common.words.at[0], options->truth,
                                           options->scribbles, &e->set);
    if (status != SEG_OK)
        return status;
    set_protocol(e);
    e->settings = seg_settings_line(ctx, &e->set, &e->protocol);
    status = e->settings ? open_journal(ctx, e, &options->shard, 0, NULL) : SEG_ERR_MEMORY;
    if (status == SEG_OK && !options->shard.count)
        seg_layout_tidy(options->out); /* parts may run at the same time */
    return status;
}

/* Whoever ends last finds nothing missing, under the lock of the journal of the whole, and makes the report; where
 * nothing was left to do by any, the first does. CLI_GO_ON for that one, CLI_OK for the others. */
static cli_end join_parts(seg_context *ctx, eval *e, int idle) {
    const cli_shard *shard = &e->options->shard;
    size_t added = 0;
    seg_journal_close(e->journal);
    seg_status status = open_journal(ctx, e, &(cli_shard){0}, SEG_JOURNAL_WAIT, &added);
    if (status == SEG_OK)
        status = seg_results_read(ctx, e->journal, e->settings, &e->results);
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_READING);
    const size_t missing = e->results.missing;
    if (missing && !e->options->common.quiet && !shard->launched)
        cli_say("part %d of %d is done, and %zu results are missing; the part that ends last writes the report",
                shard->index, shard->count, missing);
    seg_results_free(&e->results);
    if (!missing)
        seg_layout_tidy(e->options->out);
    return !missing && (added || (idle && shard->index == 1)) ? CLI_GO_ON : CLI_OK;
}

static cli_end evaluate(seg_context *ctx, eval *e) {
    const cli_eval_options *options = e->options;
    size_t done = 0;
    if (out_is_data(options))
        return cli_refuse(CLI_USAGE,
                          "--out '%s' is the folder of the data set, whose images would be mixed with photos/ and "
                          "masks/ of the report; name another folder",
                          options->out);
    seg_status status = prepare(ctx, e);
    if (status != SEG_OK)
        return cli_fail(ctx, status, e->settings ? CLI_COMPUTING : CLI_READING);
    const cli_shard *shard = &options->shard;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int jobs = options->jobs ? options->jobs : processors > 0 && !shard->launched ? (int)processors : 1;
    const seg_eval_run run = {
        .set = &e->set, .protocol = &e->protocol, .jobs = {jobs, shard->index, shard->count, e->journal}};
    cli_catch_signals();
    status = seg_eval_run_all(ctx, &run, &done);
    cli_bar_clear();
    if (status == SEG_ERR_CANCELLED) {
        cli_say("interrupted; %zu more images are finished, and the same command continues from there", done);
        return cli_exit_code(status, CLI_COMPUTING);
    }
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_WRITING);
    return shard->count ? join_parts(ctx, e, done == 0) : CLI_GO_ON;
}

static seg_status copy_pictures(seg_context *ctx, const eval *e, const char *from) {
    const seg_results *results = &e->results;
    const char *out = e->options->out;
    seg_status status = SEG_OK;
    for (size_t i = 0; i < results->items && status == SEG_OK; i++) {
        const char *name = results->item[i].name;
        status = seg_layout_copy_photo(ctx, from, out, name);
        for (int l = -2; l < results->settings.labels && status == SEG_OK; l++) {
            const char *label = l == -2 ? "truth" : l == -1 ? "scribbles" : results->settings.label[l];
            status = seg_layout_copy_mask(ctx, from, out, label, name);
        }
    }
    return status;
}

/* The report of parts: the ones in its folder, and those in other folders. */
static cli_end merge(seg_context *ctx, eval *e) {
    const cli_eval_options *options = e->options;
    seg_journal_paths part = {0};
    seg_status status = seg_journal_list(ctx, options->out, &part);
    const size_t own = part.count;
    for (int f = 0; f < options->common.words.count && status == SEG_OK; f++)
        status = seg_journal_list(ctx, options->common.words.at[f], &part);
    cli_end end = CLI_GO_ON;
    if (status == SEG_OK && part.count == 0) {
        end = cli_refuse(CLI_INPUT, "there is no part of a report in '%s'; create parts with --shard",
                         options->common.words.count ? options->common.words.at[0] : options->out);
    } else if (status == SEG_OK) {
        status = seg_settings_of_journal(ctx, part.at[0], &e->settings);
        if (status == SEG_OK)
            status = open_journal(ctx, e, &(cli_shard){0}, 0, NULL);
    }
    for (size_t p = own; p < part.count && end == CLI_GO_ON && status == SEG_OK; p++)
        status = seg_journal_merge(ctx, e->journal, part.at[p], 1, NULL);
    seg_journal_paths_free(&part);
    return status == SEG_OK ? end : cli_fail(ctx, status, CLI_READING);
}

/* Print all problems, one per line. */
static void tell_problems(const seg_results *results) {
    for (size_t i = 0; i < results->items; i++) {
        for (int r = 0; r < results->item[i].repeats; r++) {
            const seg_item_result *one = &results->item[i].repeat[r];
            if (one->outcome == SEG_ITEM_BROKEN)
                cli_say("warning: skipped %s: %s", results->item[i].name, one->message);
            for (int m = 0; m < one->attempts; m++) {
                if (one->attempt[m].status != SEG_OK) {
                    cli_say("warning: %s failed on %s: %s", results->settings.label[m], results->item[i].name,
                            one->attempt[m].message);
                }
            }
        }
    }
}

/* NoC, IoU and seconds of the clicks. */
static cli_end print_clicks(seg_context *ctx, const seg_results *results, int timing) {
    const seg_click_column *column[SEG_CLICK_COLUMNS];
    const int columns = seg_click_columns(results, timing, column);
    printf("%-20s %6s", "method", "images");
    for (int c = 0; c < columns; c++)
        printf(" %8s", column[c]->heading);
    putchar('\n');
    for (int m = 0; m < results->settings.labels; m++) {
        seg_standing s;
        seg_status status = seg_results_standing(ctx, results, m, &s);
        if (status != SEG_OK)
            return cli_fail(ctx, status, CLI_COMPUTING);
        printf("%-20s %6zu", results->settings.label[m], s.accuracy.count);
        for (int c = 0; c < columns; c++)
            if (s.accuracy.count)
                printf(" %8.*f", column[c]->decimals, s.click[column[c]->at]);
            else
                printf(" %8s", "-");
        putchar('\n');
    }
    return cli_finish_output(CLI_OK);
}

static cli_end print_table(seg_context *ctx, const seg_results *results, int timing) {
    printf("%-20s %6s %8s %8s %8s %8s %8s%s\n", "method", "images", "mean", "low", "high", "median", "worst",
           timing ? "  seconds" : "");
    for (int m = 0; m < results->settings.labels; m++) {
        seg_standing s;
        seg_status status = seg_results_standing(ctx, results, m, &s);
        if (status != SEG_OK)
            return cli_fail(ctx, status, CLI_COMPUTING);
        printf("%-20s %6zu", results->settings.label[m], s.accuracy.count);
        const double value[] = {s.accuracy.mean, s.low, s.high, s.accuracy.median, s.accuracy.least, s.seconds};
        for (int v = 0; v < 5 + timing; v++)
            if (s.accuracy.count)
                printf(" %8.*f", v < 5 ? 4 : 3, value[v]);
            else
                printf(" %8s", "-"); /* it failed on all images, so there is no mean */
        putchar('\n');
    }
    return cli_finish_output(CLI_OK);
}

static cli_end report(seg_context *ctx, eval *e) {
    const cli_eval_options *options = e->options;
    const seg_report_options how = {.timing = !options->no_timing};
    seg_status status = seg_results_read(ctx, e->journal, e->settings, &e->results);
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_READING);
    if (e->results.missing)
        return cli_refuse(CLI_INPUT, "%zu of %zu results are missing; finish all parts, then merge them",
                          e->results.missing, e->results.settings.items * (size_t)e->results.settings.repeats);
    for (int f = 0; options->merge && f < options->common.words.count && status == SEG_OK; f++)
        status = copy_pictures(ctx, e, options->common.words.at[f]);
    if (status == SEG_OK)
        status = seg_report_write(ctx, &e->results, &how, options->out);
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_WRITING);
    if (!options->common.quiet) {
        tell_problems(&e->results);
        cli_end end = e->results.settings.clicks ? print_clicks(ctx, &e->results, how.timing)
                                                 : print_table(ctx, &e->results, how.timing);
        if (end != CLI_OK)
            return end;
        cli_say("%zu images, %zu with fewer than two classes skipped; the report is '%s/report.html'",
                e->results.scored, e->results.skipped, options->out);
    }
    if (e->results.scored == 0)
        return cli_refuse(CLI_INPUT, "no image could be scored: %zu could not be read, %zu have fewer than two classes",
                          e->results.broken, e->results.skipped);
    return e->results.broken || e->results.failures ? CLI_PART : CLI_OK;
}

static cli_end work(seg_context *ctx, void *user) {
    cli_eval_options *options = user;
    eval e = {.options = options};
    cli_end end = cli_eval_check(ctx, options);
    if (end == CLI_GO_ON) {
        seg_context_settings(ctx)->threads = 1; /* several images at once, not several threads on one */
        cli_shard_progress(ctx, &options->shard, &options->common);
        end = options->merge ? merge(ctx, &e) : evaluate(ctx, &e);
        end = end == CLI_GO_ON ? report(ctx, &e) : end;
    }
    seg_results_free(&e.results);
    seg_journal_close(e.journal);
    seg_photo_set_free(&e.set);
    free(e.settings);
    free(options->compared);
    return end;
}

cli_end cli_run_eval(int argc, char **argv) {
    cli_eval_options options = {.dataset = NULL};
    return cli_run(&cli_eval_table, argc, argv, &options, work);
}
