/* The one place where the program speaks on standard error: sentences, and the bar that they must not run into. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include "exit_codes.h"

/* Print "segment: SENTENCE" as one line on standard error; control characters out of file names are
 * written \xHH. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Say why the program ends. @return `code` */
cli_end cli_refuse(cli_end code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Say a sentence of the library: where it names a field that a flag sets, the flag is named. */
void cli_say_library(const char *before, const char *sentence);

/* Say it. @return CLI_FAILED */
cli_end cli_out_of_memory(void);

/* The bar of progress, and taking it off the terminal if there is one. */
void cli_bar_draw(double done, const char *stage);
void cli_bar_clear(void);

#endif
