/* The overlay as the options ask for it. */
#ifndef CLI_OVERLAY_DRAW_H
#define CLI_OVERLAY_DRAW_H

#include "photo_options.h"
#include "photo_run.h"

/* What the options need of each other and of the result. CLI_GO_ON, else how to end. */
cli_end cli_overlay_check(cli_photo_options *options);

/* Draw it in place of the image, which keeps its samples for a cut-out and gets an opacity then. */
seg_status cli_overlay_draw(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run);

#endif
