#include "paint/solver/solver.h"

#include "base/base.h"
#include "cli/common/report_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adapt the options to a memory limit without changing the patches, as segment does with --constraints. */
static seg_status plan_answers(seg_context *ctx, const seg_image *image, seg_options *options) {
    const seg_plan_job job = {
        .width = image->width, .height = image->height, .depth = image->depth, .fixed_patches = 1};
    seg_photo_plan plan;
    const seg_status status = seg_plan_photo(ctx, &job, options, &plan);
    if (status == SEG_OK)
        *options = plan.options;
    return status;
}

/* Open a session with these options, unless it is open; close an earlier one. */
static seg_status open_session(seg_context *ctx, paint_solver *solver, const seg_image *image,
                               const seg_options *options) {
    json_t *all = paint_options_json(ctx, options);
    json_object_set_new(all, " uncertainty", json_integer(options->uncertainty));
    if (options->params_set) /* paint_options_json does not contain parameters */
        json_object_set_new(all, " parameters",
                            json_integer((json_int_t)paint_hash(&options->params, sizeof options->params)));
    char *key = json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(all);
    if (!key)
        return SEG_ERR_MEMORY;
    if (solver->session && strcmp(key, solver->key) == 0) {
        free(key);
        return SEG_OK;
    }
    seg_session_close(solver->session);
    solver->session = NULL;
    free(solver->key);
    solver->key = key;
    return seg_session_open(ctx, image, options, &solver->session);
}

seg_status paint_solver_prepare(seg_context *ctx, paint_solver *solver, const seg_image *image,
                                const seg_options *options) {
    const seg_status status = open_session(ctx, solver, image, options);
    return status == SEG_OK ? seg_session_prepare(ctx, solver->session) : status;
}

void paint_layer_release(paint_layer *layer) {
    if (layer && atomic_fetch_sub(&layer->uses, 1) == 1) {
        seg_mask_free(&layer->mask);
        free(layer);
    }
}

static paint_layer *make_layer(seg_mask *mask) {
    paint_layer *layer = calloc(1, sizeof *layer);
    if (!layer)
        return NULL;
    atomic_init(&layer->uses, 1);
    layer->mask = *mask;
    memset(mask, 0, sizeof *mask);
    return layer;
}

static void score(seg_context *ctx, const seg_mask *truth, paint_outcome *out) {
    seg_scores scores;
    out->accuracy = out->dice = -1;
    if (truth->label && cli_score_masks(ctx, &out->mask->mask, truth, &scores) == SEG_OK) {
        out->accuracy = scores.pairwise_accuracy;
        out->dice = scores.mean_dice;
    }
}

static seg_status take_result(seg_context *ctx, const paint_document *doc, seg_result *result, paint_outcome *out) {
    const size_t pixels = (size_t)doc->image.width * (size_t)doc->image.height;
    for (size_t i = 0, end; i < pixels; i = end) {
        for (end = i + 1; end < pixels && result->mask.label[end] == result->mask.label[i];)
            end++;
        out->pixels[result->mask.label[i]] += end - i;
    }
    memcpy(out->ambiguous, result->ambiguous, sizeof out->ambiguous);
    out->ambiguous_count = result->ambiguous_count;
    snprintf(out->method, sizeof out->method, "%s", result->method->name);
    if (result->uncertainty) {
        seg_mask values = {doc->image.width, doc->image.height, result->uncertainty, 0, {{0}}};
        if ((out->uncertainty = make_layer(&values)) != NULL)
            result->uncertainty = NULL;
    }
    out->mask = make_layer(&result->mask);
    if (!out->mask)
        return SEG_ERR_MEMORY;
    score(ctx, &doc->truth, out);
    return SEG_OK;
}

seg_status paint_solver_segment(seg_context *ctx, paint_solver *solver, const paint_document *doc, int limited,
                                paint_snapshot *snapshot, paint_outcome *out) {
    const double started = seg_now();
    seg_constraints answers = {0};
    seg_result *result = NULL;
    out->revision = snapshot->revision;
    out->with_pen = snapshot->with_pen;
    seg_status status = paint_check_snapshot(ctx, snapshot, &answers, out);
    const int has_mask = status == SEG_OK && !out->message[0];
    if (has_mask && answers.pairs && limited)
        status = plan_answers(ctx, &doc->image, &snapshot->options);
    if (has_mask && status == SEG_OK)
        status = open_session(ctx, solver, &doc->image, &snapshot->options);
    if (has_mask && status == SEG_OK)
        status = seg_session_segment(ctx, solver->session, out->drawn ? &snapshot->scribbles : NULL,
                                     answers.pairs ? &answers : NULL, &result);
    if (result)
        status = take_result(ctx, doc, result, out);
    seg_result_free(result);
    seg_constraints_free(&answers);
    out->seconds = seg_now() - started;
    if (status == SEG_OK || status == SEG_ERR_CANCELLED)
        return status;
    snprintf(out->message, sizeof out->message, "%s",
             status == SEG_ERR_CONTRADICTION && out->pairs ? paint_contradiction : seg_context_message(ctx));
    return SEG_OK;
}

void paint_outcome_free(paint_outcome *outcome) {
    paint_layer_release(outcome->mask);
    paint_layer_release(outcome->uncertainty);
    const int64_t number = outcome->number;
    *outcome = (paint_outcome){.number = number};
}

void paint_solver_close(paint_solver *solver) {
    paint_questions_free(solver->questions);
    seg_session_close(solver->session);
    free(solver->key);
    *solver = (paint_solver){0};
}
