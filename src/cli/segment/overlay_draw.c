#include "cli/common/messages.h"
#include "cli/segment/photo_run.h"

#include <stdlib.h>

/* Warn of requested labels without pixels; do not refuse them, since one of several images may lack a region. */
static void warn_of_missing(const cli_photo_options *options, const seg_mask *mask) {
    int there[256] = {0}, left = 0, missing = 0;
    for (size_t p = 0; p < (size_t)mask->width * (size_t)mask->height; p++)
        there[mask->label[p]] = 1;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        if (options->cutout_labels[l / 8] >> l % 8 & 1) {
            left |= there[l];
            missing = missing || there[l] ? missing : l;
        }
    if (!left)
        cli_say("warning: no pixel has a label of --cutout-labels: the cut-out is empty");
    else if (missing && options->cutout_labels[31] >> 6 == 0) /* not of all labels */
        cli_say("warning: no pixel has label %d of --cutout-labels", missing);
}

static seg_status cut_out(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const seg_result *result = run->result;
    const seg_region_scores scores = {result->probability, result->column_label, result->k};
    const size_t pixels = (size_t)result->mask.width * (size_t)result->mask.height;
    if (!options->common.quiet)
        warn_of_missing(options, &result->mask);
    run->alpha = malloc(pixels);
    return run->alpha ? seg_cutout_alpha(ctx, &result->mask, &scores, options->cutout_labels, run->alpha)
                      : SEG_ERR_MEMORY;
}

seg_status cli_overlay_draw(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    seg_overlay_style style = options->style;
    if (options->overlay_style == CLI_OVERLAY_CUTOUT)
        return cut_out(ctx, options, run);
    style.alpha = options->overlay_style == CLI_OVERLAY_OUTLINE ? 0 : style.alpha;
    style.outline = options->overlay_style == CLI_OVERLAY_TINT ? 0 : style.outline;
    style.legend = options->legend;
    style.names = &run->labelmap;
    return seg_overlay_draw(ctx, &run->photo, &run->result->mask, &style, &run->photo);
}
