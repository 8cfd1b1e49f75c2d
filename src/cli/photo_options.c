#include "photo_options.h"
#include "exit_codes.h"
#include "numbers.h"
#include "output_names.h"
#include "photo_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_graph_names[] = {"knn", "grid", "both", NULL};
const char *const cli_contradictions_names[] = {"refuse", "drop", NULL};
const char *const cli_refine_names[] = {"none", "fast", NULL};
static const char *const progress_names[] = {"auto", "none", "json", NULL};

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
    KEY_SIGMA,
    KEY_PAIRS,
    KEY_CONSTRAINTS,
    KEY_CONTRADICTIONS,
    KEY_RESTARTS,
    KEY_REFINE,
    KEY_LABELMAP,
    KEY_TRUTH,
    KEY_JSON,
    KEY_SEED,
    KEY_THREADS,
    KEY_PROGRESS
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What to segment:", 1},
    {"scribbles", KEY_SCRIBBLES, "MARKS", 0,
     "Picture with a few strokes in every region, of the photograph's size; strokes painted on a copy of the "
     "photograph "
     "are found too",
     1},
    {"regions", 'k', "K", 0, "Number of regions; without it, the number of labels in MARKS", 1},
    {"constraints", KEY_CONSTRAINTS, "FILE", 0, "Further must-links and cannot-links, one a line", 1},
    {"labelmap", KEY_LABELMAP, "FILE", 0, "Which colour of MARKS is which label", 1},

    {NULL, 0, NULL, 0, "What to write:", 2},
    {"output", 'o', "MASK", 0, "The mask, an 8-bit palette PNG; - is standard output (default PHOTO-mask.png)", 2},
    {"overlay", KEY_OVERLAY, "FILE", 0, "The photograph with the regions drawn on it (default PHOTO-overlay.png)", 2},
    {"no-overlay", KEY_NO_OVERLAY, NULL, 0, "Draw no overlay", 2},
    {"alpha", KEY_ALPHA, "A", 0, "Strength of the overlay's tint, 0 to 1", 2},
    {"outline", KEY_OUTLINE, "W", 0, "Width of the overlay's outlines in pixels, 0 to 32", 2},
    {"truth", KEY_TRUTH, "FILE", 0, "Score the mask against this ground truth", 2},
    {"json", KEY_JSON, NULL, 0, "Report everything about the run as JSON on standard output", 2},

    {NULL, 0, NULL, 0, "How to segment:", 3},
    {"method", KEY_METHOD, "M", 0,
     "Method; 'segment methods' lists them (default enpakl, or ncut without scribbles and constraints)", 3},
    {"param", KEY_PARAM, "NAME=VALUE", 0, "Parameter of the method; may be given several times", 3},
    {"patch", KEY_PATCH, "N", 0, "Side of a patch in pixels, 1 to 64; 0: 5 up to a megapixel, larger beyond", 3},
    {"features", KEY_FEATURES, "SPEC", 0,
     "Features and their weights, as in mean,spread=0.5,position=2; of mean, spread, position, histogram, "
     "lab-histogram, texture",
     3},
    {"graph", KEY_GRAPH, "KIND", 0, "Edges between patches: knn, grid or both", 3},
    {"knn", KEY_KNN, "N", 0, "Nearest neighbours of a patch in the graph", 3},
    {"sigma", KEY_SIGMA, "S", 0, "Width of the Gaussian edge weights; 0 takes it from the data", 3},
    {"pairs", KEY_PAIRS, "N", 0, "Use N sampled must-links and cannot-links a label; 0 uses all pairs", 3},
    {"contradictions", KEY_CONTRADICTIONS, "WHAT", 0, "Contradictory constraints: refuse, or drop the later ones", 3},
    {"restarts", KEY_RESTARTS, "N", 0, "Restarts of the final k-means", 3},
    {"refine", KEY_REFINE, "HOW", 0, "Boundaries at pixel resolution: none (blocks) or fast", 3},
    {"seed", KEY_SEED, "N", 0, "Seed of every random choice; the same seed gives the same bytes", 3},
    {"threads", KEY_THREADS, "N", 0, "Threads, 0 for all processors; never changes the result", 3},

    {NULL, 0, NULL, 0, "What to say:", 4},
    {"progress", KEY_PROGRESS, "HOW", 0, "Progress on standard error: auto (a bar on a terminal), none or json", 4},
    {"quiet", 'q', NULL, 0, "No warnings and no bar", 4},
    {"verbose", 'v', NULL, 0, "Say what is found and done; twice for more", 4},
    CLI_OPTION_HELP,
    CLI_OPTION_VERSION,
    {0}};

