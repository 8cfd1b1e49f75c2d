#include "overlay_draw.h"
#include "say.h"

#include <stdlib.h>

static int any_label(const uint8_t labels[32]) {
    int any = 0;
    for (int i = 0; i < 32; i++)
        any |= labels[i];
    return any;
}

cli_end cli_overlay_check(cli_photo_options *options) {
    const int cutout = options->overlay_style == CLI_OVERLAY_CUTOUT;
    if (cutout && !any_label(options->cutout_labels)) {
        cli_say("--overlay-style cutout needs --cutout-labels LABELS, the regions that are cut out");
        return CLI_USAGE;
    }
    if (!cutout && any_label(options->cutout_labels)) {
        cli_say("--cutout-labels is of --overlay-style cutout only");
        return CLI_USAGE;
    }
    if (cutout && options->legend) {
        cli_say("--legend and --overlay-style cutout exclude each other: a cut-out has the image's colours");
        return CLI_USAGE;
    }
    if (options->no_overlay && (options->legend || cutout)) {
        cli_say("--no-overlay and %s exclude each other", options->legend ? "--legend" : "--overlay-style cutout");
        return CLI_USAGE;
    }
    options->segment.probability |= cutout;
    return CLI_GO_ON;
}

static seg_status cut_out(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    const seg_result *result = run->result;
    const seg_region_scores scores = {result->probability, result->column_label, result->k};
    const size_t pixels = (size_t)result->mask.width * (size_t)result->mask.height;
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
    const seg_status status = seg_overlay_draw_over(ctx, &run->photo, &run->result->mask, &style);
    if (status != SEG_OK || !options->legend)
        return status;
    return seg_overlay_add_legend(ctx, &run->photo, &run->result->mask, &style, &run->labelmap);
}
