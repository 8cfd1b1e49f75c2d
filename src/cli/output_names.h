/* Where the results go. */
#ifndef CLI_OUTPUT_NAMES_H
#define CLI_OUTPUT_NAMES_H

#include "photo_options.h"
#include "same_files.h"

/* Make the default names (PHOTO-mask.png in the working folder, and the overlay beside the mask), and refuse before any
 * work is done what could not end well: an output that is an input, two outputs in one file or on standard output, two
 * inputs from standard input, a folder that is not there.
 * @return CLI_GO_ON, else how to end (a sentence was printed) */
cli_end cli_output_names(cli_photo_options *options);

/* All files that a run reads and writes. `out` has room for CLI_FIXED_USES and one an export. @return how many */
enum { CLI_FIXED_USES = 11 };
size_t cli_list_uses(const cli_photo_options *options, cli_use *out);

/* The same refusals for any command: an output that is one of the inputs (which may be NULL) or cannot be written; two
 * inputs from standard input. CLI_GO_ON, else how to end. */
cli_end cli_check_output(const char *output, const char *const *inputs, size_t count);
cli_end cli_check_inputs(const char *const *inputs, size_t count);

#endif
