/* File names, and streams in place of files. */
#ifndef CLI_COMMON_PATHS_H
#define CLI_COMMON_PATHS_H

#include <limits.h>

/* "-": standard input or output. NULL is not. */
int cli_is_stream(const char *path);

/* "folder/coffee.jpg" gives "coffee" + ending, in the working folder; NULL if out of memory. */
char *cli_default_name(const char *input, const char *ending);

/* The stem of the names of outputs without a name of their own: "out/coffee" for a mask "out/coffee.png", and
 * "PHOTO-mask" in the working folder for a mask on standard output or in a device. NULL if out of memory. */
char *cli_mask_stem(const char *photo, const char *mask);

/* A device or a pipe: it is written directly, and two outputs may share it. */
int cli_is_special(const char *path);

/* Copy the folder part of a path into `folder` ("." if there is none). @return the name after it */
const char *cli_split_path(const char *path, char folder[PATH_MAX]);

#endif
