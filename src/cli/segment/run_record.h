/* Records of runs: everything that determines the result, written by --save-run and read by `segment replay`. */
#ifndef CLI_SEGMENT_RUN_RECORD_H
#define CLI_SEGMENT_RUN_RECORD_H

#include "cli/segment/photo_options.h"

#include <jansson.h>

/* Paths and hashes of the inputs, taken when they are read. @return CLI_GO_ON, or the exit code; *out is a new
 * reference */
cli_end cli_save_run_inputs(const cli_photo_options *options, json_t **out);

/* Write the record: inputs (borrowed), every option as it was used, the hash of the mask. @return CLI_GO_ON, or the
 * exit code */
cli_end cli_save_run(seg_context *ctx, const cli_photo_options *options, json_t *inputs, const seg_result *result);

/* Read the record in a file ("-": standard input). NULL after a message; *end is CLI_FAILED if out of memory. */
json_t *cli_run_record_read(const char *path, cli_end *end);
/* The text of a member; NULL where it is not a text. */
const char *cli_run_record_text(json_t *object, const char *member);
/* Print that the record lacks the member. @return the exit code */
cli_end cli_run_record_unfit(const char *path, const char *member);

/* Set the options of the record, whose texts are borrowed; only options that determine the result, not outputs. */
cli_end cli_run_record_options(const char *path, json_t *record, cli_photo_options *out);

#endif
