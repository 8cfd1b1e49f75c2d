#include "paint/solver/solver.h"

/* Open a session with these options, unless it is open; close an earlier one. */
static seg_status open_session(seg_context *ctx, paint_solver *solver, const seg_image *image,
                               const seg_options *options) {
    json_t *all = paint_options_json(ctx, options);
    json_object_set_new(all, " uncertainty", json_integer(options->uncertainty));
    if (options->params_set) /* paint_options_json does not contain parameters */
        json_object_set_new(all, " parameters",
                            json_integer((json_int_t)paint_hash(&options->params, sizeof options->params)));
    SEG_FREED char *key = json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(all);
    SEG_TRY(seg_allocated(key));
    if (solver->session && strcmp(key, solver->key) == 0)
        return SEG_OK;
    seg_session_close(seg_taken(&solver->session));
    free(solver->key);
    solver->key = seg_taken(&key);
    return seg_session_open(ctx, image, options, &solver->session);
}

seg_status paint_solver_prepare(seg_context *ctx, paint_solver *solver, const seg_image *image,
                                const seg_options *options) {
    SEG_TRY(open_session(ctx, solver, image, options));
    return seg_session_prepare(ctx, solver->session);
}

paint_layer *paint_layer_share(paint_layer *layer) {
    if (layer)
        atomic_fetch_add(&layer->uses, 1);
    return layer;
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
    for (size_t i = 0; i < pixels; i++)
        out->pixels[result->mask.label[i]]++;
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
    scribbles->labels = paint_largest_label(scribbles->label, scribbles->width, scribbles->height, &out->drawn);
    if (options->model && seg_options_check(ctx, options) != SEG_OK)
        snprintf(out->message, sizeof out->message,
                 "%.300s (options of this image; reset them with O, As the defaults)", seg_context_message(ctx));
    else if (!options->model && !options->start && !out->drawn && !options->box.width)
        snprintf(out->message, sizeof out->message, "Draw a stroke on the object, or one in each region.");
}

/* --- Object mode: finished objects stay as they are. They are not strokes of the background of the one that is drawn,
 * which may look like them. --- */

/* Scribbles of the object, as label 1, and of its background, 2. @return whether the object has some */
static int split(paint_snapshot *s) {
    const size_t pixels = (size_t)s->scribbles.width * (size_t)s->scribbles.height;
    for (size_t i = 0; i < pixels; i++) {
        const int part = s->finished[i] ? 0 : s->scribbles.label[i] - s->object + 1;
        s->scribbles.label[i] = (uint8_t)(part == 1 || part == 2 ? part : 0);
    }
    paint_largest_label(s->scribbles.label, s->scribbles.width, s->scribbles.height, &s->scribbles.labels);
    return memchr(s->scribbles.label, 1, pixels) != NULL;
}

/* Pieces of the object that a finished one cuts off from its strokes are not of it. What is reached is 0 meanwhile. */
static void drop_pieces(const paint_snapshot *s, int rest, seg_mask *mask) {
    const size_t w = (size_t)mask->width, n = w * (size_t)mask->height;
    uint8_t *l = mask->label;
    for (size_t i = 0; i < n; i++)
        l[i] = s->scribbles.label[i] == 1 && l[i] == s->object ? 0 : l[i];
    for (int turn = 0, changed = 1; changed; turn++) {
        changed = 0;
        for (size_t j = 0; j < n; j++) {
            const size_t i = turn % 2 ? n - 1 - j : j, x = i % w;
            if (l[i] == s->object &&
                ((x > 0 && !l[i - 1]) || (x + 1 < w && !l[i + 1]) || (i >= w && !l[i - w]) || (i + w < n && !l[i + w])))
                l[i] = 0, changed = 1;
        }
    }
    for (size_t i = 0; i < n; i++)
        l[i] = (uint8_t)(l[i] == s->object ? rest : l[i] ? l[i] : s->object);
}

