/* Checks whether strokes and answers suffice for a mask, and the number of its regions. */
#include "paint/solver/solver.h"

#include <stdio.h>

const char paint_contradiction[] =
    "An answer contradicts a stroke or another answer: undo one, or choose the tool that deletes and click the answer.";

/* The least number of regions that satisfies strokes and answers together; *least is 0 if they contradict each other.
 */
static seg_status count_regions(seg_context *ctx, const seg_mask *scribbles, const paint_pairs *pairs,
                                const seg_options *options, int *least) {
    const seg_patch_grid grid = seg_patch_layout_of(options, scribbles->width, scribbles->height).grid;
    char message[SEG_MESSAGE_SIZE];
    seg_constraints all = {0};
    seg_status status = seg_constraints_from_scribbles(ctx, scribbles, &grid, &all);
    if (status == SEG_OK)
        status = paint_pairs_constrain(ctx, pairs, &grid, &all, NULL, message);
    *least = status == SEG_OK ? paint_least_regions(ctx, &all, options->contradictions) : 0;
    seg_constraints_free(&all);
    return status;
}

static const char *what_lacks(int drawn, size_t pairs) {
    if (!pairs)
        return drawn ? "Now draw a stroke of another label." : "Draw a stroke in each region.";
    return drawn ? "Now draw a stroke of another label, or continue answering."
                 : "All answers so far are for the same region: continue answering, or draw a stroke in each region.";
}

static void check_model(seg_context *ctx, const seg_options *options, paint_outcome *out) {
    if (out->pairs)
        snprintf(out->message, sizeof out->message,
                 "Answers cannot be combined with a model: delete them, or start segment paint without --model.");
    else if (seg_options_check(ctx, options) != SEG_OK)
        snprintf(out->message, sizeof out->message,
                 "%.300s (options of this image; reset them with O, As the defaults)", seg_context_message(ctx));
}

seg_status paint_check_snapshot(seg_context *ctx, paint_snapshot *snapshot, seg_constraints *answers,
                                paint_outcome *out) {
    seg_mask *scribbles = &snapshot->scribbles;
    seg_options *options = &snapshot->options;
    const paint_pairs *pairs = &snapshot->pairs;
    const size_t pixels = (size_t)scribbles->width * (size_t)scribbles->height;
    const seg_patch_grid grid = seg_patch_layout_of(options, scribbles->width, scribbles->height).grid;
    seg_status status = SEG_OK;
    out->drawn = paint_labels_of(scribbles->label, pixels, &scribbles->labels);
    out->pairs = pairs->count - paint_pairs_of_sign(pairs, 0);
    if (options->model) {
        check_model(ctx, options, out);
        return SEG_OK;
    }
    if (out->pairs) {
        int least = 0;
        status = seg_constraints_create(ctx, (size_t)grid.columns * (size_t)grid.rows, answers);
        if (status == SEG_OK)
            status = paint_pairs_constrain(ctx, pairs, &grid, answers, NULL, out->message);
        if (out->message[0])
            return SEG_OK;
        if (status == SEG_OK)
            status = count_regions(ctx, scribbles, pairs, options, &least);
        if (status != SEG_OK)
            return status;
        if (!least)
            snprintf(out->message, sizeof out->message, "%s", paint_contradiction);
        else if (!options->k && least > out->drawn)
            options->k = out->k = least;
    }
    if (!out->message[0] && ((!out->drawn && !out->pairs) || (out->drawn < 2 && options->k < 2)))
        snprintf(out->message, sizeof out->message, "%s", what_lacks(out->drawn, out->pairs));
    return SEG_OK;
}
