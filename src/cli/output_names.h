/* Where the results go. */
#ifndef CLI_OUTPUT_NAMES_H
#define CLI_OUTPUT_NAMES_H

#include "photo_options.h"

/* Make the default names (PHOTO-mask.png and PHOTO-overlay.png in the working folder), and refuse before any work is
 * done what could not end well: an output that is an input, two outputs in one file or on standard output, two inputs
 * from standard input, a folder that is not there.
 * @return -1 to go on, else the exit code (a sentence was printed) */
int cli_output_names(cli_photo_options *options);

/* "folder/coffee.jpg" gives "coffee" + ending, in the working folder; NULL without memory. */
char *cli_default_name(const char *input, const char *ending);

/* A device or a pipe: written to as it is, and it can take two outputs. */
int cli_is_special(const char *path);

/* Two outputs, which need not be there yet, are one regular file. */
int cli_same_output(const char *a, const char *b);

/* The same refusals for any command: an output that is one of the inputs (which may be NULL) or cannot be written; two
 * inputs from standard input. -1 to go on, else the exit code. */
int cli_check_output(const char *output, const char *const *inputs, size_t count);
int cli_check_inputs(const char *const *inputs, size_t count);

#endif
