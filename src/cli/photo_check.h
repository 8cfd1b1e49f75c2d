/* What takes more than one option, or the library, to check. */
#ifndef CLI_PHOTO_CHECK_H
#define CLI_PHOTO_CHECK_H

#include "photo_options.h"

/* Find the method, set its parameters and the features, check everything. @return CLI_GO_ON, else how to end */
cli_end cli_photo_check(seg_context *ctx, cli_photo_options *options);

#endif
