/* Predicted memory of the run of an image. */
#ifndef CLI_SEGMENT_PHOTO_PLAN_H
#define CLI_SEGMENT_PHOTO_PLAN_H

#include "cli/segment/photo_options.h"
#include "cli/segment/photo_run.h"

/* With --max-memory: check from the headers of the inputs, before anything is decoded, that the run fits. Inputs on
 * standard input have no header to read beforehand. @return CLI_GO_ON, or the exit code */
cli_end cli_photo_plan(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run);

/* "plan" of the report. */
json_t *cli_photo_plan_json(const cli_photo_options *options, const cli_photo_run *run);

#endif
