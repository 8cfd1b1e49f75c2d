/* segment eval: list the images, evaluate those that the journal lacks, write the report. */
#include "cli/common/commands.h"
#include "cli/eval/eval_options.h"
#include "evaluation/report/report.h"
#include "evaluation/runner/report_folder.h"

typedef struct eval {
    cli_eval_options *options;
    seg_photo_set set;
    seg_journal *journal;
    seg_settings settings;
    seg_results results;
} eval;

static int any_scribbles(const seg_photo_set *set) {
    for (size_t i = 0; i < set->items; i++)
        if (set->item[i].scribbles)
            return 1;
    return strcmp(set->layout->name, "icgbench") == 0; /* in the truths' files */
}

static void set_plan(eval *e) {
    const cli_common *common = &e->options->common;
    seg_plan *p = &e->options->plan;
    p->max_memory = common->max_memory;
    p->timeout = common->timeout;
    p->source = p->clicks                             ? SEG_SOURCE_CLICKS
                : p->pairs || !any_scribbles(&e->set) ? SEG_SOURCE_PAIRS
                                                      : SEG_SOURCE_SCRIBBLES;
    p->pairs = p->pairs ? p->pairs : atoi(CLI_EVAL_PAIRS);
    p->seed = (uint64_t)common->seed;
    p->how = &e->options->segment;
}

static seg_status open_journal(seg_context *ctx, eval *e, int restart) {
    const cli_eval_options *options = e->options;
    const seg_journal_part part = {options->plan.out, options->shard.index, options->shard.count};
    return seg_journal_open_part(ctx, &part, e->settings.line, restart, &e->journal);
}

/* Take over what the other parts have done meanwhile. *whole is 1 where all images are done. */
static seg_status look_again(seg_context *ctx, eval *e, int *whole) {
    seg_journal_close(e->journal);
    SEG_TRY(open_journal(ctx, e, 0));
    *whole = 1;
    for (size_t i = 0; i < e->set.items; i++) {
        SEG_LOCAL(char, key, seg_item_key(ctx, e->set.item[i].name));
        *whole &= seg_journal_find(e->journal, key) != NULL;
    }
    return SEG_OK;
}

/* The data set and the journal. */
static seg_status prepare(seg_context *ctx, eval *e) {
    const cli_eval_options *options = e->options;
    SEG_TRY(seg_photo_set_open(ctx, options->dataset, options->common.words.at[0], options->truth, options->scribbles,
                               &e->set));
    set_plan(e);
    SEG_TRY(seg_settings_make(ctx, &e->set, &options->plan, &e->settings));
    SEG_TRY(seg_layout_make(ctx, options->plan.out, e->settings.label, e->settings.labels));
    SEG_TRY(open_journal(ctx, e, options->restart));
    if (!options->shard.count)
        seg_layout_tidy(options->plan.out); /* parts may run at the same time */
    return SEG_OK;
}

static cli_end evaluate(seg_context *ctx, eval *e) {
    const cli_eval_options *options = e->options;
    size_t done = 0;
    if (seg_same_file(options->plan.out, options->common.words.at[0]))
        return cli_refuse(CLI_USAGE,
                          "--out '%s' is the folder of the data set, whose images would be mixed with photos/ and "
                          "masks/ of the report; name another folder",
                          options->plan.out);
    seg_status status = prepare(ctx, e);
    if (status != SEG_OK)
        return cli_fail(ctx, status, e->settings.line ? CLI_COMPUTING : CLI_READING);
    const cli_shard *shard = &options->shard;
    const int jobs = options->jobs ? options->jobs : shard->launched ? 1 : seg_processors();
    const seg_eval_run run = {
        .set = &e->set, .plan = &options->plan, .jobs = {jobs, shard->index, shard->count, e->journal}};
    cli_catch_signals();
    int whole = 1; /* of parts, the one that ends last finds all images done, and writes the report */
    status = seg_eval_run_all(ctx, &run, &done);
    cli_bar_clear();
    status = status == SEG_OK && shard->count ? look_again(ctx, e, &whole) : status;
    if (status == SEG_ERR_CANCELLED)
        return cli_refuse(cli_exit_code(status, CLI_COMPUTING),
                          "interrupted; %zu more images are finished, and the same command continues from there", done);
    CLI_TRY(cli_went(ctx, status, CLI_WRITING));
    if (whole)
        return CLI_GO_ON;
    if (!options->common.quiet && !shard->launched)
        cli_say("part %d of %d is done; the one that ends last writes the report", shard->index, shard->count);
    return CLI_OK;
}

