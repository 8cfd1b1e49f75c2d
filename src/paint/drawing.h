/* What was drawn on an image: acts in their order, of which those behind `at` were undone. */
#ifndef PAINT_DRAWING_H
#define PAINT_DRAWING_H

#include "paint/raster.h"

#include <jansson.h>
#include <stddef.h>

typedef enum paint_kind {
    PAINT_STROKE = 0,
    PAINT_DELETE, /* take away the stroke of an act */
    PAINT_CLEAR,  /* take away everything before */
    PAINT_BASE,   /* likewise, and begin with these marks */
    PAINT_SET     /* give an option a value */
} paint_kind;

typedef struct paint_act {
    paint_kind kind;
    paint_stroke stroke; /* of a stroke */
    size_t target;       /* of a deletion: the act of the stroke */
    json_t *json;        /* as it stands in the journal and goes to the page; owned */
} paint_act;

typedef struct paint_drawing {
    int width, height; /* of the image */
    paint_act *acts;   /* owned */
    size_t count;
    size_t at;        /* so many acts count */
    uint8_t *marks;   /* width x height labels, what the acts give; owned */
    int64_t revision; /* lines of the journal */
} paint_drawing;

/* NULL where it went well, else what is wrong with the text that was sent, as a sentence. */
typedef const char *paint_refusal;
extern const char paint_no_memory[];

paint_refusal paint_drawing_create(int width, int height, paint_drawing *out);
void paint_drawing_free(paint_drawing *drawing);

/* Apply an edit: {"stroke": {"label", "radius", "points": [x, y, ...]}}, {"delete": ACT}, {"clear": true},
 * {"base": [label, first pixel, pixels, ...]}, {"set": {"name", "value"}}, {"undo": true} or {"redo": true}. Nothing
 * changes where it is refused. The edit is borrowed. */
paint_refusal paint_apply(paint_drawing *drawing, const json_t *edit);

/* Whether paint_apply would take it, so that it can be kept on disk first. */
paint_refusal paint_check(const paint_drawing *drawing, const json_t *edit);

/* Read a stroke of such an edit; xy is to be freed. */
paint_refusal paint_stroke_read(const json_t *json, paint_stroke *out);

/* The acts and how many count: {"acts": [...], "at", "revision"}; a new reference, NULL without memory. */
json_t *paint_drawing_json(const paint_drawing *drawing);

/* An edit of the kind "base" with all marks of a raster; a new reference, NULL without memory. */
json_t *paint_base_json(const uint8_t *label, int width, int height);

/* How many labels have a pixel, and the largest. */
int paint_labels_of(const uint8_t *label, size_t pixels, int *largest);

#endif
