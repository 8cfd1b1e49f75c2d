/* The help of a command, made from its table. */
#ifndef CLI_HELP_HELP_H
#define CLI_HELP_HELP_H

#include "cli/common/option_table.h"

/* Print it on standard output: everything, or the short help if the table has one. */
void cli_help(const cli_table *table, int all);
/* Print every option as "--flag", "--option=" and "--option=name" for each name that it takes, and of the main job all
 * commands, one per line: for completion. */
void cli_help_words(const cli_table *table);

/* --- Suggestions for mistyped names. --- */

/* Keep the nearest name so far in *best, which begins as NULL. Names too different from `text` are ignored. */
void cli_suggest(const char *text, const char *name, const char **best, int *best_distance);

#endif
