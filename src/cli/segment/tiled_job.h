/* The main job for an image that is read by tiles. */
#ifndef CLI_SEGMENT_TILED_JOB_H
#define CLI_SEGMENT_TILED_JOB_H

#include "cli/segment/photo_options.h"
#include "cli/segment/photo_run.h"

/* Whether an image is read tile by tile: on request, or if it is a TIFF file that is too large to be read as a whole.
 */
int cli_tiled_wanted(seg_context *ctx, const cli_photo_options *options);

/* Refuse options that are impossible with tiles, and set the default name of the mask. @return CLI_GO_ON, or the exit
 * code */
cli_end cli_tiled_check(cli_photo_options *options);

/* Segment, write and report. @return the exit code */
cli_end cli_tiled_run(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run);

/* Whether a mask of this name is written as TIFF. */
int cli_is_tiff(const char *path);

#endif
