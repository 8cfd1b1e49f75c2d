/* segment experiment NAME */
#include "evaluation/experiments/protocol.h"

#include "cli/common/arguments.h"
#include "cli/common/commands.h"
#include "cli/common/process.h"

typedef struct experiment_options {
    cli_common common;
    seg_experiment_options run;
    const char *widths, *sizes; /* as given */
    char out[128];              /* the default folder */
} experiment_options;

#define AT(member) offsetof(experiment_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("data", 0, TEXTS, AT(run.data.tables)), .value = "PATH",
     .help = "A table whose last column is the class, or a folder of .csv tables; may be given several times; without "
             "tables, graphs and kernels, artificial sets are made"},
    {SEG_OPTION_ROW("graph", 0, TEXTS, AT(run.data.graphs)), .value = "EDGES",
     .help = "A graph, lines i j or i j weight"},
    {SEG_OPTION_ROW("kernel", 0, TEXTS, AT(run.data.kernels)), .value = "K", .help = "A kernel matrix, CSV or NPY"},
    {SEG_OPTION_ROW("labels", 0, TEXTS, AT(run.data.labels)), .value = "FILE",
     .help = "Their classes, one per line: a file for each --graph, then one for each --kernel, in their order"},
    {SEG_OPTION_ROW("base", 0, INT, AT(run.data.base)), SEG_OPTION_RANGE(0, 1), .value = "N",
     .help = "Number of the first node of every graph; default: 0 if a node 0 occurs"},
    {SEG_OPTION_ROW("standardise", 0, FLAG, AT(run.standardise)),
     .help = "Scale every column to mean 0 and standard deviation 1 first"},
    {SEG_OPTION_ROW("tf-idf", 0, FLAG, AT(run.tf_idf)),
     .help = "The columns are counts of words: weight them by tf-idf first"},
    {SEG_OPTION_ROW("methods", 0, TEXT, AT(run.methods)), .value = "LIST",
     .help = "Methods separated by commas, each METHOD, METHOD:paper or METHOD:PARAM=VALUE:..., or names that "
             "the experiment defines (default: all of these)"},
    {SEG_OPTION_ROW("param", 0, TEXTS, AT(run.params)), .value = "NAME=VALUE",
     .help = "Parameter of every compared method that has it; may be given several times"},
    {SEG_OPTION_ROW("wrong", 0, REAL, AT(run.wrong)), SEG_OPTION_RANGE(0, 0.5), .value = "SHARE", .initial = "0",
     .help = "Share of the drawn pairs that are reversed; no two contradict each other"},
    {SEG_OPTION_ROW("confidences", 0, FLAG, AT(run.confidences)),
     .help = "Pairs have weights: the larger of two numbers drawn from 0 to 1, of reversed pairs the smaller"},
    {SEG_OPTION_ROW("sizes", 0, TEXT, AT(sizes)), .value = "LIST",
     .help = "The numbers N, ascending and separated by commas (default: the paper's)"},
    {SEG_OPTION_ROW("widths", 0, TEXT, AT(widths)), .value = "LIST",
     .help = "Widths of the candidate graphs, ascending and separated by commas, in multiples of r, the mean "
             "distance to the 20th neighbour (default: the papers' nine from 0.1 to 10)"},
    {SEG_OPTION_ROW("realizations", 0, INT, AT(run.realizations)), SEG_OPTION_RANGE(1, 9999), .value = "N",
     .help = "Sets of constraints (or runs of folds) for each number of constraints"},
    {SEG_OPTION_ROW("restarts", 0, INT, AT(run.restarts)), SEG_OPTION_RANGE(1, 10000), .value = "N",
     .help = "Labellings per set of constraints; their scores are averaged"},
    {SEG_OPTION_ROW("starts", 0, INT, AT(run.starts)), SEG_OPTION_RANGE(1, 10000), .value = "N",
     .help = "Starts of k-means per labelling; the best by its own objective is used (default 1, as in the papers)"},
    {SEG_OPTION_ROW("full", 0, FLAG, AT(run.full)),
     .help = "Use the papers' numbers of realizations and restarts, and every method on every set"},
    {.name = "seed"},
    CLI_SECTION(HOW),
    {SEG_OPTION_ROW("out", 0, TEXT, AT(run.out)), .value = "DIR",
     .help = "Folder of the results, created if missing (default experiment-NAME)"},
    {SEG_OPTION_ROW("jobs", 0, INT, AT(run.jobs)), SEG_OPTION_RANGE(0, 1024), .value = "N", .initial = "0",
     .help = "Items processed at once; 0: one per processor; does not change the result"},
    {SEG_OPTION_ROW("restart", 0, FLAG, AT(run.restart)),
     .help = "Discard the results of an interrupted run instead of continuing it"},
    {.name = "progress"},
    {.name = "quiet"},
    CLI_LAST_ROWS};

const cli_table cli_experiment_table = {
    .command = "segment experiment",
    .usage = "NAME | list",
    .least_words = 1,
    .too_few = "experiment needs a name; 'segment experiment list' lists them",
    .most_words = 1,
    .too_many = "experiment takes one name; give data with --data",
    .about = "Repeat an experiment of the papers: a table and figures in a folder.\n\n"
             "'segment experiment list' lists the names. An interrupted run continues where it stopped if the command "
             "is repeated.",
    .more = "Files: results.csv (every item; times.csv for running times), means and comparisons of methods as CSV, "
            "figures as SVG, and the journal of finished items. The journal and the figures record the settings of the "
            "run; its wall time is printed.",
    .heading = {[SEG_OPTIONS_INPUT] = "What to measure", [SEG_OPTIONS_HOW] = "How to run"},
    .rows = rows,
};

