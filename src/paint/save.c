/* Writing scribbles and mask. A mask always belongs to the files beside it. */
#include "paint/queue.h"

#include "cli/segment/photo_run.h"

static seg_status write_mask(seg_context *ctx, const char *path, const seg_mask *mask) {
    return seg_mask_write(ctx, path, mask, cli_is_tiff(path) ? SEG_MASK_TIFF : SEG_MASK_PNG);
}

/* Write scribbles that differ, or delete them if none are left; journalled before and after. Without the lock. */
static seg_status write_scribbles(paint_queue *queue, paint_item *item, const seg_mask *scribbles, int same_colours) {
    const size_t pixels = (size_t)scribbles->width * (size_t)scribbles->height;
    const char *path = item->doc.paths->scribbles;
    const uint64_t saved = item->doc.journal.last, hash = paint_hash(scribbles->label, pixels);
    if (!scribbles->labels) {
        if (saved)
            unlink(path);
        return SEG_OK;
    }
    if (same_colours && saved == hash && access(path, F_OK) == 0)
        return SEG_OK;
    pthread_mutex_lock(&queue->lock); /* edits are appended to the journal too */
    const int noted = paint_journal_saving(&item->doc.journal, hash);
    pthread_mutex_unlock(&queue->lock);
    if (!noted)
        return SEG_ERR_IO;
    SEG_TRY(write_mask(queue->ctx, path, scribbles));
    paint_source_read(path, &item->doc.written);
    PAINT_HOLD(queue);
    paint_journal_saved(&item->doc.journal);
    return SEG_OK;
}

/* Called without the lock. A mask of strokes that were deleted is deleted too. */
static seg_status write_files(paint_queue *queue, paint_item *item, seg_mask *scribbles, const paint_layer *mask) {
    const int ours = item->has_mask || item->doc.journal.last; /* an existing mask is of this program */
    const int same_colours = memcmp(scribbles->colour, item->doc.file_colour, sizeof item->doc.file_colour) == 0;
    scribbles->labels = paint_largest_label(scribbles->label, scribbles->width, scribbles->height, NULL);
    seg_status status = write_scribbles(queue, item, scribbles, same_colours);
    if (status == SEG_OK && mask)
        item->has_mask = (status = write_mask(queue->ctx, item->doc.paths->mask, &mask->mask)) == SEG_OK;
    else if (status == SEG_OK && ours)
        unlink(item->doc.paths->mask);
    return status;
}

void paint_save(paint_queue *queue, paint_item *item) {
    const int64_t revision = item->doc.drawing.revision;
    paint_layer *mask = item->outcome.mask;
    paint_snapshot of = {0};
    char message[SEG_MESSAGE_SIZE];
    paint_begin_job(queue, item, PAINT_SAVING);
    seg_status status = SEG_ERR_CANCELLED;
    if (paint_check_source(queue, item, message) != 200)
        cli_say("the mask was not written: %s", message);
    else if (paint_scribbles_changed(&item->doc))
        item->is_behind = item->failed = 1; /* they are loaded, and saved with their mask */
    else if (item->outcome.with_pen ||
             item->outcome.revision != revision) /* first compute the mask without the unfinished stroke */
        item->solved = -1;
    else
        status = paint_snapshot_take(queue->ctx, &item->doc, &queue->labels, &queue->settings.options, NULL, &of);
    if (status != SEG_ERR_MEMORY && of.scribbles.label) { /* invalid options do not prevent writing */
        paint_layer_share(mask);
        pthread_mutex_unlock(&queue->lock);
        status = write_files(queue, item, &of.scribbles, mask);
        paint_layer_release(mask);
        pthread_mutex_lock(&queue->lock);
    }
    if (status == SEG_OK) {
        item->saved = revision;
        item->failed = 0;
        memcpy(item->doc.file_colour, of.scribbles.colour, sizeof item->doc.file_colour);
    } else if (status != SEG_ERR_CANCELLED) {
        snprintf(item->outcome.message, sizeof item->outcome.message, "not saved: %s", seg_context_message(queue->ctx));
        item->saved = revision; /* retry only after a change, and at the end */
        item->failed = 1;
    }
    paint_snapshot_free(&of);
    paint_end_job(queue, item);
}
