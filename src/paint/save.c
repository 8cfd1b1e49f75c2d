/* Writing scribbles, answers and mask. A mask always belongs to the files beside it. */
#include "paint/queue.h"

#include "cli/common/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The files of an image to be written. */
typedef struct files {
    paint_snapshot of;
    int same_colours; /* 1: the colours of the existing file */
    const paint_layer *mask;
    char *answers; /* text of the pairs file, or NULL; owned */
    size_t answers_size;
} files;

/* Write the scribbles or the answers if the file differs, or delete it if there are none. The journal records the write
 * before and after. */
static seg_status write_kind(paint_queue *queue, paint_item *item, paint_file_kind kind, const files *f) {
    const seg_mask *scribbles = &f->of.scribbles;
    const size_t pixels = (size_t)scribbles->width * (size_t)scribbles->height;
    const int marks = kind == PAINT_SCRIBBLES;
    const char *path = marks ? item->doc.paths->scribbles : item->doc.paths->pairs;
    const uint64_t saved = item->doc.journal.saved[kind].last;
    if (marks ? !scribbles->labels : !f->answers) {
        if (saved)
            unlink(path);
        return SEG_OK;
    }
    const uint64_t hash = marks ? paint_hash(scribbles->label, pixels) : paint_hash(f->answers, f->answers_size);
    if ((!marks || f->same_colours) && saved == hash && access(path, F_OK) == 0)
        return SEG_OK;
    pthread_mutex_lock(&queue->lock); /* edits are appended to the journal too */
    const int noted = paint_journal_saving(&item->doc.journal, kind, hash);
    pthread_mutex_unlock(&queue->lock);
    if (!noted)
        return SEG_ERR_IO;
    const seg_status status = marks ? seg_mask_write(queue->ctx, path, scribbles, SEG_MASK_PNG)
                                    : seg_file_write(queue->ctx, path, f->answers, f->answers_size);
    pthread_mutex_lock(&queue->lock);
    if (status == SEG_OK)
        paint_journal_saved(&item->doc.journal, kind);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

/* Called without the lock. A mask of strokes that were deleted is deleted too. */
static seg_status write_files(paint_queue *queue, paint_item *item, files *f) {
    const int ours =
        item->has_mask || paint_journal_has_saved(&item->doc.journal); /* an existing mask is of this program */
    seg_mask *scribbles = &f->of.scribbles;
    paint_labels_of(scribbles->label, (size_t)scribbles->width * (size_t)scribbles->height, &scribbles->labels);
    seg_status status = write_kind(queue, item, PAINT_SCRIBBLES, f);
    if (status == SEG_OK)
        status = write_kind(queue, item, PAINT_PAIRS, f);
    if (status == SEG_OK && f->mask)
        item->has_mask =
            (status = seg_mask_write(queue->ctx, item->doc.paths->mask, &f->mask->mask, SEG_MASK_PNG)) == SEG_OK;
    else if (status == SEG_OK && ours)
        unlink(item->doc.paths->mask);
    return status;
}

static seg_status take_files(paint_queue *queue, paint_item *item, files *f) {
    const seg_status status =
        paint_snapshot_take(queue->ctx, &item->doc, &queue->labels, &queue->settings.options, NULL, &f->of);
    if (status == SEG_ERR_MEMORY) /* invalid options do not prevent writing */
        return status;
    f->same_colours = memcmp(f->of.scribbles.colour, item->doc.file_colour, sizeof item->doc.file_colour) == 0;
    if (f->of.pairs.count)
        f->answers = paint_pairs_text(&f->of.pairs, &f->answers_size);
    return !f->of.pairs.count || f->answers ? SEG_OK : SEG_ERR_MEMORY;
}

void paint_save(paint_queue *queue, paint_item *item) {
    const int64_t revision = item->doc.drawing.revision;
    paint_layer *mask = item->outcome.mask;
    files f = {.mask = mask};
    char message[SEG_MESSAGE_SIZE];
    paint_begin_job(queue, item, PAINT_SAVING);
    seg_status status = SEG_ERR_CANCELLED;
    if (paint_check_source(queue, item, message) != 200)
        cli_say("the mask was not written: %s", message);
    else if (item->outcome.with_pen ||
             item->outcome.revision != revision) /* first compute the mask without the unfinished stroke */
        item->solved = -1;
    else
        status = take_files(queue, item, &f);
    if (status == SEG_OK) {
        if (mask)
            atomic_fetch_add(&mask->uses, 1);
        pthread_mutex_unlock(&queue->lock);
        status = write_files(queue, item, &f);
        paint_layer_release(mask);
        pthread_mutex_lock(&queue->lock);
    }
    if (status == SEG_OK) {
        item->saved = revision;
        memcpy(item->doc.file_colour, f.of.scribbles.colour, sizeof item->doc.file_colour);
    } else if (status != SEG_ERR_CANCELLED) {
        snprintf(item->outcome.message, sizeof item->outcome.message, "not saved: %s", seg_context_message(queue->ctx));
        item->saved = revision; /* retry only after a change */
    }
    paint_snapshot_free(&f.of);
    free(f.answers);
    paint_end_job(queue, item);
}
