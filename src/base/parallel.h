/* Parallel loops on the threads of a context; the library uses more than one thread nowhere else.
 *
 * A loop over `count` items is divided into blocks of `grain` items, whose limits depend on nothing else: block b holds
 * the items b * grain .. (b + 1) * grain - 1. The calling thread and the context's workers take blocks until none is
 * left; each block is done once. Results do not depend on the number of threads where each block writes only its own
 * results and sums over blocks are taken in their order afterwards (sums of whole numbers in any order).
 *
 * Workers are started by the first loop that wants them and sleep between loops: an idle worker takes no processor
 * time, and the caller does not wait for a worker that has not begun. Where threads cannot be started the loop goes on
 * with fewer, at worst with the calling thread alone. A loop inside a loop of the same context runs on the thread that
 * calls it. In a child after fork() the parent's workers are forgotten. */
#pragma once

#include "base/context.h"

#define SEG_WORKER_STACK ((size_t)1 << 20) /* bytes of a worker's stack */

/* Process items first .. last - 1. `worker`, 0 .. threads - 1, differs between concurrent blocks, to select buffers. */
typedef void (*seg_body)(void *arg, size_t first, size_t last, int worker);

/* The threads that a loop of the context may use: the context's number, or all processors. */
int seg_threads(const seg_context *ctx);
/* Processors that this process may use. */
int seg_processors(void);

/* Run body over 0 .. count - 1 in blocks of `grain` (0: of any size, for independent items), with at most
 * seg_threads(ctx) workers. ctx may be NULL: one thread. */
void seg_parallel(const seg_context *ctx, size_t count, size_t grain, seg_body body, void *arg);

/* The same with at most `threads`: 1 if waking threads costs more than it saves. */
void seg_parallel_on(const seg_context *ctx, int threads, size_t count, size_t grain, seg_body body, void *arg);

/* The same for long loops: the calling thread polls the progress callback; if that cancels, no further block is begun,
 * and the result is SEG_ERR_CANCELLED. */
seg_status seg_parallel_polled(seg_context *ctx, size_t count, size_t grain, seg_body body, void *arg);
