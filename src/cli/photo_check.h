/* What takes more than one option, or the library, to check. */
#ifndef CLI_PHOTO_CHECK_H
#define CLI_PHOTO_CHECK_H

#include "photo_options.h"

/* Check the options of one image and make the names of its outputs; the files are not opened yet.
 * @return CLI_GO_ON, else how to end */
cli_end cli_photo_check(seg_context *ctx, cli_photo_options *options);

#endif
