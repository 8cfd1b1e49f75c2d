#include "paint/solver/item.h"

#include "cli/model_labels.h"

#include <segment/names.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Edits of the library's own go the way of a person's. */
static int add_edit(paint_item *item, json_t *edit, char message[SEG_MESSAGE_SIZE]) {
    const char *refusal = edit ? paint_apply(&item->drawing, edit) : paint_no_memory;
    if (!refusal && !paint_journal_append(&item->journal, edit))
        refusal = "the journal cannot be written; is the disk full?";
    json_decref(edit);
    if (refusal)
        snprintf(message, SEG_MESSAGE_SIZE, "%s", refusal);
    return !refusal;
}

/* What is there need not be written. */
static seg_status note_there(paint_item *item, paint_file_kind kind, uint64_t hash) {
    if (!paint_journal_saving(&item->journal, kind, hash)) {
        snprintf(item->message, sizeof item->message, "the journal cannot be written; is the disk full?");
        return SEG_ERR_IO;
    }
    paint_journal_saved(&item->journal, kind);
    return SEG_OK;
}

/* Scribbles that are there already: those to begin with, or what another program made of ours. As in the main job a
 * model says which colour is which label. */
static seg_status take_scribbles(seg_context *ctx, paint_item *item, const seg_model *model, paint_labels *labels,
                                 int is_new) {
    const paint_paths *paths = item->paths;
    const size_t pixels = (size_t)item->image.width * (size_t)item->image.height;
    const int own = access(paths->scribbles, F_OK) == 0;
    const char *path = own ? paths->scribbles : is_new ? paths->given : NULL;
    seg_mask read;
    seg_labelmap map;
    if (!path)
        return SEG_OK;
    const int named = cli_model_labelmap(model, &map);
    seg_status status = seg_scribbles_read(ctx, path, &item->image, named ? &map : NULL, &read, NULL);
    if (status != SEG_OK)
        return status;
    const uint64_t hash = paint_hash(read.label, pixels);
    memcpy(item->file_colour, read.colour, sizeof read.colour);
    memcpy(item->own_colour, read.colour, sizeof read.colour);
    const int known = paint_journal_found(&item->journal, PAINT_SCRIBBLES, hash) && !is_new;
    if (hash != paint_hash(item->drawing.marks, pixels) && !known) {
        int largest;
        paint_labels_of(read.label, pixels, &largest);
        paint_labels_cover(labels, largest, read.colour);
        if (!add_edit(item, paint_base_json(read.label, read.width, read.height), item->message))
            status = SEG_ERR_IO;
        else if (!is_new)
            snprintf(item->message, sizeof item->message,
                     "%s was changed by another program: its strokes were taken over, and undo brings yours back",
                     path);
        if (status == SEG_OK && own)
            status = note_there(item, PAINT_SCRIBBLES, hash);
    }
    seg_mask_free(&read);
    return status;
}

/* The patches that pairs of a file are about, where they are named by numbers. */
static seg_patch_grid grid_of(const paint_item *item, const seg_options *options) {
    const int side = options->patch ? options->patch : seg_patch_side_auto(item->image.width, item->image.height);
    return seg_patch_grid_make(item->image.width, item->image.height, side);
}

/* Likewise the answers that are there. */
static seg_status take_answers(seg_context *ctx, paint_item *item, const seg_options *options, int is_new) {
    const paint_paths *paths = item->paths;
    const int own = access(paths->pairs, F_OK) == 0;
    const char *path = own ? paths->pairs : is_new ? paths->given_pairs : NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (!path)
        return SEG_OK;
    if (own && !(bytes = paint_file_bytes(path, &size))) {
        snprintf(item->message, sizeof item->message, "cannot read '%s'", path);
        return SEG_ERR_IO;
    }
    const uint64_t hash = paint_hash(bytes, size);
    free(bytes);
    if (own && paint_journal_found(&item->journal, PAINT_PAIRS, hash))
        return SEG_OK;
    const seg_patch_grid grid = grid_of(item, options);
    json_t *edit;
    seg_status status = paint_pairs_from_file(ctx, path, &grid, &edit);
    if (status == SEG_OK && !add_edit(item, edit, item->message))
        status = SEG_ERR_IO;
    if (status == SEG_OK && own && !is_new)
        snprintf(item->message, sizeof item->message,
                 "%s was changed by another program: its answers were taken over, and undo brings yours back", path);
    if (status == SEG_OK && own)
        status = note_there(item, PAINT_PAIRS, hash);
    return status;
}

