/* The run of an image that is read tile by tile. */
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/segment/photo_run.h"

#define LARGEST_FILE ((size_t)1 << 30) /* bytes that are read as a whole */
#define REST         ((size_t)64000000) /* bytes that a run needs besides file, image, scribbles and mask, approximately */

int cli_is_tiff(const char *path) {
    return seg_ends_in(path, ".tif") || seg_ends_in(path, ".tiff");
}

int cli_tiled_wanted(seg_context *ctx, const cli_photo_options *options) {
    seg_image_header header;
    if (options->tiled || strcmp(options->photo, "-") == 0 || options->gather)
        return options->tiled;
    if (seg_image_header_read(ctx, options->photo, 1, &header) != SEG_OK)
        return 0; /* the reader of the image reports why, or reads it as a whole */
    const size_t pixels = (size_t)header.width * (size_t)header.height, sample = header.depth == 16 ? 2 : 1;
    const size_t whole = header.file_bytes + pixels * (3 * sample + 2) + REST, limit = options->common.max_memory;
    return header.width > SEG_MAX_SIDE || header.height > SEG_MAX_SIDE || pixels > SEG_MAX_PIXELS ||
           header.file_bytes > LARGEST_FILE || (header.tiled && limit && whole > limit);
}

cli_end cli_tiled_check(cli_photo_options *options) {
    static const char *const others[] = {"constraints", "model",  "patch",      "reduce",       "prob",
                                         "uncertainty", "export", "table",      "truth",        "save-run",
                                         "start",       "json",   "no-unknown", "cutout-labels"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_given(&cli_photo_table, options, others[i]))
            return cli_refuse(CLI_USAGE,
                              "--%s cannot be used for an image that is read tile by tile ('%s'%s); leave it out, or "
                              "segment a smaller image",
                              others[i], options->photo,
                              options->tiled ? "" : ", which is too large to be read as a whole");
    if (strcmp(options->photo, "-") == 0)
        return cli_refuse(CLI_USAGE, "--tiled needs a file: standard input cannot be read twice");
    if (!options->mask)
        options->mask = cli_photo_own(options, cli_default_name(options->photo, "-mask.tif"));
    if (!options->mask)
        return CLI_FAILED;
    if (!cli_is_tiff(options->mask))
        return cli_refuse(
            CLI_USAGE,
            "the mask of an image that is read tile by tile is a TIFF file; give a name like -o mask.tif, not '%s'",
            options->mask);
    return CLI_GO_ON;
}

/* All reading is done before the mask is complete. */
static cli_phase phase_of(const seg_context *ctx, seg_status status) {
    seg_context_info info;
    if (status != SEG_ERR_IO)
        return CLI_COMPUTING;
    seg_context_about(ctx, &info);
    return info.stages && strcmp(info.stage[info.stages - 1].name, "writing") == 0 ? CLI_WRITING : CLI_READING;
}

cli_end cli_tiled_job(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run) {
    run->started = seg_now();
    if (options->labelmap)
        CLI_TRY(cli_went(ctx, seg_labelmap_read(ctx, options->labelmap, &run->labelmap), CLI_READING));
    const seg_tiled_job job = {.image = options->photo,
                               .scribbles = options->scribbles,
                               .map = options->labelmap ? &run->labelmap : NULL,
                               .options = &options->segment,
                               .mask = options->mask};
    cli_catch_signals();
    const seg_status status = seg_segment_tiled(ctx, &job, &run->photo, &run->result);
    cli_bar_clear();
    CLI_TRY(cli_went(ctx, status, phase_of(ctx, status)));
    if (options->names)
        CLI_TRY(cli_went(ctx, seg_labelmap_set_names(ctx, options->names, &run->labelmap), CLI_WRITING));
    if (options->overlay) {
        CLI_TRY(cli_went(ctx, cli_draw_overlay(ctx, options, run), CLI_WRITING));
        CLI_TRY(cli_went(ctx, seg_image_write_png(ctx, options->overlay, &run->photo, NULL), CLI_WRITING));
    }
    run->seconds = seg_now() - run->started;
    cli_tiled_report(options, run);
    return CLI_OK;
}
