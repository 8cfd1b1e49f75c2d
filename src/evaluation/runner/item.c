#include "evaluation/runner/item.h"

#include "base/base.h"
#include "base/json_read.h"
#include "evaluation/runner/child.h"
#include "evaluation/runner/report_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the process of one method gets. */
typedef struct work {
    seg_context *ctx;
    const seg_task *task;
    const seg_compared *compared;
    const char *mask_path; /* NULL: the mask is not written */
} work;

/* The label of more than half of the patch's pixels, 0 if there is none (void counts as none). */
static int patch_label(const seg_mask *truth, const seg_patch_grid *grid, int column, int row) {
    const int left = column * grid->side, top = row * grid->side;
    const int right = left + grid->side < grid->width ? left + grid->side : grid->width;
    const int bottom = top + grid->side < grid->height ? top + grid->side : grid->height;
    int count[256] = {0};
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            count[truth->label[(size_t)y * (size_t)grid->width + (size_t)x]]++;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        if (2 * count[l] > (right - left) * (bottom - top))
            return l;
    return 0;
}

seg_status seg_truth_pairs(seg_context *ctx, const seg_mask *truth, const seg_patch_grid *grid, int per_cluster,
                           seg_constraints *out) {
    SEG_RELEASED(seg_constraints_free) seg_constraints groups = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_constraints_create(ctx, (size_t)grid->columns * (size_t)grid->rows, &groups));
    groups.groups = truth->labels;
    for (int row = 0; row < grid->rows; row++)
        for (int column = 0; column < grid->columns; column++)
            groups.group[(size_t)row * (size_t)grid->columns + (size_t)column] =
                (int16_t)(patch_label(truth, grid, column, row) - 1);
    SEG_TRY(seg_constraints_sample(ctx, &groups, (size_t)per_cluster, out));
    if (out->pairs)
        return SEG_OK;
    seg_constraints_free(out);
    return seg_fail(ctx, SEG_ERR_INPUT,
                    "no pair of patches can be drawn from the truth: its regions are too small for patches of %d x %d "
                    "pixels",
                    grid->side, grid->side);
}

seg_status seg_task_begin(seg_context *ctx, const seg_plan *plan, const seg_sample *sample, seg_task *out) {
    const seg_image *photo = &sample->photo;
    *out = (seg_task){.plan = plan, .sample = sample};
    if (plan->source == SEG_SOURCE_PAIRS) {
        seg_options usual;
        seg_options_default(&usual);
        const seg_patch_grid grid =
            seg_patch_layout_of(plan->how ? plan->how : &usual, photo->width, photo->height).grid;
        return seg_truth_pairs(ctx, &sample->truth, &grid, plan->pairs, &out->pairs);
    }
    if (plan->source != SEG_SOURCE_SCRIBBLES)
        return SEG_OK;
    if (!sample->scribbles.label)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "it has no scribbles; draw constraints from the ground truth with --pairs or --clicks");
    out->scribbles = &sample->scribbles;
    return SEG_OK;
}

void seg_task_end(seg_task *task) {
    seg_constraints_free(&task->pairs);
}

/* Runs in the method's process. */
static char *attempt(void *user) {
    const work *w = user;
    seg_attempt result;
    SEG_RELEASED(seg_mask_free) seg_mask mask = {0};
    seg_status status = seg_attempt_make(w->ctx, w->task, w->compared, &result, &mask);
    if (status == SEG_OK && w->mask_path &&
        (status = seg_mask_write(w->ctx, w->mask_path, &mask, SEG_MASK_PNG)) != SEG_OK) {
        result.status = status;
        snprintf(result.message, sizeof result.message, "%.255s", w->ctx->message);
    }
    errno = 0;
    char *text = seg_json_dump(w->ctx, seg_attempt_json(&result), JSON_COMPACT);
    free(result.curve);
    return text;
}

static void run_method(seg_context *ctx, work *w, seg_attempt *out) {
    seg_child child;
    seg_status status = seg_child_start(ctx, attempt, w, &child);
    if (status == SEG_OK) {
        while (seg_child_wait(&child, 1, -1) < 0)
            ;
        status = seg_child_end(ctx, &child);
        json_t *object = status == SEG_OK && child.text ? seg_json_read(child.text, strlen(child.text), 0, NULL) : NULL;
        if (status == SEG_OK && (!object || !seg_attempt_parse(object, out)))
            status = seg_fail(ctx, SEG_ERR_MEMORY, "its result was lost");
        json_decref(object);
        out->memory = child.memory;
        seg_child_free(&child);
    }
    if (status) {
        memset(out, 0, sizeof *out);
        out->status = status;
        snprintf(out->message, sizeof out->message, "%.255s", ctx->message);
    }
}

