#include "evaluation/runner/item.h"
#include "base/base.h"
#include "evaluation/runner/child.h"
#include "evaluation/runner/report_folder.h"
#include "methods/method.h"
#include "optim/matching.h"

/* ---- One method on one image: segment, name the regions as in the truth, score. ---- */

seg_status seg_compared_parse(seg_context *ctx, const char *text, seg_compared *out) {
    char *next, *word;
    memset(out, 0, sizeof *out);
    if (strlen(text) >= sizeof out->label || !*text)
        return seg_fail(ctx, SEG_ERR_USAGE, "'%s' is not a method; 'segment methods' lists them", text);
    strcpy(out->label, text);
    char copy[sizeof out->label];
    strcpy(copy, text);
    word = strtok_r(copy, ":", &next);
    const seg_method *method = word ? seg_method_find(word) : NULL;
    if (!method)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no method '%s'; 'segment methods' lists them",
                        word ? word : text);
    out->method = method->name;
    memcpy(out->label, method->name, strlen(word)); /* names ignore case: use the registry's spelling */
    out->params = seg_params_default(method);
    while ((word = strtok_r(NULL, ":", &next))) {
        if (strchr(word, '=')) {
            SEG_TRY(seg_params_set(ctx, method, word, &out->params));
        } else { /* a variant must come first, since it sets all parameters */
            char variant[sizeof out->label];
            seg_method_variant which = SEG_VARIANT_IMPROVED;
            snprintf(variant, sizeof variant, "%s:%s", method->name, word);
            SEG_TRY(seg_method_parse(ctx, variant, &method, &which));
            if (out->params_set)
                return seg_fail(ctx, SEG_ERR_USAGE, "'%s': the variant comes before parameters", text);
            SEG_TRY(seg_params_variant(ctx, method, which, &out->params));
        }
        out->params_set = 1;
    }
    return SEG_OK;
}

/* Replace the mask's labels by the truth's under the best matching; those without a match get unused numbers. */
static seg_status name_regions(seg_context *ctx, const seg_mask *truth, seg_mask *mask) {
    SEG_RELEASED(seg_contingency_free) seg_contingency met = {0};
    int32_t match[256];
    uint64_t best;
    uint8_t to[256] = {0};
    int next = truth->labels;
    SEG_TRY(seg_contingency_masks(ctx, mask, truth, &met));
    SEG_TRY(seg_matching_best(ctx, met.count, (size_t)met.rows, (size_t)met.cols, match, &best));
    for (int row = 0; row < met.rows; row++)
        if (match[row] >= 0 && met.count[row * met.cols + match[row]] > 0)
            to[row] = (uint8_t)match[row];
    for (size_t p = 0; p < (size_t)mask->width * (size_t)mask->height; p++) {
        uint8_t *label = &mask->label[p];
        if (!to[*label] && next == SEG_MAX_LABELS)
            return seg_fail(ctx, SEG_ERR_INPUT, "labels beyond %d", SEG_MAX_LABELS);
        if (!to[*label])
            to[*label] = (uint8_t)++next;
        *label = to[*label];
    }
    mask->labels = next;
    return SEG_OK;
}

/* What the masks of an attempt are made from. */
typedef struct trial {
    const seg_task *task;
    const seg_options *options;
    seg_session *session; /* for a simulated user: computes once what clicks do not change; else NULL */
    seg_attempt *out;
} trial;

