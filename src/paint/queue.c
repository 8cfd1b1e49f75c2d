/* The computing thread: choosing the next job, and the jobs. New strokes cancel a job; nothing is lost, because the
 * journal has all strokes. */
#include "paint/queue.h"
#include "cli/common/process.h"

enum { MOST_OPEN = 3 }; /* images in memory; 1 with a memory limit */

void paint_tell(paint_queue *queue, paint_item *item) {
    item->news++;
    pthread_cond_broadcast(&queue->changed);
}

void paint_outdate(paint_queue *queue, const paint_item *item) {
    if ((queue->job == PAINT_SOLVING || queue->job == PAINT_SAVING) && &queue->items[queue->job_item] == item)
        atomic_store(&queue->outdated, 1);
}

void paint_give_up(paint_queue *queue) {
    if (queue->job == PAINT_PREPARING ||
        (queue->job == PAINT_SOLVING && paint_document_is_new(&queue->items[queue->job_item].doc)))
        atomic_store(&queue->outdated, 1);
}

int paint_check_source(paint_queue *queue, paint_item *item, char message[SEG_MESSAGE_SIZE]) {
    const char *photo = item->doc.paths->photo;
    const paint_source_state state = paint_source_check(photo, &item->doc.source);
    if (state == PAINT_SOURCE_SAME)
        return 200;
    snprintf(message, SEG_MESSAGE_SIZE, "'%.400s' %s; the strokes so far are kept", photo,
             state == PAINT_SOURCE_GONE ? "is missing: nothing is changed or written until it is restored"
                                        : "was changed by another program: load it again, and repeat the last step");
    item->is_behind = 1;
    paint_outdate(queue, item);
    paint_tell(queue, item);
    return state == PAINT_SOURCE_GONE ? 410 : 412;
}

static int on_progress(void *user, SEG_UNUSED double done, SEG_UNUSED const char *stage) {
    paint_queue *queue = user;
    return atomic_load(&queue->outdated);
}

static void on_log(void *user, seg_log_level level, const char *line) {
    const paint_queue *queue = user;
    if ((int)level <= queue->settings.verbosity)
        cli_say_library(level == SEG_LOG_WARNING ? "warning: " : "", line);
}

void paint_begin_job(paint_queue *queue, paint_item *item, paint_job job) {
    queue->job = job;
    queue->job_item = (int)(item - queue->items);
    atomic_store(&queue->outdated, 0);
}

void paint_end_job(paint_queue *queue, paint_item *item) {
    queue->job = PAINT_IDLE;
    queue->job_item = -1;
    paint_tell(queue, item);
}

void paint_lift_pen(paint_item *item) {
    free(item->pen.xy);
    item->pen = (paint_stroke){0};
    item->has_pen = item->pen_new = 0;
}

static void close_item(paint_item *item) {
    item->was_drawn = paint_largest_mark(&item->doc.drawing) > 0;
    paint_solver_close(&item->solver);
    paint_outcome_free(&item->outcome);
    paint_lift_pen(item);
    item->is_prepared = item->is_behind = 0;
    paint_document_close(&item->doc);
    if (item->state == PAINT_OPEN)
        item->state = PAINT_CLOSED;
}

static void open_item(paint_queue *queue, paint_item *item) {
    paint_begin_job(queue, item, PAINT_OPENING);
    paint_labels labels = queue->labels; /* meanwhile changed only by labels from the files */
    pthread_mutex_unlock(&queue->lock);
    const seg_status status =
        paint_document_open(queue->ctx, &item->doc, &queue->settings.options, queue->settings.objects, &labels);
    pthread_mutex_lock(&queue->lock);
    if (labels.map.count > queue->labels.map.count || (labels.chosen && !queue->labels.chosen))
        queue->labels = labels;
    item->solved = -1;
    item->saved = paint_document_saved(&item->doc, &queue->settings.options);
    if (status != SEG_OK) {
        if (!item->doc.message[0])
            snprintf(item->doc.message, sizeof item->doc.message, "%s", seg_context_message(queue->ctx));
        close_item(item);
    }
    item->state = status == SEG_OK ? PAINT_OPEN : PAINT_BROKEN;
    paint_end_job(queue, item);
}

static const seg_image *seen(const paint_item *item) {
    return item->doc.stack.data ? &item->doc.stack : &item->doc.image;
}

static void prepare(paint_queue *queue, paint_item *item) {
    seg_options options;
    paint_begin_job(queue, item, PAINT_PREPARING);
    seg_status status = paint_drawing_options(queue->ctx, &item->doc.drawing, &queue->settings.options, &options);
    options.uncertainty = queue->wants_uncertainty;
    pthread_mutex_unlock(&queue->lock);
    if (status == SEG_OK)
        status = paint_solver_prepare(queue->ctx, &item->solver, seen(item), &options);
    pthread_mutex_lock(&queue->lock);
    item->is_prepared = status != SEG_ERR_CANCELLED; /* a failure is reported once there are strokes */
    paint_end_job(queue, item);
}

