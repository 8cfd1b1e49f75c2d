/* The main job for an image that is read by tiles. */
#ifndef CLI_TILED_JOB_H
#define CLI_TILED_JOB_H

#include "photo_options.h"
#include "photo_run.h"

/* Whether an image is segmented by tiles: it is asked for, or the image is a TIFF that is too large to be read as a
 * whole. */
int cli_tiled_wanted(seg_context *ctx, const cli_photo_options *options);

/* Refuse the options that tiles cannot have, and name the mask where nobody did. CLI_GO_ON, else how to end. */
cli_end cli_tiled_check(cli_photo_options *options);

/* Segment, write and tell. @return the exit code */
cli_end cli_tiled_run(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run);

/* Whether a mask of this name is written as TIFF. */
int cli_is_tiff(const char *path);

#endif
