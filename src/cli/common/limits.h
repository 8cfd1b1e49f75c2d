/* --max-memory and --timeout. */
#ifndef CLI_COMMON_LIMITS_H
#define CLI_COMMON_LIMITS_H

#include "cli/common/exit_codes.h"

#include <segment/segment.h>

/* Set the memory limit of the context (0: none) and the deadline of the process, in seconds from now (0: none). The
 * first deadline of a process is kept, so that the images of a batch share it. The context is borrowed until
 * cli_limits_end. */
void cli_limits_start(seg_context *ctx, size_t max_memory, double timeout);
void cli_limits_end(void);

/* For commands that do not plan their memory: check that the program alone is within the limit. @return CLI_GO_ON, or
 * the exit code */
cli_end cli_limits_check(size_t max_memory);

/* 1 once the deadline has passed. */
int cli_timed_out(void);
/* Print the message about it. */
void cli_say_timeout(const char *stage);

#endif
