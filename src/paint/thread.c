/* The computing thread: which job is next, and the jobs. Newer strokes cancel a job; the journal has all of them. */
#include "paint/asking.h"
#include "paint/solvable.h"

#include "cli/cost.h"
#include "cli/say.h"
#include "cli/scores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPEN = 3 }; /* images in memory; one where memory is limited */

static int on_progress(void *user, double done, const char *stage) {
    paint_work *work = user;
    (void)done;
    (void)stage;
    return atomic_load(&work->outdated);
}

static void on_log(void *user, seg_log_level level, const char *line) {
    const paint_work *work = user;
    if ((int)level <= work->settings.verbosity)
        cli_say_library(level == SEG_LOG_WARNING ? "warning: " : "", line);
}

void paint_begin_job(paint_work *work, paint_item *item, paint_job job) {
    work->job = job;
    work->job_item = (int)(item - work->items);
    atomic_store(&work->outdated, 0);
}

void paint_end_job(paint_work *work, paint_item *item) {
    work->job = PAINT_IDLE;
    work->job_item = -1;
    paint_tell(work, item);
}

static void open_item(paint_work *work, paint_item *item) {
    paint_begin_job(work, item, PAINT_OPENING);
    paint_labels labels = work->labels; /* changed meanwhile only by what the file brings */
    pthread_mutex_unlock(&work->lock);
    const seg_status status = paint_item_open(work->ctx, item, &work->settings.options, &labels);
    pthread_mutex_lock(&work->lock);
    if (labels.map.count > work->labels.map.count || (labels.chosen && !work->labels.chosen))
        work->labels = labels;
    if (status != SEG_OK) {
        if (!item->message[0])
            snprintf(item->message, sizeof item->message, "%s", seg_context_message(work->ctx));
        paint_item_close(item);
    }
    item->state = status == SEG_OK ? PAINT_OPEN : PAINT_BROKEN;
    paint_end_job(work, item);
}

/* There is nothing to make a mask of; what a model says of an image is not computed any more on the way out. */
static int is_idle(const paint_work *work, const paint_item *item) {
    return paint_item_is_new(item) && (!work->settings.options.model || work->quitting);
}

/* Whether every edit has been computed; with the stroke that is under the pen, as long as it is. */
static int is_solved(const paint_work *work, const paint_item *item) {
    const paint_outcome *last = &item->outcome;
    return item->solved == item->drawing.revision || item->is_behind || is_idle(work, item) ||
           (item->has_pen && !work->quitting && last->with_pen && last->revision == item->drawing.revision);
}

static int is_saved(const paint_work *work, const paint_item *item) {
    return item->saved == item->drawing.revision || item->is_behind ||
           (is_idle(work, item) && item->solved != item->drawing.revision);
}

static int count_open(const paint_work *work) {
    int open = 0;
    for (int i = 0; i < work->settings.count; i++)
        open += work->items[i].state == PAINT_OPEN;
    return open;
}

/* The image that was shown longest ago, where there are too many; nothing of it may be left to do. */
static paint_item *to_close(paint_work *work) {
    const int most = work->settings.max_memory ? 1 : MOST_OPEN;
    paint_item *oldest = NULL;
    for (int i = 0; i < work->settings.count && count_open(work) > most; i++) {
        paint_item *item = &work->items[i];
        if (item->state == PAINT_OPEN && i != work->current && !item->readers && is_solved(work, item) &&
            item->saved == item->drawing.revision && (!oldest || item->opened < oldest->opened))
            oldest = item;
    }
    return oldest;
}

