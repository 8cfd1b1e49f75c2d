/* Reading a command line by a table of options. */
#pragma once

#include "cli/common/option_table.h"

#include <segment/segment.h>

/* Set every option to its default. */
void cli_set_defaults(const cli_table *table, void *options);
/* Set one, given by name in a record. CLI_GO_ON, or CLI_USAGE after a message. */
cli_end cli_set(const cli_table *table, void *options, const char *name, const char *text);

/* Read the line into `options`, which begins with a cli_common and has its defaults. Errors name the nearest option
 * that exists; --help and --version are printed. Texts are borrowed from argv. Always free the array of words. */
cli_end cli_parse(const cli_table *table, int argc, char **argv, void *options);

/* Refuse words beyond the first `most`. `what` ends the message: "methods takes none". */
cli_end cli_most_words(const cli_common *common, int most, const char *what);
/* The i-th word, or NULL. */
const char *cli_word(const cli_common *common, int i);

/* Set the defaults, read the line into zeroed `options` as cli_parse does, and check the number of words. */
cli_end cli_options_read(const cli_table *table, int argc, char **argv, void *options);

/* Run a command: read the line, do its `work`, and free the context and the array of words. @return the exit code */
cli_end cli_run(const cli_table *table, int argc, char **argv, void *options,
                cli_end (*work)(seg_context *ctx, void *options));

/* Define the command of that word, which runs `work` with its table on options that begin as `type` with this field. */
#define CLI_COMMAND_RUNS(word, type, field, work)                                                                      \
    cli_end cli_run_##word(int argc, char **argv) {                                                                    \
        type options = {field};                                                                                        \
        return cli_run(&cli_##word##_table, argc, argv, &options, work);                                               \
    }
