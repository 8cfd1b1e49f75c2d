/* What a waiting person or program sees, and the way to stop a run. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <segment/segment.h>

typedef enum cli_progress_mode {
    CLI_PROGRESS_AUTO = 0, /* a bar where standard error is a terminal */
    CLI_PROGRESS_NONE,
    CLI_PROGRESS_JSON /* one JSON object a line for every update */
} cli_progress_mode;

/* Install the context's progress and log callbacks.
 * verbosity: -1 quiet (no warnings, no bar), 0 warnings, 1 information too, 2 everything */
void cli_progress_start(seg_context *ctx, cli_progress_mode mode, int verbosity);

/* From here on the first SIGINT or SIGTERM asks the running call to stop instead of ending the process; the second ends
 * it. To be called when the inputs are read: until then there is nothing to tidy, and a read may wait for ever. */
void cli_catch_signals(void);

/* Standard error is a terminal: somebody reads what a successful run wrote. */
int cli_on_terminal(void);
/* First of all: a file that grows beyond its limit (ulimit -f) is a write that fails and does not end the process; and
 * a standard stream that the caller has closed stays shut: no file that is opened later takes its number. */
void cli_guard_process(void);

/* From here on a signal lets what is being written be finished; a deadline does not. */
void cli_begin_writing(void);

/* The signal that asked to stop, 0 where none did. */
int cli_interrupted(void);

#endif
