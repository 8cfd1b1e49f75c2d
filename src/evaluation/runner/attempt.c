/* One method on one image: segment, name the regions as in the truth, score. */
#include "base/base.h"
#include "evaluation/runner/item.h"
#include "methods/method.h"
#include "optim/matching.h"
#include "pipeline/option_fields.h"

#include <segment/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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
    memcpy(out->label, method->name, strlen(word)); /* its case is not part of a name */
    seg_params_default(method, &out->params);
    while ((word = strtok_r(NULL, ":", &next))) {
        if (!strchr(word, '=')) { /* a variant, which comes first for its parameters to stay */
            char variant[sizeof out->label];
            seg_method_variant which = SEG_VARIANT_IMPROVED;
            snprintf(variant, sizeof variant, "%s:%s", method->name, word);
            seg_status parsed = seg_method_parse(ctx, variant, &method, &which);
            if (!parsed && out->params_set)
                parsed = seg_fail(ctx, SEG_ERR_USAGE, "'%s': the variant comes before parameters", text);
            if (parsed || (parsed = seg_params_variant(ctx, method, which, &out->params)) != SEG_OK)
                return parsed;
            out->params_set = 1;
            continue;
        }
        seg_status status = seg_params_set(ctx, method, word, &out->params);
        if (status)
            return status;
        out->params_set = 1;
    }
    return SEG_OK;
}

/* Labels of the mask become those of the truth that they match best in sum; what is left over gets numbers that the
 * truth does not use. */
static seg_status name_regions(seg_context *ctx, const seg_mask *truth, seg_mask *mask) {
    seg_contingency met;
    int32_t match[256];
    uint64_t best;
    uint8_t to[256] = {0};
    int next = truth->labels;
    seg_status status = seg_contingency_masks(ctx, mask, truth, &met);
    if (status)
        return status;
    status = seg_matching_best(ctx, met.count, (size_t)met.rows, (size_t)met.cols, match, &best);
    for (int row = 0; row < 256 && status == SEG_OK; row++) {
        const int matched = row < met.rows && match[row] >= 0 && met.count[row * met.cols + match[row]] > 0;
        to[row] = (uint8_t)(matched ? match[row] : 0);
    }
    for (size_t p = 0; p < (size_t)mask->width * (size_t)mask->height && status == SEG_OK; p++) {
        uint8_t *label = &mask->label[p];
        if (!to[*label]) {
            if (next == SEG_MAX_LABELS)
                status = seg_fail(ctx, SEG_ERR_INPUT, "labels beyond %d", SEG_MAX_LABELS);
            else
                to[*label] = (uint8_t)++next;
        }
        *label = to[*label];
    }
    mask->labels = next;
    seg_contingency_free(&met);
    return status;
}

static seg_status score(seg_context *ctx, const seg_mask *truth, const seg_mask *mask, seg_scores *out) {
    seg_contingency met = {0};
    seg_status status = seg_contingency_masks(ctx, mask, truth, &met);
    if (status == SEG_OK)
        status = seg_score(ctx, &met, out);
    seg_contingency_free(&met);
    return status;
}

/* What the masks of an attempt are made from. */
typedef struct job {
    const seg_task *task;
    const seg_options *options;
    seg_session *session; /* of a simulated user: what strokes do not change is computed once; or NULL */
    seg_attempt *out;
} job;

/* Segment once, add to the seconds, score; the mask is the caller's. */
static seg_status try_once(seg_context *ctx, void *data, const seg_mask *scribbles, seg_mask *mask, double *accuracy) {
    const job *j = data;
    const seg_task *task = j->task;
    const seg_mask *truth = &task->sample->truth;
    const seg_constraints *pairs = task->pairs.n ? &task->pairs : NULL;
    seg_attempt *out = j->out;
    seg_result *result = NULL;
    const double before = processor_seconds();
    seg_status status = j->session
                            ? seg_session_segment(ctx, j->session, scribbles, NULL, &result)
                            : seg_segment_photo(ctx, &task->sample->photo, scribbles, pairs, j->options, &result);
    out->seconds += processor_seconds() - before;
    if (status)
        return status;
    snprintf(out->ran, sizeof out->ran, "%s", strcmp(result->ran, result->method->name) != 0 ? result->ran : "");
    *mask = result->mask;
    memset(&result->mask, 0, sizeof result->mask);
    seg_result_free(result);
    memcpy(mask->colour, truth->colour, sizeof mask->colour);
    if (!scribbles)
        status = name_regions(ctx, truth, mask);
    if (status == SEG_OK)
        status = score(ctx, truth, mask, &out->scores);
    *accuracy = out->scores.pairwise_accuracy;
    if (status)
        seg_mask_free(mask);
    return status;
}

static seg_status simulate(seg_context *ctx, job *j, seg_mask *mask) {
    const seg_task *task = j->task;
    const seg_plan *plan = task->plan;
    const seg_simulation how = {
        .user = plan->user, .truth = &task->sample->truth, .most = plan->corrections, .segment = try_once, .data = j};
    seg_attempt *out = j->out;
    int strokes = 0;
    out->curve = seg_alloc_zero(ctx, (size_t)plan->corrections + 1, sizeof *out->curve);
    seg_status status = out->curve ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK)
        status = seg_session_open(ctx, &task->sample->photo, j->options, &j->session);
    if (status == SEG_OK)
        status = seg_simulated_user_run(ctx, &how, mask, &strokes, out->curve, &out->curve_count);
    for (int c = 0; c < out->curve_count && plan->user == SEG_USER_STROKES && !out->strokes; c++)
        out->strokes = out->curve[c] >= SEG_SIMULATED_GOAL ? strokes + c : 0;
    seg_session_close(j->session);
    return status;
}

seg_status seg_attempt_make(seg_context *ctx, const seg_task *task, const seg_compared *compared, seg_attempt *out,
                            seg_mask *mask) {
    const seg_mask *scribbles = task->scribbles;
    seg_options options;
    seg_mask own = {0};
    job j = {task, &options, NULL, out};
    double accuracy;
    memset(out, 0, sizeof *out);
    seg_options_default(&options);
    options.method = compared->method;
    options.params = compared->params;
    options.params_set = compared->params_set;
    if (task->plan->how) {
        options.patch = task->plan->how->patch;
        options.features = task->plan->how->features;
        options.graph = task->plan->how->graph;
        options.refine = task->plan->how->refine;
    }
    options.k = seg_truth_classes(&task->sample->truth);
    const int labels = scribbles ? seg_truth_classes(scribbles) : 0;
    options.k = labels > options.k ? labels : options.k;
    const seg_status status = task->plan->source == SEG_SOURCE_SIMULATED
                                  ? simulate(ctx, &j, &own)
                                  : try_once(ctx, &j, scribbles, &own, &accuracy);
    if (status == SEG_OK && mask) {
        *mask = own;
        memset(&own, 0, sizeof own);
    }
    seg_mask_free(&own);
    if (status) {
        free(out->curve);
        memset(out, 0, sizeof *out);
        out->status = status;
        snprintf(out->message, sizeof out->message, "%.255s", ctx->message[0] ? ctx->message : seg_status_text(status));
    }
    return status;
}
