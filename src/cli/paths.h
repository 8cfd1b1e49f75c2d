/* Names of files, and what stands in place of one. */
#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include <limits.h>

/* "-": standard input or output. NULL is not. */
int cli_is_stream(const char *path);

/* "folder/coffee.jpg" gives "coffee" + ending, in the working folder; NULL without memory. */
char *cli_default_name(const char *input, const char *ending);

/* What outputs that have no name of their own are named after: "out/coffee.png" gives "out/coffee", and a mask on
 * standard output or in a device gives "PHOTO-mask" in the working folder. NULL without memory. */
char *cli_mask_stem(const char *photo, const char *mask);

/* A device or a pipe: written to as it is, and it can take two outputs. */
int cli_is_special(const char *path);

/* The folder part of a path in `folder` ("." where there is none); the name behind it is returned. */
const char *cli_split_path(const char *path, char folder[PATH_MAX]);

#endif
