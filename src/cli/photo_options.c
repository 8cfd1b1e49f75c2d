#include "photo_options.h"
#include "commands.h"
#include "exit_codes.h"
#include "limits.h"
#include "output_names.h"
#include "photo_check.h"

#include <stdlib.h>
#include <string.h>

const char *const cli_graph_names[] = {"knn", "grid", "both", "full", NULL};
const char *const cli_contradictions_names[] = {"refuse", "drop", NULL};
const char *const cli_refine_names[] = {"none", "fast", "best", NULL};

enum {
    KEY_PARAM = CLI_KEY_FIRST_LONG,
    KEY_SCRIBBLES,
    KEY_METHOD,
    KEY_OVERLAY,
    KEY_NO_OVERLAY,
    KEY_ALPHA,
    KEY_OUTLINE,
    KEY_PATCH,
    KEY_FEATURES,
    KEY_GRAPH,
    KEY_KNN,
    KEY_EDGES,
    KEY_SIGMA,
    KEY_PAIRS,
    KEY_CONSTRAINTS,
    KEY_CONTRADICTIONS,
    KEY_RESTARTS,
    KEY_REFINE,
    KEY_LABELMAP,
    KEY_EXPORT,
    KEY_TRUTH,
    KEY_PROB,
    KEY_UNCERTAINTY,
    KEY_SAVE_RUN,
    KEY_JSON,
    KEY_SEED,
    KEY_THREADS,
    KEY_PROGRESS,
    KEY_REDUCE,
    KEY_REACH,
    KEY_MAX_MEMORY,
    KEY_TIMEOUT
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What to segment:", 1},
    {"scribbles", KEY_SCRIBBLES, "SCRIBBLES", 0,
     "Picture with a few strokes in every region, of the image's size; strokes painted on a copy of the "
     "image "
     "are found too",
     1},
    {"regions", 'k', "K", 0, "Number of regions; without it, the number of labels in SCRIBBLES", 1},
    {"constraints", KEY_CONSTRAINTS, "FILE", 0, "Further must-links and cannot-links, one per line", 1},
    {"labelmap", KEY_LABELMAP, "FILE", 0, "Which colour of SCRIBBLES is which label", 1},

    {NULL, 0, NULL, 0, "What to write:", 2},
    {"output", 'o', "MASK", 0, "The mask, an 8-bit palette PNG; - is standard output (default PHOTO-mask.png)", 2},
    {"overlay", KEY_OVERLAY, "FILE", 0, "The image with the regions drawn on it (default PHOTO-overlay.png)", 2},
    {"no-overlay", KEY_NO_OVERLAY, NULL, 0, "Draw no overlay", 2},
    {"alpha", KEY_ALPHA, "A", 0, "Strength of the overlay's tint, 0 to 1", 2},
    {"outline", KEY_OUTLINE, "W", 0, "Width of the overlay's outlines in pixels, 0 to 32", 2},
    {"prob", KEY_PROB, "FILE.npy", 0,
     "How much each pixel belongs to each label: height x width x labels numbers of single precision that sum to 1", 2},
    {"uncertainty", KEY_UNCERTAINTY, "FILE.png", 0,
     "Grey picture of 1 - (best - second best) of these numbers: black is certain, white undecided", 2},
    {"export", KEY_EXPORT, "KIND[=FILE]", 0,
     "The mask for other programs too: coco, yolo, geojson, svg, npy, labelme or masks (a folder with an image a "
     "label); may be given several times (default: the mask's name with another ending)",
     2},
    {"truth", KEY_TRUTH, "FILE", 0, "Score the mask against this ground truth", 2},
    {"save-run", KEY_SAVE_RUN, "FILE.json", 0,
     "Everything that makes the result, for 'segment replay': version, options, seed, the inputs' SHA-256", 2},
    {"json", KEY_JSON, NULL, 0, "Report everything about the run as JSON on standard output", 2},

