/** @file context.h
 *  The context of a call: settings of every stage (threads, seed, memory limit), the callbacks for progress and
 *  messages, and the error message and the timings of the last call.
 *
 *  Threads. One context serves one thread at a time. Two threads may use two contexts at the same time; each
 * gives the same bytes as when used alone. A context has its own threads: the first call that can use them starts them,
 *  they sleep between calls, and seg_context_free() ends them. After fork() the child can use its copy of a context
 * like a new one.
 *
 *  The library has no process-wide state, but libraries that it calls do: docs/api.md lists it. */
#pragma once

#include <segment/export.h>
#include <segment/status.h>

#include <stddef.h>
#include <stdint.h>

/** @addtogroup calls Calls: context, status, version
 *  @{ */

#define SEG_MESSAGE_SIZE 1024 /**< bytes of a message or a logged line at most, the final 0 included */
/** Bytes of stack that a thread calling the library needs at least; the library's own threads have them. */
#define SEG_LEAST_STACK ((size_t)128 << 10)

/** Settings, callbacks, and the message and the costs of the last call. Opaque: read and set through the functions
 * below. The parameter `ctx` of every other call is its context. */
typedef struct seg_context seg_context;

/** Importance of a logged line. */
typedef enum seg_log_level { SEG_LOG_WARNING = 0, SEG_LOG_INFO = 1, SEG_LOG_DEBUG = 2 } seg_log_level;

/** Receives one line of text without a line end. */
typedef void (*seg_log_fn)(void *user, seg_log_level level, const char *line);

/** Receives progress: `done` in 0..1 over the whole call, `stage` the name of the running stage.
 *  Return 0 to continue, another value to cancel: the call then ends with SEG_ERR_CANCELLED. */
typedef int (*seg_progress_fn)(void *user, double done, const char *stage);

/** Time and memory of one stage. */
typedef struct seg_stage {
    const char *name;   /**< static storage */
    double seconds;     /**< wall-clock seconds */
    size_t peak_memory; /**< peak resident size of the process until the end of the stage, bytes */
    int64_t reserved;   /**< zero */
} seg_stage;

/** Make a context: all processors, seed 1, no memory limit, no callbacks, empty message. Cost O(1).
 *  @return the context, to be freed with seg_context_free(); NULL without memory */
SEG_API seg_context *seg_context_create(void);

/** End the context's threads, wait for them, and release the context. Texts and stages that were read from it
 *  become invalid. Images, sessions and results that were made with it stay usable.
 *  @param ctx  NULL is fine */
SEG_API void seg_context_free(seg_context *ctx);

/** Free a block of memory that a call returned, if its description says so (seg_name_encode()). Handles and
 *  structs have their own `_free` function.
 *  @param block  NULL is fine */
SEG_API void seg_free(void *block);

/** Settings of a context, which stay until they are set again. Access them only through the pointer that
 *  seg_context_settings() returns: later versions may add fields at the end. */
typedef struct seg_call_settings {
    int threads;   /**< including the calling one; 0 (the default) or less: one per processor. Never changes a result */
    uint64_t seed; /**< of random choices, 1 by default. The same input, options and seed give the same bytes */
    /** Limit of the peak resident size of the whole process in bytes; 0, the default: none. The memory
     *  of a call is estimated before anything large is allocated; a plan that exceeds the limit is adapted
     *  (seg_plan_photo) or refused with SEG_ERR_LIMIT. An allocation that would exceed it ends the call with
     *  SEG_ERR_LIMIT or SEG_ERR_MEMORY, and seg_context_info.over_limit is 1 from then on. Allocations of the
     *  caller count too. Needs Linux and glibc 2.33; a program with a limit should return large freed blocks to
     *  the system: mallopt(M_MMAP_THRESHOLD, 1 << 18). */
    size_t max_memory;
    seg_log_fn log;           /**< receives each line, on the thread that called the library; NULL, the default: none */
    void *log_user;           /**< passed to `log` */
    seg_progress_fn progress; /**< called often, on the thread that called the library; NULL, the default: none */
    void *progress_user;      /**< passed to `progress` */
} seg_call_settings;

/** The settings of a context, which may be read and changed between calls.
 *  @param ctx  the context
 *  @return never NULL; valid as long as the context */
SEG_API seg_call_settings *seg_context_settings(seg_context *ctx);

/** The message of the last call that failed: one sentence that says what is wrong and what to do. Successful calls do
 *  not change it.
 *  @param ctx  the context; NULL, if none could be created, also gives a sentence
 *  @return UTF-8 if the quoted texts are, one line, shorter than SEG_MESSAGE_SIZE; empty if no call has failed.
 * Borrowed until the next call with the context. */
SEG_API const char *seg_context_message(const seg_context *ctx);

/** The state of a context. */
typedef struct seg_context_info {
    int over_limit;         /**< 1 once a call has failed because of the memory limit */
    double recall;          /**< share of true nearest neighbours that the last search found, measured
                                 on a sample of rows; 1 after exact searches and before any search */
    const seg_stage *stage; /**< `stages` entries: costs of the stages of the last run, in the order
                                 in which they ended; borrowed until the next call with the context */
    int stages;             /**< their number; 0 before the first run */
    int64_t reserved[3];    /**< zeros */
} seg_context_info;

/** Read the state. May be called by a signal handler of the context's thread, but by no other thread.
 *  @param ctx  the context
 *  @param out  every field is set */
SEG_API void seg_context_about(const seg_context *ctx, seg_context_info *out);

/** @} */
