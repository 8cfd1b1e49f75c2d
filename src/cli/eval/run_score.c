/* segment score MASK TRUTH */
#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

typedef struct score_options {
    cli_common common;
    const char *mask, *truth;
} score_options;

static const seg_option rows[] = {{.name = "json", .help = "Print the scores as JSON"}, CLI_LAST_ROWS};

const cli_table cli_score_table = {
    .command = "segment score",
    .usage = "MASK TRUTH",
    .least_words = 2,
    .too_few = "score needs two files: segment score MASK TRUTH",
    .most_words = 2,
    .too_many = "score takes one mask and one ground truth",
    .about = "Print how well a mask agrees with a ground truth.\n\n"
             "Palette and grey images are read as labels, RGB images as one label per colour; 255 (black in RGB) is "
             "void and left out. Only mean_dice and error_rate depend on which label has which number.",
    .more = "Scores: pairwise_accuracy (Rand index), clustering_error (under the best matching of labels), nmi "
            "(normalised mutual information), pairwise_f, mean_dice, error_rate, scored (pixels), scored_share (of all "
            "pixels).",
    .rows = rows,
};

/* Pixels that are void in both files may be a class, as 0 is often the background. */
static void warn_of_void(const score_options *options, const seg_mask *mask, const seg_mask *truth) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height;
    size_t both = 0;
    for (size_t p = 0; p < pixels; p++)
        both += mask->label[p] == SEG_VOID && truth->label[p] == SEG_VOID;
    if (both)
        cli_say("warning: %.1f %% of the pixels are 0 or 255 (or black) in both '%s' and '%s'; this means void, and "
                "they are not scored; if it is a class, give it a number from 1 to 254",
                100 * (double)both / (double)pixels, options->mask, options->truth);
}

static cli_end work(seg_context *ctx, void *user) {
    score_options *options = user;
    SEG_RELEASED(seg_mask_free) seg_mask mask = {0}, truth = {0};
    seg_scores scores = {0};
    options->mask = cli_word(&options->common, 0);
    options->truth = cli_word(&options->common, 1);
    if (strcmp(options->mask, "-") == 0 && strcmp(options->truth, "-") == 0)
        return cli_refuse(CLI_USAGE, "only one of the two can be standard input (-)");
    cli_progress_start(ctx, CLI_PROGRESS_NONE, 0);
    const int pages = cli_slices_of(ctx, options->mask, 1);
    const int slices = pages > 1 && cli_slices_of(ctx, options->truth, 1) == pages ? pages : 1;
    SEG_FREED char *of_mask = cli_pages_path(ctx, options->mask, slices);
    SEG_FREED char *of_truth = cli_pages_path(ctx, options->truth, slices);
    CLI_TRY(cli_allocated(of_mask && of_truth));
    CLI_TRY(cli_went(ctx, seg_truth_read(ctx, of_mask, &mask), CLI_READING));
    CLI_TRY(cli_went(ctx, seg_truth_read(ctx, of_truth, &truth), CLI_READING));
    CLI_TRY(cli_went(ctx, cli_score_masks(ctx, &mask, &truth, &scores), CLI_READING));
    const cli_scored scored = cli_count_scored(&truth, NULL);
    warn_of_void(options, &mask, &truth);
    if (options->common.json)
        return cli_json_print(stdout,
                              json_pack("{s:s, s:s, s:o, s:o, s:o}", "program", "segment", "version", seg_version(),
                                        "mask", cli_json_text(options->mask), "truth", cli_json_text(options->truth),
                                        "scores", cli_json_scores(&scores, &scored)));
    cli_print_scores(stdout, &scores, &scored);
    return cli_finish_output(CLI_OK);
}

CLI_COMMAND_RUNS(score, score_options, .mask = NULL, work)
