/** @file context.h
 *  The context of a call: settings that every stage obeys (threads, seed), the callbacks it speaks through, and the
 *  place where its error sentence and timings are left. The caller owns it; the library keeps no state besides it.
 *  One context serves one thread at a time; two contexts never influence each other.
 *
 *  A context has threads of its own: the first call that can use them starts them, they sleep between calls, and
 *  seg_context_free() ends them. So a context is not copied (a copy starts threads of its own, which are its to end).
 *  After fork() the child's copy of a context serves it like a new one. */
#ifndef SEGMENT_CONTEXT_H
#define SEGMENT_CONTEXT_H

#include <segment/export.h>
#include <segment/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup calls Calls: context, status, version
 *  @{ */

struct seg_pool; /* the threads of a context */

#define SEG_MESSAGE_SIZE 1024 /**< bytes of a context's message, the final 0 included */
#define SEG_MAX_STAGES   16   /**< stages whose cost a context can hold */
/** Bytes of stack that a thread which calls the library needs at least; the library's own threads have what they need.
 */
#define SEG_LEAST_STACK ((size_t)128 << 10)
#define SEG_STAGE_NAME  32 /**< of a stage's name no more bytes than these go into a message */

/** Importance of a logged line. */
typedef enum seg_log_level { SEG_LOG_WARNING = 0, SEG_LOG_INFO = 1, SEG_LOG_DEBUG = 2 } seg_log_level;

/** Receives one line of text without a line end. */
typedef void (*seg_log_fn)(void *user, seg_log_level level, const char *line);

/** Receives progress: `done` in 0..1 over the whole call, `stage` the name of the running stage.
 *  Return 0 to go on, anything else to cancel: the call then ends with SEG_ERR_CANCELLED. */
typedef int (*seg_progress_fn)(void *user, double done, const char *stage);

/** What one stage cost. */
typedef struct seg_stage {
    const char *name;   /**< static storage */
    double seconds;     /**< wall-clock seconds */
    size_t peak_memory; /**< the process's highest resident size up to the end of the stage, bytes */
} seg_stage;

/** Settings, callbacks, and where a call leaves its sentence and its costs. */
typedef struct seg_context {
    int threads;   /**< threads to use, >= 1; 0 = as many as the machine has processors. Never changes a result. */
    uint64_t seed; /**< of every random choice; same input, options and seed give the same bytes */
    /** Bytes that the whole process may hold (its highest resident size), 0 for no limit. What a call takes is
     *  estimated before anything large is allocated; a plan that does not fit is adapted (seg_plan_photo) or refused
     *  with SEG_ERR_LIMIT, and no allocation passes the limit: one that would ends the call with SEG_ERR_LIMIT or
     *  SEG_ERR_MEMORY and over_limit set. What the caller allocates meanwhile counts too. Needs Linux and glibc 2.33;
     *  programs with a limit do well to have large blocks returned to the system when they are freed:
     *  mallopt(M_MMAP_THRESHOLD, 1 << 18). */
    size_t max_memory;
    int over_limit;           /**< set to 1 by calls that failed because of max_memory; never cleared by the library */
    seg_log_fn log;           /**< may be NULL */
    void *log_user;           /**< handed to log */
    seg_progress_fn progress; /**< may be NULL */
    void *progress_user;      /**< handed to progress */
    char message[SEG_MESSAGE_SIZE];   /**< after a failed call: one sentence, what is wrong and what helps */
    seg_stage stages[SEG_MAX_STAGES]; /**< of the last pipeline run, in order */
    int stage_count;                  /**< how many of them are filled */
    /* For the library: the share of the whole that a running stage reports into, and what was last reported. */
    double progress_from;       /**< for the library */
    double progress_to;         /**< for the library */
    double progress_last;       /**< for the library */
    const char *progress_stage; /**< for the library */
    /** The temporary file that is being written, NULL where none is: what remains to be removed where a program ends
     *  itself in the middle of a call (a signal handler may read it). */
    const char *volatile unfinished;
    int processors;         /**< for the library: that the process might use when the context was made */
    struct seg_pool *pool;  /**< for the library: the context's threads, NULL before the first call that uses them */
    const void *pool_owner; /**< for the library: the context that started them */
} seg_context;

/** Set every field: all processors, seed 1, no callbacks, empty message. Cost O(1). A context that has been used is
 *  freed first.
 *  @param ctx  every field is set */
SEG_API void seg_context_init(seg_context *ctx);

/** End the context's threads and wait for them. Settings and message stay; the context may be used again, and is then
 * to be freed again. Does nothing to a context that was never used, or twice.
 *  @param ctx  may be NULL */
SEG_API void seg_context_free(seg_context *ctx);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