    {NULL, 0, NULL, 0, "How to segment:", 3},
    {"method", KEY_METHOD, "M", 0,
     "Method; 'segment methods' lists them (default auto, or ncut without scribbles and constraints)", 3},
    {"param", KEY_PARAM, "NAME=VALUE", 0, "Parameter of the method; may be given several times", 3},
    {"patch", KEY_PATCH, "N", 0, "Side of a patch in pixels, 1 to 64; 0: 5 up to 0.6 megapixels, larger beyond", 3},
    {"reduce", KEY_REDUCE, "N", 0,
     "Compute features on a copy of the image N times smaller; N divides the patch's side; 0: as that side says", 3},
    {"features", KEY_FEATURES, "SPEC", 0,
     "Features and their weights, as in mean,spread=0.5,position=2; of mean, spread, position, histogram, "
     "lab-histogram, texture",
     3},
    {"graph", KEY_GRAPH, "KIND", 0,
     "Edges between patches: knn, grid, both, or full: every pair, by mean colour, for ncut, ccskl and ccsr", 3},
    {"knn", KEY_KNN, "N", 0, "Nearest neighbours of a patch in the graph", 3},
    {"edges", KEY_EDGES, "WHICH", 0, "Join two patches where either is among the other's nearest, or mutual: both are",
     3},
    {"sigma", KEY_SIGMA, "S[,S...]", 0,
     "Width of the Gaussian edge weights, 0 from the data; several: the mean of all; local: local scaling", 3},
    {"pairs", KEY_PAIRS, "N", 0, "Use N sampled must-links and cannot-links per label; 0 uses all pairs", 3},
    {"contradictions", KEY_CONTRADICTIONS, "WHAT", 0, "Contradictory constraints: refuse, or drop the later ones", 3},
    {"restarts", KEY_RESTARTS, "N", 0, "Restarts of the final k-means", 3},
    {"refine", KEY_REFINE, "HOW", 0, "Boundaries at pixel resolution: none (blocks), fast or best", 3},
    {"reach", KEY_REACH, "N", 0, "Refine fast works within so many pixels of a border, 1 to 1000; 0: 40", 3},
    CLI_OPTION_SEED(KEY_SEED, 3),
    CLI_OPTION_THREADS(KEY_THREADS),
    CLI_OPTION_MAX_MEMORY(KEY_MAX_MEMORY, 3),
    CLI_OPTION_TIMEOUT(KEY_TIMEOUT, 3),

    {NULL, 0, NULL, 0, "What to say:", 4},
    CLI_OPTION_PROGRESS(KEY_PROGRESS, 4),
    {"quiet", 'q', NULL, 0, "No warnings and no bar", 4},
    CLI_OPTION_VERBOSE(4),
    CLI_OPTION_HELP,
    CLI_OPTION_VERSION,
    {0}};

