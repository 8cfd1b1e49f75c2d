/* All items of a data set, several at once, each finished one in the journal before the next is begun in its place. */
#ifndef SEG_EVALUATION_RUN_H
#define SEG_EVALUATION_RUN_H

#include "evaluation/item.h"
#include "evaluation/journal.h"
#include "evaluation/ranks.h"

typedef struct seg_eval_run {
    const seg_photo_set *set;
    const seg_plan *protocol;
    const seg_ranks *ranks;
    int jobs;             /* items at once on this machine, 1..SEG_RUN_MOST_JOBS */
    int shard, shards;    /* the shard-th of `shards` parts of the work, from 0; 0 and 1 for all of it */
    seg_journal *journal; /* of rank 0; NULL on the others */
} seg_eval_run;

#define SEG_RUN_MOST_JOBS 64

/* Do what the journal does not have yet. Each item in a process of its own: a crash is a record of that item, memory is
 * returned when it ends. Progress through the context. SEG_OK, SEG_ERR_CANCELLED, SEG_ERR_IO, SEG_ERR_MEMORY.
 * *done: items finished by this call (rank 0: by all ranks). */
seg_status seg_eval_run_all(seg_context *ctx, const seg_eval_run *run, size_t *done);

#endif
