#include "paint/queue.h"

#include "cli/common/process.h"
#include "cli/common/report_parts.h"

enum { NEWS_SECONDS = 20 }; /* longest wait of a request for news */

/* Wait for a change. @return 0 at the time `end`, or if the program ends */
static int wait_until(paint_queue *queue, const struct timespec *end) {
    return !queue->quitting && pthread_cond_timedwait(&queue->changed, &queue->lock, end) != ETIMEDOUT;
}

static struct timespec in_seconds(int seconds) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += seconds;
    return time;
}

static json_t *describe(paint_queue *queue, paint_item *item) {
    SEG_RELEASED(cli_context_free) seg_context *ctx = seg_context_create();
    json_t *state = paint_drawing_json(&item->doc.drawing);
    const seg_options first = paint_first_options(&item->doc.drawing, &queue->settings.options);
    if (ctx)
        json_object_set_new(state, "initial", paint_options_json(ctx, &first));
    const int set = first.method && first.params_set;
    json_object_update_new(
        state, json_pack("{s:o, s:I, s:i, s:i, s:i, s:i, s:i, s:o}", "initial_params",
                         set ? cli_json_params(seg_method_find(first.method), &first.params) : json_object(), "photo",
                         (json_int_t)item->doc.source.number, "width", item->doc.image.width, "height",
                         item->doc.image.height, "slices", item->doc.drawing.slices, "levels", item->doc.pyramid.levels,
                         "tile", PAINT_TILE, "remark", cli_json_text(item->doc.message)));
    item->doc.message[0] = 0;
    item->doc.source.is_unseen = 0;
    return state;
}

json_t *paint_request_open(paint_queue *queue, int number, char message[SEG_MESSAGE_SIZE]) {
    paint_item *item = &queue->items[number];
    const struct timespec end = in_seconds(120);
    PAINT_HOLD(queue);
    if (queue->current != number)
        paint_give_up(queue);
    queue->current = number;
    item->opened = ++queue->openings;
    if (item->state == PAINT_BROKEN)
        item->state = PAINT_CLOSED; /* try again */
    if (item->state == PAINT_OPEN && !item->is_behind)
        paint_check_source(queue, item, message);
    pthread_cond_broadcast(&queue->changed);
    while ((item->state == PAINT_CLOSED || item->is_behind) && wait_until(queue, &end))
        ;
    if (item->state == PAINT_OPEN)
        return describe(queue, item);
    snprintf(message, SEG_MESSAGE_SIZE, "%s",
             item->state == PAINT_BROKEN ? item->doc.message : "the image is not open yet");
    return NULL;
}

/* Check that the options still fit together after an edit. */
static const char *check_option(paint_queue *queue, const paint_item *item, const json_t *edit, seg_context *ctx) {
    const json_t *set = json_object_get(edit, "set");
    const char *name = json_string_value(json_object_get(set, "name")),
               *value = json_string_value(json_object_get(set, "value"));
    seg_options options;
    if (!set || strcmp(name, "defaults") == 0)
        return NULL;
    if (strcmp(name, "slices") == 0 || strcmp(name, "channels") == 0)
        return "what its pages are is said by the file or the command";
    if ((!value || !value[0]) && seg_option_find(name)) /* reset */
        return NULL;
    if (paint_drawing_options(ctx, &item->doc.drawing, &queue->settings.options, &options) != SEG_OK ||
        seg_options_set(ctx, &options, name, value ? value : "") != SEG_OK ||
        seg_options_check(ctx, &options) != SEG_OK)
        return seg_context_message(ctx);
    return NULL;
}

/* The label that an edit changes, or NULL; *back is 1 if the edit undoes a change. */
static const json_t *label_of(const paint_item *item, const json_t *edit, int *back) {
    const paint_act *moved = paint_moved(&item->doc.drawing, edit);
    *back = moved && json_object_get(edit, "undo");
    return json_object_get(moved ? moved->json : edit, "label");
}

/* Whether strokes on another image use the label, so that it cannot be removed. */
static int is_used_elsewhere(const paint_queue *queue, const paint_item *but, int label) {
    for (int i = 0; i < queue->settings.count; i++) {
        const paint_item *item = &queue->items[i];
        if (item != but &&
            (item->state == PAINT_OPEN ? paint_largest_mark(&item->doc.drawing) >= label : item->was_drawn))
            return 1;
    }
    return 0;
}

/* After a change of colours, write the files of all images again. */
static void rewrite_all(paint_queue *queue) {
    for (int i = 0; i < queue->settings.count; i++) {
        paint_item *item = &queue->items[i];
        if (item->state != PAINT_OPEN)
            continue;
        item->solved = -1;
        item->saved = paint_document_saved(&item->doc, &queue->settings.options);
        paint_outdate(queue, item);
        paint_tell(queue, item);
    }
}

