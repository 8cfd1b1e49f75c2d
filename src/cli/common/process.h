/* The process of a command: failed calls, memory limit, progress and signals. */
#pragma once

#include "cli/common/option_table.h"

#include <segment/segment.h>

/* The phase of the failed call: a file that cannot be opened is an unreadable input (3) or a failed write (1). */
typedef enum cli_phase { CLI_READING, CLI_COMPUTING, CLI_WRITING } cli_phase;

/* The exit code of a library call's status. */
cli_end cli_exit_code(seg_status status, cli_phase phase);

/* A context for a command; NULL after a message if out of memory. cli_context_free is for SEG_RELEASED. */
seg_context *cli_context_create(void);
static inline void cli_context_free(seg_context **ctx) {
    seg_context_free(*ctx);
}

/* Print the message of the context. @return the exit code */
cli_end cli_fail(const seg_context *ctx, seg_status status, cli_phase phase);
/* The same where the call failed, else CLI_GO_ON. */
static inline cli_end cli_went(const seg_context *ctx, seg_status status, cli_phase phase) {
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, phase);
}

/* Flush standard output; a full disk or a closed pipe is an error like any other. @return `code`, or CLI_FAILED after a
 * message if `code` was CLI_OK and the output could not be written */
cli_end cli_finish_output(cli_end code);

/* Begin the work of a command: threads, seed, limits and progress as its options say. */
void cli_start(seg_context *ctx, const cli_common *common);
/* The same for a command that does not plan its memory: check that the program alone is within the limit. */
cli_end cli_start_limited(seg_context *ctx, const cli_common *common);

/* --- Progress, messages of the library, and signals. --- */

/* Install the context's progress and log callbacks.
 * verbosity: -1 quiet (no warnings, no bar), 0 warnings, 1 information too, 2 everything */
void cli_progress_start(seg_context *ctx, cli_progress_mode mode, int verbosity);
/* The verbosity that the options ask for. */
int cli_verbosity(const cli_common *common);

/* From now on the first SIGINT or SIGTERM cancels the running call instead of ending the process; the second ends it.
 * To be called when the inputs have been read: before, no output must be cleaned up, and a read may block for ever. */
void cli_catch_signals(void);

/* Whether standard error is a terminal, where written files are listed. */
int cli_on_terminal(void);
/* To be called first: a file that exceeds its limit (ulimit -f) is a failed write and does not end the process, and a
 * standard stream that the caller has closed stays closed, so that no file opened later gets its number. */
void cli_guard_process(void);

/* The signal that cancelled the run, or 0. */
int cli_interrupted(void);
/* Before the first output: the exit code, after a message, where a signal came; else signals now let a write finish. */
cli_end cli_before_writing(void);
