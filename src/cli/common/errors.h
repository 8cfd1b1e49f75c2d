/* Exit codes and messages of failed calls. */
#ifndef CLI_COMMON_ERRORS_H
#define CLI_COMMON_ERRORS_H

#include "cli/common/messages.h"

#include <segment/segment.h>

/* The phase of the failed call: a file that cannot be opened is an unreadable input (3) or a failed write (1). */
typedef enum cli_phase { CLI_READING, CLI_COMPUTING, CLI_WRITING } cli_phase;

/* The exit code of a library call's status. */
cli_end cli_exit_code(seg_status status, cli_phase phase);

/* A context for a command; NULL after a message if out of memory. Free with seg_context_free. */
seg_context *cli_context_create(void);

/* Print the message of the context. @return the exit code */
cli_end cli_fail(const seg_context *ctx, seg_status status, cli_phase phase);

/* Flush standard output; a full disk or a closed pipe is an error like any other. @return `code`, or CLI_FAILED after a
 * message if `code` was CLI_OK and the output could not be written */
cli_end cli_finish_output(cli_end code);

#endif
