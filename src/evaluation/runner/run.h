/* All items of a data set of images as work for the runner. */
#ifndef SEG_EVALUATION_RUNNER_RUN_H
#define SEG_EVALUATION_RUNNER_RUN_H

#include "evaluation/runner/item.h"
#include "evaluation/runner/runner.h"

typedef struct seg_eval_run {
    const seg_photo_set *set;
    const seg_plan *protocol;
    seg_jobs jobs;
} seg_eval_run;

/* Do what the journal does not have yet; an item whose process crashes has that as its record. As seg_work_run. */
seg_status seg_eval_run_all(seg_context *ctx, const seg_eval_run *run, size_t *done);

#endif
