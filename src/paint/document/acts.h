/* What was drawn on an image: acts in their order, of which those behind `at` were undone. */
#ifndef PAINT_ACTS_H
#define PAINT_ACTS_H

#include "paint/document/pairs.h"
#include "paint/document/stroke_raster.h"

#include <jansson.h>
#include <stddef.h>

typedef enum paint_kind {
    PAINT_STROKE = 0,
    PAINT_DELETE,  /* take away the stroke of an act */
    PAINT_CLEAR,   /* take away everything before */
    PAINT_BASE,    /* likewise, and begin with these marks */
    PAINT_SET,     /* give an option a value */
    PAINT_ANSWER,  /* whether two places are of one region */
    PAINT_ANSWERS, /* take all answers away, and begin with these */
    PAINT_LABEL    /* name, colour or hide a label, or add one; what the files of all images share is labels.h's */
} paint_kind;

typedef struct paint_act {
    paint_kind kind;
    paint_stroke stroke; /* of a stroke */
    paint_pair pair;     /* of an answer */
    size_t target;       /* of a deletion: the act of the stroke or of the answer */
    json_t *json;        /* as it stands in the journal and goes to the page; owned */
} paint_act;

typedef struct paint_drawing {
    int width, height; /* of the image */
    paint_act *acts;   /* owned */
    size_t count;
    size_t at;        /* so many acts count */
    uint8_t *marks;   /* width x height labels, what the acts give; owned */
    int64_t revision; /* lines of the journal */
    int64_t marked;   /* the revision that changed the marks last */
} paint_drawing;

extern const char paint_no_memory[];

paint_refusal paint_drawing_create(int width, int height, paint_drawing *out);
void paint_drawing_free(paint_drawing *drawing);

/* Apply an edit: {"stroke": {"label", "radius", "points": [x, y, ...]}}, {"delete": ACT}, {"clear": true},
 * {"base": [label, first pixel, pixels, ...]}, {"set": {"name", "value"}}, {"answer": {"a": [x, y], "b": [x, y],
 * "sign"}},
 * {"answers": [[x, y, x, y, sign], ...]}, {"label": {"number", ...}}, {"undo": true} or {"redo": true}. Nothing changes
 * where it is refused. The edit is borrowed. */
paint_refusal paint_apply(paint_drawing *drawing, const json_t *edit);

/* Whether paint_apply would take it, so that it can be kept on disk first. */
paint_refusal paint_check(const paint_drawing *drawing, const json_t *edit);

/* Read a stroke of such an edit; xy is to be freed. */
paint_refusal paint_stroke_read(const json_t *json, paint_stroke *out);

/* The acts and how many count: {"acts": [...], "at", "revision"}; a new reference, NULL if out of memory. */
json_t *paint_drawing_json(const paint_drawing *drawing);

/* An edit of the kind "base" with all marks of a raster; a new reference, NULL if out of memory. */
json_t *paint_base_json(const uint8_t *label, int width, int height);

/* The answers that count, in their order; to be freed. @return 0 without memory */
int paint_drawing_pairs(const paint_drawing *drawing, paint_pairs *out);

/* Whether there is a stroke or an answer. */
int paint_is_drawn(const paint_drawing *drawing);

/* The act that an undo or a redo is about to change; NULL where the edit is neither, or has none. */
const paint_act *paint_moved(const paint_drawing *drawing, const json_t *edit);

/* How many labels have a pixel, and the largest. */
int paint_labels_of(const uint8_t *label, size_t pixels, int *largest);

#endif
