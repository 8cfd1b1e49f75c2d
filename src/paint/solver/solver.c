#include "paint/solver/solver.h"

#include "base/base.h"
#include "cli/common/report_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    SEG_TRY(open_session(ctx, solver, image, options));
    return seg_session_prepare(ctx, solver->session);
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

static seg_status take_result(seg_result *result, paint_outcome *out) {
    const size_t pixels = (size_t)result->mask.width * (size_t)result->mask.height;
    for (size_t i = 0, end; i < pixels; i = end) {
        for (end = i + 1; end < pixels && result->mask.label[end] == result->mask.label[i];)
            end++;
        out->pixels[result->mask.label[i]] += end - i;
    }
    memcpy(out->ambiguous, result->ambiguous, sizeof out->ambiguous);
    out->ambiguous_count = result->ambiguous_count;
    snprintf(out->method, sizeof out->method, "%s", result->method->name);
    if (result->uncertainty) {
        seg_mask values = {result->mask.width, result->mask.height, result->uncertainty, 0, {{0}}};
        if ((out->uncertainty = make_layer(&values)) != NULL)
            result->uncertainty = NULL;
    }
    out->mask = make_layer(&result->mask);
    return out->mask ? SEG_OK : SEG_ERR_MEMORY;
}

/* Check whether a mask can be made; if not, the message says why. */
static void check_snapshot(seg_context *ctx, paint_snapshot *snapshot, paint_outcome *out) {
    seg_mask *scribbles = &snapshot->scribbles;
    const seg_options *options = &snapshot->options;
    out->drawn =
        paint_labels_of(scribbles->label, (size_t)scribbles->width * (size_t)scribbles->height, &scribbles->labels);
    if (options->model && seg_options_check(ctx, options) != SEG_OK)
        snprintf(out->message, sizeof out->message,
                 "%.300s (options of this image; reset them with O, As the defaults)", seg_context_message(ctx));
    else if (!options->model && !out->drawn && !options->box.width)
        snprintf(out->message, sizeof out->message, "Draw a stroke on the object, or one in each region.");
}

seg_status paint_solver_segment(seg_context *ctx, paint_solver *solver, const seg_image *image,
                                paint_snapshot *snapshot, paint_outcome *out) {
    const double started = seg_now();
    seg_result *result = NULL;
    out->revision = snapshot->revision;
    out->with_pen = snapshot->with_pen;
    check_snapshot(ctx, snapshot, out);
    if (out->message[0])
        return SEG_OK;
    seg_status status = open_session(ctx, solver, image, &snapshot->options);
    if (status == SEG_OK)
        status = seg_session_segment(ctx, solver->session, out->drawn ? &snapshot->scribbles : NULL, NULL, &result);
    if (result)
        status = take_result(result, out);
    seg_result_free(result);
    out->seconds = seg_now() - started;
    if (status == SEG_OK || status == SEG_ERR_CANCELLED)
        return status;
    snprintf(out->message, sizeof out->message, "%s", seg_context_message(ctx));
    return SEG_OK;
}

void paint_outcome_free(paint_outcome *outcome) {
    paint_layer_release(outcome->mask);
    paint_layer_release(outcome->uncertainty);
    const int64_t number = outcome->number;
    *outcome = (paint_outcome){.number = number};
}

void paint_solver_close(paint_solver *solver) {
    seg_session_close(solver->session);
    free(solver->key);
    *solver = (paint_solver){0};
}
