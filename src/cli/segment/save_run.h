/* --save-run FILE: everything that determines the result, for `segment replay`. */
#ifndef CLI_SEGMENT_SAVE_RUN_H
#define CLI_SEGMENT_SAVE_RUN_H

#include "cli/segment/photo_options.h"

#include <jansson.h>

/* Paths and hashes of the inputs, taken when they are read. @return CLI_GO_ON, or the exit code; *out is a new
 * reference */
cli_end cli_save_run_inputs(const cli_photo_options *options, json_t **out);

/* Write the record: inputs (borrowed), every option as it was used, the hash of the mask. @return CLI_GO_ON, or the
 * exit code */
cli_end cli_save_run(seg_context *ctx, const cli_photo_options *options, json_t *inputs, const seg_result *result);

/* The names of the inputs in a record, NULL-ended; the first is the image, the others are options too. */
extern const char *const cli_input_names[];

#endif
