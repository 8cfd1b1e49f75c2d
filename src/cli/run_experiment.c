/* segment experiment NAME */
#include "evaluation/experiment.h"

#include "arguments.h"
#include "commands.h"
#include "fail.h"
#include "progress.h"
#include "suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct experiment_options {
    cli_common common;
    seg_experiment_options run;
    seg_texts data;
    char out[128]; /* the default folder */
} experiment_options;

#define AT(member) offsetof(experiment_options, member)

static const seg_option rows[] = {
    {SEG_OPTION_ROW("data", 0, TEXTS, AT(data)),
     SEG_OPTION_SAID("PATH", NULL, NULL,
                     "A table whose last column is the class, or a folder of such .csv files; may be given several "
                     "times; without it, artificial sets are made"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("standardise", 0, FLAG, AT(run.standardise)),
     SEG_OPTION_SAID(NULL, NULL, NULL, "Give every column mean 0 and standard deviation 1 first"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("realizations", 0, INT, AT(run.realizations)), SEG_OPTION_RANGE(1, 9999),
     SEG_OPTION_SAID("N", NULL, NULL, "Sets of constraints (or runs of folds) for each number of them"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("restarts", 0, INT, AT(run.restarts)), SEG_OPTION_RANGE(1, 10000),
     SEG_OPTION_SAID("N", NULL, NULL, "Labellings of each, averaged"), SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("starts", 0, INT, AT(run.starts)), SEG_OPTION_RANGE(1, 10000),
     SEG_OPTION_SAID("N", NULL, NULL,
                     "Starts of k-means in each labelling, of which the best by its own objective is kept (default 1, "
                     "as the papers)"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("full", 0, FLAG, AT(run.full)),
     SEG_OPTION_SAID(NULL, NULL, NULL,
                     "The papers' numbers of realizations and restarts, and every method on every set"),
     SEG_OPTION_KIND(INPUT, 0)},
    {.name = "seed", .group = SEG_OPTIONS_INPUT},

    {SEG_OPTION_ROW("out", 0, TEXT, AT(run.out)),
     SEG_OPTION_SAID("DIR", NULL, NULL, "Folder for the results, made where it is missing (default experiment-NAME)"),
     SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("jobs", 0, INT, AT(run.jobs)), SEG_OPTION_RANGE(0, 1024),
     SEG_OPTION_SAID("N", "0", NULL, "Items at once, 0 for all processors; never changes the result"),
     SEG_OPTION_KIND(HOW, 0)},
    {SEG_OPTION_ROW("restart", 0, FLAG, AT(run.restart)),
     SEG_OPTION_SAID(NULL, NULL, NULL, "Forget what an interrupted run has done, instead of going on with it"),
     SEG_OPTION_KIND(HOW, 0)},
    {.name = "progress", .group = SEG_OPTIONS_HOW},
    {.name = "quiet", .group = SEG_OPTIONS_HOW},
    {.name = "help", .group = SEG_OPTIONS_HOW},
    {.name = "version", .group = SEG_OPTIONS_HOW},
    {0}};

const cli_table cli_experiment_table = {
    .command = "segment experiment",
    .usage = "NAME | list",
    .about = "Repeat an experiment of the papers: a table and figures in a folder.\n\n"
             "'segment experiment list' lists the names. An interrupted run goes on where it stopped when it is given "
             "again.",
    .more = "Files: results.csv (every item; times.csv for running times), means and comparisons of methods as CSV, "
            "figures as SVG, PDF and PNG, and the journal of finished items.",
    .heading = {[SEG_OPTIONS_INPUT] = "What to measure", [SEG_OPTIONS_HOW] = "How to run"},
    .rows = rows,
};

static cli_end list(void) {
    const seg_protocol_info *info;
    for (int i = 0; (info = seg_protocol_at(i)) != NULL; i++) {
        printf("%s: %s\n  [%s]\n", info->name, info->title, info->source);
        printf("  %d %s (papers: %d)", info->realizations, info->realization, info->all_realizations);
        printf("; %d %s (papers: %d)\n  without --data:", info->restarts, info->restart, info->all_restarts);
        for (int s = 0; info->synthetic[s]; s++)
            printf("%s %s", s ? "," : "", info->synthetic[s]);
        printf("\n");
    }
    return cli_finish_output(CLI_OK);
}

static cli_end unknown(const char *name) {
    const char *nearest = NULL;
    int distance = 0;
    const seg_protocol_info *info;
    for (int i = 0; (info = seg_protocol_at(i)) != NULL; i++)
        cli_suggest(name, info->name, &nearest, &distance);
    cli_say("there is no experiment '%s'; %s%s%s'segment experiment list' lists them", name,
            nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "");
    return CLI_USAGE;
}

static cli_end run(experiment_options *options) {
    seg_context *ctx = cli_context_create();
    if (!ctx)
        return CLI_FAILED;
    seg_context_set_seed(ctx, (uint64_t)options->common.seed);
    cli_progress_start(ctx, (cli_progress_mode)options->common.progress, options->common.quiet ? CLI_GO_ON : 0);
    cli_catch_signals();
    const seg_status status = seg_experiment_run(ctx, &options->run);
    cli_bar_clear();
    cli_end end = CLI_OK;
    if (cli_interrupted()) {
        cli_say("interrupted; what is done stands in %s/journal, and the same command goes on from there",
                options->run.out);
        end = (cli_end)(CLI_SIGNAL + cli_interrupted());
    } else if (status != SEG_OK) {
        end = cli_fail(ctx, status, CLI_WRITING);
    }
    seg_context_free(ctx);
    return end;
}

/* Options and the name; `list` is answered. */
static cli_end parse(int argc, char **argv, experiment_options *out) {
    cli_set_defaults(&cli_experiment_table, out);
    cli_end end = cli_parse(&cli_experiment_table, argc, argv, out);
    const char *name = cli_word(&out->common, 0);
    if (end == CLI_GO_ON && !name) {
        cli_say("experiment needs a name; 'segment experiment list' lists them");
        return CLI_USAGE;
    }
    if (end == CLI_GO_ON)
        end = cli_most_words(&out->common, 1, "one experiment at a time; data are given with --data");
    if (end == CLI_GO_ON && strcasecmp(name, "list") == 0)
        return list();
    if (end == CLI_GO_ON && !(out->run.protocol = seg_protocol_find(name)))
        return unknown(name);
    return end;
}

cli_end cli_run_experiment(int argc, char **argv) {
    experiment_options options = {.run = {0}};
    cli_end end = parse(argc, argv, &options);
    options.run.data = options.data.at;
    options.run.data_count = options.data.count;
    if (end == CLI_GO_ON) {
        if (!options.run.out) {
            snprintf(options.out, sizeof options.out, "experiment-%s", options.run.protocol->name);
            options.run.out = options.out;
        }
        end = run(&options);
    }
    free(options.data.at);
    free(options.common.words.at);
    return end;
}