/* Apply the part of an edit that concerns labels; the label map is written before the journal. */
static const char *change_labels(paint_queue *queue, const paint_item *item, const json_t *label, int back,
                                 seg_context *ctx) {
    uint8_t before[256][3] = {{0}}, after[256][3] = {{0}};
    if (!label)
        return NULL;
    const int removed = back ? paint_labels_removes(&queue->labels, label) : 0;
    if (removed && is_used_elsewhere(queue, item, removed))
        return NULL;
    paint_labels_colours(&queue->labels, before);
    const char *refusal = paint_labels_change(ctx, &queue->labels, label, back);
    paint_labels_colours(&queue->labels, after);
    if (memcmp(before, after, sizeof after) != 0)
        rewrite_all(queue);
    return refusal;
}

int paint_request_edit(paint_queue *queue, int number, int64_t revision, const json_t *edit,
                       char message[SEG_MESSAGE_SIZE]) {
    paint_item *item = &queue->items[number];
    SEG_RELEASED(cli_context_free) seg_context *ctx = seg_context_create();
    int code = 200, back = 0;
    const char *refusal = NULL;
    PAINT_HOLD(queue);
    const json_t *label = item->state == PAINT_OPEN ? label_of(item, edit, &back) : NULL;
    if (item->state == PAINT_OPEN && (code = paint_check_source(queue, item, message)) != 200) {
        refusal = message;
    } else if (item->state != PAINT_OPEN || item->is_behind || revision != item->doc.drawing.revision) {
        code = 409;
        refusal = "the page is out of date; reload it";
    } else if (item->doc.source.is_unseen) {
        code = 412;
        refusal = "the image was changed by another program, and the page shows the earlier one; reload it";
    } else if (!ctx || (refusal = paint_check(&item->doc.drawing, edit)) != NULL ||
               (refusal = paint_labels_refuse(&queue->labels, json_object_get(edit, "label"))) != NULL ||
               (refusal = check_option(queue, item, edit, ctx)) != NULL ||
               (refusal = change_labels(queue, item, label, back, ctx)) != NULL) {
        code = 400;
        refusal = refusal ? refusal : paint_no_memory;
    } else if (!paint_journal_append(&item->doc.journal, edit)) {
        change_labels(queue, item, label, !back, ctx);
        code = 500;
        refusal = "the journal cannot be written; is the disk full?";
    } else if ((refusal = paint_apply(&item->doc.drawing, edit)) != NULL) {
        code = 500;
        item->is_behind = 1;
    } else {
        if (json_object_get(edit, "stroke"))
            paint_lift_pen(item);
        paint_outdate(queue, item);
        paint_tell(queue, item);
    }
    if (refusal && refusal != message)
        snprintf(message, SEG_MESSAGE_SIZE, "%s", refusal);
    return code;
}

int paint_request_pen(paint_queue *queue, int number, int64_t revision, const json_t *json,
                      char message[SEG_MESSAGE_SIZE]) {
    paint_item *item = &queue->items[number];
    paint_stroke stroke = {0};
    const char *refusal = json ? paint_stroke_read(json, &stroke) : NULL;
    if (refusal) {
        snprintf(message, SEG_MESSAGE_SIZE, "%s", refusal);
        return 400;
    }
    PAINT_HOLD(queue);
    if (item->state != PAINT_OPEN || revision != item->doc.drawing.revision) {
        free(stroke.xy); /* a newer edit contains the stroke, or removed it */
    } else {
        const int had = item->has_pen;
        paint_lift_pen(item);
        item->pen = stroke;
        item->has_pen = json != NULL;
        item->pen_new = json != NULL;
        if (!json && had)
            item->solved = -1; /* compute the mask without it */
        if (queue->job == PAINT_SAVING)
            atomic_store(&queue->outdated, 1);
        pthread_cond_broadcast(&queue->changed);
    }
    return 200;
}

void paint_request_show_uncertainty(paint_queue *queue, int shown) {
    PAINT_HOLD(queue);
    if (shown && !queue->wants_uncertainty && queue->current >= 0) {
        paint_item *item = &queue->items[queue->current];
        if (!item->outcome.uncertainty)
            item->solved = -1;
    }
    queue->wants_uncertainty = shown;
    pthread_cond_broadcast(&queue->changed);
}

json_t *paint_request_labels(paint_queue *queue) {
    PAINT_HOLD(queue);
    return paint_labels_json(&queue->labels);
}

seg_labelmap paint_request_labelmap(paint_queue *queue, int number) {
    char usual[24];
    PAINT_HOLD(queue);
    seg_labelmap map = queue->labels.map;
    const int rest = queue->items[number].outcome.rest;
    for (int i = 0; rest && i < map.count; i++) {
        snprintf(usual, sizeof usual, "region %d", i + 1);
        if (i + 1 == rest || strcmp(map.name[i], usual) == 0 || strcmp(map.name[i], "background") == 0)
            snprintf(map.name[i], sizeof map.name[i], i + 1 == rest ? "background" : "object %d", i + 1);
    }
    return map;
}

