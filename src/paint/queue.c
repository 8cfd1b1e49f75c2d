/* The computing thread: which job is next, and the jobs. Newer strokes cancel a job; the journal has all of them. */
#include "paint/asking.h"
#include "paint/solver/solvable.h"

#include "cli/cost.h"
#include "cli/say.h"
#include "cli/scores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPEN = 3 }; /* images in memory; one where memory is limited */

static int on_progress(void *user, double done, const char *stage) {
    paint_app *app = user;
    (void)done;
    (void)stage;
    return atomic_load(&app->outdated);
}

static void on_log(void *user, seg_log_level level, const char *line) {
    const paint_app *app = user;
    if ((int)level <= app->settings.verbosity)
        cli_say_library(level == SEG_LOG_WARNING ? "warning: " : "", line);
}

void paint_begin_job(paint_app *app, paint_item *item, paint_job job) {
    app->job = job;
    app->job_item = (int)(item - app->items);
    atomic_store(&app->outdated, 0);
}

void paint_end_job(paint_app *app, paint_item *item) {
    app->job = PAINT_IDLE;
    app->job_item = -1;
    paint_tell(app, item);
}

static void open_item(paint_app *app, paint_item *item) {
    paint_begin_job(app, item, PAINT_OPENING);
    paint_labels labels = app->labels; /* changed meanwhile only by what the file brings */
    pthread_mutex_unlock(&app->lock);
    const seg_status status = paint_item_open(app->ctx, item, &app->settings.options, &labels);
    pthread_mutex_lock(&app->lock);
    if (labels.map.count > app->labels.map.count || (labels.chosen && !app->labels.chosen))
        app->labels = labels;
    if (status != SEG_OK) {
        if (!item->message[0])
            snprintf(item->message, sizeof item->message, "%s", seg_context_message(app->ctx));
        paint_item_close(item);
    }
    item->state = status == SEG_OK ? PAINT_OPEN : PAINT_BROKEN;
    paint_end_job(app, item);
}

/* There is nothing to make a mask of; what a model says of an image is not computed any more on the way out. */
static int is_idle(const paint_app *app, const paint_item *item) {
    return paint_item_is_new(item) && (!app->settings.options.model || app->quitting);
}

/* Whether every edit has been computed; with the stroke that is under the pen, as long as it is. */
static int is_solved(const paint_app *app, const paint_item *item) {
    const paint_outcome *last = &item->outcome;
    return item->solved == item->drawing.revision || item->is_behind || is_idle(app, item) ||
           (item->has_pen && !app->quitting && last->with_pen && last->revision == item->drawing.revision);
}

static int is_saved(const paint_app *app, const paint_item *item) {
    return item->saved == item->drawing.revision || item->is_behind ||
           (is_idle(app, item) && item->solved != item->drawing.revision);
}

static int count_open(const paint_app *app) {
    int open = 0;
    for (int i = 0; i < app->settings.count; i++)
        open += app->items[i].state == PAINT_OPEN;
    return open;
}

/* The image that was shown longest ago, where there are too many; nothing of it may be left to do. */
static paint_item *to_close(paint_app *app) {
    const int most = app->settings.max_memory ? 1 : MOST_OPEN;
    paint_item *oldest = NULL;
    for (int i = 0; i < app->settings.count && count_open(app) > most; i++) {
        paint_item *item = &app->items[i];
        if (item->state == PAINT_OPEN && i != app->current && !item->readers && is_solved(app, item) &&
            item->saved == item->drawing.revision && (!oldest || item->opened < oldest->opened))
            oldest = item;
    }
    return oldest;
}

/* Do the most urgent job. @return 0 where there is none */
static int do_next(paint_app *app) {
    paint_item *shown = app->current >= 0 ? &app->items[app->current] : NULL, *item;
    for (int i = 0; i < app->settings.count; i++) {
        if (app->items[i].is_behind && !app->items[i].readers) {
            paint_item_close(&app->items[i]);
            return 1;
        }
    }
    if (shown && shown->state == PAINT_CLOSED && !app->quitting) {
        open_item(app, shown);
        return 1;
    }
    if (shown && paint_wants_question(app, shown, 1)) {
        paint_pose(app, shown);
        return 1;
    }
    if (shown && shown->state == PAINT_OPEN && !is_solved(app, shown)) {
        paint_solve(app, shown);
        return 1;
    }
    if (shown && shown->state == PAINT_OPEN && shown->pen_new && !app->quitting) {
        paint_solve(app, shown);
        return 1;
    }
    if (shown && paint_wants_question(app, shown, 0)) {
        paint_pose(app, shown);
        return 1;
    }
    for (int i = 0; i < app->settings.count; i++) {
        item = &app->items[i];
        if (item->state == PAINT_OPEN && !is_solved(app, item)) {
            paint_solve(app, item);
            return 1;
        }
    }
    for (int i = 0; i < app->settings.count; i++) {
        item = &app->items[i];
        if (item->state == PAINT_OPEN && !is_saved(app, item) && (!item->has_pen || app->quitting)) {
            paint_save(app, item);
            return 1;
        }
    }
    if ((item = to_close(app)) != NULL) {
        paint_item_close(item);
        return 1;
    }
    if (shown && shown->state == PAINT_OPEN && !shown->is_prepared && !app->quitting) {
        paint_prepare(app, shown);
        return 1;
    }
    return 0;
}

