/* The labels that all images share: their names and colours, kept as a label map. */
#ifndef PAINT_DOCUMENT_SHARED_LABELS_H
#define PAINT_DOCUMENT_SHARED_LABELS_H

#include "paint/document/stroke_raster.h"

#include <segment/model.h>

#include <jansson.h>

typedef struct paint_labels {
    seg_labelmap map;              /* those that are shown */
    int chosen;                    /* a person or a file has named or coloured them */
    const char *path;              /* of the label map */
    uint8_t fixed[SEG_MAX_LABELS]; /* 1: of the model, which says its colour */
} paint_labels;

/* Two labels of the default colours, or those of the file where there is one.
 * @return SEG_OK, or the failure to read it */
seg_status paint_labels_open(seg_context *ctx, const char *path, paint_labels *out);

/* Numbers, colours and names of a model's labels; one that the label map has keeps the name that it has there.
 * @return 0, or the first label that the label map calls otherwise than the model */
int paint_labels_take_model(paint_labels *labels, const seg_model *model);
/* Whether what an edit says of a label, NULL for nothing, would give a label of the model another colour. */
int paint_labels_recolours(const paint_labels *labels, const json_t *label);

/* What an edit says of a label: {"number", "name", "colour": "#rrggbb", "was": {"name", "colour"}}, without `was` of
 * one that is added; or {"number", "hidden"}, which is a matter of the page alone. */
paint_refusal paint_label_check(const json_t *label);

/* Do that, or take it back, and write the file. @return NULL, or what is wrong as a sentence */
const char *paint_labels_do(seg_context *ctx, paint_labels *labels, const json_t *label);
const char *paint_labels_undo(seg_context *ctx, paint_labels *labels, const json_t *label);
/* The number of the label that this taking back would remove, 0 none. */
int paint_labels_removes(const paint_labels *labels, const json_t *label);

/* A new reference to a list of {"name", "colour"}, with "fixed" of those of a model. */
json_t *paint_labels_json(const paint_labels *labels);

/* So many labels at least; those of existing scribbles with their colours, where nobody has chosen any. */
void paint_labels_cover(paint_labels *labels, int count, const uint8_t colour[256][3]);

/* The colours of these labels in those of a mask; the others stay. */
void paint_labels_colours(const paint_labels *labels, uint8_t colour[256][3]);

#endif
