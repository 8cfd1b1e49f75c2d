/* Checks that involve several options or the library. */
#ifndef CLI_SEGMENT_PHOTO_CHECK_H
#define CLI_SEGMENT_PHOTO_CHECK_H

#include "cli/segment/photo_options.h"

/* Check the options of one image and set the names of its outputs; files are not opened yet. @return CLI_GO_ON, or the
 * exit code */
cli_end cli_photo_check(seg_context *ctx, cli_photo_options *options);

#endif