/* Values of the segmentation itself. @return as cli_read_*: 0 where a sentence was printed; -1 for other keys */
static int parse_segment_option(int key, const char *text, seg_options *options) {
    int choice = 0, good;
    switch (key) {
    case 'k':
        return cli_read_int("-k", text, 1, SEG_MAX_LABELS, &options->k);
    case KEY_PATCH:
        return cli_read_int("--patch", text, 0, 64, &options->patch);
    case KEY_GRAPH:
        good = cli_read_choice("--graph", text, cli_graph_names, &choice);
        options->graph.kind = good ? (seg_graph_kind)(choice + 1) : options->graph.kind;
        return good;
    case KEY_KNN:
        return cli_read_int("--knn", text, 1, 1000, &options->graph.neighbours);
    case KEY_SIGMA:
        return cli_read_real("--sigma", text, 0, INFINITY, &options->graph.sigma);
    case KEY_PAIRS:
        return cli_read_int("--pairs", text, 0, 1000000, &options->sample_pairs);
    case KEY_CONTRADICTIONS:
        good = cli_read_choice("--contradictions", text, cli_contradictions_names, &choice);
        options->contradictions = (seg_contradictions)choice;
        return good;
    case KEY_RESTARTS:
        return cli_read_int("--restarts", text, 1, 100000, &options->restarts);
    case KEY_REFINE:
        good = cli_read_choice("--refine", text, cli_refine_names, &choice);
        options->refine = (seg_refine)choice;
        return good;
    default:
        return -1;
    }
}

/* Values of everything around it, with the same result. */
static int parse_value(int key, const char *text, cli_photo_options *options) {
    switch (key) {
    case KEY_ALPHA:
        return cli_read_real("--alpha", text, 0, 1, &options->style.alpha);
    case KEY_OUTLINE:
        return cli_read_int("--outline", text, 0, 32, &options->style.outline);
    case KEY_SEED:
        return cli_read_whole("--seed", text, 0, INT64_MAX, &options->seed);
    case KEY_THREADS:
        return cli_read_whole("--threads", text, 0, 1024, &options->threads);
    case KEY_PROGRESS:
        return cli_read_choice("--progress", text, progress_names, &options->progress);
    default:
        return parse_segment_option(key, text, &options->segment);
    }
}

/* Where the text of an option goes that is used as it stands; NULL for other keys. */
static const char **text_option(int key, cli_photo_options *options) {
    switch (key) {
    case KEY_SCRIBBLES:
        return &options->scribbles;
    case KEY_CONSTRAINTS:
        return &options->constraints;
    case KEY_LABELMAP:
        return &options->labelmap;
    case KEY_TRUTH:
        return &options->truth;
    case 'o':
        return &options->mask;
    case KEY_OVERLAY:
        return &options->overlay;
    case KEY_METHOD:
        return &options->method_name;
    case KEY_FEATURES:
        return &options->features;
    default:
        return NULL;
    }
}

static error_t parse_one(int key, char *text, struct argp_state *state) {
    cli_photo_options *options = state->input;
    const char **target = text_option(key, options);
    if (target) {
        *target = text;
        return 0;
    }
    int good = parse_value(key, text, options);
    if (good >= 0) {
        return good ? 0 : cli_rejected(state);
    }
    switch (key) {
    case KEY_PARAM:
        options->param[options->params++] = text;
        return 0;
    case KEY_NO_OVERLAY:
        options->no_overlay = 1;
        return 0;
    case KEY_JSON:
        options->json = 1;
        return 0;
    case 'q':
        options->quiet = 1;
        return 0;
    case 'v':
        options->verbose++;
        return 0;
    case ARGP_KEY_ARG:
        if (options->photo) {
            return cli_reject(state, "unexpected argument '%s': one photograph at a time, and it is '%s'", text,
                              options->photo);
        }
        options->photo = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_reject(state, "no photograph given; 'segment --help' tells how to name one");
    default:
        return cli_parse_common(key, state);
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

static const struct argp photo_argp = {
    .options = table,
    .parser = parse_one,
    .args_doc = "PHOTO",
    .doc = "Cut a photograph into regions from a few scribbles.\n\n"
           "PHOTO is a PNG, JPEG or BMP file, - standard input. Other commands:\n"
           "  segment cluster DATA       clusters of vectors, a graph or a kernel\n"
           "  segment query DATA|PHOTO   asks you what belongs together\n"
           "  segment score MASK TRUTH   agreement of a mask with a ground truth\n"
           "  segment methods            the methods and their parameters\n"
           "  segment help [COMMAND]     this help, or that of a command\n"
           "A photograph with such a name is ./score or -- score.\v"
           "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
           "constraints, 130 interrupted. The manual page segment(1) tells more.",
    .help_filter = filter_help,
};

int cli_photo_help(void) {
    return cli_help(&photo_argp, "segment");
}

int cli_photo_options_parse(seg_context *ctx, int argc, char **argv, cli_photo_options *out) {
    memset(out, 0, sizeof *out);
    seg_options_default(&out->segment);
    seg_overlay_style_default(&out->style);
    out->seed = 1;
    out->param = calloc((size_t)argc + 1, sizeof *out->param); /* no more than there are arguments */
    if (!out->param) {
        cli_say("out of memory");
        return CLI_FAILED;
    }
    int code = cli_parse(&photo_argp, "segment", argc, argv, out);
    if (code == -1) {
        code = cli_photo_check(ctx, out);
    }
    return code == -1 ? cli_output_names(out) : code;
}

void cli_photo_options_free(cli_photo_options *options) {
    free(options->param);
    free(options->default_mask);
    free(options->default_overlay);
    memset(options, 0, sizeof *options);
}