static cli_end list(void) {
    for (int i = 0; seg_protocols[i]; i++) {
        const seg_protocol_info *info = &seg_protocols[i]->info;
        printf("%s: %s\n  [%s]\n", info->name, info->title, info->source);
        printf("  %d %s (papers: %d)", info->realizations, info->realization, info->all_realizations);
        printf("; %d %s (papers: %d)\n  without --data:", info->restarts, info->restart, info->all_restarts);
        for (int s = 0; info->synthetic[s]; s++)
            printf("%s %s", s ? "," : "", info->synthetic[s]);
        printf("\n  compares:");
        for (int c = 0; c < seg_protocols[i]->variants; c++)
            printf("%s %s", c ? "," : "", seg_protocols[i]->variant[c].name);
        printf("\n");
    }
    return cli_finish_output(CLI_OK);
}

static const char *protocol_name(int i) {
    return seg_protocols[i] ? seg_protocols[i]->info.name : NULL;
}

static cli_end run(seg_context *ctx, const experiment_options *options) {
    seg_context_settings(ctx)->seed = (uint64_t)options->common.seed;
    cli_progress_start(ctx, options->common.progress, options->common.quiet ? -1 : 0);
    cli_catch_signals();
    seg_experiment_tally tally = {0};
    const seg_status status = seg_experiment_run(ctx, &options->run, &tally);
    cli_bar_clear();
    if (status == SEG_OK && !options->common.quiet)
        cli_say("%zu items, %zu of them in this run: wall time %.1f s", tally.items, tally.done, tally.wall);
    if (cli_interrupted())
        return cli_refuse((cli_end)(CLI_SIGNAL + cli_interrupted()),
                          "interrupted; finished items are in %s/journal, and the same command continues from there",
                          options->run.out);
    return status == SEG_OK ? CLI_OK : cli_fail(ctx, status, CLI_WRITING);
}

/* Read "0.1,1,10" as ascending numbers of at least `least`. @return how many; 0 after a message */
static int read_list(const char *option, const char *text, double least, double largest, int most, double *number) {
    int count = 0;
    const char *at = text;
    for (;;) {
        char *end = NULL;
        const double value = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(value >= least && value <= largest) ||
            (count > 0 && value <= number[count - 1]))
            break;
        if (count == most) {
            cli_say("--%s takes at most %d numbers, '%s' has more", option, most, text);
            return 0;
        }
        number[count++] = value;
        if (!*end)
            return count;
        at = end + 1;
    }
    cli_say("--%s takes ascending numbers from %g to %g separated by commas, not '%s'", option, least, largest, text);
    return 0;
}

static cli_end read_lists(experiment_options *options) {
    double number[SEG_MOST_SIZES] = {0};
    if (options->widths &&
        !(options->run.widths = read_list("widths", options->widths, 0.001, 1000, SEG_MOST_WIDTHS, options->run.width)))
        return CLI_USAGE;
    if (options->sizes && !(options->run.sizes = read_list("sizes", options->sizes, 0, 999999, SEG_MOST_SIZES, number)))
        return CLI_USAGE;
    for (int s = 0; s < options->run.sizes; s++) {
        options->run.size[s] = (int)number[s];
        if (options->run.size[s] != number[s])
            return cli_refuse(CLI_USAGE, "--sizes takes whole numbers, not '%s'", options->sizes);
    }
    return CLI_GO_ON;
}

/* Check the options and the name; `list` prints the list. */
static cli_end check(experiment_options *options) {
    const char *name = cli_word(&options->common, 0);
    const seg_dataset_source *data = &options->run.data;
    const int graphs = data->graphs.count + data->kernels.count;
    const cli_rule rules[] = {
        {options->run.tf_idf && options->run.standardise, "--tf-idf and --standardise exclude each other; give one"},
        {graphs && (options->run.tf_idf || options->run.standardise), "graphs and kernels have no columns to scale"},
        {data->labels.count != graphs,
         "each --graph and each --kernel needs one --labels FILE, and nothing else does"}};
    CLI_TRY(cli_check_rules(rules, sizeof rules / sizeof *rules));
    if (strcasecmp(name, "list") == 0)
        return list();
    for (int i = 0; seg_protocols[i]; i++)
        if (strcasecmp(seg_protocols[i]->info.name, name) == 0)
            options->run.protocol = seg_protocols[i];
    return options->run.protocol
               ? read_lists(options)
               : cli_refuse_name("there is no experiment", name, protocol_name, "'segment experiment list' lists them");
}

static cli_end work(seg_context *ctx, void *user) {
    experiment_options *options = user;
    cli_end end = check(options);
    if (end == CLI_GO_ON && !options->run.out) {
        snprintf(options->out, sizeof options->out, "experiment-%s", options->run.protocol->info.name);
        options->run.out = options->out;
    }
    end = end == CLI_GO_ON ? run(ctx, options) : end;
    const seg_dataset_source *data = &options->run.data;
    SEG_CLEAR(&options->run, data->tables.at, data->graphs.at, data->kernels.at, data->labels.at,
              options->run.params.at);
    return end;
}

CLI_COMMAND_RUNS(experiment, experiment_options, .run.data.base = SEG_BASE_DETECT, work)
