/* An image and what was drawn on it, as its files have it; and copies of it that computations work on. */
#ifndef PAINT_DOCUMENT_H
#define PAINT_DOCUMENT_H

#include "paint/document/image_files.h"
#include "paint/document/image_options.h"
#include "paint/document/pyramid.h"

typedef struct paint_document {
    const paint_paths *paths; /* borrowed */
    paint_source source;      /* the image's file */
    seg_image image;
    paint_pyramid pyramid;
    seg_mask truth; /* no labels where there is none */
    paint_drawing drawing;
    paint_journal journal;
    uint8_t own_colour[256][3];     /* of labels that the map has no colour of: the scribbles', else the default ones */
    uint8_t file_colour[256][3];    /* of the scribbles that lie there; else the default ones */
    char message[SEG_MESSAGE_SIZE]; /* why it cannot be opened; else a remark */
} paint_document;

/* Read image, scribbles, answers, truth and journal; `options` are those of the command line. @return SEG_OK; else the
 * sentence is in the context or in the message. Close it in every case. */
seg_status paint_document_open(seg_context *ctx, paint_document *doc, const seg_options *options, paint_labels *labels);
void paint_document_close(paint_document *doc);

/* Whether nothing was ever drawn, so that there is nothing that could be lost. */
int paint_document_is_new(const paint_document *doc);
/* The revision whose files are there, before any is written: without a model those of nothing drawn, which are none. */
int64_t paint_document_saved(const paint_document *doc, const seg_options *options);

/* What a computation or a file is made of: nothing changes it while edits go on. */
typedef struct paint_snapshot {
    int64_t revision;   /* of the acts */
    int64_t marked;     /* the revision that changed the marks last */
    seg_mask scribbles; /* without their number of labels, in the colours of the map; owned */
    paint_pairs pairs;  /* the answers; owned */
    seg_options options;
    int with_pen; /* the stroke under the pen is in it */
} paint_snapshot;

/* Copy what counts, and draw the stroke under the pen over it, if there is one. @return SEG_OK; SEG_ERR_MEMORY, or
 * another status with the sentence in the context. Free it in every case. */
seg_status paint_snapshot_take(seg_context *ctx, const paint_document *doc, const paint_labels *labels,
                               const seg_options *initial, const paint_stroke *pen, paint_snapshot *out);
void paint_snapshot_free(paint_snapshot *snapshot);

#endif
