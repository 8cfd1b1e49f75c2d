#include "evaluation/runner/item.h"

#include "base/base.h"
#include "base/json_read.h"
#include "base/name_text.h"
#include "evaluation/runner/child.h"
#include "evaluation/sets/layout.h"
#include "evaluation/sets/truth_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the process of one method is given. */
typedef struct task {
    seg_context *ctx;
    const seg_plan *protocol;
    const seg_compared *compared;
    const seg_sample *sample;
    int annotator;
    const seg_constraints *pairs;
    const seg_mask *scribbles;
    const char *mask_path; /* NULL: the mask is not kept */
} task;

char *seg_item_key(seg_context *ctx, const char *name, int repeat) {
    char *line = seg_name_encode(name, SEG_NAME_LINE);
    char *key = seg_format(ctx, "%s#%05d", line ? line : "", repeat + 1);
    if (!line) {
        seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
        free(key);
        key = NULL;
    }
    free(line);
    return key;
}

seg_status seg_item_constraints(seg_context *ctx, const seg_plan *protocol, const seg_sample *sample, int annotator,
                                seg_constraints *pairs, seg_mask *scribbles) {
    const seg_image *photo = &sample->photo;
    memset(pairs, 0, sizeof *pairs);
    memset(scribbles, 0, sizeof *scribbles);
    if (protocol->source == SEG_SOURCE_PAIRS) {
        seg_options usual;
        seg_options_default(&usual);
        const seg_patch_grid grid =
            seg_patch_layout_of(protocol->how ? protocol->how : &usual, photo->width, photo->height).grid;
        return seg_truth_pairs(ctx, &sample->truth[annotator], &grid, protocol->pairs, pairs);
    }
    if (protocol->source == SEG_SOURCE_SCRIBBLES) {
        if (!sample->scribbles.label)
            return seg_fail(
                ctx, SEG_ERR_INPUT,
                "it has no scribbles; draw constraints from the ground truth with --pairs or --simulated-user");
        *scribbles = sample->scribbles;
        scribbles->label = seg_alloc(ctx, (size_t)photo->width * (size_t)photo->height, 1);
        if (!scribbles->label) {
            memset(scribbles, 0, sizeof *scribbles);
            return SEG_ERR_MEMORY;
        }
        memcpy(scribbles->label, sample->scribbles.label, (size_t)photo->width * (size_t)photo->height);
    }
    return SEG_OK;
}

/* In the method's process. */
static char *attempt(void *user) {
    const task *t = user;
    seg_attempt result;
    seg_mask mask = {0};
    seg_status status = seg_attempt_make(t->ctx, t->protocol, t->compared, t->sample, t->annotator, t->pairs,
                                         t->scribbles, &result, &mask);
    if (status == SEG_OK && t->mask_path &&
        (status = seg_mask_write(t->ctx, t->mask_path, &mask, SEG_MASK_PNG)) != SEG_OK) {
        result.status = status;
        snprintf(result.message, sizeof result.message, "%.255s", t->ctx->message);
    }
    errno = 0; /* Jansson leaves out what it has no memory for; only malloc tells */
    json_t *object = seg_attempt_json(&result);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    if (errno == ENOMEM) {
        free(text);
        text = NULL;
    }
    json_decref(object);
    free(result.curve);
    seg_mask_free(&mask);
    return text;
}

static void run_contender(seg_context *ctx, task *t, seg_attempt *out) {
    seg_child child;
    seg_status status = seg_child_start(ctx, attempt, t, &child);
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

static seg_status run_contenders(seg_context *ctx, const seg_plan *protocol, const seg_photo_item *item, int repeat,
                                 task *t, seg_item_result *out) {
    seg_status status = SEG_OK;
    out->attempt = seg_alloc_zero(ctx, (size_t)protocol->compared_count, sizeof *out->attempt);
    if (!out->attempt)
        return SEG_ERR_MEMORY;
    out->attempts = protocol->compared_count;
    for (int c = 0; c < protocol->compared_count && status == SEG_OK; c++) {
        char *path = NULL;
        if (protocol->out && repeat == 0 &&
            !(path = seg_layout_mask(ctx, protocol->out, protocol->compared[c].label, item->name)))
            status = SEG_ERR_MEMORY;
        t->compared = &protocol->compared[c];
        t->mask_path = path;
        if (status == SEG_OK)
            run_contender(ctx, t, &out->attempt[c]);
        free(path);
    }
    return status;
}

static void note(seg_context *ctx, seg_item_result *out, seg_outcome outcome) {
    out->outcome = outcome;
    snprintf(out->message, sizeof out->message, "%.511s", ctx->message);
}

seg_status seg_item_evaluate(seg_context *ctx, const seg_plan *protocol, const seg_photo_set *set, size_t number,
                             int repeat, seg_item_result *out) {
    const seg_photo_item *item = &set->item[number];
    seg_sample sample = {0};
    seg_constraints pairs = {0};
    seg_mask scribbles = {0};
    memset(out, 0, sizeof *out);
    seg_status status = seg_photo_set_read(ctx, set, number, &sample);
    if (status == SEG_OK && protocol->void_as_class)
        status = seg_sample_void_as_class(ctx, &sample);
    if (status) {
        note(ctx, out, SEG_ITEM_BROKEN);
        status = status == SEG_ERR_MEMORY ? status : SEG_OK;
        goto done;
    }
    const int annotator = repeat % sample.truths;
    out->width = sample.photo.width;
    out->height = sample.photo.height;
    out->annotators = sample.truths;
    out->k = seg_truth_classes(&sample.truth[annotator]);
    if (out->k < 2) {
        out->outcome = SEG_ITEM_SKIPPED;
        snprintf(out->message, sizeof out->message, "its truth has %d class%s; at least two are needed", out->k,
                 out->k == 1 ? "" : "es");
        goto done;
    }
    status = seg_item_constraints(ctx, protocol, &sample, annotator, &pairs, &scribbles);
    if (status) {
        note(ctx, out, SEG_ITEM_BROKEN);
        status = status == SEG_ERR_MEMORY ? status : SEG_OK;
        goto done;
    }
    out->pairs = pairs.pairs;
    for (size_t p = 0; scribbles.label && p < (size_t)scribbles.width * (size_t)scribbles.height; p++)
        out->marked += scribbles.label[p] != 0 && scribbles.label[p] != SEG_VOID;
    if (protocol->out && repeat == 0)
        status = seg_layout_keep(ctx, protocol->out, item->name, &sample.photo, &sample.truth[annotator],
                                 scribbles.label ? &scribbles : NULL);
    task t = {.ctx = ctx,
              .protocol = protocol,
              .sample = &sample,
              .annotator = annotator,
              .pairs = pairs.n ? &pairs : NULL,
              .scribbles = scribbles.label ? &scribbles : NULL};
    if (status == SEG_OK)
        status = run_contenders(ctx, protocol, item, repeat, &t, out);
done:
    seg_constraints_free(&pairs);
    seg_mask_free(&scribbles);
    seg_sample_free(&sample);
    if (status)
        seg_item_result_free(out);
    return status;
}
