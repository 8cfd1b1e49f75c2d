/* How the program ends. */
#ifndef CLI_EXIT_CODES_H
#define CLI_EXIT_CODES_H

/* The result of a step: go on, or end with this exit code. */
typedef enum cli_end {
    CLI_GO_ON = -1, /* no end yet */
    CLI_OK = 0,
    CLI_FAILED = 1,        /* failed while running: writing, memory, numerics */
    CLI_USAGE = 2,         /* options or arguments */
    CLI_INPUT = 3,         /* an input that cannot be read or does not fit */
    CLI_CONTRADICTION = 4, /* constraints that contradict each other */
    CLI_PART = 5,          /* part of a batch failed, the rest is done */
    CLI_LIMIT = 6,         /* --max-memory does not suffice */
    CLI_TIMEOUT = 124,     /* --timeout is over, as timeout(1) says it */
    CLI_SIGNAL = 128,      /* plus the number of the signal that ended it */
    CLI_LAST_SIGNAL = 255
} cli_end;

#endif
