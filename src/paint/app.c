/* The images at work: what requests ask of them. */
#include "paint/asking.h"

#include "paint/document/options.h"

#include "cli/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NEWS_SECONDS = 20 }; /* that a request for news waits */

void paint_tell(paint_app *app, paint_item *item) {
    item->news++;
    pthread_cond_broadcast(&app->changed);
}

void paint_layer_release(paint_layer *layer) {
    if (layer && atomic_fetch_sub(&layer->uses, 1) == 1) {
        seg_mask_free(&layer->mask);
        free(layer);
    }
}

/* A label map beside the masks may be of other labels than the model's. */
static void take_model(paint_app *app) {
    const int other = paint_labels_take_model(&app->labels, app->settings.options.model);
    if (other && app->settings.verbosity >= 0)
        cli_say("warning: '%s' calls label %d '%s', and '%s' calls it otherwise; are they of the same series?",
                app->settings.labels_path, other, app->labels.map.name[other - 1], app->settings.model);
}

paint_app *paint_app_start(const paint_settings *settings) {
    paint_app *app = calloc(1, sizeof *app);
    seg_context *ctx = cli_context_create();
    if (!app || !ctx || !(app->items = calloc((size_t)settings->count, sizeof *app->items))) {
        seg_context_free(ctx);
        free(app);
        cli_out_of_memory();
        return NULL;
    }
    app->settings = *settings;
    app->ctx = ctx;
    app->current = app->job_item = -1;
    for (int i = 0; i < settings->count; i++) {
        app->items[i].paths = &settings->paths[i];
        app->items[i].news = 1;
        app->items[i].journal.file = -1;
        app->items[i].question.revision = -1;
    }
    pthread_mutex_init(&app->lock, NULL);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&app->changed, &clock);
    pthread_condattr_destroy(&clock);
    const seg_status status = paint_labels_open(ctx, settings->labels_path, &app->labels);
    if (status == SEG_OK && settings->options.model)
        take_model(app);
    const int error = status == SEG_OK ? pthread_create(&app->thread, NULL, paint_app_run, app) : 0;
    if (status != SEG_OK)
        cli_fail(ctx, status, CLI_READING);
    if (error)
        cli_say("no thread can be started: %s", strerror(error));
    if (status == SEG_OK && !error)
        return app;
    seg_context_free(ctx);
    free(app->items);
    free(app);
    return NULL;
}

/* Nothing is lost where the running job ends early, because another image is wanted, or none. */
static int can_be_given_up(const paint_app *app) {
    return app->job == PAINT_PREPARING || app->job == PAINT_ASKING ||
           (app->job == PAINT_SOLVING && paint_item_is_new(&app->items[app->job_item]));
}

void paint_app_quit(paint_app *app) {
    pthread_mutex_lock(&app->lock);
    app->quitting = 1;
    if (can_be_given_up(app))
        atomic_store(&app->outdated, 1);
    pthread_cond_broadcast(&app->changed);
    pthread_mutex_unlock(&app->lock);
}

void paint_app_end(paint_app *app) {
    paint_app_quit(app);
    pthread_join(app->thread, NULL);
    for (int i = 0; i < app->settings.count; i++)
        paint_item_close(&app->items[i]);
    pthread_cond_destroy(&app->changed);
    pthread_mutex_destroy(&app->lock);
    seg_context_free(app->ctx);
    free(app->scribbles);
    free(app->items);
    free(app);
}

int paint_app_count(const paint_app *app) {
    return app->settings.count;
}

const paint_paths *paint_app_paths(const paint_app *app, int item) {
    return app->items[item].paths;
}

/* Wait for a change until then; 0 where it is too late. */
static int wait_until(paint_app *app, const struct timespec *end) {
    return !app->quitting && pthread_cond_timedwait(&app->changed, &app->lock, end) != ETIMEDOUT;
}

static struct timespec in_seconds(int seconds) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += seconds;
    return time;
}

