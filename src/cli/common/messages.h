/* Exit codes; messages on standard error, and the progress bar, which they must not overwrite. */
#pragma once

#include "base/base.h"

/* What steps return: CLI_GO_ON, or the exit code to end with. */
typedef enum cli_end {
    CLI_GO_ON = -1, /* continue */
    CLI_OK = 0,
    CLI_FAILED = 1,        /* failed while running: writing, memory, numerics */
    CLI_USAGE = 2,         /* options or arguments */
    CLI_INPUT = 3,         /* an input that cannot be read or does not fit */
    CLI_CONTRADICTION = 4, /* constraints that contradict each other */
    CLI_PART = 5,          /* some images of a batch failed, the others are done */
    CLI_LIMIT = 6,         /* --max-memory is too small */
    CLI_SIGNAL = 128,      /* plus the number of the signal that ended it */
    CLI_LAST_SIGNAL = 255
} cli_end;

/* End the function with the result of a step that does not continue. */
#define CLI_TRY(step)                                                                                                  \
    do {                                                                                                               \
        const cli_end tried = (step);                                                                                  \
        if (tried != CLI_GO_ON)                                                                                        \
            return tried;                                                                                              \
    } while (0)

/* Print "segment: MESSAGE", why the program ends, on one line; control characters as \xHH. @return `code` */
cli_end cli_refuse(cli_end code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for what does not end it. */
#define cli_say(...) ((void)cli_refuse(CLI_OK, __VA_ARGS__))

/* What is refused, if it is so. */
typedef struct cli_rule {
    int broken;
    const char *sentence;
} cli_rule;
/* Print the sentence of the first broken rule. @return CLI_USAGE, or CLI_GO_ON if none is broken */
cli_end cli_check_rules(const cli_rule *rules, size_t count);

/* Print a message of the library; names of fields that a flag sets are replaced by the flag. */
void cli_say_library(const char *before, const char *sentence);

/* Print "out of memory". @return CLI_FAILED */
cli_end cli_out_of_memory(void);
/* The same where not all blocks that a function needs are there: CLI_TRY(cli_allocated(x && y)). */
#define cli_allocated(all) ((all) ? CLI_GO_ON : cli_out_of_memory())

/* Draw the progress bar, and remove it from the terminal. */
void cli_bar_draw(double done, const char *stage);
void cli_bar_clear(void);
