#include "query_options.h"
#include "cluster_options.h"
#include "commands.h"
#include "endings.h"
#include "exit_codes.h"
#include "limits.h"
#include "numbers.h"
#include "output_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_label_columns[] = {"none", "first", "last", NULL};

enum {
    KEY_LABELS = CLI_KEY_FIRST_LONG,
    KEY_STRATEGY,
    KEY_QUERIES,
    KEY_PICTURE,
    KEY_PATCH,
    KEY_STANDARDISE,
    KEY_SEED,
    KEY_THREADS,
    KEY_MAX_MEMORY
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What to ask about:", 1},
    {"clusters", 'k', "K", 0, "Number of clusters or regions, if it is known; saves questions", 1},
    {"labels", KEY_LABELS, "WHERE", 0, "A column of DATA that holds labels and is left out: last, first or none", 1},
    {"standardise", KEY_STANDARDISE, NULL, 0, "Measure distances with every column at standard deviation 1", 1},
    {"patch", KEY_PATCH, "N", 0, "Side of an image's patches in pixels, as for segmenting it", 1},
    {"strategy", KEY_STRATEGY, "NAME", 0, "How to choose: explore-consolidate, explore, minmax or random", 1},
    {"queries", KEY_QUERIES, "N", 0, "Questions at most; without it, until you have had enough", 1},
    {"seed", KEY_SEED, "N", 0, "Seed of every random choice; the same seed and answers give the same questions", 1},
    {"threads", KEY_THREADS, "N", 0, "Threads, 0 for all processors; never changes the questions", 1},
    CLI_OPTION_MAX_MEMORY(KEY_MAX_MEMORY, 1),

    {NULL, 0, NULL, 0, "What to write:", 2},
    {"output", 'o', "FILE", 0,
     "The answers, continued if there are some; - is standard output (default DATA-pairs.csv)", 2},
    {"picture", KEY_PICTURE, "FILE", 0, "The image of an image's question (default DATA-question.png)", 2},
    {"quiet", 'q', NULL, 0, "Only the questions", 2},
    CLI_OPTION_VERBOSE(2),
    CLI_OPTION_HELP,
    CLI_OPTION_VERSION,
    {0}};

/* @return as cli_read_*: 0 where a sentence was printed; -1 for other keys */
static int parse_value(int key, const char *text, cli_query_options *options) {
    int choice = 0, good;
    switch (key) {
    case 'k':
        return cli_read_int("-k", text, 1, SEG_MAX_LABELS, &options->k);
    case KEY_LABELS:
        good = cli_read_choice("--labels", text, cli_label_columns, &choice);
        options->labels = text;
        options->label_column = (seg_label_column)choice;
        return good;
    case KEY_STRATEGY:
        return cli_read_choice("--strategy", text, cli_active_names, &options->strategy);
    case KEY_QUERIES:
        return cli_read_int("--queries", text, 1, 1000000, &options->queries);
    case KEY_PATCH:
        return cli_read_int("--patch", text, 0, 64, &options->patch);
    case KEY_MAX_MEMORY:
        return cli_read_bytes("--max-memory", text, &options->max_memory);
    case KEY_SEED:
        return cli_read_whole("--seed", text, 0, INT64_MAX, &options->seed);
    case KEY_THREADS:
        return cli_read_whole("--threads", text, 0, 1024, &options->threads);
    default:
        return -1;
    }
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    cli_query_options *options = state->input;
    int good = parse_value(key, text, options);
    if (good >= 0) {
        return good ? 0 : cli_rejected(state);
    }
    switch (key) {
    case 'o':
        options->output = text;
        return 0;
    case KEY_PICTURE:
        options->picture = text;
        return 0;
    case KEY_STANDARDISE:
        options->standardise = 1;
        return 0;
    case 'q':
        options->quiet = 1;
        return 0;
    case 'v':
        options->verbose++;
        return 0;
    case ARGP_KEY_ARG:
        if (options->data) {
            return cli_reject(state, "unexpected argument '%s': one table or image at a time, and it is '%s'", text,
                              options->data);
        }
        options->data = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_reject(state, "nothing to ask about; name a table or an image");
    default:
        return cli_parse_common(key, state);
    }
}

