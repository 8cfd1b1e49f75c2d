/* How the program ends, and the one place where it speaks of errors. */
#ifndef CLI_EXIT_CODES_H
#define CLI_EXIT_CODES_H

#include <segment/segment.h>

enum {
    CLI_OK = 0,
    CLI_FAILED = 1,        /* failed while running: writing, memory, numerics */
    CLI_USAGE = 2,         /* options or arguments */
    CLI_INPUT = 3,         /* an input that cannot be read or does not fit */
    CLI_CONTRADICTION = 4, /* constraints that contradict each other */
    CLI_PART = 5,          /* part of a batch failed, the rest is done */
    CLI_LIMIT = 6,         /* --max-memory does not suffice */
    CLI_TIMEOUT = 124,     /* --timeout is over, as timeout(1) says it */
    CLI_SIGNAL = 128       /* plus the number of the signal that ended it */
};

/* What the failed call was about: a file that cannot be opened is an unreadable input (3) or a failed write (1). */
typedef enum cli_phase { CLI_READING, CLI_COMPUTING, CLI_WRITING } cli_phase;

/* The exit code of a library call's status. */
int cli_exit_code(seg_status status, cli_phase phase);

/* Print "segment: SENTENCE" as one line on standard error; control characters out of file names are
 * written \xHH. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Say a sentence of the library: where it names a field that a flag sets, the flag is named. */
void cli_say_library(const char *before, const char *sentence);

/* A context for a command; NULL after a message where there is no memory. Free with seg_context_free. */
seg_context *cli_context_create(void);

/* Print the context's sentence about a failed call. @return the exit code */
int cli_fail(const seg_context *ctx, seg_status status, cli_phase phase);

/* Flush standard output; a full disk or a closed pipe is an error like any other.
 * @return `code`, or CLI_FAILED (after a sentence) where `code` was CLI_OK and the output did not get through */
int cli_finish_output(int code);

#endif
