/* Checks of the options and files of one image, before any work. */
#ifndef CLI_SEGMENT_PHOTO_CHECK_H
#define CLI_SEGMENT_PHOTO_CHECK_H

#include "cli/common/file_uses.h"
#include "cli/segment/photo_options.h"

/* Check the options of one image and set the names of its outputs; files are not opened yet. @return CLI_GO_ON, or the
 * exit code */
cli_end cli_photo_check(seg_context *ctx, cli_photo_options *options);

/* List all files that a run reads and writes, *count of them at *uses, which is to be freed in every case. @return
 * CLI_GO_ON, or the exit code */
cli_end cli_list_uses(const cli_photo_options *options, cli_use **uses, size_t *count);

#endif
