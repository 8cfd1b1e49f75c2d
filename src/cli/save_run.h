/* --save-run FILE: everything that makes the result, for `segment replay`. */
#ifndef CLI_SAVE_RUN_H
#define CLI_SAVE_RUN_H

#include "photo_options.h"

#include <jansson.h>

/* Paths and hashes of the inputs, taken when they are read. @return -1 or the exit code; *out is a new reference */
int cli_save_run_inputs(const cli_photo_options *options, json_t **out);

/* Write the record: inputs (borrowed), every option as it was used, the hash of the mask. @return -1 or the exit code
 */
int cli_save_run(seg_context *ctx, const cli_photo_options *options, json_t *inputs, const seg_result *result);

/* 1 where an option changes the result, so that a record holds it and a replay may take it from there. */
int cli_makes_result(const char *name);

/* 1 for an option of the main job that a replay may be given as well. */
int cli_replays(const char *name);

/* The names of the inputs in a record, NULL-ended; the first is the image, the others are options too. */
extern const char *const cli_input_names[];

#endif
