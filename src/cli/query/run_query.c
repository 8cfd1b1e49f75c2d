/* segment query: ask questions, and save every answer. */
#include "cli/cluster/cluster_job.h"
#include "cli/common/commands.h"
#include "cli/common/file_uses.h"
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/query/query.h"
#include "pipeline/option_fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Options. --- */

const char *const cli_label_columns[] = {"none", "first", "last", NULL};

#define AT(member) offsetof(cli_query_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("clusters", 'k', INT, AT(k)), SEG_OPTION_RANGE(1, SEG_MAX_LABELS), .value = "K",
     .help = "Number of clusters, if known; saves questions"},
    {SEG_OPTION_ROW("labels", 0, CHOICE, AT(label_column)), SEG_OPTION_CHOICES(cli_label_columns, 0), .value = "WHERE",
     .initial = "none", .help = "Column of DATA that contains labels and is left out: last, first or none"},
    {SEG_OPTION_ROW("standardise", 0, FLAG, AT(standardise)),
     .help = "Measure distances with every column at standard deviation 1"},
    {SEG_OPTION_ROW("strategy", 0, CHOICE, AT(strategy)), SEG_OPTION_CHOICES(cli_active_names, 0), .value = "NAME",
     .initial = "explore-consolidate", .help = "How pairs are chosen: explore-consolidate, explore, minmax or random"},
    {SEG_OPTION_ROW("queries", 0, INT, AT(queries)), SEG_OPTION_RANGE(1, 1000000), .value = "N",
     .help = "Largest number of questions; default: until you quit"},
    {.name = "seed", .help = "Seed of every random choice; the same seed and answers give the same questions"},
    {.name = "threads"},
    {.name = "max-memory"},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)), .value = "FILE",
     .help = "The answers; an existing file is continued; - is standard output (default DATA-pairs.csv)"},
    {.name = "quiet", .help = "Print the questions only"},
    {.name = "verbose"},
    {.name = "help"},
    {.name = "version"},
    {0}};

const cli_table cli_query_table = {
    .command = "segment query",
    .usage = "DATA",
    .least_words = 1,
    .too_few = "no input given; name a table",
    .most_words = 1,
    .too_many = "one table at a time",
    .about =
        "Ask you which samples belong together, and write your answers as constraints.\n\n"
        "DATA is a table as for 'segment cluster'. Each question shows two rows; the answers are read from standard "
        "input, one per line: y(es), n(o), s(kip), u(ndo), q(uit). Pairs that follow from earlier answers are not "
        "asked.",
    .more = "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
            "constraints, 130 interrupted; the answers are kept in each case. See also the manual page "
            "segment-query(1).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to ask about", [SEG_OPTIONS_OUTPUT] = "Output"},
    .rows = rows,
};

cli_end cli_query_check(cli_query_options *options) {
    options->data = cli_word(&options->common, 0);
    if (strcmp(options->data, "-") == 0)
        return cli_refuse(CLI_USAGE, "answers are read from standard input; name a file to ask about");
    if (!options->output)
        options->output = options->default_output = cli_default_name(options->data, "-pairs.csv");
    if (!options->output)
        return cli_out_of_memory();
    const cli_use uses[] = {{.name = "-o", .path = options->output, .writes = 1, .endings = "csv,txt"},
                            {.name = "the input", .path = options->data}};
    return cli_check_files(uses, sizeof uses / sizeof *uses);
}

/* --- Inputs. --- */

static seg_status read_table(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_status status = seg_vectors_read(ctx, options->data, options->label_column, &run->shown, &run->labels);
    if (status != SEG_OK || !options->standardise)
        return status;
    status = seg_matrix_create(ctx, run->shown.rows, run->shown.cols, &run->features);
    if (status == SEG_OK) {
        memcpy(run->features.at, run->shown.at, run->shown.rows * run->shown.cols * sizeof *run->shown.at);
        status = seg_scale(ctx, SEG_SCALING_STANDARDISED, &run->features);
    }
    return status;
}

/* Read the file of answers unchanged; new answers are appended to these bytes. */
static cli_end read_earlier(const char *path, cli_query_run *run) {
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return CLI_GO_ON;
    size_t size;
    run->earlier = cli_file_read(path, &size);
    return run->earlier ? CLI_GO_ON
                        : cli_refuse(CLI_INPUT, "cannot read the answers so far from '%s': %s", path, strerror(errno));
}

