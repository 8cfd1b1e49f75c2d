/* The labels, which all images share: names and colours, stored in a label map. */
#pragma once

#include "paint/document/stroke_raster.h"

#include <segment/model.h>

#include <jansson.h>

typedef struct paint_labels {
    seg_labelmap map;              /* the labels on the page */
    int chosen;                    /* 1: names or colours come from the user or a file */
    const char *path;              /* of the label map */
    uint8_t fixed[SEG_MAX_LABELS]; /* 1: the model determines the colour */
} paint_labels;

/* Read the label map, or without one take two labels of default colours. @return SEG_OK, or why it cannot be read */
seg_status paint_labels_open(seg_context *ctx, const char *path, paint_labels *out);

/* Take the numbers, colours and names of the labels of a model; names in an existing label map are kept. @return 0, or
 * the first label with a different name there */
int paint_labels_take_model(paint_labels *labels, const seg_model *model);
/* Refuse an edit of a label (NULL: none) that would change the colour of a label of the model. */
paint_refusal paint_labels_refuse(const paint_labels *labels, const json_t *label);

/* Check an edit of a label: {"number", "name", "colour": "#rrggbb", "was": {"name", "colour"}}, without `was` if the
 * label is new; or {"number", "hidden"}, which affects only the page. */
paint_refusal paint_label_check(const json_t *label);

/* Apply or, if `back` is not 0, undo such an edit, and write the label map. @return NULL, or what is wrong */
const char *paint_labels_change(seg_context *ctx, paint_labels *labels, const json_t *label, int back);
/* The label that undoing this edit would remove; 0: none. */
int paint_labels_removes(const paint_labels *labels, const json_t *label);

/* A list of {"name", "colour"}, with "fixed" for labels of a model; a new reference. */
json_t *paint_labels_json(const paint_labels *labels);

/* Make sure that there are `count` labels; if no colours were chosen yet, take these. */
void paint_labels_cover(paint_labels *labels, int count, const uint8_t colour[256][3]);

/* Copy the colours of the labels into `colour`; the others are unchanged. */
void paint_labels_colours(const paint_labels *labels, uint8_t colour[256][3]);