/* The labels of the snapshot again, and the finished objects. */
static void join(const paint_snapshot *s, int rest, seg_result *result) {
    seg_mask *mask = &result->mask;
    mask->labels = rest;
    for (size_t i = 0; i < (size_t)mask->width * (size_t)mask->height; i++) {
        mask->label[i] = (uint8_t)(s->finished[i] ? s->finished[i] : mask->label[i] == 1 ? s->object : rest);
        mask->labels = mask->label[i] > mask->labels ? mask->label[i] : mask->labels;
        if (s->finished[i] && result->uncertainty)
            result->uncertainty[i] = 0;
    }
    for (int i = 0; i < result->ambiguous_count; i++) {
        result->ambiguous[i].label += s->object - 1;
        result->ambiguous[i].runner_up += s->object - 1;
    }
    memcpy(mask->colour, s->scribbles.colour, sizeof mask->colour);
    if (s->object > 1 && s->scribbles.labels)
        drop_pieces(s, rest, mask);
    for (size_t i = 0; s->options.region.width && i < (size_t)mask->width * (size_t)mask->height; i++) {
        const int y = (int)(i / (size_t)mask->width) % (mask->height / s->options.slices);
        const seg_box pixel = {(int)(i % (size_t)mask->width), y, 1, 1};
        mask->label[i] = seg_box_is_in(&pixel, &s->options.region) ? mask->label[i] : s->finished[i];
    }
}

/* Where there is nothing of the object yet, the finished ones are the mask. */
static seg_status segment_object(seg_context *ctx, const paint_solver *solver, paint_snapshot *s, paint_outcome *out) {
    const int is_begun = split(s) || s->options.box.width;
    seg_result *result, none = {.mask = s->scribbles, .method = seg_method_find(NULL)};
    out->rest = s->object + is_begun;
    if (!is_begun && s->object == 1) {
        snprintf(out->message, sizeof out->message, "Draw a stroke on the object.");
        return SEG_OK;
    }
    if (is_begun)
        SEG_TRY(seg_session_segment(ctx, solver->session, s->scribbles.labels ? &s->scribbles : NULL, NULL, &result));
    join(s, out->rest, is_begun ? result : &none);
    const seg_status status = take_result(is_begun ? result : &none, out);
    if (is_begun)
        seg_result_free(result);
    else if (status == SEG_OK)
        s->scribbles.label = NULL; /* taken over */
    return status;
}

/* Forget the steps from a number on. */
static void forget(paint_solver *solver, int from) {
    while (solver->known > from)
        seg_last_mask_drop(solver->memory[--solver->known]);
}

/* Note the step that was computed; of too many the first is forgotten. */
static void note_step(seg_context *ctx, paint_solver *solver, const paint_snapshot *s) {
    forget(solver, s->known - (s->known > 0 && solver->step[s->known - 1].at == s->step.at));
    if (solver->known == PAINT_KNOWN) {
        seg_last_mask_drop(solver->memory[0]);
        memmove(solver->step, solver->step + 1, sizeof solver->step - sizeof *solver->step);
        memmove(solver->memory, solver->memory + 1, sizeof solver->memory - sizeof *solver->memory);
        solver->known--;
    }
    solver->memory[solver->known] = solver->session ? seg_session_recall(ctx, solver->session) : NULL;
    solver->step[solver->known++] = s->step;
}

/* Make the session remember the mask of the step before. */
static seg_status remind(seg_context *ctx, const paint_solver *solver, const paint_snapshot *s) {
    if (!s->object || !solver->session)
        return SEG_OK;
    return seg_session_remind(ctx, solver->session, s->known ? solver->memory[s->known - 1] : NULL);
}

static seg_status segment(seg_context *ctx, const paint_solver *solver, paint_snapshot *snapshot, paint_outcome *out) {
    seg_result *result;
    SEG_TRY(remind(ctx, solver, snapshot));
    if (snapshot->object)
        return segment_object(ctx, solver, snapshot, out);
    SEG_TRY(seg_session_segment(ctx, solver->session, out->drawn ? &snapshot->scribbles : NULL, NULL, &result));
    const seg_status status = take_result(result, out);
    seg_result_free(result);
    return status;
}

seg_status paint_solver_segment(seg_context *ctx, paint_solver *solver, const seg_image *image,
                                paint_snapshot *snapshot, paint_outcome *out) {
    const double started = seg_now();
    out->revision = snapshot->revision;
    out->with_pen = snapshot->with_pen;
    check_snapshot(ctx, snapshot, out);
    seg_status status =
        out->message[0] ? remind(ctx, solver, snapshot) : open_session(ctx, solver, image, &snapshot->options);
    if (status == SEG_OK && !out->message[0])
        status = segment(ctx, solver, snapshot, out);
    if (snapshot->object && status != SEG_ERR_CANCELLED && !snapshot->with_pen)
        note_step(ctx, solver, snapshot);
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
    forget(solver, 0);
    seg_session_close(solver->session);
    SEG_CLEAR(solver, solver->key);
}
