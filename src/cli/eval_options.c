#include "eval_options.h"
#include "commands.h"
#include "exit_codes.h"
#include "fields.h"
#include "limits.h"
#include "numbers.h"
#include "photo_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const cli_void_names[] = {"ignore", "class", NULL};

#define DEFAULT_PAIRS "50"

enum {
    KEY_DATASET = CLI_KEY_FIRST_LONG,
    KEY_TRUTH,
    KEY_SCRIBBLES,
    KEY_METHODS,
    KEY_PAIRS,
    KEY_SIMULATED_USER,
    KEY_VOID,
    KEY_REPEATS,
    KEY_SEED,
    KEY_REFINE,
    KEY_JOBS,
    KEY_SHARD,
    KEY_MERGE,
    KEY_RESTART,
    KEY_PANEL,
    KEY_NO_TIMING,
    KEY_PROGRESS,
    KEY_MAX_MEMORY,
    KEY_TIMEOUT
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What to evaluate:", 1},
    {"dataset", KEY_DATASET, "LAYOUT", 0, "Layout of the data set: auto, msrc, icgbench, grabcut, bsds or folder", 1},
    {"truth", KEY_TRUTH, "FOLDER", 0, "Ground truths are in this folder, not in the layout's own", 1},
    {"scribbles", KEY_SCRIBBLES, "FOLDER", 0, "Scribbles are in this folder; for grabcut the name of one inside DIR",
     1},
    {"marks", KEY_SCRIBBLES, "FOLDER", OPTION_HIDDEN, NULL, 1}, /* the earlier name */
    {"methods", KEY_METHODS, "LIST", 0,
     "Methods between commas, each NAME or NAME:PARAM=VALUE:...; auto is the default "
     "method",
     1},
    {"out", 'o', "FOLDER", 0, "Folder of the report; a run that was interrupted goes on there", 1},

    {NULL, 0, NULL, 0, "Constraints (strokes of the data set; " DEFAULT_PAIRS " pairs where it has none):", 2},
    {"pairs", KEY_PAIRS, "N", 0, "Draw N must-links and N cannot-links a class from the truth", 2},
    {"simulated-user", KEY_SIMULATED_USER, "N", 0,
     "Strokes of a simulated user: one per region, then N in the largest errors", 2},
    {"robot", KEY_SIMULATED_USER, "N", OPTION_HIDDEN, NULL, 2}, /* the earlier name */
    {"void", KEY_VOID, "HOW", 0, "What the truth leaves open: ignore, or a class of its own", 2},
    {"repeats", KEY_REPEATS, "N", 0, "Repeat everything with other random choices", 2},
    {"seed", KEY_SEED, "N", 0, "Seed of every random choice; the same seed gives the same report", 2},
    {"refine", KEY_REFINE, "HOW", 0, "Patches to pixels: none, fast or best", 2},

    {NULL, 0, NULL, 0, "How to share the work:", 3},
    {"jobs", KEY_JOBS, "N", 0, "Images at once; 0 for all processors", 3},
    {"max-memory", KEY_MAX_MEMORY, "SIZE", 0,
     "Memory limit of each process: bytes, or with K, M, G or KiB, MiB, GiB; a plan that needs more is adapted, or the "
     "image's record says so",
     3},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0, "An image that takes longer is ended, and its record says so", 3},
    {"shard", KEY_SHARD, "I/N", 0, "Do the I-th of N parts only, without a report", 3},
    {"merge", KEY_MERGE, NULL, 0, "Make the report of the parts in --out, or in the folders named", 3},
    {"restart", KEY_RESTART, NULL, 0, "Forget what an interrupted run has done", 3},

    {NULL, 0, NULL, 0, "What to write and say:", 4},
    {"panel", KEY_PANEL, "NAMES", 0, "Images of the panel figure, between commas", 4},
    {"no-timing", KEY_NO_TIMING, NULL, 0, "Leave seconds and memory out of the report", 4},
    {"progress", KEY_PROGRESS, "HOW", 0, "Progress on standard error: auto (a bar on a terminal), none or json", 4},
    {"quiet", 'q', NULL, 0, "No table, no warnings and no bar", 4},
    {"verbose", 'v', NULL, 0, "Say what is found and done", 4},
    CLI_OPTION_HELP,
    CLI_OPTION_VERSION,
    {0}};

