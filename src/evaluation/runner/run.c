#include "evaluation/runner/run.h"

#include "base/base.h"
#include "evaluation/sets/layout.h"

#include <stdio.h>
#include <string.h>

/* Work is numbered item * repeats + repeat. */
static char *key_of(seg_context *ctx, const void *user, size_t work) {
    const seg_eval_run *run = user;
    const size_t repeats = (size_t)run->protocol->repeats;
    return seg_item_key(ctx, run->set->item[work / repeats].name, (int)(work % repeats));
}

static seg_status evaluate(seg_context *ctx, const void *user, size_t work, char **record) {
    const seg_eval_run *run = user;
    const size_t repeats = (size_t)run->protocol->repeats;
    seg_item_result result;
    const seg_status status =
        seg_item_evaluate(ctx, run->protocol, run->set, work / repeats, (int)(work % repeats), &result);
    if (status)
        return status;
    *record = seg_item_result_text(ctx, &result);
    seg_item_result_free(&result);
    return *record ? SEG_OK : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
}

/* A process that gave no result: the item's record says so. */
static char *broken(seg_context *ctx, const char *how) {
    seg_item_result result = {.outcome = SEG_ITEM_BROKEN};
    snprintf(result.message, sizeof result.message, "its process %.480s", how);
    return seg_item_result_text(ctx, &result);
}

seg_status seg_eval_run_all(seg_context *ctx, const seg_eval_run *run, size_t *done) {
    const seg_work work = {.items = run->set->items * (size_t)run->protocol->repeats,
                           .seed = run->protocol->seed,
                           .key = key_of,
                           .solve = evaluate,
                           .broken = broken,
                           .user = run,
                           .max_memory = run->protocol->max_memory,
                           .timeout = run->protocol->timeout};
    const seg_status status = seg_work_run(ctx, &work, &run->jobs, done);
    /* A process that was ended may have been writing; nobody else is, unless the work is divided. */
    if (status && run->protocol->out && !run->jobs.shards)
        seg_layout_tidy(run->protocol->out);
    return status;
}
