/* What --save-run wrote, as arguments of the main job. */
#ifndef CLI_RUN_RECORD_H
#define CLI_RUN_RECORD_H

#include <jansson.h>

/* An argument vector that is being made, NULL behind the last. */
typedef struct cli_made_arguments {
    char **at; /* owned, each and all */
    int count, room;
} cli_made_arguments;

/* Append "--NAME=VALUE", or VALUE alone where the name is NULL. 0 without memory, which is said. */
int cli_made_arguments_put(cli_made_arguments *arguments, const char *name, const char *value);
void cli_made_arguments_free(cli_made_arguments *arguments);

/* The record of a file ("-" standard input); NULL after a sentence, with *code CLI_FAILED where memory was short. */
json_t *cli_run_record_read(const char *path, int *code);
/* The text of a member; NULL where it is none. */
const char *cli_run_record_text(json_t *object, const char *member);
/* Say that the record lacks it. @return the exit code */
int cli_run_record_unfit(const char *path, const char *member);

/* Append the program's name and the options. Only options that make the result: a record does not say where to write.
 * @return -1, or the exit code */
int cli_run_record_options(const char *path, json_t *record, cli_made_arguments *out);

#endif