static int read_shard(const char *text, cli_eval_options *options) {
    char *slash = strchr(text, '/'), first[16];
    if (slash && (size_t)(slash - text) < sizeof first) {
        memcpy(first, text, (size_t)(slash - text));
        first[slash - text] = 0;
        return cli_read_int("--shard's N", slash + 1, 1, 1000000, &options->shards) &&
               cli_read_int("--shard's I", first, 1, options->shards, &options->shard);
    }
    cli_say("--shard takes I/N, as 1/4, not '%s'", text);
    return 0;
}

/* @return as cli_read_*: 0 where a sentence was printed; -1 for other keys */
static int parse_value(int key, const char *text, cli_eval_options *options) {
    switch (key) {
    case KEY_PAIRS:
        return cli_read_int("--pairs", text, 1, 1000000, &options->pairs);
    case KEY_SIMULATED_USER:
        return cli_read_int("--simulated-user", text, 1, 1000, &options->simulated);
    case KEY_VOID:
        return cli_read_choice("--void", text, cli_void_names, &options->void_as_class);
    case KEY_REPEATS:
        return cli_read_int("--repeats", text, 1, 10000, &options->repeats);
    case KEY_SEED:
        return cli_read_whole("--seed", text, 0, INT64_MAX, &options->seed);
    case KEY_REFINE:
        return cli_read_choice("--refine", text, cli_refine_names, &options->refine);
    case KEY_MAX_MEMORY:
        return cli_read_bytes("--max-memory", text, &options->max_memory);
    case KEY_TIMEOUT:
        return cli_read_real("--timeout", text, 0.001, 1e9, &options->timeout);
    case KEY_JOBS:
        return cli_read_int("--jobs", text, 0, 64, &options->jobs);
    case KEY_SHARD:
        return read_shard(text, options);
    case KEY_PROGRESS:
        return cli_read_choice("--progress", text, cli_progress_names, &options->progress);
    default:
        return -1;
    }
}

static const char **text_option(int key, cli_eval_options *options) {
    switch (key) {
    case KEY_DATASET:
        return &options->dataset;
    case KEY_TRUTH:
        return &options->truth;
    case KEY_SCRIBBLES:
        return &options->scribbles;
    case KEY_METHODS:
        return &options->methods;
    case 'o':
        return &options->out;
    default:
        return NULL;
    }
}

static int *flag(int key, cli_eval_options *options) {
    switch (key) {
    case KEY_MERGE:
        return &options->merge;
    case KEY_RESTART:
        return &options->restart;
    case KEY_NO_TIMING:
        return &options->no_timing;
    case 'q':
        return &options->quiet;
    case 'v':
        return &options->verbose;
    default:
        return NULL;
    }
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    cli_eval_options *options = state->input;
    const char **target = text_option(key, options);
    int *on = flag(key, options);
    if (target) {
        *target = text;
        return 0;
    }
    if (on) {
        *on = 1;
        return 0;
    }
    int good = parse_value(key, text, options);
    if (good >= 0) {
        return good ? 0 : cli_rejected(state);
    }
    switch (key) {
    case KEY_PANEL:
        free(options->panel);
        options->panel = strdup(text);
        return options->panel ? 0 : ENOMEM;
    case ARGP_KEY_ARG:
        options->folder[options->folders++] = text;
        return 0;
    default:
        return cli_parse_common(key, state);
    }
}

