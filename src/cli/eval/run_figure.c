/* segment figure PHOTO SCRIBBLES TRUTH: one line of the papers' panel figure. */
#include "cli/common/commands.h"
#include "cli/common/file_uses.h"
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/eval/eval_options.h"
#include "evaluation/figures/panel.h"
#include "evaluation/runner/report_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct figure_options {
    cli_common common;
    const char *methods, *output;
    char *default_output; /* owned */
    int pairs, void_as_class, refine;
    seg_compared *compared; /* owned */
    int compared_count;
} figure_options;

#define AT(member) offsetof(figure_options, member)

static const seg_option rows[] = {
    {SEG_OPTION_ROW("methods", 0, TEXT, AT(methods)), .value = "LIST",
     .help = "Methods separated by commas, each NAME or NAME:PARAM=VALUE:... (default " CLI_EVAL_METHODS ")"},
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)), .value = "FILE",
     .help = "The figure: .pdf, .svg or .png (default PHOTO-figure.pdf in the working folder)"},
    {SEG_OPTION_ROW("pairs", 0, INT, AT(pairs)), SEG_OPTION_RANGE(1, 1000000), .value = "N",
     .help = "Without scribbles: draw N must-links and N cannot-links per class from the ground truth"},
    {SEG_OPTION_ROW("void", 0, CHOICE, AT(void_as_class)), SEG_OPTION_CHOICES(cli_void_names, 0), .value = "HOW",
     .initial = "ignore", .help = "Unlabelled pixels of the ground truth: ignore them, or make them a class"},
    {.name = "seed"},
    {.name = "refine", .offset = AT(refine)},
    {.name = "help"},
    {.name = "version"},
    {0}};

const cli_table cli_figure_table = {
    .command = "segment figure",
    .usage = "PHOTO SCRIBBLES TRUTH\n--pairs N PHOTO TRUTH",
    .about = "Draw side by side an image with its scribbles, its ground truth, and the masks of several methods with "
             "their pairwise accuracies.",
    .most_words = 3,
    .too_many = "figure takes an image, scribbles and a ground truth",
    .more = "See also the manual page segment-figure(1).",
    .rows = rows,
};

static cli_end check(seg_context *ctx, figure_options *options) {
    const seg_texts *files = &options->common.words;
    if (files->count != (options->pairs ? 2 : 3))
        return cli_refuse(CLI_USAGE, options->pairs
                                         ? "with --pairs two files are needed: segment figure --pairs N PHOTO TRUTH"
                                         : "figure needs three files: segment figure PHOTO SCRIBBLES TRUTH");
    if (!options->output) {
        options->output = options->default_output = cli_default_name(files->at[0], "-figure.pdf");
    }
    if (!options->output)
        return cli_out_of_memory();
    const char *dot = strrchr(options->output, '.');
    if (!dot || (strcmp(dot, ".pdf") != 0 && strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0))
        return cli_refuse(CLI_USAGE, "-o takes a name that ends in .pdf, .svg or .png, not '%s'", options->output);
    cli_use uses[4] = {{.name = "-o", .path = options->output, .writes = 1}};
    for (int i = 0; i < files->count; i++)
        uses[i + 1] = (cli_use){.name = "an input", .path = files->at[i]};
    const cli_end end = cli_check_files(uses, 1 + (size_t)files->count);
    return end == CLI_GO_ON ? cli_read_compared(ctx, options->methods ? options->methods : CLI_EVAL_METHODS,
                                                &options->compared, &options->compared_count)
                            : end;
}

static seg_status read_sample(seg_context *ctx, const figure_options *options, seg_sample *sample) {
    seg_status status = seg_image_read(ctx, options->common.words.at[0], &sample->photo);
    sample->truth = calloc(1, sizeof *sample->truth);
    if (status == SEG_OK && !sample->truth)
        status = SEG_ERR_MEMORY;
    if (status == SEG_OK) {
        status = seg_truth_read(ctx, options->common.words.at[options->common.words.count - 1], sample->truth);
        sample->truths = status == SEG_OK;
    }
    if (status == SEG_OK && options->void_as_class)
        status = seg_sample_void_as_class(ctx, sample);
    if (status == SEG_OK && !options->pairs)
        status = seg_scribbles_read(ctx, options->common.words.at[1], &sample->photo, NULL, &sample->scribbles, NULL);
    return status;
}