/* In object mode the next step towards what counts; the unfinished stroke is in the last one. */
static seg_status take_snapshot(paint_queue *queue, paint_item *item, int with_pen, paint_snapshot *out) {
    paint_document part = item->doc;
    int known = item->solver.known;
    const paint_step step = paint_next_step(&part.drawing, item->solver.step, &known);
    seg_status status = paint_drawing_options(queue->ctx, &part.drawing, &queue->settings.options, &out->options);
    if (status == SEG_OK && out->options.object && step.at < part.drawing.at) {
        part.drawing.at = step.at;
        part.drawing.marks = NULL; /* they are those of all acts */
    }
    const paint_stroke *pen = with_pen && part.drawing.marks ? &item->pen : NULL;
    status = paint_snapshot_take(queue->ctx, &part, &queue->labels, &queue->settings.options, pen, out);
    out->options.uncertainty = queue->wants_uncertainty;
    out->step = step;
    out->known = known;
    return status;
}

/* Add labels for regions that have no strokes. */
static void cover_labels(paint_queue *queue, const paint_outcome *outcome, const uint8_t colour[256][3]) {
    int largest = SEG_MAX_LABELS;
    while (largest > 0 && !outcome->pixels[largest])
        largest--;
    if (largest > queue->labels.map.count)
        paint_labels_cover(&queue->labels, largest, colour);
}

static void solve(paint_queue *queue, paint_item *item) {
    paint_outcome outcome = {.number = item->outcome.number + 1, .revision = item->doc.drawing.revision};
    paint_snapshot snapshot;
    paint_begin_job(queue, item, PAINT_SOLVING);
    seg_status status = take_snapshot(queue, item, item->has_pen && !queue->quitting, &snapshot);
    const int is_last = !snapshot.object || snapshot.step.at == item->doc.drawing.at;
    outcome.with_pen = snapshot.with_pen;
    item->pen_new = 0;
    if (status == SEG_OK) {
        pthread_mutex_unlock(&queue->lock);
        status = paint_solver_segment(queue->ctx, &item->solver, seen(item), &snapshot, &outcome);
        pthread_mutex_lock(&queue->lock);
    } else {
        snprintf(outcome.message, sizeof outcome.message, "%s",
                 status == SEG_ERR_MEMORY ? paint_no_memory : seg_context_message(queue->ctx));
        status = SEG_OK;
    }
    if (status == SEG_OK && !is_last) {
        paint_outcome_free(&outcome);
    } else if (status == SEG_OK) {
        paint_outcome_free(&item->outcome);
        item->outcome = outcome;
        item->is_prepared = 1;
        if (!outcome.with_pen)
            item->solved = outcome.revision;
        cover_labels(queue, &outcome, snapshot.scribbles.colour);
    }
    paint_snapshot_free(&snapshot);
    paint_end_job(queue, item);
}

/* --- Which job is next. --- */

/* There is nothing to compute a mask from. While quitting, a mask from a model alone is not computed any more. */
static int is_idle(const paint_queue *queue, const paint_item *item) {
    return paint_document_is_new(&item->doc) &&
           ((!queue->settings.options.model && !item->doc.drawing.start && !queue->settings.options.box.width) ||
            queue->quitting);
}

/* Whether the mask lacks an edit or, while drawing, the unfinished stroke. */
static int is_solvable(const paint_queue *queue, const paint_item *item) {
    const paint_outcome *last = &item->outcome;
    const int64_t revision = item->doc.drawing.revision;
    return item->state == PAINT_OPEN && item->solved != revision && !item->is_behind && !is_idle(queue, item) &&
           !(item->has_pen && !queue->quitting && last->with_pen && last->revision == revision);
}

static int is_writable(const paint_queue *queue, const paint_item *item) {
    const int64_t revision = item->doc.drawing.revision;
    return item->state == PAINT_OPEN && item->saved != revision && !item->is_behind &&
           (!is_idle(queue, item) || item->solved == revision) && (!item->has_pen || queue->quitting);
}

static int is_outdated(SEG_UNUSED const paint_queue *queue, const paint_item *item) {
    return item->is_behind && !item->readers;
}

static paint_item *find_first(const paint_queue *queue, int (*is_wanted)(const paint_queue *, const paint_item *)) {
    for (int i = 0; i < queue->settings.count; i++)
        if (is_wanted(queue, &queue->items[i]))
            return &queue->items[i];
    return NULL;
}

/* If too many images are open, the one shown longest ago that has no work left; else NULL. */
static paint_item *to_close(const paint_queue *queue) {
    paint_item *oldest = NULL;
    int open = 0;
    for (int i = 0; i < queue->settings.count; i++) {
        paint_item *item = &queue->items[i];
        open += item->state == PAINT_OPEN;
        if (item->state == PAINT_OPEN && i != queue->current && !item->readers && !is_solvable(queue, item) &&
            item->saved == item->doc.drawing.revision && (!oldest || item->opened < oldest->opened))
            oldest = item;
    }
    return open > (queue->settings.max_memory ? 1 : MOST_OPEN) ? oldest : NULL;
}