void *paint_app_run(void *user) {
    paint_app *app = user;
    seg_context_set_threads(app->ctx, app->settings.threads);
    seg_context_set_seed(app->ctx, app->settings.seed);
    seg_context_set_max_memory(app->ctx, app->settings.max_memory);
    seg_context_set_progress(app->ctx, on_progress, app);
    seg_context_set_log(app->ctx, on_log, app);
    pthread_mutex_lock(&app->lock);
    for (;;) {
        if (do_next(app))
            continue;
        if (app->quitting)
            break;
        pthread_cond_wait(&app->changed, &app->lock);
    }
    pthread_mutex_unlock(&app->lock);
    return NULL;
}

/* --- Computing. --- */

/* A session of these options; another's is closed. */
static seg_status open_session(paint_app *app, paint_item *item, seg_options *options, int with_answers) {
    if (with_answers && app->settings.max_memory) {
        const seg_status status = paint_plan_answers(app->ctx, &item->image, options);
        if (status != SEG_OK)
            return status;
    }
    json_t *all = paint_options_json(app->ctx, options);
    json_object_set_new(all, " uncertainty", json_integer(options->uncertainty));
    if (options->params_set) /* several values, which no text holds */
        json_object_set_new(all, " parameters",
                            json_integer((json_int_t)paint_hash(&options->params, sizeof options->params)));
    char *key = json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(all);
    if (!key)
        return SEG_ERR_MEMORY;
    if (item->session && strcmp(key, item->session_key) == 0) {
        free(key);
        return SEG_OK;
    }
    seg_session_close(item->session);
    item->session = NULL;
    free(item->session_key);
    item->session_key = key;
    return seg_session_open(app->ctx, &item->image, options, &item->session);
}

void paint_prepare(paint_app *app, paint_item *item) {
    seg_options options;
    paint_begin_job(app, item, PAINT_PREPARING);
    seg_status status = paint_item_options(app->ctx, &item->drawing, &app->settings.options, &options);
    options.uncertainty = app->wants_uncertainty;
    pthread_mutex_unlock(&app->lock);
    if (status == SEG_OK)
        status = open_session(app, item, &options, 0);
    if (status == SEG_OK)
        status = seg_session_prepare(app->ctx, item->session);
    pthread_mutex_lock(&app->lock);
    item->is_prepared = status != SEG_ERR_CANCELLED; /* a failure is told when there are strokes */
    paint_end_job(app, item);
}

/* What a computation works on, copied under the lock. */
typedef struct solve {
    seg_mask scribbles; /* its labels are the thread's */
    seg_options options;
    paint_outcome outcome;
    paint_pairs pairs; /* the answers; owned */
} solve;