seg_status paint_item_open(seg_context *ctx, paint_item *item, const seg_options *options, paint_labels *labels) {
    const paint_paths *paths = item->paths;
    const int is_other = paint_source_read(paths->photo, &item->source);
    seg_status status = seg_image_read(ctx, paths->photo, &item->image);
    item->journal.file = -1;
    item->message[0] = 0;
    if (status == SEG_OK && paint_source_check(paths->photo, &item->source) != PAINT_SOURCE_SAME) {
        snprintf(item->message, sizeof item->message, "'%.400s' changed while it was read; load it again",
                 paths->photo);
        return SEG_ERR_INPUT;
    }
    seg_mask_default_colours(item->file_colour);
    memcpy(item->own_colour, item->file_colour, sizeof item->own_colour);
    if (status == SEG_OK && paths->truth)
        status = seg_truth_read(ctx, paths->truth, &item->truth);
    if (status != SEG_OK)
        return status;
    if (item->truth.label && (item->truth.width != item->image.width || item->truth.height != item->image.height)) {
        snprintf(item->message, sizeof item->message, "the ground truth '%.400s' is not of the image's size",
                 paths->truth);
        return SEG_ERR_INPUT;
    }
    if (!paint_pyramid_make(&item->image, &item->pyramid) ||
        paint_drawing_create(item->image.width, item->image.height, &item->drawing)) {
        snprintf(item->message, sizeof item->message, "%s", paint_no_memory);
        return SEG_ERR_MEMORY;
    }
    if (!paint_journal_open(paths->journal, &item->drawing, &item->journal, item->message))
        return SEG_ERR_IO;
    const int is_new = item->drawing.count == 0 && !paint_journal_has_saved(&item->journal);
    status = take_scribbles(ctx, item, options->model, labels, is_new);
    if (status == SEG_OK)
        status = take_answers(ctx, item, options, is_new);
    int largest;
    paint_labels_of(item->drawing.marks, (size_t)item->image.width * (size_t)item->image.height, &largest);
    if (largest > labels->map.count) {
        uint8_t colour[256][3];
        memcpy(colour, item->file_colour, sizeof colour);
        paint_labels_colours(labels, colour);
        paint_labels_cover(labels, largest, colour);
    }
    if (is_other && !item->message[0])
        snprintf(item->message, sizeof item->message,
                 "'%.400s' was changed by another program: the new image is shown, with the strokes of the earlier one",
                 paths->photo);
    item->solved = -1;
    item->saved = paint_item_saved(item, options);
    return status;
}

int paint_item_is_new(const paint_item *item) {
    return item->drawing.revision == 0;
}

int64_t paint_item_saved(const paint_item *item, const seg_options *options) {
    return paint_item_is_new(item) && !options->model ? 0 : -1;
}

static void free_outcome(paint_outcome *outcome) {
    paint_layer_release(outcome->mask);
    paint_layer_release(outcome->uncertainty);
    const int64_t number = outcome->number;
    *outcome = (paint_outcome){.number = number};
}

void paint_item_close(paint_item *item) {
    item->was_drawn = paint_is_drawn(&item->drawing);
    paint_questions_free(item->ask);
    item->ask = NULL;
    item->question = (paint_question){.revision = -1};
    seg_session_close(item->session);
    item->session = NULL;
    free(item->session_key);
    item->session_key = NULL;
    free_outcome(&item->outcome);
    paint_journal_close(&item->journal);
    paint_drawing_free(&item->drawing);
    free(item->pen.xy);
    item->pen = (paint_stroke){0};
    item->has_pen = item->is_prepared = item->is_behind = 0;
    paint_pyramid_free(&item->pyramid);
    seg_image_free(&item->image);
    seg_mask_free(&item->truth);
    if (item->state == PAINT_OPEN)
        item->state = PAINT_CLOSED;
}