const struct argp cli_eval_argp = {
    .options = table,
    .parser = parse_one,
    .args_doc = "DIR\n--merge [FOLDER...]",
    .doc = "Run methods over a data set and write a report: tables, figures and a page to look at.\v"
           "Defaults: --dataset auto --methods " CLI_EVAL_METHODS " --out report --void ignore --repeats 1 --seed 1 "
           "--refine fast --jobs 0 --progress auto.\n\n"
           "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 no data set, 5 done but for images that "
           "could not be read or methods that failed, 130 interrupted. The manual page segment-eval(1) tells more.",
};

int cli_read_compared(seg_context *ctx, const char *list, seg_compared **compared, int *count) {
    int room = 1;
    for (const char *c = list; *c; c++) {
        room += *c == ',';
    }
    char *copy = strdup(list), *next = NULL;
    *compared = calloc((size_t)room, sizeof **compared);
    *count = 0;
    if (!copy || !*compared) {
        free(copy);
        cli_say("out of memory");
        return CLI_FAILED;
    }
    int code = -1;
    for (char *word = strtok_r(copy, ",", &next); word && code == -1; word = strtok_r(NULL, ",", &next)) {
        seg_status status = seg_compared_parse(ctx, word, &(*compared)[*count]);
        for (int c = 0; c < *count && status == SEG_OK; c++) {
            if (strcasecmp((*compared)[c].label, word) == 0) {
                cli_say("--methods names '%s' twice", word);
                code = CLI_USAGE;
            }
        }
        code = status == SEG_OK ? code : cli_fail(ctx, status, CLI_COMPUTING);
        ++*count;
    }
    free(copy);
    if (code == -1 && *count == 0) {
        cli_say("--methods names no method; 'segment methods' lists them");
        code = CLI_USAGE;
    }
    return code;
}

static int cut_panel(cli_eval_options *options) {
    size_t count = 0;
    char *next = NULL;
    options->shown = calloc(strlen(options->panel) + 2, sizeof *options->shown);
    if (!options->shown) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    for (char *word = strtok_r(options->panel, ",", &next); word; word = strtok_r(NULL, ",", &next)) {
        options->shown[count++] = word;
    }
    return -1;
}

static int refuse(const char *sentence) {
    cli_say("%s", sentence);
    return CLI_USAGE;
}

static int check(seg_context *ctx, cli_eval_options *options) {
    if (options->merge && options->shards) {
        return refuse("--merge makes the report of parts that are done, and --shard does one; give one of them");
    }
    if (options->merge && (options->methods || options->pairs || options->simulated || options->dataset ||
                           options->truth || options->scribbles)) {
        return refuse("--merge takes data set, methods and constraints from the parts; leave these options out");
    }
    if (!options->merge && options->folders != 1) {
        return refuse(options->folders ? "one data set at a time" : "no data set; name its folder");
    }
    if (options->pairs && options->simulated) {
        return refuse("--pairs and --simulated-user exclude each other; give one");
    }
    options->dataset = options->dataset ? options->dataset : "auto";
    if (options->panel) {
        int code = cut_panel(options);
        if (code != -1) {
            return code;
        }
    }
    if (options->merge) {
        return -1;
    }
    return cli_read_compared(ctx, options->methods ? options->methods : CLI_EVAL_METHODS, &options->compared,
                             &options->compared_count);
}

int cli_eval_options_parse(seg_context *ctx, int argc, char **argv, cli_eval_options *out) {
    memset(out, 0, sizeof *out);
    out->out = "report";
    out->repeats = 1;
    out->seed = 1;
    out->refine = SEG_REFINE_FAST;
    out->folder = calloc((size_t)argc + 1, sizeof *out->folder); /* no more than there are arguments */
    if (!out->folder) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    int code = cli_parse(&cli_eval_argp, "segment eval", argc, argv, out);
    return code == -1 ? check(ctx, out) : code;
}

void cli_eval_options_free(cli_eval_options *options) {
    free(options->folder);
    free(options->compared);
    free(options->panel);
    free(options->shown);
    memset(options, 0, sizeof *options);
}
