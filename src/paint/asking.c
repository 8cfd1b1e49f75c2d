#include "paint/asking.h"

#include "paint/document/acts.h"

#include <stdlib.h>
#include <string.h>

int paint_wants_question(const paint_app *app, const paint_item *item, int quick) {
    return app->asking && !app->quitting && item->state == PAINT_OPEN &&
           item->question.revision != item->drawing.revision &&
           (!quick || paint_questions_is_quick(item->ask, item->drawing.marked));
}

void paint_pose(paint_app *app, paint_item *item) {
    const size_t pixels = (size_t)item->image.width * (size_t)item->image.height;
    const int64_t revision = item->drawing.revision;
    const int known = paint_questions_is_quick(item->ask, item->drawing.marked);
    seg_mask scribbles = {item->image.width, item->image.height, NULL, 0, {{0}}};
    paint_pairs pairs = {0};
    paint_question question = {.revision = revision};
    seg_options options;
    paint_begin_job(app, item, PAINT_ASKING);
    seg_status status = paint_item_options(app->ctx, &item->drawing, &app->settings.options, &options);
    if (status == SEG_OK &&
        (!paint_drawing_pairs(&item->drawing, &pairs) || (!known && (scribbles.label = malloc(pixels)) == NULL)))
        status = SEG_ERR_MEMORY;
    if (scribbles.label)
        memcpy(scribbles.label, item->drawing.marks, pixels);
    const paint_questions_job job = {.image = &item->image,
                                     .options = &options,
                                     .scribbles = known ? NULL : &scribbles,
                                     .marked = item->drawing.marked,
                                     .pairs = &pairs};
    if (status == SEG_OK) {
        pthread_mutex_unlock(&app->lock);
        if (!known)
            paint_labels_of(scribbles.label, pixels, &scribbles.labels);
        status = paint_questions_next(app->ctx, &item->ask, &job, &question);
        pthread_mutex_lock(&app->lock);
    } else {
        snprintf(question.message, sizeof question.message, "%s",
                 status == SEG_ERR_MEMORY ? paint_no_memory : seg_context_message(app->ctx));
        status = SEG_OK;
    }
    if (status == SEG_OK) {
        item->question = question;
        item->question.revision = revision;
    }
    free(scribbles.label);
    paint_pairs_free(&pairs);
    paint_end_job(app, item);
}

json_t *paint_question_json(const paint_item *item) {
    const paint_question *q = &item->question;
    json_t *json = json_pack("{s:I, s:b, s:i, s:o}", "revision", (json_int_t)q->revision, "open", q->is_open, "regions",
                             q->regions, "message", paint_text(q->message));
    if (q->is_open) {
        json_object_set_new(json, "a", json_pack("[i, i]", q->x[0], q->y[0]));
        json_object_set_new(json, "b", json_pack("[i, i]", q->x[1], q->y[1]));
        json_object_set_new(json, "side", json_integer(q->side));
    }
    return json;
}