static seg_status take_copy(paint_app *app, paint_item *item, solve *s) {
    const size_t pixels = (size_t)item->image.width * (size_t)item->image.height;
    uint8_t *grown = app->scribbles_size < pixels ? realloc(app->scribbles, pixels) : app->scribbles;
    if (!grown)
        return SEG_ERR_MEMORY;
    app->scribbles = grown;
    app->scribbles_size = pixels > app->scribbles_size ? pixels : app->scribbles_size;
    memcpy(app->scribbles, item->drawing.marks, pixels);
    s->scribbles = (seg_mask){item->image.width, item->image.height, app->scribbles, 0, {{0}}};
    memcpy(s->scribbles.colour, item->own_colour, sizeof item->own_colour);
    paint_labels_colours(&app->labels, s->scribbles.colour);
    s->outcome.revision = item->drawing.revision;
    s->outcome.with_pen = item->has_pen && !app->quitting;
    if (s->outcome.with_pen)
        paint_draw(&item->pen, item->image.width, item->image.height, app->scribbles);
    item->pen_new = 0;
    if (!paint_drawing_pairs(&item->drawing, &s->pairs))
        return SEG_ERR_MEMORY;
    const seg_status status = paint_item_options(app->ctx, &item->drawing, &app->settings.options, &s->options);
    s->options.uncertainty = app->wants_uncertainty;
    return status;
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

static void score(paint_app *app, const paint_item *item, paint_outcome *out) {
    seg_scores scores;
    out->accuracy = out->dice = -1;
    if (item->truth.label && cli_score_masks(app->ctx, &out->mask->mask, &item->truth, &scores) == SEG_OK) {
        out->accuracy = scores.pairwise_accuracy;
        out->dice = scores.mean_dice;
    }
}

static seg_status take_result(paint_app *app, const paint_item *item, seg_result *result, paint_outcome *out) {
    const size_t pixels = (size_t)item->image.width * (size_t)item->image.height;
    for (size_t i = 0, end; i < pixels; i = end) {
        for (end = i + 1; end < pixels && result->mask.label[end] == result->mask.label[i];)
            end++;
        out->pixels[result->mask.label[i]] += end - i;
    }
    memcpy(out->ambiguous, result->ambiguous, sizeof out->ambiguous);
    out->ambiguous_count = result->ambiguous_count;
    snprintf(out->method, sizeof out->method, "%s", result->method->name);
    if (result->uncertainty) {
        seg_mask values = {item->image.width, item->image.height, result->uncertainty, 0, {{0}}};
        if ((out->uncertainty = make_layer(&values)) != NULL)
            result->uncertainty = NULL;
    }
    out->mask = make_layer(&result->mask);
    if (!out->mask)
        return SEG_ERR_MEMORY;
    score(app, item, out);
    return SEG_OK;
}

/* Without the lock: the mask of the copy, or why there is none. */
static seg_status compute(paint_app *app, paint_item *item, solve *s) {
    const double started = cli_now();
    seg_constraints answers = {0};
    seg_result *result = NULL;
    seg_status status = paint_solvable(app->ctx, &s->scribbles, &s->pairs, &s->options, &answers, &s->outcome);
    if (status == SEG_OK && !s->outcome.message[0])
        status = open_session(app, item, &s->options, answers.pairs > 0);
    if (status == SEG_OK && !s->outcome.message[0])
        status = seg_session_segment(app->ctx, item->session, s->outcome.drawn ? &s->scribbles : NULL,
                                     answers.pairs ? &answers : NULL, &result);
    if (result)
        status = take_result(app, item, result, &s->outcome);
    seg_result_free(result);
    seg_constraints_free(&answers);
    if (status != SEG_OK && status != SEG_ERR_CANCELLED) {
        snprintf(s->outcome.message, sizeof s->outcome.message, "%s",
                 status == SEG_ERR_CONTRADICTION && s->outcome.pairs ? paint_contradiction
                                                                     : seg_context_message(app->ctx));
        status = SEG_OK;
    }
    s->outcome.seconds = cli_now() - started;
    return status;
}

/* Regions that were found without a stroke have labels too. */
static void cover_labels(paint_app *app, const paint_outcome *outcome, const uint8_t colour[256][3]) {
    int largest = SEG_MAX_LABELS;
    while (largest > 0 && !outcome->pixels[largest])
        largest--;
    if (largest > app->labels.map.count)
        paint_labels_cover(&app->labels, largest, colour);
}

void paint_solve(paint_app *app, paint_item *item) {
    solve s = {.outcome = {.number = item->outcome.number + 1}};
    paint_begin_job(app, item, PAINT_SOLVING);
    seg_status status = take_copy(app, item, &s);
    if (status == SEG_OK) {
        pthread_mutex_unlock(&app->lock);
        status = compute(app, item, &s);
        pthread_mutex_lock(&app->lock);
    } else {
        snprintf(s.outcome.message, sizeof s.outcome.message, "%s",
                 status == SEG_ERR_MEMORY ? paint_no_memory : seg_context_message(app->ctx));
        status = SEG_OK;
    }
    if (status == SEG_OK) {
        paint_layer_release(item->outcome.mask);
        paint_layer_release(item->outcome.uncertainty);
        item->outcome = s.outcome;
        item->is_prepared = 1;
        if (!s.outcome.with_pen)
            item->solved = s.outcome.revision;
        cover_labels(app, &s.outcome, s.scribbles.colour);
    }
    paint_pairs_free(&s.pairs);
    paint_end_job(app, item);
}
