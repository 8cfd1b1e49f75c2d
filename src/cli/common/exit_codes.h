/* Exit codes. */
#ifndef CLI_COMMON_EXIT_CODES_H
#define CLI_COMMON_EXIT_CODES_H

/* The result of a step: continue, or end with this exit code. */
typedef enum cli_end {
    CLI_GO_ON = -1, /* continue */
    CLI_OK = 0,
    CLI_FAILED = 1,        /* failed while running: writing, memory, numerics */
    CLI_USAGE = 2,         /* options or arguments */
    CLI_INPUT = 3,         /* an input that cannot be read or does not fit */
    CLI_CONTRADICTION = 4, /* constraints that contradict each other */
    CLI_PART = 5,          /* some images of a batch failed, the others are done */
    CLI_LIMIT = 6,         /* --max-memory is too small */
    CLI_TIMEOUT = 124,     /* out of time, as with timeout(1) */
    CLI_SIGNAL = 128,      /* plus the number of the signal that ended it */
    CLI_LAST_SIGNAL = 255
} cli_end;

#endif