/* Add the image, the ground truth and one image per method; *failed counts the methods that failed. */
static seg_status fill(seg_context *ctx, const figure_options *options, const seg_sample *sample, seg_panel_row *row,
                       int *failed) {
    const seg_plan protocol = {.source = options->pairs ? SEG_SOURCE_PAIRS : SEG_SOURCE_SCRIBBLES,
                               .pairs = options->pairs,
                               .refine = (seg_refine)options->refine};
    seg_task task;
    seg_image small;
    seg_status status = seg_photo_reduced(ctx, &sample->photo, SEG_LAYOUT_SIDE, &small);
    if (status != SEG_OK)
        return status;
    if ((status = seg_task_begin(ctx, &protocol, sample, 0, &task)) == SEG_OK &&
        (status = seg_panel_row_create(ctx, &small, 2 + options->compared_count, row)) == SEG_OK &&
        (status = seg_panel_put_photo(ctx, row, 0, &small, task.scribbles.label ? &task.scribbles : NULL, " ")) ==
            SEG_OK)
        status = seg_panel_put_mask(ctx, row, 1, &small, &sample->truth[0], " ");
    for (int c = 0; c < options->compared_count && status == SEG_OK; c++) {
        seg_attempt attempt;
        seg_mask mask = {0};
        char caption[32];
        const seg_status made = seg_attempt_make(ctx, &task, &options->compared[c], &attempt, &mask);
        if (made == SEG_ERR_CANCELLED) {
            status = made;
        } else if (made != SEG_OK) {
            cli_say("warning: %s failed: %s", options->compared[c].label, attempt.message);
            ++*failed;
            status = seg_panel_put_photo(ctx, row, 2 + c, &small, NULL, "failed");
        } else {
            printf("%s %.6f\n", options->compared[c].label, attempt.scores.pairwise_accuracy);
            snprintf(caption, sizeof caption, "%.3f", attempt.scores.pairwise_accuracy);
            status = seg_panel_put_mask(ctx, row, 2 + c, &small, &mask, caption);
        }
        free(attempt.curve);
        seg_mask_free(&mask);
    }
    seg_task_end(&task);
    seg_image_free(&small);
    return status;
}

static cli_end draw(seg_context *ctx, const figure_options *options) {
    seg_sample sample = {0};
    seg_panel_row row = {0};
    const char **heading = calloc((size_t)options->compared_count + 2, sizeof *heading);
    int failed = 0;
    cli_phase phase = CLI_READING;
    seg_status status = heading ? read_sample(ctx, options, &sample) : SEG_ERR_MEMORY;
    if (status == SEG_OK && seg_truth_classes(&sample.truth[0]) < 2) {
        cli_say("'%s' has only one class; at least two are needed",
                options->common.words.at[options->common.words.count - 1]);
        free(heading);
        seg_sample_free(&sample);
        return CLI_INPUT;
    }
    if (status == SEG_OK) {
        cli_catch_signals();
        status = fill(ctx, options, &sample, &row, &failed);
    }
    if (status == SEG_OK) {
        heading[0] = "image";
        heading[1] = "ground truth";
        for (int c = 0; c < options->compared_count; c++)
            heading[2 + c] = options->compared[c].label;
        phase = CLI_WRITING;
        status = seg_panel_draw(ctx, &row, 1, heading, NULL, options->output);
    }
    free(heading);
    seg_panel_row_free(&row);
    seg_sample_free(&sample);
    if (status != SEG_OK)
        return cli_fail(ctx, status, phase);
    return cli_finish_output(failed ? CLI_PART : CLI_OK);
}

static cli_end work(seg_context *ctx, void *user) {
    figure_options *options = user;
    cli_end end = check(ctx, options);
    if (end == CLI_GO_ON) {
        seg_context_settings(ctx)->seed = (uint64_t)options->common.seed;
        cli_progress_start(ctx, CLI_PROGRESS_NONE, 0);
        end = draw(ctx, options);
    }
    free(options->compared);
    free(options->default_output);
    return end;
}

cli_end cli_run_figure(int argc, char **argv) {
    figure_options options = {.pairs = 0};
    return cli_run(&cli_figure_table, argc, argv, &options, work);
}