static json_t *describe(paint_app *app, paint_item *item) {
    seg_context *ctx = seg_context_create();
    json_t *state = paint_drawing_json(&item->drawing);
    seg_options options;
    if (ctx && paint_item_options(ctx, &item->drawing, &app->settings.options, &options) == SEG_OK)
        json_object_set_new(state, "options", paint_options_json(ctx, &options));
    if (ctx)
        json_object_set_new(state, "initial", paint_options_json(ctx, &app->settings.options));
    json_object_set_new(state, "initial_params", paint_params_json(&app->settings.options));
    json_object_set_new(state, "photo", json_integer((json_int_t)item->source.number));
    json_object_set_new(state, "width", json_integer(item->image.width));
    json_object_set_new(state, "height", json_integer(item->image.height));
    json_object_set_new(state, "levels", json_integer(item->pyramid.levels));
    json_object_set_new(state, "tile", json_integer(PAINT_TILE));
    json_object_set_new(state, "truth", json_boolean(item->truth.label != NULL));
    json_object_set_new(state, "remark", paint_text(item->message));
    item->message[0] = 0;
    seg_context_free(ctx);
    return state;
}

/* What was computed of an older state is not wanted any more. */
static void outdate(paint_app *app, const paint_item *item) {
    if ((app->job == PAINT_SOLVING || app->job == PAINT_SAVING || app->job == PAINT_ASKING) &&
        &app->items[app->job_item] == item)
        atomic_store(&app->outdated, 1);
}

int paint_check_source(paint_app *app, paint_item *item, char message[SEG_MESSAGE_SIZE]) {
    const char *photo = item->paths->photo;
    const paint_source_state state = paint_source_check(photo, &item->source);
    if (state == PAINT_SOURCE_SAME)
        return 200;
    if (state == PAINT_SOURCE_GONE)
        snprintf(message, SEG_MESSAGE_SIZE,
                 "'%.400s' is gone: nothing is changed or written until it is back; the strokes so far are kept",
                 photo);
    else
        snprintf(message, SEG_MESSAGE_SIZE,
                 "'%.400s' was changed by another program: load it again, and repeat the last step; the strokes so far "
                 "are kept",
                 photo);
    item->is_behind = 1;
    outdate(app, item);
    paint_tell(app, item);
    return state == PAINT_SOURCE_GONE ? 410 : 412;
}

json_t *paint_app_open(paint_app *app, int number, char message[SEG_MESSAGE_SIZE]) {
    paint_item *item = &app->items[number];
    json_t *state = NULL;
    const struct timespec end = in_seconds(120);
    pthread_mutex_lock(&app->lock);
    if (app->current != number && can_be_given_up(app))
        atomic_store(&app->outdated, 1);
    app->current = number;
    item->opened = ++app->openings;
    if (item->state == PAINT_BROKEN)
        item->state = PAINT_CLOSED; /* it may have been mended */
    if (item->state == PAINT_OPEN && !item->is_behind)
        paint_check_source(app, item, message);
    pthread_cond_broadcast(&app->changed);
    while ((item->state == PAINT_CLOSED || item->is_behind) && wait_until(app, &end))
        ;
    if (item->state == PAINT_OPEN)
        state = describe(app, item);
    else
        snprintf(message, SEG_MESSAGE_SIZE, "%s",
                 item->state == PAINT_BROKEN ? item->message : "the image is not open yet");
    pthread_mutex_unlock(&app->lock);
    return state;
}

static void lift_pen(paint_item *item) {
    free(item->pen.xy);
    item->pen = (paint_stroke){0};
    item->has_pen = item->pen_new = 0;
}

/* An option must be one that a mask can be made with. */
static const char *check_option(paint_app *app, const paint_item *item, const json_t *edit, seg_context *ctx) {
    const json_t *set = json_object_get(edit, "set");
    const char *name = json_string_value(json_object_get(set, "name")),
               *value = json_string_value(json_object_get(set, "value"));
    seg_options options;
    if (!set || strcmp(name, "defaults") == 0)
        return NULL;
    if ((!value || !value[0]) && seg_option_find(name)) /* as at the start, or as by default */
        return NULL;
    if (paint_item_options(ctx, &item->drawing, &app->settings.options, &options) != SEG_OK ||
        seg_options_set(ctx, &options, name, value ? value : "") != SEG_OK ||
        seg_options_check(ctx, &options) != SEG_OK)
        return seg_context_message(ctx);
    return NULL;
}

/* The label that an edit changes, or NULL; *back: it takes that back. */
static const json_t *label_of(const paint_item *item, const json_t *edit, int *back) {
    const paint_act *moved = paint_moved(&item->drawing, edit);
    *back = moved && json_object_get(edit, "undo");
    return json_object_get(moved ? moved->json : edit, "label");
}

