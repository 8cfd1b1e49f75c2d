/* What was probably meant by the words that stand for photographs. */
#ifndef CLI_EXPLAIN_PHOTOS_H
#define CLI_EXPLAIN_PHOTOS_H

#include "photo_options.h"

/* Refuse a command or an option's name that was mistyped, a photograph that is not there, and scribbles that lack their
 * option. @return -1 to go on, else the exit code */
int cli_explain_photos(const cli_photo_options *options);

#endif
