#include "paint/document/document.h"
#include "cli/segment/photo_run.h"

/* Apply an edit that the program makes itself, and write it to the journal. */
static int add_edit(paint_document *doc, json_t *edit, char message[SEG_MESSAGE_SIZE]) {
    const char *refusal = edit ? paint_apply(&doc->drawing, edit) : paint_no_memory;
    if (!refusal && !paint_journal_append(&doc->journal, edit))
        refusal = "the journal cannot be written; is the disk full?";
    json_decref(edit);
    if (refusal)
        snprintf(message, SEG_MESSAGE_SIZE, "%s", refusal);
    return !refusal;
}

/* Load existing scribbles: those that the command line names, or a file of ours that another program changed. As in the
 * main job, a model assigns labels to colours. */
static seg_status take_scribbles(seg_context *ctx, paint_document *doc, const seg_model *model, paint_labels *labels,
                                 int is_new) {
    const paint_paths *paths = doc->paths;
    const size_t pixels = (size_t)doc->image.width * (size_t)doc->image.height;
    const int own = access(paths->scribbles, F_OK) == 0;
    const char *path = own ? paths->scribbles : is_new ? paths->given : NULL;
    SEG_RELEASED(seg_mask_free) seg_mask read = {0};
    seg_labelmap map;
    doc->written = (paint_source){0};
    if (own)
        paint_source_read(path, &doc->written);
    if (!path)
        return SEG_OK;
    const int named = cli_model_labelmap(model, &map);
    SEG_LOCAL(char, pages, cli_pages_path(ctx, path, paths->slices));
    SEG_TRY(seg_scribbles_read(ctx, pages, &doc->image, named ? &map : NULL, &read, NULL));
    const uint64_t hash = paint_hash(read.label, pixels);
    memcpy(doc->file_colour, read.colour, sizeof read.colour);
    memcpy(doc->own_colour, read.colour, sizeof read.colour);
    const int known = paint_journal_found(&doc->journal, hash) && !is_new;
    if (hash != paint_hash(doc->drawing.marks, pixels) && !known) {
        paint_labels_cover(labels, paint_largest_label(read.label, read.width, read.height, NULL), read.colour);
        if (!add_edit(doc, paint_base_json(read.label, read.width, read.height), doc->message))
            return SEG_ERR_IO;
        if (!is_new)
            snprintf(doc->message, sizeof doc->message,
                     "%s was changed by another program: its strokes were loaded, and undo restores yours", path);
        if (own && !paint_journal_saving(&doc->journal, hash)) { /* the existing file need not be written again */
            snprintf(doc->message, sizeof doc->message, "the journal cannot be written; is the disk full?");
            return SEG_ERR_IO;
        }
        if (own)
            paint_journal_saved(&doc->journal);
    }
    return SEG_OK;
}

seg_status paint_image_read(seg_context *ctx, const paint_paths *paths, int *channels, seg_image *stack,
                            seg_image *shown) {
    *channels = paths->channels;
    SEG_TRY(paths->channel ? seg_slices_read_image(
                                 ctx, &(seg_slice_files){paths->photo, paths->channel, paths->channels, 1}, shown)
                           : cli_image_read(ctx, paths->photo, paths->slices, channels, shown));
    if (*channels <= 1)
        return SEG_OK;
    *stack = *shown;
    *shown = (seg_image){0};
    return seg_channels_show(ctx, stack, *channels, (int[]){1, 2, *channels > 2 ? 3 : 0}, shown);
}

