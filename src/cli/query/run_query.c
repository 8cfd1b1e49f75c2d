/* segment query: ask questions, and save every answer. */
#include "cli/cluster/cluster_job.h"
#include "cli/common/commands.h"
#include "cli/common/file_uses.h"
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/query/query.h"

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
     .help = "Number of clusters or regions, if known; saves questions"},
    {SEG_OPTION_ROW("labels", 0, CHOICE, AT(label_column)), SEG_OPTION_CHOICES(cli_label_columns, 0), .value = "WHERE",
     .initial = "none", .help = "Column of DATA that contains labels and is left out: last, first or none"},
    {SEG_OPTION_ROW("standardise", 0, FLAG, AT(standardise)),
     .help = "Measure distances with every column at standard deviation 1"},
    {.name = "patch", .offset = AT(patch), .help = "Side of a patch of the image in pixels, as for segmenting it"},
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
    {SEG_OPTION_ROW("picture", 0, TEXT, AT(picture)), .value = "FILE",
     .help = "Image that shows the patches of a question (default DATA-question.png)"},
    {.name = "quiet", .help = "Print the questions only"},
    {.name = "verbose"},
    {.name = "help"},
    {.name = "version"},
    {0}};

const cli_table cli_query_table = {
    .command = "segment query",
    .usage = "DATA|PHOTO",
    .least_words = 1,
    .too_few = "no input given; name a table or an image",
    .most_words = 1,
    .too_many = "one table or image at a time",
    .about =
        "Ask you which samples belong together, and write your answers as constraints.\n\n"
        "DATA is a table as for 'segment cluster', PHOTO an image as for 'segment'. Each question names two rows, or "
        "shows two patches in an image; the answers are read from standard input, one per line: y(es), n(o), s(kip), "
        "u(ndo), q(uit). Pairs that follow from earlier answers are not asked.",
    .more = "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
            "constraints, 130 interrupted; the answers are kept in each case. See also the manual page "
            "segment-query(1).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to ask about", [SEG_OPTIONS_OUTPUT] = "Output"},
    .rows = rows,
};

/* Two formats begin with letters, as tables do: BMP has zeros after its letters, and the header of PNM is numbers or a
 * line of its own. */
static int is_image(const unsigned char head[16], const char *path) {
    if (memcmp(head, "BM", 2) == 0)
        return memcmp(head + 6, "\0\0\0\0", 4) == 0;
    if (head[0] == 'P' && head[1] >= '1' && head[1] <= '6')
        return strchr(" \t\r\n", head[2]) && (head[3] == '#' || (head[3] >= '0' && head[3] <= '9'));
    seg_image_header header = {0};
    seg_context *ctx = seg_context_create();
    if (ctx)
        seg_image_header_read(ctx, path, 0, &header); /* damaged images are images */
    seg_context_free(ctx);
    return header.format != NULL;
}

static cli_end find_kind(cli_query_options *options) {
    unsigned char head[16] = {0};
    FILE *file = fopen(options->data, "rb");
    if (!file)
        return cli_refuse(CLI_INPUT, "cannot read '%s': %s", options->data, strerror(errno));
    const size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    options->is_photo = size == sizeof head && is_image(head, options->data);
    return CLI_GO_ON;
}

static cli_end check_kind(const cli_query_options *options) {
    if (options->is_photo && (cli_given(&cli_query_table, options, "labels") || options->standardise))
        return cli_refuse(CLI_USAGE, "--labels and --standardise need a table, but '%s' is an image", options->data);
    if (!options->is_photo && (options->picture || options->patch))
        return cli_refuse(CLI_USAGE, "--picture and --patch need an image, but '%s' is a table", options->data);
    return CLI_GO_ON;
}

static cli_end check_outputs(cli_query_options *options) {
    if (!options->output)
        options->output = options->default_output = cli_default_name(options->data, "-pairs.csv");
    if (options->is_photo && !options->picture)
        options->picture = options->default_picture = cli_default_name(options->data, "-question.png");
    if (!options->output || (options->is_photo && !options->picture))
        return cli_out_of_memory();
    if (options->picture && strcmp(options->picture, "-") == 0)
        return cli_refuse(CLI_USAGE, "the image changes with every question and needs a file; name one with --picture");
    const cli_use uses[] = {{.name = "-o", .path = options->output, .writes = 1, .endings = "csv,txt"},
                            {.name = "--picture", .path = options->picture, .writes = 1, .endings = "png"},
                            {.name = "the input", .path = options->data}};
    return cli_check_files(uses, sizeof uses / sizeof *uses);
}

cli_end cli_query_check(cli_query_options *options) {
    options->data = cli_word(&options->common, 0);
    if (strcmp(options->data, "-") == 0)
        return cli_refuse(CLI_USAGE, "answers are read from standard input; name a file to ask about");
    cli_end end = find_kind(options);
    end = end == CLI_GO_ON ? check_kind(options) : end;
    return end == CLI_GO_ON ? check_outputs(options) : end;
}

/* --- Inputs. --- */

static seg_status read_photo(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_options segment;
    seg_options_default(&segment);
    segment.patch = options->patch;
    seg_status status = seg_image_read(ctx, options->data, &run->photo);
    if (status == SEG_OK)
        status = seg_photo_features(ctx, &run->photo, &segment, &run->grid, &run->features);
    run->n = run->features.rows;
    return status;
}

static seg_status read_table(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_status status = seg_vectors_read(ctx, options->data, options->label_column, &run->shown, &run->labels);
    run->n = run->shown.rows;
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
    seg_status status = seg_constraints_create(ctx, run->n, &run->known);
    if (status == SEG_OK)
        status = seg_constraints_create(ctx, run->n, &run->unknown);
    if (status == SEG_OK && run->earlier) {
        status = seg_constraints_read(ctx, options->output, options->is_photo ? &run->grid : NULL, 0, &run->known,
                                      &run->unknown);
    }
    const seg_active_spec spec = {
        .strategy = (seg_active_strategy)options->strategy,
        .k = options->k,
        .budget = options->queries ? (size_t)options->queries : SIZE_MAX,
        .n = run->n,
        .features = run->features.at ? &run->features : &run->shown,
        .known = &run->known,
        .unknown = &run->unknown,
    };
    return status == SEG_OK ? seg_active_create(ctx, &spec, &run->active) : status;
}

static cli_end read_all(seg_context *ctx, const cli_query_options *options, cli_query_run *run) {
    seg_status status = options->is_photo ? read_photo(ctx, options, run) : read_table(ctx, options, run);
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
    seg_image_free(&run->photo);
    free(run->earlier);
}

/* --- The questions. --- */

/* The file is complete after every answer, in case the program is stopped; standard output is written at the end. */
static cli_end save(seg_context *ctx, const cli_query_options *options, const cli_query_run *run, int last) {
    if ((strcmp(options->output, "-") == 0) != last)
        return CLI_GO_ON;
    seg_status status =
        seg_active_write(ctx, options->output, run->earlier, run->active, options->is_photo ? &run->grid : NULL);
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
        if (status == SEG_OK && more)
            status = cli_query_show(ctx, options, run, i, j);
        if (status != SEG_OK)
            return cli_fail(ctx, status, CLI_COMPUTING);
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
    free(options.default_picture);
    return end;
}