/* Do the most urgent job. @return 0 where there is none */
static int do_next(paint_work *work) {
    paint_item *shown = work->current >= 0 ? &work->items[work->current] : NULL, *item;
    for (int i = 0; i < work->settings.count; i++) {
        if (work->items[i].is_behind && !work->items[i].readers) {
            paint_item_close(&work->items[i]);
            return 1;
        }
    }
    if (shown && shown->state == PAINT_CLOSED && !work->quitting) {
        open_item(work, shown);
        return 1;
    }
    if (shown && paint_wants_question(work, shown, 1)) {
        paint_pose(work, shown);
        return 1;
    }
    if (shown && shown->state == PAINT_OPEN && !is_solved(work, shown)) {
        paint_solve(work, shown);
        return 1;
    }
    if (shown && shown->state == PAINT_OPEN && shown->pen_new && !work->quitting) {
        paint_solve(work, shown);
        return 1;
    }
    if (shown && paint_wants_question(work, shown, 0)) {
        paint_pose(work, shown);
        return 1;
    }
    for (int i = 0; i < work->settings.count; i++) {
        item = &work->items[i];
        if (item->state == PAINT_OPEN && !is_solved(work, item)) {
            paint_solve(work, item);
            return 1;
        }
    }
    for (int i = 0; i < work->settings.count; i++) {
        item = &work->items[i];
        if (item->state == PAINT_OPEN && !is_saved(work, item) && (!item->has_pen || work->quitting)) {
            paint_save(work, item);
            return 1;
        }
    }
    if ((item = to_close(work)) != NULL) {
        paint_item_close(item);
        return 1;
    }
    if (shown && shown->state == PAINT_OPEN && !shown->is_prepared && !work->quitting) {
        paint_prepare(work, shown);
        return 1;
    }
    return 0;
}