#define FIELD(key, kind, member, ...)                                                                                  \
    { key, CLI_FIELD_##kind, offsetof(cli_photo_options, member), __VA_ARGS__ }

static const cli_field fields[] = {
    FIELD(KEY_SCRIBBLES, TEXT, scribbles, 0, 0, NULL),
    FIELD('k', INT, segment.k, 1, SEG_MAX_LABELS, NULL),
    FIELD(KEY_CONSTRAINTS, TEXT, constraints, 0, 0, NULL),
    FIELD(KEY_LABELMAP, TEXT, labelmap, 0, 0, NULL),
    FIELD('o', TEXT, mask, 0, 0, NULL),
    FIELD(KEY_OVERLAY, TEXT, overlay, 0, 0, NULL),
    FIELD(KEY_NO_OVERLAY, COUNT, no_overlay, 0, 0, NULL),
    FIELD(KEY_ALPHA, REAL, style.alpha, 0, 1, NULL),
    FIELD(KEY_OUTLINE, INT, style.outline, 0, 32, NULL),
    FIELD(KEY_PROB, TEXT, probability, 0, 0, NULL),
    FIELD(KEY_UNCERTAINTY, TEXT, uncertainty, 0, 0, NULL),
    FIELD(KEY_EXPORT, TEXTS, export_texts, 0, 0, NULL),
    FIELD(KEY_TRUTH, TEXT, truth, 0, 0, NULL),
    FIELD(KEY_SAVE_RUN, TEXT, save_run, 0, 0, NULL),
    FIELD(KEY_JSON, COUNT, json, 0, 0, NULL),
    FIELD(KEY_METHOD, TEXT, method_name, 0, 0, NULL),
    FIELD(KEY_PARAM, TEXTS, param, 0, 0, NULL),
    FIELD(KEY_PATCH, INT, segment.patch, 0, 64, NULL),
    FIELD(KEY_FEATURES, TEXT, features, 0, 0, NULL),
    FIELD(KEY_GRAPH, CHOICE, segment.graph.kind, SEG_GRAPH_KNN, 0, cli_graph_names),
    FIELD(KEY_KNN, INT, segment.graph.neighbours, 1, 1000, NULL),
    FIELD(KEY_EDGES, CHOICE, segment.graph.mutual, 0, 0, cli_edges_names),
    FIELD(KEY_SIGMA, WIDTHS, segment.graph, 0, 0, NULL),
    FIELD(KEY_PAIRS, INT, segment.sample_pairs, 0, 1000000, NULL),
    FIELD(KEY_CONTRADICTIONS, CHOICE, segment.contradictions, 0, 0, cli_contradictions_names),
    FIELD(KEY_RESTARTS, INT, segment.restarts, 1, 100000, NULL),
    FIELD(KEY_REFINE, CHOICE, segment.refine, 0, 0, cli_refine_names),
    FIELD(KEY_REDUCE, INT, segment.reduce, 0, 64, NULL),
    FIELD(KEY_REACH, INT, segment.reach, 0, 1000, NULL),
    FIELD(KEY_MAX_MEMORY, BYTES, max_memory, 0, 0, NULL),
    FIELD(KEY_TIMEOUT, REAL, timeout, 0.001, 1e9, NULL),
    FIELD(KEY_SEED, SEED, seed, 0, 0, NULL),
    FIELD(KEY_THREADS, INT, threads, 0, 1024, NULL),
    FIELD(KEY_PROGRESS, CHOICE, progress, 0, 0, cli_progress_names),
    FIELD('q', COUNT, quiet, 0, 0, NULL),
    FIELD('v', COUNT, verbose, 0, 0, NULL),
    {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    cli_photo_options *options = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        options->photos.at[options->photos.count++] = text;
        options->photo = options->photos.at[0];
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_reject(state, "no image given; 'segment --help' tells how to name one");
    default:
        options->knn_given |= key == KEY_KNN;
        return cli_parse_field(fields, key, text, state);
    }
}

/* The defaults at the end of the help come from the library, so that they are never out of date. */
static char *filter_help(int key, const char *text, void *input) {
    (void)input;
    if (key == ARGP_KEY_HELP_DUP_ARGS_NOTE) {
        return NULL;
    }
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    seg_options options;
    seg_overlay_style style;
    seg_options_default(&options);
    seg_overlay_style_default(&style);
    char features[256] = "", *all = NULL;
    size_t used = 0;
    for (int kind = 0; kind < SEG_FEATURE_KINDS && used < sizeof features; kind++) {
        if (options.features.weight[kind] > 0) {
            used += (size_t)snprintf(features + used, sizeof features - used, "%s%s=%g", used ? "," : "",
                                     seg_feature_name((seg_feature_kind)kind), options.features.weight[kind]);
        }
    }
    if (asprintf(&all,
                 "Defaults: --patch %d --features %s --graph %s --knn %d --sigma %g --pairs %d "
                 "--contradictions %s --restarts %d --refine %s --alpha %g --outline %d --seed 1 --threads 0 "
                 "--progress auto.\n\n%s",
                 options.patch, features, cli_graph_names[options.graph.kind - 1], options.graph.neighbours,
                 options.graph.sigma, options.sample_pairs, cli_contradictions_names[options.contradictions],
                 options.restarts, cli_refine_names[options.refine], style.alpha, style.outline, text) < 0) {
        return (char *)text;
    }
    return all;
}

void cli_photo_options_each(const cli_photo_options *options,
                            void (*put)(void *user, const char *name, const char *text), void *user) {
    char text[1024];
    for (const cli_field *field = fields; field->kind != CLI_FIELD_END; field++) {
        const struct argp_option *row = table;
        while (row->key != field->key) {
            row++;
        }
        if (field->key == KEY_KNN && options->segment.graph.kind == SEG_GRAPH_FULL) {
            continue; /* excluded by it */
        }
        const char *value = cli_field_text(field, (const char *)options + field->offset, text, sizeof text);
        if (value) {
            put(user, row->name, value);
        }
    }
}

const struct argp cli_photo_argp = {
    .options = table,
    .parser = parse_one,
    .args_doc = "PHOTO...",
    .doc =
        "Cut an image into regions from a few scribbles.\n\n"
        "PHOTO is a PNG, JPEG, TIFF or BMP file, - standard input. Several, or a folder of them: --scribbles, --truth "
        "and "
        "--constraints may then name folders (NAME-scribbles.png for image NAME.jpg), outputs must. Other commands:\n"
        "  segment cluster DATA       clusters of vectors, a graph or a kernel\n"
        "  segment query DATA|PHOTO   asks you what belongs together\n"
        "  segment eval DIR           methods over a data set, and a report\n"
        "  segment figure PHOTO ...   masks of several methods side by side\n"
        "  segment experiment NAME    an experiment of the papers\n"
        "  segment replay RUN.json    the same result again from what --save-run wrote\n"
        "  segment score MASK TRUTH   agreement of a mask with a ground truth\n"
        "  segment methods            the methods and their parameters\n"
        "  segment completion SHELL   what makes bash, zsh or fish complete all this\n"
        "  segment help [COMMAND]     this help, or that of a command\n"
        "An image with such a name is ./score or -- score.\v"
        "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
        "constraints, 5 some of several images failed, 6 more memory is needed than --max-memory allows, 124 "
        "--timeout is "
        "over, 130 interrupted. The manual page segment(1) tells more.",
    .help_filter = filter_help,
};

int cli_photo_options_read(int argc, char **argv, cli_photo_options *out) {
    memset(out, 0, sizeof *out);
    seg_options_default(&out->segment);
    seg_overlay_style_default(&out->style);
    out->seed = 1;
    int code = cli_texts_create(argc, &out->param);
    code = code == -1 ? cli_texts_create(argc, &out->export_texts) : code;
    code = code == -1 ? cli_texts_create(argc, &out->photos) : code;
    return code == -1 ? cli_parse(&cli_photo_argp, "segment", argc, argv, out) : code;
}

int cli_photo_options_parse(seg_context *ctx, int argc, char **argv, cli_photo_options *out) {
    int code = cli_photo_options_read(argc, argv, out);
    if (code == -1 && out->photos.count > 1) {
        cli_say("unexpected argument '%s': one image at a time, and it is '%s'", out->photos.at[1], out->photo);
        return CLI_USAGE;
    }
    code = code == -1 ? cli_photo_check(ctx, out) : code;
    return code == -1 ? cli_output_names(out) : code;
}

void cli_photo_options_free(cli_photo_options *options) {
    cli_exports_free(&options->exports);
    free(options->param.at);
    free(options->export_texts.at);
    free(options->photos.at);
    free(options->default_mask);
    free(options->default_overlay);
    memset(options, 0, sizeof *options);
}