/* Do the most urgent job, or wait for one. @return 0 if there is none left at the end */
static int do_next(paint_queue *queue) {
    paint_item *shown = queue->current >= 0 ? &queue->items[queue->current] : NULL, *item;
    const int is_open = shown && shown->state == PAINT_OPEN;
    if ((item = find_first(queue, is_outdated)) != NULL)
        close_item(item);
    else if (shown && shown->state == PAINT_CLOSED && !queue->quitting)
        open_item(queue, shown);
    else if (is_open && (is_solvable(queue, shown) || (shown->pen_new && !queue->quitting)))
        solve(queue, shown);
    else if ((item = find_first(queue, is_solvable)) != NULL)
        solve(queue, item);
    else if ((item = find_first(queue, is_writable)) != NULL)
        paint_save(queue, item);
    else if ((item = to_close(queue)) != NULL)
        close_item(item);
    else if (is_open && !shown->is_prepared && !queue->quitting)
        prepare(queue, shown);
    else if (!queue->quitting)
        pthread_cond_wait(&queue->changed, &queue->lock);
    else
        return 0;
    return 1;
}

static void *run(void *user) {
    paint_queue *queue = user;
    *seg_context_settings(queue->ctx) = (seg_call_settings){.threads = queue->settings.threads,
                                                            .seed = queue->settings.seed,
                                                            .max_memory = queue->settings.max_memory,
                                                            .log = on_log,
                                                            .log_user = queue,
                                                            .progress = on_progress,
                                                            .progress_user = queue};
    PAINT_HOLD(queue);
    while (do_next(queue))
        ;
    return NULL;
}

/* --- Start and end. --- */

/* Take the labels of the model; an existing label map may name them differently. */
static void take_model(paint_queue *queue) {
    const int other = paint_labels_take_model(&queue->labels, queue->settings.options.model);
    if (other && queue->settings.verbosity >= 0)
        cli_say("warning: '%s' names label %d '%s', but '%s' names it differently; are they of the same series?",
                queue->settings.labels_path, other, queue->labels.map.name[other - 1], queue->settings.model);
}

static void queue_free(paint_queue **queue) {
    if (*queue) {
        seg_context_free((*queue)->ctx);
        free((*queue)->items);
    }
    free(*queue);
}

paint_queue *paint_queue_start(const paint_settings *settings) {
    SEG_RELEASED(queue_free) paint_queue *queue = calloc(1, sizeof *queue);
    if (!queue || !(queue->ctx = cli_context_create()) ||
        !(queue->items = calloc((size_t)settings->count, sizeof *queue->items))) {
        cli_out_of_memory();
        return NULL;
    }
    queue->settings = *settings;
    queue->current = queue->job_item = -1;
    for (int i = 0; i < settings->count; i++) {
        queue->items[i].doc.paths = &settings->paths[i];
        queue->items[i].news = 1;
        queue->items[i].was_drawn = access(settings->paths[i].scribbles, F_OK) == 0;
        queue->items[i].doc.journal.file = -1;
    }
    pthread_mutex_init(&queue->lock, NULL);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->changed, &clock);
    pthread_condattr_destroy(&clock);
    const seg_status status = paint_labels_open(queue->ctx, settings->labels_path, &queue->labels);
    queue->settings.objects &= !queue->labels.chosen;
    if (status == SEG_OK && settings->options.model)
        take_model(queue);
    const int error = status == SEG_OK ? pthread_create(&queue->thread, NULL, run, queue) : 0;
    if (status == SEG_OK && !error)
        return seg_taken(&queue);
    if (error)
        cli_say("cannot start a thread: %s", strerror(error));
    else
        cli_fail(queue->ctx, status, CLI_READING);
    return NULL;
}

void paint_queue_quit(paint_queue *queue) {
    PAINT_HOLD(queue);
    for (int i = 0; i < queue->settings.count && !queue->quitting; i++)
        if (queue->items[i].failed)
            queue->items[i].saved = -1; /* once more */
    queue->quitting = 1;
    paint_give_up(queue);
    pthread_cond_broadcast(&queue->changed);
}

int paint_queue_end(paint_queue *queue) {
    int good = 1;
    paint_queue_quit(queue);
    pthread_join(queue->thread, NULL);
    for (int i = 0; i < queue->settings.count; i++) {
        paint_item *item = &queue->items[i];
        if (item->failed)
            cli_say("'%s' does not show the last strokes, which are in the journal; the next start writes it%s%s",
                    item->doc.paths->mask, item->outcome.message[0] ? ": " : "", item->outcome.message);
        good &= !item->failed;
        close_item(item);
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    queue_free(&queue);
    return good;
}
