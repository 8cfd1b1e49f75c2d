/* What --save-run wrote, as options of the main job. */
#ifndef CLI_RUN_RECORD_H
#define CLI_RUN_RECORD_H

#include "photo_options.h"

#include <jansson.h>

/* The record of a file ("-" standard input); NULL after a sentence, with *end CLI_FAILED where memory was short. */
json_t *cli_run_record_read(const char *path, cli_end *end);
/* The text of a member; NULL where it is not a text. */
const char *cli_run_record_text(json_t *object, const char *member);
/* Say that the record lacks it. @return the exit code */
cli_end cli_run_record_unfit(const char *path, const char *member);

/* Set the options of the record, whose texts are borrowed. Only options that make the result: a record does not say
 * where to write. */
cli_end cli_run_record_options(const char *path, json_t *record, cli_photo_options *out);

#endif