/* Print all problems, one per line. */
static void tell_problems(const seg_results *results) {
    for (size_t i = 0; i < results->items; i++) {
        const seg_item_result *one = &results->item[i].result;
        if (one->outcome == SEG_ITEM_BROKEN)
            cli_say("warning: skipped %s: %s", results->item[i].name, one->message);
        for (int m = 0; m < one->attempts; m++)
            if (one->attempt[m].status != SEG_OK)
                cli_say("warning: %s failed on %s: %s", results->settings->label[m], results->item[i].name,
                        one->attempt[m].message);
    }
}

static void print_table(const seg_results *results, int timing) {
    const unsigned table = results->settings->clicks ? SEG_TABLE_CLICKS : SEG_TABLE_TERMINAL;
    printf("%-20s", "method");
    for (int m = -1; m < results->settings->labels; m++) {
        const seg_standing *s = &results->standing[m < 0 ? 0 : m];
        if (m >= 0)
            printf("%-20s", results->settings->label[m]);
        for (int c = 0; c < SEG_COLUMNS; c++) {
            const seg_column *column = seg_results_column(results, c, table, timing);
            const int width = c == SEG_COLUMN_IMAGES ? 6 : 8;
            if (column && m < 0)
                printf(" %*s", width, column->heading);
            else if (column && (s->worst || c == SEG_COLUMN_IMAGES))
                printf(" %*.*f", width, column->decimals, s->value[c]);
            else if (column)
                printf(" %*s", width, "-"); /* it failed on all images, so there is no mean */
        }
        putchar('\n');
    }
}

static cli_end report(seg_context *ctx, eval *e) {
    const cli_eval_options *options = e->options;
    CLI_TRY(cli_went(ctx, seg_results_read(ctx, e->journal, &e->set, &e->settings, &e->results), CLI_READING));
    CLI_TRY(cli_went(ctx, seg_report_write(ctx, &e->results, !options->no_timing, options->plan.out), CLI_WRITING));
    if (!options->common.quiet) {
        tell_problems(&e->results);
        print_table(&e->results, !options->no_timing);
        if (cli_finish_output(CLI_OK) != CLI_OK)
            return CLI_FAILED;
        cli_say("%zu images, %zu with fewer than two classes skipped; the report is '%s/report.html'",
                e->results.scored, e->results.skipped, options->plan.out);
    }
    if (e->results.scored == 0)
        return cli_refuse(CLI_INPUT, "no image could be scored: %zu could not be read, %zu have fewer than two classes",
                          e->results.broken, e->results.skipped);
    return e->results.broken || e->results.failures ? CLI_PART : CLI_OK;
}

static void eval_free(eval *e) {
    seg_results_free(&e->results);
    seg_journal_close(e->journal);
    seg_photo_set_free(&e->set);
    seg_settings_free(&e->settings);
    free((seg_compared *)e->options->plan.compared);
}

static cli_end work(seg_context *ctx, void *user) {
    cli_eval_options *options = user;
    SEG_RELEASED(eval_free) eval e = {.options = options};
    CLI_TRY(cli_eval_check(ctx, options));
    seg_context_settings(ctx)->threads = 1; /* several images at once, not several threads on one */
    cli_shard_progress(ctx, &options->shard, &options->common);
    CLI_TRY(evaluate(ctx, &e));
    const cli_end end = report(ctx, &e);
    return end == CLI_PART && options->shard.launched ? CLI_OK : end; /* mpirun ends the others where one fails */
}

CLI_COMMAND_RUNS(eval, cli_eval_options, .dataset = NULL, work)