uint8_t *paint_request_tile(paint_queue *queue, int number, paint_tiles kind, const paint_tile *at, size_t *size) {
    paint_item *item = &queue->items[number];
    const paint_outcome *last = &item->outcome;
    PAINT_HOLD(queue);
    paint_layer *layer = kind == PAINT_MASK ? last->mask : kind == PAINT_PHOTO ? NULL : last->uncertainty;
    if (item->state != PAINT_OPEN || (kind != PAINT_PHOTO && !layer))
        return NULL;
    paint_layer_share(layer);
    item->readers++;
    pthread_mutex_unlock(&queue->lock);
    uint8_t *made = layer ? paint_tile_values(&layer->mask, at, size) : paint_tile_rgba(&item->doc.pyramid, at, size);
    paint_layer_release(layer);
    pthread_mutex_lock(&queue->lock);
    item->readers--;
    pthread_cond_broadcast(&queue->changed);
    return made;
}

static int is_final(const paint_item *item) {
    return item->state == PAINT_OPEN && !item->is_behind && item->solved == item->doc.drawing.revision &&
           item->outcome.revision == item->doc.drawing.revision && !item->outcome.with_pen;
}

paint_layer *paint_request_mask(paint_queue *queue, int number) {
    paint_item *item = &queue->items[number];
    char message[SEG_MESSAGE_SIZE];
    PAINT_HOLD(queue);
    const int is_there = is_final(item) && paint_check_source(queue, item, message) == 200;
    return is_there ? paint_layer_share(item->outcome.mask) : NULL;
}

static json_t *outcome_json(const paint_outcome *outcome) {
    json_t *regions = json_array(), *areas = json_array();
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        if (outcome->pixels[label])
            json_array_append_new(
                regions, json_pack("{s:i, s:I}", "label", label, "pixels", (json_int_t)outcome->pixels[label]));
    for (int i = 0; i < outcome->ambiguous_count; i++)
        json_array_append_new(areas, cli_json_ambiguous(&outcome->ambiguous[i]));
    return json_pack("{s:o, s:I, s:o, s:o, s:s, s:f, s:I, s:b, s:b, s:b, s:I, s:i}", "regions", regions, "unknown",
                     (json_int_t)outcome->pixels[SEG_VOID], "ambiguous", areas, "message",
                     cli_json_text(outcome->message), "method", outcome->method, "seconds", outcome->seconds, "number",
                     (json_int_t)outcome->number, "mask", outcome->mask != NULL, "uncertainty",
                     outcome->uncertainty != NULL, "pen", outcome->with_pen, "revision", (json_int_t)outcome->revision,
                     "rest", outcome->rest);
}

static json_t *command_json(const paint_queue *queue, const paint_item *item) {
    SEG_RELEASED(cli_context_free) seg_context *ctx = seg_context_create();
    const char *model = queue->settings.model;
    seg_options options;
    SEG_FREED char *text = NULL;
    if (ctx && paint_drawing_options(ctx, &item->doc.drawing, &queue->settings.options, &options) == SEG_OK)
        text = paint_command(ctx, item->doc.paths, &options, queue->settings.seed,
                             item->outcome.drawn > 0 || (!model && !options.start && !options.box.width), model);
    return cli_json_text(text ? text : "");
}

/* If the image is not open, the thread may be reading it: the document is not used. */
json_t *paint_request_news(paint_queue *queue, int number, int64_t after) {
    paint_item *item = &queue->items[number];
    const struct timespec end = in_seconds(NEWS_SECONDS);
    PAINT_HOLD(queue);
    while (item->news == after && wait_until(queue, &end))
        ;
    const int open = item->state == PAINT_OPEN && !item->is_behind;
    const int64_t revision = open ? item->doc.drawing.revision : 0, at = open ? (int64_t)item->doc.drawing.at : 0;
    return json_pack("{s:I, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:o, s:o}", "news", (json_int_t)item->news, "photo",
                     (json_int_t)(open ? item->doc.source.number : 0), "revision", (json_int_t)revision, "at",
                     (json_int_t)at, "final", is_final(item), "saved", open && item->saved == revision && !item->failed,
                     "open", open, "ending", queue->quitting, "command",
                     open ? command_json(queue, item) : json_string(""), "outcome", outcome_json(&item->outcome));
}

json_t *paint_request_states(paint_queue *queue) {
    json_t *list = json_array();
    PAINT_HOLD(queue);
    for (int i = 0; i < queue->settings.count; i++) {
        const paint_item *item = &queue->items[i];
        const int drawn = item->state == PAINT_OPEN ? paint_largest_mark(&item->doc.drawing) > 0 : item->was_drawn;
        json_array_append_new(list, json_pack("{s:o, s:b, s:b}", "name", cli_json_text(item->doc.paths->name), "drawn",
                                              drawn, "broken", item->state == PAINT_BROKEN));
    }
    return list;
}
