/* Many independent items, several at once, each in a process of its own: images of `segment eval` and of a batch, cells
 * of `segment experiment`. A finished item is in the journal before another one begins in its place. So a crash affects
 * one item only, memory is returned when a process ends, and an interrupted run continues from its journal. */
#pragma once

#include "evaluation/runner/run_journal.h"

#define SEG_RUN_MOST_JOBS 64

/* The work to be done: items 0 .. items-1. */
typedef struct seg_work {
    size_t items;
    uint64_t seed;
    /* The item's key in the journal, and its name in messages, to be freed; NULL if out of memory (message set). */
    char *(*key)(seg_context *ctx, const void *user, size_t item);
    /* Called in the item's process, which has one thread; ctx->seed is the item's own (seg_item_seed). *record: the
     * text for the journal, to be freed. Failures of the item are part of the record; any but SEG_OK ends the run. */
    seg_status (*solve)(seg_context *ctx, const void *user, size_t item, char **record);
    /* The record of an item whose process ended without one; `how` says why ("crashed: ..."). NULL if out of memory. If
     * this is NULL, such a process ends the run. */
    char *(*broken)(seg_context *ctx, const char *how);
    /* Receives the result of an item if there is no journal; the text is freed afterwards. */
    seg_status (*take)(seg_context *ctx, const void *user, size_t item, const char *text);
    const void *user;
    int logs;          /* 1: the items' log messages go to the log of the run */
    size_t max_memory; /* bytes that each process may hold, 0 for no limit */
    double timeout;    /* seconds that each may take, 0 for no limit */
} seg_work;

/* Which part of the work to do, and how. */
typedef struct seg_jobs {
    int most;             /* items at once; 0: as many as seg_threads(ctx) */
    int shard, shards;    /* the shard-th of `shards` parts of the work, from 1; 0 and 0: all of it */
    seg_journal *journal; /* NULL: results go to work->take */
} seg_jobs;

/* Work on the items that are not in the journal. Progress is reported through the context, with a stage such as "7/300,
 * 130 min left"; if the callback cancels, the processes are ended. *done: items finished by this call, may be NULL.
 * @return SEG_OK; an item's failure; SEG_ERR_CANCELLED, SEG_ERR_IO, SEG_ERR_MEMORY */
seg_status seg_work_run(seg_context *ctx, const seg_work *work, const seg_jobs *jobs, size_t *done);

/* What this process has used of processors so far. */
double seg_processor_seconds(void);

/* The seed of an item: it depends on seed and key alone. */
uint64_t seg_item_seed(uint64_t seed, const char *key);