static seg_status begin(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_status status = seg_constraints_create(ctx, run->shown.rows, &run->known);
    if (status == SEG_OK)
        status = seg_constraints_create(ctx, run->shown.rows, &run->unknown);
    if (status == SEG_OK && run->earlier) {
        status = seg_constraints_read(ctx, options->output, NULL, 0, &run->known, &run->unknown);
    }
    const seg_active_spec spec = {
        .strategy = (seg_active_strategy)options->strategy,
        .k = options->k,
        .budget = options->queries ? (size_t)options->queries : SIZE_MAX,
        .n = run->shown.rows,
        .features = run->features.at ? &run->features : &run->shown,
        .known = &run->known,
        .unknown = &run->unknown,
    };
    return status == SEG_OK ? seg_active_create(ctx, &spec, &run->active) : status;
}

static cli_end read_all(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_status status = read_table(ctx, options, run);
    if (status == SEG_OK) {
        cli_end end = read_earlier(options->output, run);
        if (end != CLI_GO_ON)
            return end;
        status = begin(ctx, options, run);
    }
    if (status == SEG_OK && run->known.pairs + run->unknown.pairs && !options->common.quiet) {
        cli_say("'%s' exists: its %zu answers are kept and new ones appended; use -o for another file", options->output,
                run->known.pairs + run->unknown.pairs);
    }
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_READING);
}

static void free_run(cli_query_run *run) {
    seg_active_free(run->active);
    seg_constraints_free(&run->known);
    seg_constraints_free(&run->unknown);
    seg_matrix_free(&run->shown);
    seg_matrix_free(&run->features);
    seg_labels_free(&run->labels);
    free(run->earlier);
}

/* --- The questions. --- */

/* The file is complete after every answer, in case the program is stopped; standard output is written at the end. */
static cli_end save(seg_context *ctx, const cli_query_options *options, const cli_query_run *run, int last) {
    if ((strcmp(options->output, "-") == 0) != last)
        return CLI_GO_ON;
    seg_status status = seg_active_write(ctx, options->output, run->earlier, run->active);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_WRITING);
}

static seg_status take(seg_context *ctx, cli_query_run *run, cli_reply reply) {
    int undone;
    if (reply != CLI_REPLY_UNDO)
        return seg_active_answer(ctx, run->active, (seg_answer)reply);
    seg_status status = seg_active_undo(ctx, run->active, &undone);
    if (status == SEG_OK && !undone)
        fputs("There is no answer to undo.\n", stderr);
    return status;
}

static cli_end ask_all(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    cli_end end = CLI_GO_ON;
    while (end == CLI_GO_ON) {
        int32_t i, j;
        int more;
        seg_status status = seg_active_next(ctx, run->active, &i, &j, &more);
        if (status != SEG_OK)
            return cli_fail(ctx, status, CLI_COMPUTING);
        if (more)
            cli_query_show(options, run, i, j);
        const cli_reply reply = more ? cli_query_reply() : CLI_REPLY_QUIT;
        if (reply == CLI_REPLY_QUIT)
            return CLI_GO_ON;
        if (reply == CLI_REPLY_INTERRUPTED)
            return (cli_end)(CLI_SIGNAL + cli_interrupted());
        status = take(ctx, run, reply);
        end = status == SEG_OK ? save(ctx, options, run, 0) : cli_fail(ctx, status, CLI_COMPUTING);
    }
    return end;
}

static void summarise(const cli_query_options *options, const cli_query_run *run) {
    const seg_active_tally tally = seg_active_about(run->active);
    const int to_stream = strcmp(options->output, "-") == 0;
    if (tally.asked == 0 && !to_stream) {
        cli_say("no answers; nothing was written");
        return;
    }
    cli_say("%zu answers (%zu belong together, %zu do not, %zu skipped) and %zu that follow, in %s", tally.asked,
            tally.must, tally.cannot, tally.unknown, tally.inferred, to_stream ? "standard output" : options->output);
}

static cli_end query(seg_context *ctx, void *user) {
    cli_query_options *options = user;
    cli_query_run run = {0};
    options->common.progress = CLI_PROGRESS_NONE;
    cli_end end = cli_query_check(options);
    end = end == CLI_GO_ON ? cli_start_limited(ctx, &options->common) : end;
    end = end == CLI_GO_ON ? read_all(ctx, options, &run) : end;
    if (end == CLI_GO_ON) {
        cli_catch_signals();
        end = ask_all(ctx, options, &run);
        const cli_end written = save(ctx, options, &run, 1);
        end = end == CLI_GO_ON ? written : end;
        if (!options->common.quiet && end != CLI_FAILED)
            summarise(options, &run);
        end = cli_finish_output(end == CLI_GO_ON ? CLI_OK : end);
    }
    free_run(&run);
    return end;
}

cli_end cli_run_query(int argc, char **argv) {
    cli_query_options options = {.data = NULL};
    const cli_end end = cli_run(&cli_query_table, argc, argv, &options, query);
    free(options.default_output);
    return end;
}
