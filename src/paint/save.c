/* Writing what is drawn: scribbles, answers and mask, so that a mask is always that of the files beside it. */
#include "paint/queue.h"

#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is written of an image, copied under the lock. */
typedef struct files {
    seg_mask scribbles;
    int same_colours; /* as those of the file */
    const paint_layer *mask;
    char *answers; /* the text of the file of pairs, NULL where there are none; owned */
    size_t answers_size;
} files;

/* Note in the journal what is about to be written: edits are lines of it, too. */
static seg_status note_saving(paint_app *app, paint_item *item, paint_file_kind kind, uint64_t hash) {
    pthread_mutex_lock(&app->lock);
    const int noted = paint_journal_saving(&item->journal, kind, hash);
    pthread_mutex_unlock(&app->lock);
    return noted ? SEG_OK : SEG_ERR_IO;
}

static seg_status note_saved(paint_app *app, paint_item *item, paint_file_kind kind, seg_status status) {
    pthread_mutex_lock(&app->lock);
    if (status == SEG_OK)
        paint_journal_saved(&item->journal, kind);
    pthread_mutex_unlock(&app->lock);
    return status;
}

static seg_status write_scribbles(paint_app *app, paint_item *item, files *f) {
    const char *path = item->paths->scribbles;
    const size_t pixels = (size_t)f->scribbles.width * (size_t)f->scribbles.height;
    const uint64_t hash = paint_hash(f->scribbles.label, pixels), saved = item->journal.saved[PAINT_SCRIBBLES].last;
    if (!paint_labels_of(f->scribbles.label, pixels, &f->scribbles.labels)) {
        if (saved)
            unlink(path);
        return SEG_OK;
    }
    if (f->same_colours && saved == hash && access(path, F_OK) == 0)
        return SEG_OK;
    const seg_status status = note_saving(app, item, PAINT_SCRIBBLES, hash);
    return status == SEG_OK ? note_saved(app, item, PAINT_SCRIBBLES, seg_mask_write_png(app->ctx, path, &f->scribbles))
                            : status;
}

static seg_status write_answers(paint_app *app, paint_item *item, const files *f) {
    const char *path = item->paths->pairs;
    const uint64_t saved = item->journal.saved[PAINT_PAIRS].last;
    if (!f->answers) {
        if (saved)
            unlink(path);
        return SEG_OK;
    }
    const uint64_t hash = paint_hash(f->answers, f->answers_size);
    if (saved == hash && access(path, F_OK) == 0)
        return SEG_OK;
    const seg_status status = note_saving(app, item, PAINT_PAIRS, hash);
    return status == SEG_OK
               ? note_saved(app, item, PAINT_PAIRS, seg_file_write(app->ctx, path, f->answers, f->answers_size))
               : status;
}

/* Without the lock. What belongs to no stroke any more goes: a mask is always that of the files beside it. */
static seg_status write_files(paint_app *app, paint_item *item, files *f) {
    const int ours = item->has_mask || paint_journal_has_saved(&item->journal); /* an earlier mask that lies there */
    seg_status status = write_scribbles(app, item, f);
    if (status == SEG_OK)
        status = write_answers(app, item, f);
    if (status == SEG_OK && f->mask)
        item->has_mask = (status = seg_mask_write_png(app->ctx, item->paths->mask, &f->mask->mask)) == SEG_OK;
    else if (status == SEG_OK && ours)
        unlink(item->paths->mask);
    return status;
}

/* A copy of what is drawn. */
static seg_status take_files(paint_app *app, paint_item *item, files *f) {
    const size_t pixels = (size_t)item->image.width * (size_t)item->image.height;
    paint_pairs pairs;
    f->scribbles = (seg_mask){item->image.width, item->image.height, malloc(pixels), 0, {{0}}};
    memcpy(f->scribbles.colour, item->own_colour, sizeof item->own_colour);
    paint_labels_colours(&app->labels, f->scribbles.colour);
    f->same_colours = memcmp(f->scribbles.colour, item->file_colour, sizeof item->file_colour) == 0;
    if (!f->scribbles.label || !paint_drawing_pairs(&item->drawing, &pairs))
        return SEG_ERR_MEMORY;
    memcpy(f->scribbles.label, item->drawing.marks, pixels);
    if (pairs.count)
        f->answers = paint_pairs_text(&pairs, &f->answers_size);
    const int good = !pairs.count || f->answers;
    paint_pairs_free(&pairs);
    return good ? SEG_OK : SEG_ERR_MEMORY;
}

void paint_save(paint_app *app, paint_item *item) {
    const int64_t revision = item->drawing.revision;
    paint_layer *mask = item->outcome.mask;
    files f = {.mask = mask};
    char message[SEG_MESSAGE_SIZE];
    paint_begin_job(app, item, PAINT_SAVING);
    seg_status status = SEG_ERR_CANCELLED;
    if (paint_check_source(app, item, message) != 200)
        cli_say("no mask is written: %s", message);
    else if (item->outcome.with_pen || item->outcome.revision != revision) /* of the mask without the pen, first */
        item->solved = -1;
    else
        status = take_files(app, item, &f);
    if (status == SEG_OK) {
        if (mask)
            atomic_fetch_add(&mask->uses, 1);
        pthread_mutex_unlock(&app->lock);
        status = write_files(app, item, &f);
        paint_layer_release(mask);
        pthread_mutex_lock(&app->lock);
    }
    if (status == SEG_OK) {
        item->saved = revision;
        memcpy(item->file_colour, f.scribbles.colour, sizeof item->file_colour);
    } else if (status != SEG_ERR_CANCELLED) {
        snprintf(item->outcome.message, sizeof item->outcome.message, "not saved: %s", seg_context_message(app->ctx));
        item->saved = revision; /* not tried again until something changes */
    }
    free(f.scribbles.label);
    free(f.answers);
    paint_end_job(app, item);
}
