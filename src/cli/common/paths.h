/* Names, contents and hashes of files, and streams in place of files. */
#pragma once

#include "cli/common/messages.h"

#include <segment/segment.h>

#include <limits.h>

/* "-": standard input or output. NULL is not. */
int cli_is_stream(const char *path);

/* "out/stack-mask.png" gives "out/stack-mask.tif"; NULL if out of memory. */
char *cli_stack_name(const char *mask);
/* "folder/coffee.jpg" gives "coffee" + ending, in the working folder; NULL if out of memory. */
char *cli_default_name(const char *input, const char *ending);
/* The name of a folder without the slashes at its end; NULL if out of memory. */
char *cli_without_slash(const char *folder);
/* The order of two paths by these names, without ending. */
int cli_by_base(const void *a, const void *b);

/* The stem of the names of outputs without a name of their own: "out/coffee" for a mask "out/coffee.png", and
 * "PHOTO-mask" in the working folder for a mask on standard output or in a device. NULL if out of memory. */
char *cli_mask_stem(const char *photo, const char *mask);

/* 1 if there is no such file; "stack.tif[3]" is a page of a file. */
int cli_is_missing(const char *path);
/* A device or a pipe: it is written directly, and two outputs may share it. */
int cli_is_special(const char *path);

/* Copy the folder part of a path into `folder` ("." if there is none). @return the name after it */
const char *cli_split_path(const char *path, char folder[PATH_MAX]);

/* --- Checks of the extensions of output names. --- */

/* Refuse a name whose ending is another format's than these.
 * @param what     the output as messages call it
 * @param path     a name without an ending, "-" and what is not a regular file are any; NULL is none
 * @param endings  "png", or several with commas between; "" is a folder, whose name must not look like a file's
 * @return CLI_GO_ON, else how to end */
cli_end cli_check_extension(const char *what, const char *path, const char *endings);

/* The next ending of a list as above with its point, ".png"; moves *list behind it. 0 where there is none. */
int cli_next_ending(const char **list, char ending[16]);

/* --- SHA-256 of files and masks. --- */

#define CLI_HASH_SIZE 65 /* characters of a hash in hexadecimal, the final 0 included */

/* Of a file's bytes. */
cli_end cli_hash_file(const char *path, char text[CLI_HASH_SIZE]);
/* Of "WIDTH HEIGHT\n" and the labels row by row. */
void cli_hash_mask(const seg_mask *mask, char text[CLI_HASH_SIZE]);
