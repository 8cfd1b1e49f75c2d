/* The labels that all images share: their names and colours, kept as a label map. */
#ifndef PAINT_LABELS_H
#define PAINT_LABELS_H

#include "paint/refusal.h"

#include <segment/image.h>

#include <jansson.h>

typedef struct paint_labels {
    seg_labelmap map; /* those that are shown */
    int chosen;       /* a person or a file has named or coloured them */
    const char *path; /* of the label map */
} paint_labels;

/* Two labels of the default colours, or those of the file where there is one.
 * @return SEG_OK, or the failure to read it */
seg_status paint_labels_open(seg_context *ctx, const char *path, paint_labels *out);

/* What an edit says of a label: {"number", "name", "colour": "#rrggbb", "was": {"name", "colour"}}, without `was` of
 * one that is added; or {"number", "hidden"}, which is a matter of the page alone. */
paint_refusal paint_label_check(const json_t *label);

/* Do that, or take it back, and write the file. @return NULL, or what is wrong as a sentence */
const char *paint_labels_do(seg_context *ctx, paint_labels *labels, const json_t *label);
const char *paint_labels_undo(seg_context *ctx, paint_labels *labels, const json_t *label);
/* The number of the label that this taking back would remove, 0 none. */
int paint_labels_removes(const paint_labels *labels, const json_t *label);

/* A new reference to the same list. */
json_t *paint_labels_json(const paint_labels *labels);

/* So many labels at least; those of existing scribbles with their colours, where nobody has chosen any. */
void paint_labels_cover(paint_labels *labels, int count, const uint8_t colour[256][3]);

/* The colours of these labels in those of a mask; the others stay. */
void paint_labels_colours(const paint_labels *labels, uint8_t colour[256][3]);

#endif
