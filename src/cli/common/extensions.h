/* Checks of the extensions of output names. */
#ifndef CLI_COMMON_EXTENSIONS_H
#define CLI_COMMON_EXTENSIONS_H

#include "cli/common/exit_codes.h"

/* Refuse a name whose ending is another format's than these.
 * @param what     the output as messages call it
 * @param path     a name without an ending, "-" and what is not a regular file are any; NULL is none
 * @param endings  "png", or several with commas between; "" is a folder, whose name must not look like a file's
 * @return CLI_GO_ON, else how to end */
cli_end cli_check_extension(const char *what, const char *path, const char *endings);

/* The next ending of a list as above with its point, ".png"; moves *list behind it. 0 where there is none. */
int cli_next_ending(const char **list, char ending[16]);

#endif
