/* The fields of a context. Public headers have only the type and its accessors, so that it can grow. */
#pragma once

#include <segment/context.h>

#define SEG_MAX_STAGES 16 /* stages whose cost a context can hold */
#define SEG_STAGE_NAME 32 /* longer names of stages are cut in messages */

struct seg_pool; /* the threads of a context */

struct seg_context {
    union {
        seg_call_settings settings;
        struct { /* the same fields for short */
            int threads;
            uint64_t seed;
            size_t max_memory;
            seg_log_fn log;
            void *log_user;
            seg_progress_fn progress;
            void *progress_user;
        };
    };
    int over_limit; /* set to 1 by calls that failed because of max_memory; never cleared */
    char message[SEG_MESSAGE_SIZE];
    seg_stage stages[SEG_MAX_STAGES]; /* of the last pipeline run, in order */
    int stage_count;
    /* The part of the whole that a running stage reports into, and the last report. */
    double progress_from;
    double progress_to;
    double progress_last;
    const char *progress_stage;
    int processors;         /* that the process might use when the context was made */
    struct seg_pool *pool;  /* NULL before the first call that uses threads */
    const void *pool_owner; /* the context that started them: the copy after fork() has none */
    double missed;          /* share of neighbours that the last search missed */
};

/* Every field at its default: of a context on the stack, which has no public counterpart. */
seg_context seg_context_default(void);
/* End the threads of the context. Settings and message stay; the context may be used again and must then be ended
 * again. Does nothing for a context that was never used, or twice, or for NULL. */
void seg_context_end(seg_context *ctx);
