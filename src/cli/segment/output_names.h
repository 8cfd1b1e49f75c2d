/* Names of outputs. */
#ifndef CLI_SEGMENT_OUTPUT_NAMES_H
#define CLI_SEGMENT_OUTPUT_NAMES_H

#include "cli/common/same_files.h"
#include "cli/segment/photo_options.h"

/* Set the default names (PHOTO-mask.png in the working folder, and the overlay beside the mask), and refuse before any
 * work an output that is an input, two outputs in one file or on standard output, two inputs from standard input, and a
 * missing folder. @return CLI_GO_ON, or the exit code (a message was printed) */
cli_end cli_output_names(cli_photo_options *options);

/* List all files that a run reads and writes. `out` has room for CLI_FIXED_USES and one per export. @return how many */
enum { CLI_FIXED_USES = 11 };
size_t cli_list_uses(const cli_photo_options *options, cli_use *out);

/* The same checks for any command: an output must not be one of the inputs (which may be NULL) and must be writable;
 * only one input may be standard input. @return CLI_GO_ON, or the exit code */
cli_end cli_check_output(const char *output, const char *const *inputs, size_t count);
cli_end cli_check_inputs(const char *const *inputs, size_t count);

#endif
