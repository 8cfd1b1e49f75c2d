/* --max-memory and --timeout. */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include "exit_codes.h"

#include <segment/segment.h>

/* Give the context its limit on memory (0: none), and set the process's deadline in so many seconds from now (0: none).
 * The first deadline that a process sets is the one that holds: the images of a batch share it. The context
 * is looked at until cli_limits_end. */
void cli_limits_start(seg_context *ctx, size_t max_memory, double timeout);
void cli_limits_end(void);

/* For commands without a plan of everything: that the program alone keeps the limit. @return CLI_GO_ON, else how to end
 */
cli_end cli_limits_check(size_t max_memory);

/* 1 once the deadline has passed. */
int cli_timed_out(void);
/* The sentence about it. */
void cli_say_timeout(const char *stage);

#endif
