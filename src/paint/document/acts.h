/* What was drawn on an image: a list of acts; those from number `at` on were undone. */
#pragma once

#include "paint/document/stroke_raster.h"

#include <segment/image.h>

#include <jansson.h>

typedef enum paint_kind {
    PAINT_STROKE = 0,
    PAINT_DELETE, /* delete the stroke of an act */
    PAINT_CLEAR,  /* delete everything before */
    PAINT_BASE,   /* the same, and start from given marks */
    PAINT_FINISH, /* the same: the marks are all pixels of the finished objects, 1, 2, ...; the next one is begun */
    PAINT_SET,    /* give an option a value */
    PAINT_LABEL   /* name, colour, hide or add a label; all images share the labels (shared_labels.h) */
} paint_kind;

typedef struct paint_act {
    paint_kind kind;
    paint_stroke stroke; /* of a stroke */
    size_t target;       /* of a deletion: the act of the stroke */
    json_t *json;        /* the edit as in the journal and on the page; owned */
    int64_t id;          /* no other act of the image ever has it */
} paint_act;

typedef struct paint_drawing {
    int width, height; /* of the image */
    int slices;        /* of a volume, one below the other; of an image 1 */
    double spacing;    /* of slices, at first */
    int channels;      /* of the image that is drawn on; 1: colours */
    paint_act *acts;   /* owned */
    size_t count;
    size_t at;             /* number of acts that count */
    uint8_t *marks;        /* width x height labels that the acts draw; owned */
    int64_t revision;      /* number of edits so far */
    const seg_mask *start; /* a mask that the strokes correct, or NULL; borrowed */
    int objects;           /* the option object at first: 1 for a new image whose strokes are of one object at a time */
} paint_drawing;

extern const char paint_no_memory[];

paint_refusal paint_drawing_create(int width, int height, paint_drawing *out);
void paint_drawing_free(paint_drawing *drawing);

/* What its strokes draw on. */
paint_sheet paint_sheet_of(const paint_drawing *drawing, uint8_t *label);

/* Apply an edit: {"stroke": {"label", "radius", "points": [x, y, ...]}}, {"delete": ACT}, {"clear": true}, {"base":
 * [label, first pixel, pixels, ...]}, {"finish": [...]} alike, {"set": {"name", "value"}}, {"label": {"number", ...}},
 * {"undo": true} or {"redo": true}. Nothing changes where it is refused. The edit is borrowed. */
paint_refusal paint_apply(paint_drawing *drawing, const json_t *edit);

/* Check whether paint_apply would accept the edit, so that it can be written to the journal first. */
paint_refusal paint_check(const paint_drawing *drawing, const json_t *edit);

/* Read a stroke of such an edit; xy is to be freed. */
paint_refusal paint_stroke_read(const json_t *json, paint_stroke *out);

/* The acts, and how many of them count: {"acts": [...], "at", "revision"}; a new reference, NULL if out of memory. */
json_t *paint_drawing_json(const paint_drawing *drawing);

/* An edit of the kind "base" with all marks of a raster; a new reference, NULL if out of memory. */
json_t *paint_base_json(const uint8_t *label, int width, int height);

/* Draw the marks of the acts that count; with `object` without those of this label and the next. NULL, or why not. */
paint_refusal paint_draw_acts(const paint_drawing *drawing, int object, uint8_t *marks);

/* In object mode a mask follows from the one before an added stroke. A step: its acts, and the id of the last. */
typedef struct paint_step {
    size_t at;
    int64_t id;
} paint_step;

/* The step after those of the list whose acts still count, the first ones: *count becomes how many these are. It is the
 * last of them again where nothing was added. */
paint_step paint_next_step(const paint_drawing *drawing, const paint_step *done, int *count);

/* The label of the object that is being drawn, after the finished ones; the next label is its background. */
int paint_object(const paint_drawing *drawing);

/* The largest label of the marks, 0 if none is left. */
int paint_largest_mark(const paint_drawing *drawing);

/* The act that this undo or redo would change; NULL if the edit is neither, or nothing can be undone or redone. */
const paint_act *paint_moved(const paint_drawing *drawing, const json_t *edit);

/* The largest label that has pixels, 0 if none has. count: NULL, or gets the number of labels that have some. */
int paint_largest_label(const uint8_t *label, int width, int height, int *count);
