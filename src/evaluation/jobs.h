/* Many independent items on a few threads. */
#ifndef SEG_EVALUATION_JOBS_H
#define SEG_EVALUATION_JOBS_H

#include <segment/context.h>

#include <stddef.h>

/* Work on one item. Called from several threads at once, each with a context of its own: one thread, the seed of the
 * caller's context, its log. Where a failure of one item shall not end the run, the item records it (journal.h) and
 * returns SEG_OK; any other status ends the run. */
typedef seg_status (*seg_job)(seg_context *ctx, void *user, size_t item);

/* Run items 0 .. count-1 on `jobs` threads (0 = as many as seg_threads(ctx)), handed out in order. The caller's
 * progress callback hears from the calling thread only, at most ten times a second: the share of items done, and as the
 * stage "7/300, 2 min 10 s left". Where it asks to stop, running items are asked too, and no other begins.
 * Items must not depend on each other, and take their randomness from seg_item_seed: then the result does not depend on
 * `jobs`.
 * @return SEG_OK; the status of the failed item with the smallest number of those that ran, its message in ctx;
 * SEG_ERR_CANCELLED; SEG_ERR_USAGE (jobs < 0), SEG_ERR_MEMORY (no thread could be started) */
seg_status seg_jobs_run(seg_context *ctx, size_t count, int jobs, seg_job job, void *user);

/* "7/300, 2 min 10 s left": `done` of `count` items took `seconds`. */
void seg_jobs_describe(size_t done, size_t count, double seconds, char *text, size_t size);

/* The seed of an item: equal for equal seeds and keys, on any machine, whatever ran before. */
uint64_t seg_item_seed(uint64_t seed, const char *key);

#endif
