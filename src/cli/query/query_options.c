#include "cli/query/query_options.h"
#include "cli/cluster/cluster_options.h"
#include "cli/common/errors.h"
#include "cli/common/extensions.h"
#include "cli/common/paths.h"
#include "cli/segment/output_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_label_columns[] = {"none", "first", "last", NULL};

#define AT(member) offsetof(cli_query_options, member)

static const seg_option rows[] = {
    {SEG_OPTION_ROW("clusters", 'k', INT, AT(k)), SEG_OPTION_RANGE(1, SEG_MAX_LABELS),
     SEG_OPTION_SAID("K", NULL, NULL, "Number of clusters or regions, if known; saves questions"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("labels", 0, CHOICE, AT(label_column)), SEG_OPTION_CHOICES(cli_label_columns, 0),
     SEG_OPTION_SAID("WHERE", "none", NULL, "Column of DATA that contains labels and is left out: last, first or none"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("standardise", 0, FLAG, AT(standardise)),
     SEG_OPTION_SAID(NULL, NULL, NULL, "Measure distances with every column at standard deviation 1"),
     SEG_OPTION_KIND(INPUT, 0)},
    {.name = "patch",
     .offset = AT(patch),
     .help = "Side of a patch of the image in pixels, as for segmenting it",
     .group = SEG_OPTIONS_INPUT},
    {SEG_OPTION_ROW("strategy", 0, CHOICE, AT(strategy)), SEG_OPTION_CHOICES(cli_active_names, 0),
     SEG_OPTION_SAID("NAME", "explore-consolidate", NULL,
                     "How pairs are chosen: explore-consolidate, explore, minmax or random"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("queries", 0, INT, AT(queries)), SEG_OPTION_RANGE(1, 1000000),
     SEG_OPTION_SAID("N", NULL, NULL, "Largest number of questions; default: until you quit"),
     SEG_OPTION_KIND(INPUT, 0)},
    {.name = "seed",
     .group = SEG_OPTIONS_INPUT,
     .help = "Seed of every random choice; the same seed and answers give the same questions"},
    {.name = "threads", .group = SEG_OPTIONS_INPUT},
    {.name = "max-memory", .group = SEG_OPTIONS_INPUT},

    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)),
     SEG_OPTION_SAID("FILE", NULL, NULL,
                     "The answers; an existing file is continued; - is standard output (default DATA-pairs.csv)"),
     SEG_OPTION_KIND(OUTPUT, 0)},
    {SEG_OPTION_ROW("picture", 0, TEXT, AT(picture)),
     SEG_OPTION_SAID("FILE", NULL, NULL, "Image that shows the patches of a question (default DATA-question.png)"),
     SEG_OPTION_KIND(OUTPUT, 0)},
    {.name = "quiet", .group = SEG_OPTIONS_OUTPUT, .help = "Print the questions only"},
    {.name = "verbose", .group = SEG_OPTIONS_OUTPUT},
    {.name = "help", .group = SEG_OPTIONS_OUTPUT},
    {.name = "version", .group = SEG_OPTIONS_OUTPUT},
    {0}};

const cli_table cli_query_table = {
    .command = "segment query",
    .usage = "DATA|PHOTO",
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
    const char *const inputs[] = {options->data};
    cli_end end = cli_check_output(options->output, inputs, 1);
    if (end == CLI_GO_ON && options->picture)
        end = cli_check_output(options->picture, inputs, 1);
    if (end == CLI_GO_ON && options->picture && cli_same_output(options->output, options->picture))
        return cli_refuse(CLI_USAGE, "answers and image would both be written to '%s'", options->output);
    end = end == CLI_GO_ON ? cli_check_extension("-o", options->output, "csv,txt") : end;
    end = end == CLI_GO_ON ? cli_check_extension("--picture", options->picture, "png") : end;
    return end;
}

cli_end cli_query_options_parse(int argc, char **argv, cli_query_options *out) {
    memset(out, 0, sizeof *out);
    cli_set_defaults(&cli_query_table, out);
    cli_end end = cli_parse(&cli_query_table, argc, argv, out);
    out->data = cli_word(&out->common, 0);
    if (end == CLI_GO_ON && !out->data)
        end = cli_refuse(CLI_USAGE, "no input given; name a table or an image");
    if (end == CLI_GO_ON)
        end = cli_most_words(&out->common, 1, "one table or image at a time");
    if (end == CLI_GO_ON && strcmp(out->data, "-") == 0)
        end = cli_refuse(CLI_USAGE, "answers are read from standard input; name a file to ask about");
    end = end == CLI_GO_ON ? find_kind(out) : end;
    end = end == CLI_GO_ON ? check_kind(out) : end;
    return end == CLI_GO_ON ? check_outputs(out) : end;
}

void cli_query_options_free(cli_query_options *options) {
    free(options->common.words.at);
    free(options->default_output);
    free(options->default_picture);
    memset(options, 0, sizeof *options);
}