/* A label that is painted with on another image stays. */
static int is_used_elsewhere(const paint_app *app, const paint_item *but, int label) {
    for (int i = 0; i < app->settings.count; i++) {
        const paint_item *item = &app->items[i];
        int largest = 0;
        if (item != but && item->state == PAINT_OPEN)
            paint_labels_of(item->drawing.marks, (size_t)item->image.width * (size_t)item->image.height, &largest);
        if (largest >= label)
            return 1;
    }
    return 0;
}

/* Colours are those of the files of all images: they are written again. */
static void rewrite_all(paint_app *app) {
    for (int i = 0; i < app->settings.count; i++) {
        paint_item *item = &app->items[i];
        if (item->state != PAINT_OPEN)
            continue;
        item->solved = -1;
        item->saved = paint_item_saved(item, &app->settings.options);
        outdate(app, item);
        paint_tell(app, item);
    }
}

/* The part of an edit that labels are concerned with; they are on the disk before the edit is. */
static const char *change_labels(paint_app *app, const paint_item *item, const json_t *label, int back,
                                 seg_context *ctx) {
    uint8_t before[256][3] = {{0}}, after[256][3] = {{0}};
    if (!label)
        return NULL;
    const int removed = back ? paint_labels_removes(&app->labels, label) : 0;
    if (removed && is_used_elsewhere(app, item, removed))
        return NULL;
    paint_labels_colours(&app->labels, before);
    const char *refusal =
        back ? paint_labels_undo(ctx, &app->labels, label) : paint_labels_do(ctx, &app->labels, label);
    paint_labels_colours(&app->labels, after);
    if (memcmp(before, after, sizeof after) != 0)
        rewrite_all(app);
    return refusal;
}

int paint_app_edit(paint_app *app, int number, int64_t revision, const json_t *edit, char message[SEG_MESSAGE_SIZE]) {
    paint_item *item = &app->items[number];
    seg_context *ctx = seg_context_create();
    int code = 200, back = 0;
    const char *refusal = NULL;
    pthread_mutex_lock(&app->lock);
    const json_t *label = item->state == PAINT_OPEN ? label_of(item, edit, &back) : NULL;
    if (item->state != PAINT_OPEN || item->is_behind || revision != item->drawing.revision) {
        code = 409;
        refusal = "the page is behind; it has to be loaded again";
    } else if ((code = paint_check_source(app, item, message)) != 200) {
        refusal = message;
    } else if (!ctx || (refusal = paint_check(&item->drawing, edit)) != NULL ||
               (app->settings.options.model && (refusal = paint_model_refuses(&app->labels, edit)) != NULL) ||
               (refusal = check_option(app, item, edit, ctx)) != NULL ||
               (refusal = change_labels(app, item, label, back, ctx)) != NULL) {
        code = 400;
        refusal = refusal ? refusal : paint_no_memory;
    } else if (!paint_journal_append(&item->journal, edit)) {
        change_labels(app, item, label, !back, ctx);
        code = 500;
        refusal = "the journal cannot be written; is the disk full?";
    } else if ((refusal = paint_apply(&item->drawing, edit)) != NULL) {
        code = 500;
        item->is_behind = 1;
    } else {
        if (json_object_get(edit, "stroke"))
            lift_pen(item);
        outdate(app, item);
        paint_tell(app, item);
    }
    if (refusal && refusal != message)
        snprintf(message, SEG_MESSAGE_SIZE, "%s", refusal);
    pthread_mutex_unlock(&app->lock);
    seg_context_free(ctx);
    return code;
}

int paint_app_pen(paint_app *app, int number, int64_t revision, const json_t *json, char message[SEG_MESSAGE_SIZE]) {
    paint_item *item = &app->items[number];
    paint_stroke stroke = {0};
    const char *refusal = json ? paint_stroke_read(json, &stroke) : NULL;
    int code = refusal ? 400 : 200;
    if (refusal) {
        snprintf(message, SEG_MESSAGE_SIZE, "%s", refusal);
        return code;
    }
    pthread_mutex_lock(&app->lock);
    if (item->state != PAINT_OPEN || revision != item->drawing.revision) {
        free(stroke.xy); /* an edit came first: what the pen drew is in it, or gone */
    } else {
        const int had = item->has_pen;
        lift_pen(item);
        item->pen = stroke;
        item->has_pen = json != NULL;
        item->pen_new = json != NULL;
        item->pen_number++;
        if (!json && had)
            item->solved = -1; /* the mask without it */
        if (app->job == PAINT_SAVING)
            atomic_store(&app->outdated, 1);
        pthread_cond_broadcast(&app->changed);
    }
    pthread_mutex_unlock(&app->lock);
    return code;
}

