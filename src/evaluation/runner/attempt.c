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
    seg_params_default(method, &out->params);
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

/* Replace the labels of the mask by the truth's labels under the best matching; labels without a match get numbers that
 * the truth does not use. */
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
typedef struct job {
    const seg_task *task;
    const seg_options *options;
    seg_session *session; /* for a simulated user: computes once what clicks do not change; else NULL */
    seg_attempt *out;
} job;

/* Segment once, add to the seconds, score. */
static seg_status try_once(seg_context *ctx, void *data, const seg_mask *scribbles, seg_mask *mask) {
    const job *j = data;
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

static seg_status simulate(seg_context *ctx, job *j, seg_mask *mask) {
    const seg_task *task = j->task;
    const seg_simulation how = {.truth = &task->sample->truth,
                                .most = task->plan->clicks,
                                .object_first = task->plan->object_first,
                                .segment = try_once,
                                .data = j};
    seg_attempt *out = j->out;
    out->curve = seg_alloc(ctx, (size_t)how.most, sizeof *out->curve);
    SEG_TRY(seg_allocated(out->curve));
    SEG_TRY(seg_session_open(ctx, &task->sample->photo, j->options, &j->session));
    const seg_status status = seg_simulated_user_run(ctx, &how, mask, out->curve, &out->curve_count);
    seg_session_close(j->session);
    return status;
}

seg_status seg_attempt_make(seg_context *ctx, const seg_task *task, const seg_compared *compared, seg_attempt *out,
                            seg_mask *mask) {
    const seg_mask *scribbles = task->scribbles;
    const seg_options *how = task->plan->how;
    seg_options options;
    job j = {task, &options, NULL, out};
    memset(out, 0, sizeof *out);
    memset(mask, 0, sizeof *mask);
    seg_options_default(&options);
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
        memset(out, 0, sizeof *out);
        out->status = status;
        snprintf(out->message, sizeof out->message, "%.255s", ctx->message[0] ? ctx->message : seg_status_text(status));
    }
    return status;
}
