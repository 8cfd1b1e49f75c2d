/* Messages on standard error, and the progress bar, which they must not overwrite. */
#ifndef CLI_COMMON_MESSAGES_H
#define CLI_COMMON_MESSAGES_H

#include "cli/common/exit_codes.h"

/* Print "segment: MESSAGE" as one line on standard error; control characters in file names are written \xHH. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print why the program ends. @return `code` */
cli_end cli_refuse(cli_end code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print a message of the library; names of fields that a flag sets are replaced by the flag. */
void cli_say_library(const char *before, const char *sentence);

/* Print "out of memory". @return CLI_FAILED */
cli_end cli_out_of_memory(void);

/* Draw the progress bar, and remove it from the terminal. */
void cli_bar_draw(double done, const char *stage);
void cli_bar_clear(void);

#endif