seg_status paint_document_open(seg_context *ctx, paint_document *doc, const seg_options *options, int objects,
                               paint_labels *labels) {
    const paint_paths *paths = doc->paths;
    paint_source_read(paths->photo, &doc->source);
    int channels;
    seg_status status = paint_image_read(ctx, paths, &channels, &doc->stack, &doc->image);
    doc->journal.file = -1;
    doc->message[0] = 0;
    if (status == SEG_OK && paint_source_check(paths->photo, &doc->source) != PAINT_SOURCE_SAME) {
        snprintf(doc->message, sizeof doc->message, "'%.400s' changed while it was read; load it again", paths->photo);
        return SEG_ERR_INPUT;
    }
    seg_mask_default_colours(doc->file_colour);
    memcpy(doc->own_colour, doc->file_colour, sizeof doc->own_colour);
    SEG_TRY(status);
    if (!paint_pyramid_make(&doc->image, &doc->pyramid) ||
        paint_drawing_create(doc->image.width, doc->image.height, &doc->drawing)) {
        snprintf(doc->message, sizeof doc->message, "%s", paint_no_memory);
        return SEG_ERR_MEMORY;
    }
    doc->drawing.slices = paths->slices;
    doc->drawing.spacing = paths->spacing;
    doc->drawing.channels = channels;
    if (!paint_journal_open(paths->journal, &doc->drawing, &doc->journal, doc->message))
        return SEG_ERR_IO;
    const size_t bytes = (size_t)doc->image.width * (size_t)doc->image.height * 3 * (size_t)doc->image.depth / 8;
    if (!paint_journal_photo(&doc->journal, paths->photo, paint_hash(doc->image.data, bytes), doc->drawing.count > 0,
                             doc->message))
        return SEG_ERR_IO;
    if (paths->start) {
        SEG_LOCAL(char, pages, cli_pages_path(ctx, paths->start, paths->slices));
        SEG_TRY(seg_slices_read_labels(ctx, &(seg_slice_files){.name = pages}, &doc->image, NULL, NULL, &doc->start));
        doc->drawing.start = &doc->start;
    }
    objects &= paths->slices == 1;
    status = take_scribbles(ctx, doc, options->model, labels, doc->drawing.count == 0 && !doc->journal.last);
    if (doc->drawing.count == 0 && doc->drawing.objects != objects && paint_journal_objects(&doc->journal, objects))
        doc->drawing.objects = objects;
    const int largest = paint_largest_mark(&doc->drawing);
    if (largest > 0)
        paint_labels_cover(labels, largest, doc->file_colour);
    return status;
}

int paint_document_is_new(const paint_document *doc) {
    return doc->drawing.revision == 0;
}

int paint_scribbles_changed(paint_document *doc) {
    const char *path = doc->paths->scribbles;
    return doc->written.hash[0] ? paint_source_check(path, &doc->written) == PAINT_SOURCE_CHANGED
                                : access(path, F_OK) == 0;
}

int64_t paint_document_saved(const paint_document *doc, const seg_options *options) {
    return paint_document_is_new(doc) && !options->model && !doc->drawing.start && !options->box.width ? 0 : -1;
}

void paint_document_close(paint_document *doc) {
    paint_journal_close(&doc->journal);
    paint_drawing_free(&doc->drawing);
    seg_mask_free(&doc->start);
    paint_pyramid_free(&doc->pyramid);
    seg_image_free(&doc->image);
    seg_image_free(&doc->stack);
}

seg_status paint_snapshot_take(seg_context *ctx, const paint_document *doc, const paint_labels *labels,
                               const seg_options *initial, const paint_stroke *pen, paint_snapshot *out) {
    const paint_drawing *drawing = &doc->drawing;
    const size_t pixels = (size_t)drawing->width * (size_t)drawing->height;
    *out = (paint_snapshot){.revision = drawing->revision, .with_pen = pen != NULL};
    out->scribbles = (seg_mask){drawing->width, drawing->height, malloc(pixels), 0, {{0}}, drawing->slices};
    SEG_TRY(seg_allocated(out->scribbles.label));
    if (drawing->marks)
        memcpy(out->scribbles.label, drawing->marks, pixels);
    else if (paint_draw_acts(drawing, 0, out->scribbles.label))
        return SEG_ERR_MEMORY;
    memcpy(out->scribbles.colour, doc->own_colour, sizeof doc->own_colour);
    paint_labels_colours(labels, out->scribbles.colour);
    if (pen)
        paint_draw(pen, paint_sheet_of(drawing, out->scribbles.label));
    const seg_status status = paint_drawing_options(ctx, drawing, initial, &out->options);
    out->object = out->options.object ? paint_object(drawing) : 0;
    if (out->object && (!(out->finished = malloc(pixels)) || paint_draw_acts(drawing, out->object, out->finished)))
        return SEG_ERR_MEMORY;
    return status;
}

void paint_snapshot_free(paint_snapshot *snapshot) {
    SEG_CLEAR(snapshot, snapshot->scribbles.label, snapshot->finished);
}