void paint_app_show_uncertainty(paint_app *app, int shown) {
    pthread_mutex_lock(&app->lock);
    if (shown && !app->wants_uncertainty && app->current >= 0) {
        paint_item *item = &app->items[app->current];
        if (!item->outcome.uncertainty)
            item->solved = -1;
    }
    app->wants_uncertainty = shown;
    pthread_cond_broadcast(&app->changed);
    pthread_mutex_unlock(&app->lock);
}

int paint_app_ask(paint_app *app, int asking, char message[SEG_MESSAGE_SIZE]) {
    if (asking && app->settings.options.model) {
        snprintf(message, SEG_MESSAGE_SIZE,
                 "no questions with a model: pairs cannot be joined with one; draw strokes, or start segment paint "
                 "without --model");
        return 0;
    }
    pthread_mutex_lock(&app->lock);
    app->asking = asking;
    pthread_cond_broadcast(&app->changed);
    pthread_mutex_unlock(&app->lock);
    return 1;
}

json_t *paint_app_model(const paint_app *app) {
    return app->settings.options.model ? paint_model_json(app->settings.model) : json_null();
}

int paint_app_takes_method(const paint_app *app, const char *method) {
    seg_context *ctx = app->settings.options.model ? seg_context_create() : NULL;
    const int takes = !ctx || paint_model_takes(ctx, &app->settings.options, method);
    seg_context_free(ctx);
    return takes;
}

json_t *paint_app_labels(paint_app *app) {
    pthread_mutex_lock(&app->lock);
    json_t *list = paint_labels_json(&app->labels);
    pthread_mutex_unlock(&app->lock);
    return list;
}

seg_labelmap paint_app_labelmap(paint_app *app) {
    pthread_mutex_lock(&app->lock);
    const seg_labelmap map = app->labels.map;
    pthread_mutex_unlock(&app->lock);
    return map;
}

uint8_t *paint_app_tile(paint_app *app, int number, paint_tiles kind, int level, int column, int row, size_t *size) {
    paint_item *item = &app->items[number];
    paint_layer *layer = NULL;
    uint8_t *made = NULL;
    pthread_mutex_lock(&app->lock);
    const int open = item->state == PAINT_OPEN;
    if (open && kind == PAINT_PHOTO)
        item->readers++;
    if (open && kind != PAINT_PHOTO)
        layer = kind == PAINT_MASK ? item->outcome.mask : item->outcome.uncertainty;
    if (layer)
        atomic_fetch_add(&layer->uses, 1);
    pthread_mutex_unlock(&app->lock);
    if (open && kind == PAINT_PHOTO) {
        made = paint_tile_rgba(&item->pyramid, level, column, row, size);
        pthread_mutex_lock(&app->lock);
        item->readers--;
        pthread_cond_broadcast(&app->changed);
        pthread_mutex_unlock(&app->lock);
    }
    if (layer) {
        made = paint_tile_values(layer->mask.label, layer->mask.width, layer->mask.height, level, column, row, size);
        paint_layer_release(layer);
    }
    return made;
}

static int is_final(const paint_item *item) {
    return item->state == PAINT_OPEN && !item->is_behind && item->solved == item->drawing.revision &&
           item->outcome.revision == item->drawing.revision && !item->outcome.with_pen;
}

paint_layer *paint_app_mask(paint_app *app, int number) {
    paint_item *item = &app->items[number];
    pthread_mutex_lock(&app->lock);
    char message[SEG_MESSAGE_SIZE];
    paint_layer *layer = NULL;
    if (is_final(item) && paint_check_source(app, item, message) == 200)
        layer = item->outcome.mask;
    if (layer)
        atomic_fetch_add(&layer->uses, 1);
    pthread_mutex_unlock(&app->lock);
    return layer;
}