const struct argp cli_query_argp = {
    .options = table,
    .parser = parse_one,
    .args_doc = "DATA|PHOTO",
    .doc =
        "Ask you which samples belong together, and write your answers as constraints.\n\n"
        "DATA is a table as for 'segment cluster', PHOTO an image as for 'segment'. Each question names two rows, "
        "or "
        "shows two patches in an image; the answers are read from standard input, one per line: y(es), n(o), s(kip), "
        "u(ndo), q(uit). What follows from earlier answers is not asked.\v"
        "Defaults: --strategy explore-consolidate --seed 1 --threads 0.\n\n"
        "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
        "constraints, 130 interrupted; what was answered is kept in each case. The manual page segment-query(1) tells "
        "more.",
};

/* PNG, JPEG, TIFF and BMP begin with bytes that no table begins with: BMP has zeros behind its letters. */
static int find_kind(cli_query_options *options) {
    unsigned char head[16] = {0};
    FILE *file = fopen(options->data, "rb");
    if (!file) {
        cli_say("cannot read '%s': %s", options->data, strerror(errno));
        return CLI_INPUT;
    }
    size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    options->is_photo =
        size == sizeof head &&
        (memcmp(head, "\x89PNG", 4) == 0 || memcmp(head, "\xff\xd8\xff", 3) == 0 || memcmp(head, "II*\0", 4) == 0 ||
         memcmp(head, "MM\0*", 4) == 0 || (memcmp(head, "BM", 2) == 0 && memcmp(head + 6, "\0\0\0\0", 4) == 0));
    return -1;
}

static int check_kind(const cli_query_options *options) {
    if (options->is_photo && (options->labels || options->standardise)) {
        cli_say("--labels and --standardise are about a table, and '%s' is an image", options->data);
        return CLI_USAGE;
    }
    if (!options->is_photo && (options->picture || options->patch)) {
        cli_say("--picture and --patch are about an image, and '%s' is a table", options->data);
        return CLI_USAGE;
    }
    return -1;
}

static int check_outputs(cli_query_options *options) {
    if (!options->output) {
        options->output = options->default_output = cli_default_name(options->data, "-pairs.csv");
    }
    if (options->is_photo && !options->picture) {
        options->picture = options->default_picture = cli_default_name(options->data, "-question.png");
    }
    if (!options->output || (options->is_photo && !options->picture)) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    if (options->picture && strcmp(options->picture, "-") == 0) {
        cli_say("the image changes with every question and needs a file; name one with --picture");
        return CLI_USAGE;
    }
    const char *const inputs[] = {options->data};
    int code = cli_check_output(options->output, inputs, 1);
    if (code == -1 && options->picture) {
        code = cli_check_output(options->picture, inputs, 1);
    }
    if (code == -1 && options->picture && cli_same_output(options->output, options->picture)) {
        cli_say("answers and picture would both be written to '%s'", options->output);
        return CLI_USAGE;
    }
    code = code == -1 ? cli_check_ending("-o", options->output, "csv,txt") : code;
    code = code == -1 ? cli_check_ending("--picture", options->picture, "png") : code;
    return code;
}

int cli_query_options_parse(int argc, char **argv, cli_query_options *out) {
    memset(out, 0, sizeof *out);
    out->seed = 1;
    int code = cli_parse(&cli_query_argp, "segment query", argc, argv, out);
    if (code == -1 && strcmp(out->data, "-") == 0) {
        cli_say("standard input is where the answers are read from; name a file to ask about");
        code = CLI_USAGE;
    }
    code = code == -1 ? find_kind(out) : code;
    code = code == -1 ? check_kind(out) : code;
    return code == -1 ? check_outputs(out) : code;
}

void cli_query_options_free(cli_query_options *options) {
    free(options->default_output);
    free(options->default_picture);
    memset(options, 0, sizeof *options);
}
