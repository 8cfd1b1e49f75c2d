/* What was probably meant by the words that stand for images. */
#ifndef CLI_EXPLAIN_PHOTOS_H
#define CLI_EXPLAIN_PHOTOS_H

#include "photo_options.h"

/* Refuse a command or an option's name that was mistyped, an image that is not there, and scribbles that lack their
 * option. @return CLI_GO_ON, else how to end */
cli_end cli_explain_photos(const cli_photo_options *options);

#endif
