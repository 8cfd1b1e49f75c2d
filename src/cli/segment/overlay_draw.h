/* The overlay as the options ask for it. */
#ifndef CLI_SEGMENT_OVERLAY_DRAW_H
#define CLI_SEGMENT_OVERLAY_DRAW_H

#include "cli/segment/photo_options.h"
#include "cli/segment/photo_run.h"

/* Check that the options fit together and fit the result. @return CLI_GO_ON, or the exit code */
cli_end cli_overlay_check(cli_photo_options *options);

/* Draw the overlay over the samples of the image; a cut-out keeps the samples and adds an opacity. */
seg_status cli_overlay_draw(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run);

#endif
