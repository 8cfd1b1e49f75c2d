/* Progress, messages of the library, and signals. */
#ifndef CLI_COMMON_PROGRESS_H
#define CLI_COMMON_PROGRESS_H

#include <segment/segment.h>

typedef enum cli_progress_mode {
    CLI_PROGRESS_AUTO = 0, /* a bar where standard error is a terminal */
    CLI_PROGRESS_NONE,
    CLI_PROGRESS_JSON /* one JSON object a line for every update */
} cli_progress_mode;

/* Install the context's progress and log callbacks.
 * verbosity: -1 quiet (no warnings, no bar), 0 warnings, 1 information too, 2 everything */
void cli_progress_start(seg_context *ctx, cli_progress_mode mode, int verbosity);

/* From now on the first SIGINT or SIGTERM cancels the running call instead of ending the process; the second ends it.
 * To be called when the inputs have been read: before, no output has to be cleaned up, and a read may block for ever.
 */
void cli_catch_signals(void);

/* Whether standard error is a terminal, where written files are listed. */
int cli_on_terminal(void);
/* To be called first: a file that exceeds its limit (ulimit -f) is a failed write and does not end the process, and a
 * standard stream that the caller has closed stays closed, so that no file opened later gets its number. */
void cli_guard_process(void);

/* From now on a signal lets a write finish; a deadline does not. */
void cli_begin_writing(void);

/* The signal that cancelled the run, or 0. */
int cli_interrupted(void);

#endif
