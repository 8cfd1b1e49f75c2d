/* Messages for words that are not images. */
#ifndef CLI_SEGMENT_EXPLAIN_PHOTOS_H
#define CLI_SEGMENT_EXPLAIN_PHOTOS_H

#include "cli/segment/photo_options.h"

/* Refuse a mistyped command or option, a missing image, and scribbles without their option, with a suggestion. @return
 * CLI_GO_ON, or the exit code */
cli_end cli_explain_photos(const cli_photo_options *options);

#endif