void *paint_work_run(void *user) {
    paint_work *work = user;
    seg_context_set_threads(work->ctx, work->settings.threads);
    seg_context_set_seed(work->ctx, work->settings.seed);
    seg_context_set_max_memory(work->ctx, work->settings.max_memory);
    seg_context_set_progress(work->ctx, on_progress, work);
    seg_context_set_log(work->ctx, on_log, work);
    pthread_mutex_lock(&work->lock);
    for (;;) {
        if (do_next(work))
            continue;
        if (work->quitting)
            break;
        pthread_cond_wait(&work->changed, &work->lock);
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* --- Computing. --- */

/* A session of these options; another's is closed. */
static seg_status open_session(paint_work *work, paint_item *item, seg_options *options, int with_answers) {
    if (with_answers && work->settings.max_memory) {
        const seg_status status = paint_plan_answers(work->ctx, &item->image, options);
        if (status != SEG_OK)
            return status;
    }
    json_t *all = paint_options_json(work->ctx, options);
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
    return seg_session_open(work->ctx, &item->image, options, &item->session);
}

void paint_prepare(paint_work *work, paint_item *item) {
    seg_options options;
    paint_begin_job(work, item, PAINT_PREPARING);
    seg_status status = paint_item_options(work->ctx, &item->drawing, &work->settings.options, &options);
    options.uncertainty = work->wants_uncertainty;
    pthread_mutex_unlock(&work->lock);
    if (status == SEG_OK)
        status = open_session(work, item, &options, 0);
    if (status == SEG_OK)
        status = seg_session_prepare(work->ctx, item->session);
    pthread_mutex_lock(&work->lock);
    item->is_prepared = status != SEG_ERR_CANCELLED; /* a failure is told when there are strokes */
    paint_end_job(work, item);
}

/* What a computation works on, copied under the lock. */
typedef struct solve {
    seg_mask scribbles; /* its labels are the thread's */
    seg_options options;
    paint_outcome outcome;
    paint_pairs pairs; /* the answers; owned */
} solve;

static seg_status take_copy(paint_work *work, paint_item *item, solve *s) {
    const size_t pixels = (size_t)item->image.width * (size_t)item->image.height;
    uint8_t *grown = work->scribbles_size < pixels ? realloc(work->scribbles, pixels) : work->scribbles;
    if (!grown)
        return SEG_ERR_MEMORY;
    work->scribbles = grown;
    work->scribbles_size = pixels > work->scribbles_size ? pixels : work->scribbles_size;
    memcpy(work->scribbles, item->drawing.marks, pixels);
    s->scribbles = (seg_mask){item->image.width, item->image.height, work->scribbles, 0, {{0}}};
    memcpy(s->scribbles.colour, item->own_colour, sizeof item->own_colour);
    paint_labels_colours(&work->labels, s->scribbles.colour);
    s->outcome.revision = item->drawing.revision;
    s->outcome.with_pen = item->has_pen && !work->quitting;
    if (s->outcome.with_pen)
        paint_draw(&item->pen, item->image.width, item->image.height, work->scribbles);
    item->pen_new = 0;
    if (!paint_drawing_pairs(&item->drawing, &s->pairs))
        return SEG_ERR_MEMORY;
    const seg_status status = paint_item_options(work->ctx, &item->drawing, &work->settings.options, &s->options);
    s->options.uncertainty = work->wants_uncertainty;
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

static void score(paint_work *work, const paint_item *item, paint_outcome *out) {
    seg_scores scores;
    out->accuracy = out->dice = -1;
    if (item->truth.label && cli_score_masks(work->ctx, &out->mask->mask, &item->truth, &scores) == SEG_OK) {
        out->accuracy = scores.pairwise_accuracy;
        out->dice = scores.mean_dice;
    }
}

static seg_status take_result(paint_work *work, const paint_item *item, seg_result *result, paint_outcome *out) {
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
    score(work, item, out);
    return SEG_OK;
}

/* Without the lock: the mask of the copy, or why there is none. */
static seg_status compute(paint_work *work, paint_item *item, solve *s) {
    const double started = cli_now();
    seg_constraints answers = {0};
    seg_result *result = NULL;
    seg_status status = paint_solvable(work->ctx, &s->scribbles, &s->pairs, &s->options, &answers, &s->outcome);
    if (status == SEG_OK && !s->outcome.message[0])
        status = open_session(work, item, &s->options, answers.pairs > 0);
    if (status == SEG_OK && !s->outcome.message[0])
        status = seg_session_segment(work->ctx, item->session, s->outcome.drawn ? &s->scribbles : NULL,
                                     answers.pairs ? &answers : NULL, &result);
    if (result)
        status = take_result(work, item, result, &s->outcome);
    seg_result_free(result);
    seg_constraints_free(&answers);
    if (status != SEG_OK && status != SEG_ERR_CANCELLED) {
        snprintf(s->outcome.message, sizeof s->outcome.message, "%s",
                 status == SEG_ERR_CONTRADICTION && s->outcome.pairs ? paint_contradiction
                                                                     : seg_context_message(work->ctx));
        status = SEG_OK;
    }
    s->outcome.seconds = cli_now() - started;
    return status;
}

/* Regions that were found without a stroke have labels too. */
static void cover_labels(paint_work *work, const paint_outcome *outcome, const uint8_t colour[256][3]) {
    int largest = SEG_MAX_LABELS;
    while (largest > 0 && !outcome->pixels[largest])
        largest--;
    if (largest > work->labels.map.count)
        paint_labels_cover(&work->labels, largest, colour);
}

void paint_solve(paint_work *work, paint_item *item) {
    solve s = {.outcome = {.number = item->outcome.number + 1}};
    paint_begin_job(work, item, PAINT_SOLVING);
    seg_status status = take_copy(work, item, &s);
    if (status == SEG_OK) {
        pthread_mutex_unlock(&work->lock);
        status = compute(work, item, &s);
        pthread_mutex_lock(&work->lock);
    } else {
        snprintf(s.outcome.message, sizeof s.outcome.message, "%s",
                 status == SEG_ERR_MEMORY ? paint_no_memory : seg_context_message(work->ctx));
        status = SEG_OK;
    }
    if (status == SEG_OK) {
        paint_layer_release(item->outcome.mask);
        paint_layer_release(item->outcome.uncertainty);
        item->outcome = s.outcome;
        item->is_prepared = 1;
        if (!s.outcome.with_pen)
            item->solved = s.outcome.revision;
        cover_labels(work, &s.outcome, s.scribbles.colour);
    }
    paint_pairs_free(&s.pairs);
    paint_end_job(work, item);
}
