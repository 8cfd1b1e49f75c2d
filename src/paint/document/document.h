/* An image with everything drawn on it, and snapshots of it for computations. */
#pragma once

#include "paint/document/image_options.h"
#include "paint/document/pyramid.h"

typedef struct paint_document {
    const paint_paths *paths; /* borrowed */
    paint_source source;      /* state of the image file */
    seg_image image;          /* as it is shown */
    seg_image stack;          /* its channels; no pixels: it has none */
    paint_pyramid pyramid;
    paint_drawing drawing;
    seg_mask start; /* a mask that the strokes correct; empty without one */
    paint_journal journal;
    paint_source written; /* state of the scribbles file */
    uint8_t own_colour[256]
                      [3]; /* colours of labels that are not in the label map: from the scribbles, else the defaults */
    uint8_t file_colour[256][3];    /* colours in the existing scribbles file, else the defaults */
    char message[SEG_MESSAGE_SIZE]; /* why it cannot be opened, or a remark */
} paint_document;

/* Read an image, as it is shown; stack: its channels, if it has several. */
seg_status paint_image_read(seg_context *ctx, const paint_paths *paths, int *channels, seg_image *stack,
                            seg_image *shown);

/* Read the image, scribbles and journal; `options` are those of the command line. objects: 1 for object mode if nothing
 * was drawn before. @return SEG_OK; else the reason is in doc->message or in the context. Close it in every case. */
seg_status paint_document_open(seg_context *ctx, paint_document *doc, const seg_options *options, int objects,
                               paint_labels *labels);
void paint_document_close(paint_document *doc);

/* Whether nothing was ever drawn, so that nothing can be lost. */
int paint_document_is_new(const paint_document *doc);
/* Whether another program has written the scribbles file since it was read or written here. */
int paint_scribbles_changed(paint_document *doc);
/* The revision whose files exist when the document opens: 0 without strokes and model, which needs none, else -1. */
int64_t paint_document_saved(const paint_document *doc, const seg_options *options);

/* A copy for a computation or for writing files; later edits do not change it. */
typedef struct paint_snapshot {
    int64_t revision;   /* of the drawing */
    seg_mask scribbles; /* in the colours of the label map; the number of labels is not set; owned */
    seg_options options;
    int with_pen; /* 1: the unfinished stroke is included */
    int object;   /* with the option object paint_object(), else 0, and the other marks; owned */
    uint8_t *finished;
    paint_step step; /* the acts that it shows, and the number of known steps before */
    int known;
} paint_snapshot;

/* Copy what counts, and draw the unfinished stroke `pen` (or NULL) on top. @return SEG_OK; SEG_ERR_MEMORY, or another
 * status with the message in the context. Free it in every case. */
seg_status paint_snapshot_take(seg_context *ctx, const paint_document *doc, const paint_labels *labels,
                               const seg_options *initial, const paint_stroke *pen, paint_snapshot *out);
void paint_snapshot_free(paint_snapshot *snapshot);
