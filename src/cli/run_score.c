/* segment score MASK TRUTH */
#include "arguments.h"
#include "commands.h"
#include "exit_codes.h"
#include "json_out.h"
#include "progress.h"
#include "scores.h"

#include <inttypes.h>
#include <string.h>

typedef struct score_options {
    cli_arguments arguments;
    const char *mask, *truth;
    int json;
} score_options;

enum { KEY_JSON = CLI_KEY_FIRST_LONG };

static const struct argp_option table[] = {
    {"json", KEY_JSON, NULL, 0, "Print the scores as JSON", 0}, CLI_OPTION_HELP, CLI_OPTION_VERSION, {0}};

static error_t parse_one(int key, char *text, struct argp_state *state) {
    score_options *options = state->input;
    switch (key) {
    case KEY_JSON:
        options->json = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (options->truth) {
            return cli_reject(state, "unexpected argument '%s': score takes one mask and one ground truth", text);
        }
        *(options->mask ? &options->truth : &options->mask) = text;
        return 0;
    case ARGP_KEY_END:
        if (!options->truth) {
            return cli_reject(state, "score needs two files: segment score MASK TRUTH");
        }
        return 0;
    default:
        return cli_parse_common(key, state);
    }
}

const struct argp cli_score_argp = {
    .options = table,
    .parser = parse_one,
    .args_doc = "MASK TRUTH",
    .doc = "Print how well a mask agrees with a ground truth.\n\n"
           "Palette and grey pictures are read as labels, RGB pictures as a label a colour; 255 (black in RGB) is void "
           "and left out. Names of labels matter to mean_dice and error_rate only."
           "\vScores: pairwise_accuracy (Rand index), clustering_error (under the best matching of labels), nmi "
           "(normalised mutual information), pairwise_f, mean_dice, error_rate, scored (pixels), scored_share (of all "
           "pixels).",
};

seg_status cli_score_masks(seg_context *ctx, const seg_mask *mask, const seg_mask *truth, seg_scores *out) {
    seg_contingency met = {0};
    seg_status status = seg_contingency_masks(ctx, mask, truth, &met);
    if (status == SEG_OK) {
        status = seg_score(ctx, &met, out);
    }
    seg_contingency_free(&met);
    return status;
}

void cli_print_scores(const seg_scores *scores) {
    printf("pairwise_accuracy %.6f\nclustering_error %.6f\nnmi %.6f\npairwise_f %.6f\nmean_dice %.6f\n"
           "error_rate %.6f\nscored %" PRIu64 "\n",
           scores->pairwise_accuracy, scores->clustering_error, scores->nmi, scores->pairwise_f, scores->mean_dice,
           scores->error_rate, scores->scored);
}

cli_scored cli_count_scored(const seg_mask *truth, const seg_mask *scribbles) {
    cli_scored out = {.pixels = (uint64_t)truth->width * (uint64_t)truth->height, .has_scribbles = scribbles != NULL};
    for (uint64_t p = 0; p < out.pixels; p++) {
        out.scored += truth->label[p] != SEG_VOID;
        out.unmarked += truth->label[p] != SEG_VOID && (!scribbles || scribbles->label[p] == 0);
    }
    return out;
}

void cli_print_scored(const cli_scored *scored) {
    printf("scored_share %.6f\n", scored->pixels ? (double)scored->scored / (double)scored->pixels : 0);
    if (scored->has_scribbles) {
        printf("scored_unmarked %" PRIu64 "\n", scored->unmarked);
    }
}

static int print_json(const score_options *options, const seg_scores *scores, const cli_scored *scored) {
    return cli_json_print(json_pack("{s:s, s:s, s:o, s:o, s:o}", "program", "segment", "version", seg_version(), "mask",
                                    cli_json_text(options->mask), "truth", cli_json_text(options->truth), "scores",
                                    cli_json_scored(scores, scored)));
}

int cli_run_score(int argc, char **argv) {
    score_options options = {.json = 0};
    int code = cli_parse(&cli_score_argp, "segment score", argc, argv, &options);
    if (code != -1) {
        return code;
    }
    if (strcmp(options.mask, "-") == 0 && strcmp(options.truth, "-") == 0) {
        cli_say("only one of the two can be standard input (-)");
        return CLI_USAGE;
    }
    seg_mask mask = {0}, truth = {0};
    seg_scores scores = {0};
    seg_context *ctx = cli_context_create();
    if (!ctx) {
        return CLI_FAILED;
    }
    cli_progress_start(ctx, CLI_PROGRESS_NONE, 0);
    seg_status status = seg_truth_read(ctx, options.mask, &mask);
    if (status == SEG_OK) {
        status = seg_truth_read(ctx, options.truth, &truth);
    }
    if (status == SEG_OK) {
        status = cli_score_masks(ctx, &mask, &truth, &scores);
    }
    const cli_scored scored = status == SEG_OK ? cli_count_scored(&truth, NULL) : (cli_scored){0};
    if (status != SEG_OK) {
        code = cli_fail(ctx, status, CLI_READING);
    } else if (options.json) {
        code = print_json(&options, &scores, &scored);
    } else {
        cli_print_scores(&scores);
        cli_print_scored(&scored);
        code = cli_finish_output(CLI_OK);
    }
    seg_mask_free(&mask);
    seg_mask_free(&truth);
    seg_context_free(ctx);
    return code;
}
