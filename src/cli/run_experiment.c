/* segment experiment NAME */
#include "evaluation/experiment.h"

#include "arguments.h"
#include "commands.h"
#include "exit_codes.h"
#include "fields.h"
#include "numbers.h"
#include "progress.h"
#include "suggest.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct experiment_options {
    cli_arguments arguments;
    const char *name;
    seg_experiment_options run;
    const char **data; /* owned */
    int64_t seed;
    int progress, quiet;
    char out[128]; /* the default folder */
} experiment_options;

enum {
    KEY_DATA = CLI_KEY_FIRST_LONG,
    KEY_OUT,
    KEY_REALIZATIONS,
    KEY_RESTARTS,
    KEY_STARTS,
    KEY_STANDARDISE,
    KEY_SEED,
    KEY_JOBS,
    KEY_FULL,
    KEY_RESTART,
    KEY_PROGRESS
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What to measure:", 1},
    {"data", KEY_DATA, "PATH", 0,
     "A table whose last column is the class, or a folder of such .csv files; may be given several times. Without it, "
     "artificial sets are made",
     1},
    {"standardise", KEY_STANDARDISE, NULL, 0, "Give every column mean 0 and standard deviation 1 first", 1},
    {"realizations", KEY_REALIZATIONS, "N", 0, "Sets of constraints (or runs of folds) for each number of them", 1},
    {"restarts", KEY_RESTARTS, "N", 0, "Labellings of each, averaged", 1},
    {"starts", KEY_STARTS, "N", 0,
     "Starts of k-means in each labelling, of which the best by its own objective is kept (default 1, as the papers)",
     1},
    {"full", KEY_FULL, NULL, 0, "The papers' numbers of realizations and restarts, and every method on every set", 1},
    CLI_OPTION_SEED(KEY_SEED, 1),

    {NULL, 0, NULL, 0, "How to run:", 2},
    {"out", KEY_OUT, "DIR", 0, "Folder for the results, made where it is missing (default experiment-NAME)", 2},
    {"jobs", KEY_JOBS, "N", 0, "Items at once, 0 for all processors; never changes the result", 2},
    {"restart", KEY_RESTART, NULL, 0, "Forget what an interrupted run has done, instead of going on with it", 2},
    CLI_OPTION_PROGRESS(KEY_PROGRESS, 2),
    {"quiet", 'q', NULL, 0, "No warnings and no bar", 2},
    CLI_OPTION_HELP,
    CLI_OPTION_VERSION,
    {0}};

/* 0 where a sentence was printed, -1 for other keys. */
static int parse_value(int key, const char *text, experiment_options *options) {
    switch (key) {
    case KEY_REALIZATIONS:
        return cli_read_int("--realizations", text, 1, 9999, &options->run.realizations);
    case KEY_RESTARTS:
        return cli_read_int("--restarts", text, 1, 10000, &options->run.restarts);
    case KEY_STARTS:
        return cli_read_int("--starts", text, 1, 10000, &options->run.starts);
    case KEY_SEED:
        return cli_read_whole("--seed", text, 0, INT64_MAX, &options->seed);
    case KEY_JOBS:
        return cli_read_int("--jobs", text, 0, 1024, &options->run.jobs);
    case KEY_PROGRESS:
        return cli_read_choice("--progress", text, cli_progress_names, &options->progress);
    default:
        return -1;
    }
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    experiment_options *options = state->input;
    const int good = parse_value(key, text, options);
    if (good >= 0) {
        return good ? 0 : cli_rejected(state);
    }
    switch (key) {
    case KEY_DATA:
        options->data[options->run.data_count++] = text;
        return 0;
    case KEY_OUT:
        options->run.out = text;
        return 0;
    case KEY_STANDARDISE:
        options->run.standardise = 1;
        return 0;
    case KEY_FULL:
        options->run.full = 1;
        return 0;
    case KEY_RESTART:
        options->run.restart = 1;
        return 0;
    case 'q':
        options->quiet = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (options->name) {
            return cli_reject(state, "unexpected argument '%s': one experiment at a time; data are given with --data",
                              text);
        }
        options->name = text;
        return 0;
    case ARGP_KEY_END:
        if (!options->name) {
            return cli_reject(state, "experiment needs a name; 'segment experiment list' lists them");
        }
        return 0;
    default:
        return cli_parse_common(key, state);
    }
}

const struct argp cli_experiment_argp = {
    .options = table,
    .parser = parse_one,
    .args_doc = "NAME | list",
    .doc = "Repeat an experiment of the papers: a table and figures in a folder.\n\n"
           "'segment experiment list' lists the names. An interrupted run goes on where it stopped when it is given "
           "again."
           "\vFiles: results.csv (every item; times.csv for running times), means and comparisons of methods as CSV, "
           "figures as SVG, PDF and PNG, and the journal of finished items.",
};

static int list(void) {
    const seg_protocol_info *info;
    for (int i = 0; (info = seg_protocol_at(i)) != NULL; i++) {
        printf("%s: %s\n  [%s]\n", info->name, info->title, info->source);
        printf("  %d %s (papers: %d)", info->realizations, info->realization, info->all_realizations);
        printf("; %d %s (papers: %d)\n  without --data:", info->restarts, info->restart, info->all_restarts);
        for (int s = 0; info->synthetic[s]; s++) {
            printf("%s %s", s ? "," : "", info->synthetic[s]);
        }
        printf("\n");
    }
    return cli_finish_output(CLI_OK);
}

static int unknown(const char *name) {
    const char *nearest = NULL;
    int distance = 0;
    const seg_protocol_info *info;
    for (int i = 0; (info = seg_protocol_at(i)) != NULL; i++) {
        cli_suggest(name, info->name, &nearest, &distance);
    }
    cli_say("there is no experiment '%s'; %s%s%s'segment experiment list' lists them", name,
            nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "");
    return CLI_USAGE;
}

static int run(experiment_options *options) {
    seg_context *ctx = cli_context_create();
    if (!ctx) {
        return CLI_FAILED;
    }
    seg_context_set_seed(ctx, (uint64_t)options->seed);
    cli_progress_start(ctx, (cli_progress_mode)options->progress, options->quiet ? -1 : 0);
    cli_catch_signals();
    const seg_status status = seg_experiment_run(ctx, &options->run);
    cli_progress_clear();
    int code = CLI_OK;
    if (cli_interrupted()) {
        cli_say("interrupted; what is done stands in %s/journal, and the same command goes on from there",
                options->run.out);
        code = CLI_SIGNAL + cli_interrupted();
    } else if (status != SEG_OK) {
        code = cli_fail(ctx, status, CLI_WRITING);
    }
    seg_context_free(ctx);
    return code;
}

int cli_run_experiment(int argc, char **argv) {
    experiment_options options = {.seed = 1};
    options.data = calloc((size_t)argc, sizeof *options.data);
    if (!options.data) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    int code = cli_parse(&cli_experiment_argp, "segment experiment", argc, argv, &options);
    options.run.data = options.data;
    if (code == -1 && strcasecmp(options.name, "list") == 0) {
        code = list();
    }
    if (code == -1 && !(options.run.protocol = seg_protocol_find(options.name))) {
        code = unknown(options.name);
    }
    if (code == -1) {
        if (!options.run.out) {
            snprintf(options.out, sizeof options.out, "experiment-%s", options.run.protocol->name);
            options.run.out = options.out;
        }
        code = run(&options);
    }
    free(options.data);
    return code;
}