/* Segment once, add to the seconds, score. */
static seg_status try_once(seg_context *ctx, void *data, const seg_mask *scribbles, seg_mask *mask) {
    const trial *j = data;
    const seg_task *task = j->task;
    const seg_mask *truth = &task->sample->truth;
    const seg_constraints *pairs = task->pairs.n ? &task->pairs : NULL;
    seg_attempt *out = j->out;
    seg_result *result = NULL;
    SEG_RELEASED(seg_contingency_free) seg_contingency met = {0};
    const double before = seg_processor_seconds();
    const seg_status status = j->session
                                  ? seg_session_segment(ctx, j->session, scribbles, NULL, &result)
                                  : seg_segment_photo(ctx, &task->sample->photo, scribbles, pairs, j->options, &result);
    out->seconds += seg_processor_seconds() - before;
    SEG_TRY(status);
    snprintf(out->ran, sizeof out->ran, "%s", strcmp(result->ran, result->method->name) != 0 ? result->ran : "");
    *mask = result->mask;
    memset(&result->mask, 0, sizeof result->mask);
    seg_result_free(result);
    memcpy(mask->colour, truth->colour, sizeof mask->colour);
    if (!scribbles)
        SEG_TRY(name_regions(ctx, truth, mask));
    SEG_TRY(seg_contingency_masks(ctx, mask, truth, &met));
    return seg_score(ctx, &met, &out->scores);
}

static seg_status simulate(seg_context *ctx, trial *j, seg_mask *mask) {
    const seg_task *task = j->task;
    const seg_simulation how = {.truth = &task->sample->truth,
                                .most = task->plan->clicks,
                                .object_first = task->plan->object_first,
                                .segment = try_once,
                                .data = j};
    seg_attempt *out = j->out;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->curve, (size_t)how.most)));
    SEG_TRY(seg_session_open(ctx, &task->sample->photo, j->options, &j->session));
    const seg_status status = seg_simulated_user_run(ctx, &how, mask, out->curve, &out->curve_count);
    seg_session_close(j->session);
    return status;
}

/* A failure is all that is known of an attempt. */
static void give_up(seg_context *ctx, seg_status status, seg_attempt *out) {
    *out = (seg_attempt){.status = status};
    snprintf(out->message, sizeof out->message, "%.255s", ctx->message[0] ? ctx->message : seg_status_text(status));
}

seg_status seg_attempt_make(seg_context *ctx, const seg_task *task, const seg_compared *compared, seg_attempt *out,
                            seg_mask *mask) {
    const seg_mask *scribbles = task->scribbles;
    const seg_options *how = task->plan->how;
    seg_options options = seg_options_default();
    trial j = {task, &options, NULL, out};
    memset(out, 0, sizeof *out);
    memset(mask, 0, sizeof *mask);
    options.method = compared->method;
    options.params = compared->params;
    options.params_set = compared->params_set;
    if (how) {
        options.patch = how->patch;
        options.features = how->features;
        options.graph = how->graph;
        options.refine = how->refine;
    }
    options.k = seg_truth_classes(&task->sample->truth);
    const int labels = scribbles ? seg_truth_classes(scribbles) : 0;
    options.k = labels > options.k ? labels : options.k;
    const seg_status status =
        task->plan->source == SEG_SOURCE_CLICKS ? simulate(ctx, &j, mask) : try_once(ctx, &j, scribbles, mask);
    if (status) {
        seg_mask_free(mask);
        free(out->curve);
        give_up(ctx, status, out);
    }
    return status;
}

/* ---- One image with every method, each in a process of its own. ---- */

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
        seg_options usual = seg_options_default();
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
    char *text = seg_json_dump(seg_attempt_json(&result), JSON_COMPACT);
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
    if (status)
        give_up(ctx, status, out);
}

static seg_status run_methods(seg_context *ctx, const seg_task *task, const char *name, seg_item_result *out) {
    const seg_plan *plan = task->plan;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->attempt, (size_t)plan->compared_count)));
    out->attempts = plan->compared_count;
    for (int c = 0; c < plan->compared_count; c++) {
        SEG_FREED char *path = plan->out ? seg_layout_mask(ctx, plan->out, plan->compared[c].label, name) : NULL;
        SEG_TRY(seg_allocated(path || !plan->out));
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
    *record = seg_item_result_text(&result);
    return *record ? SEG_OK : SEG_ERR_MEMORY;
}

/* The record of an item whose process gave no result. */
static char *broken(SEG_UNUSED seg_context *ctx, const char *how) {
    seg_item_result result = {.outcome = SEG_ITEM_BROKEN};
    snprintf(result.message, sizeof result.message, "its process %.480s", how);
    return seg_item_result_text(&result);
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
