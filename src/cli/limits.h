/* --max-memory and --timeout. */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include "arguments.h"

#include <segment/segment.h>

/* Rows that several commands have, word for word. */
#define CLI_OPTION_MAX_MEMORY(key, group)                                                                              \
    {                                                                                                                  \
        "max-memory", key, "SIZE", 0,                                                                                  \
            "Memory limit: bytes, or with K, M, G, T (thousands) or KiB, MiB, GiB, TiB; a plan that needs more is "    \
            "adapted, which is said, or refused",                                                                      \
            group                                                                                                      \
    }
#define CLI_OPTION_TIMEOUT(key, group)                                                                                 \
    { "timeout", key, "SECONDS", 0, "Stop after so many seconds with exit status 124 and nothing half-written", group }

/* "500M" to bytes. 0 where a sentence was printed. */
int cli_read_bytes(const char *option, const char *text, size_t *out);
/* The shortest text of that form with the same value; `text` has at least 32 bytes. */
const char *cli_bytes_text(size_t bytes, char text[32]);

/* Give the context its limit on memory (0: none), and set the process's deadline in so many seconds from now (0: none).
 * The first deadline that a process sets is the one that holds: the images of a batch share it. The context
 * is looked at until cli_limits_end. */
void cli_limits_start(seg_context *ctx, size_t max_memory, double timeout);
void cli_limits_end(void);

/* For commands without a plan of everything: that the program alone keeps the limit. @return -1 or the exit code */
int cli_limits_check(size_t max_memory);

/* 1 once the deadline has passed. */
int cli_timed_out(void);
/* The sentence about it. */
void cli_say_timeout(const char *stage);

#endif
