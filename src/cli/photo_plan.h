/* What an image's run will take of memory. */
#ifndef CLI_PHOTO_PLAN_H
#define CLI_PHOTO_PLAN_H

#include "photo_options.h"
#include "photo_run.h"

/* With --max-memory: from the headers of the inputs, before anything is decoded, see that the run can be done within
 * it. Inputs from standard input have no header to look at beforehand. @return CLI_GO_ON, else how to end */
cli_end cli_photo_plan(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run);

/* "plan" of the report. */
json_t *cli_photo_plan_json(const cli_photo_options *options, const cli_photo_run *run);

#endif