static seg_status run_methods(seg_context *ctx, const seg_task *task, const char *name, seg_item_result *out) {
    const seg_plan *plan = task->plan;
    out->attempt = seg_alloc_zero(ctx, (size_t)plan->compared_count, sizeof *out->attempt);
    SEG_TRY(seg_allocated(out->attempt));
    out->attempts = plan->compared_count;
    for (int c = 0; c < plan->compared_count; c++) {
        SEG_FREED char *path = plan->out ? seg_layout_mask(ctx, plan->out, plan->compared[c].label, name) : NULL;
        if (plan->out && !path)
            return SEG_ERR_MEMORY;
        run_method(ctx, &(work){ctx, task, &plan->compared[c], path}, &out->attempt[c]);
    }
    return SEG_OK;
}

/* Record what is wrong with the item; if out of memory, the run ends. */
static seg_status note(seg_context *ctx, seg_status status, seg_item_result *out) {
    out->outcome = SEG_ITEM_BROKEN;
    snprintf(out->message, sizeof out->message, "%.511s", ctx->message);
    return status == SEG_ERR_MEMORY ? status : SEG_OK;
}

/* Make the constraints, and run every method in a process of its own. */
static seg_status evaluate_sample(seg_context *ctx, const seg_plan *plan, const seg_sample *sample, const char *name,
                                  seg_item_result *out) {
    const seg_mask *truth = &sample->truth;
    SEG_RELEASED(seg_task_end) seg_task task = {0};
    out->width = sample->photo.width;
    out->height = sample->photo.height;
    out->k = seg_truth_classes(truth);
    if (out->k < 2) {
        out->outcome = SEG_ITEM_SKIPPED;
        snprintf(out->message, sizeof out->message, "its truth has %d class%s; at least two are needed", out->k,
                 out->k == 1 ? "" : "es");
        return SEG_OK;
    }
    const seg_status status = seg_task_begin(ctx, plan, sample, &task);
    if (status)
        return note(ctx, status, out);
    const seg_mask *scribbles = task.scribbles;
    out->pairs = task.pairs.pairs;
    for (size_t p = 0; scribbles && p < (size_t)scribbles->width * (size_t)scribbles->height; p++)
        out->marked += scribbles->label[p] != 0 && scribbles->label[p] != SEG_VOID;
    if (plan->out)
        SEG_TRY(seg_layout_keep(ctx, plan->out, name, &sample->photo, truth, scribbles));
    return run_methods(ctx, &task, name, out);
}

/* The number is always the same: the seeds are made from the key. */
char *seg_item_key(seg_context *ctx, const char *name) {
    SEG_FREED char *line = seg_name_encode(name, SEG_NAME_LINE);
    if (!line)
        seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    return line ? seg_format(ctx, "%s#00001", line) : NULL;
}

static char *key_of(seg_context *ctx, const void *user, size_t number) {
    return seg_item_key(ctx, ((const seg_eval_run *)user)->set->item[number].name);
}

/* Runs in the item's process, which has a single thread. */
static seg_status evaluate(seg_context *ctx, const void *user, size_t number, char **record) {
    const seg_eval_run *run = user;
    SEG_RELEASED(seg_item_result_free) seg_item_result result = {0};
    SEG_RELEASED(seg_sample_free) seg_sample sample = {0};
    const seg_status status = seg_photo_set_read(ctx, run->set, number, &sample);
    SEG_TRY(status ? note(ctx, status, &result)
                   : evaluate_sample(ctx, run->plan, &sample, run->set->item[number].name, &result));
    *record = seg_item_result_text(ctx, &result);
    return *record ? SEG_OK : SEG_ERR_MEMORY;
}

/* The record of an item whose process gave no result. */
static char *broken(seg_context *ctx, const char *how) {
    seg_item_result result = {.outcome = SEG_ITEM_BROKEN};
    snprintf(result.message, sizeof result.message, "its process %.480s", how);
    return seg_item_result_text(ctx, &result);
}

seg_status seg_eval_run_all(seg_context *ctx, const seg_eval_run *run, size_t *done) {
    const seg_work job = {.items = run->set->items,
                          .seed = run->plan->seed,
                          .key = key_of,
                          .solve = evaluate,
                          .broken = broken,
                          .user = run,
                          .max_memory = run->plan->max_memory,
                          .timeout = run->plan->timeout};
    const seg_status status = seg_work_run(ctx, &job, &run->jobs, done);
    /* A killed process may have left half-written files; no other process writes, unless the work is divided. */
    if (status && run->plan->out && !run->jobs.shards)
        seg_layout_tidy(run->plan->out);
    return status;
}