static const char *job_name(const paint_app *app, const paint_item *item) {
    static const char *const names[] = {"idle", "opening", "preparing", "segmenting", "saving", "asking"};
    return app->job_item >= 0 && &app->items[app->job_item] == item ? names[app->job] : names[PAINT_IDLE];
}

static json_t *outcome_json(const paint_outcome *outcome) {
    json_t *regions = json_array(), *areas = json_array();
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        if (outcome->pixels[label])
            json_array_append_new(
                regions, json_pack("{s:i, s:I}", "label", label, "pixels", (json_int_t)outcome->pixels[label]));
    for (int i = 0; i < outcome->ambiguous_count; i++) {
        const seg_ambiguous_region *a = &outcome->ambiguous[i];
        json_array_append_new(areas,
                              json_pack("{s:i, s:i, s:[i, i, i, i], s:f}", "label", a->label, "runner_up", a->runner_up,
                                        "box", a->left, a->top, a->right, a->bottom, "share", a->share));
    }
    json_t *all =
        json_pack("{s:o, s:I, s:o, s:o, s:s, s:f, s:I, s:b, s:b, s:b, s:I}", "regions", regions, "unknown",
                  (json_int_t)outcome->pixels[SEG_VOID], "ambiguous", areas, "message", paint_text(outcome->message),
                  "method", outcome->method, "seconds", outcome->seconds, "number", (json_int_t)outcome->number, "mask",
                  outcome->mask != NULL, "uncertainty", outcome->uncertainty != NULL, "pen", outcome->with_pen,
                  "revision", (json_int_t)outcome->revision);
    if (outcome->mask && outcome->accuracy >= 0) {
        json_object_set_new(all, "accuracy", json_real(outcome->accuracy));
        json_object_set_new(all, "dice", json_real(outcome->dice));
    }
    return all;
}

static json_t *command_json(const paint_app *app, const paint_item *item) {
    seg_context *ctx = seg_context_create();
    const paint_outcome *last = &item->outcome;
    const char *model = app->settings.model;
    const paint_given given = {.scribbles = last->drawn > 0 || !(last->pairs || model),
                               .pairs = last->pairs > 0 && !model,
                               .k = last->k,
                               .model = model};
    seg_options options;
    char *text = NULL;
    if (ctx && paint_item_options(ctx, &item->drawing, &app->settings.options, &options) == SEG_OK)
        text = paint_command(ctx, item->paths, &options, app->settings.seed, &given);
    json_t *made = paint_text(text ? text : "");
    free(text);
    seg_context_free(ctx);
    return made;
}

/* Of one that is not open nothing is known: the thread may be reading it just now. */
json_t *paint_app_news(paint_app *app, int number, int64_t after) {
    paint_item *item = &app->items[number];
    const struct timespec end = in_seconds(NEWS_SECONDS);
    pthread_mutex_lock(&app->lock);
    while (item->news == after && wait_until(app, &end))
        ;
    const int open = item->state == PAINT_OPEN && !item->is_behind;
    const int64_t revision = open ? item->drawing.revision : 0, at = open ? (int64_t)item->drawing.at : 0;
    json_t *news = json_pack("{s:I, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:s, s:o, s:o, s:o}", "news",
                             (json_int_t)item->news, "photo", (json_int_t)(open ? item->source.number : 0), "revision",
                             (json_int_t)revision, "at", (json_int_t)at, "final", is_final(item), "saved",
                             open && item->saved == revision, "open", open, "ending", app->quitting, "job",
                             job_name(app, item), "command", open ? command_json(app, item) : json_string(""),
                             "outcome", outcome_json(&item->outcome), "question", paint_question_json(item));
    pthread_mutex_unlock(&app->lock);
    return news;
}

json_t *paint_app_states(paint_app *app) {
    json_t *list = json_array();
    pthread_mutex_lock(&app->lock);
    for (int i = 0; i < app->settings.count; i++) {
        const paint_item *item = &app->items[i];
        const int drawn = item->state == PAINT_OPEN ? paint_is_drawn(&item->drawing) : item->was_drawn;
        json_array_append_new(list, json_pack("{s:o, s:b, s:b}", "name", paint_text(item->paths->name), "drawn", drawn,
                                              "broken", item->state == PAINT_BROKEN));
    }
    pthread_mutex_unlock(&app->lock);
    return list;
}
