#include "paint/document/acts.h"
#include "base/base.h"
#include "paint/document/shared_labels.h"

enum {
    MOST_LABEL = 254,
    MOST_POINTS = 200000,
    MOST_RADIUS = 4096 * PAINT_UNIT,
    MOST_SIDE = SEG_MAX_STACK,
    MOST_TEXT = 200 /* bytes of the value of an option */
};

const char paint_no_memory[] = "out of memory";

paint_refusal paint_drawing_create(int width, int height, paint_drawing *out) {
    memset(out, 0, sizeof *out);
    out->width = width;
    out->height = height;
    out->spacing = out->slices = out->channels = 1;
    out->marks = calloc((size_t)width * (size_t)height, 1);
    return out->marks ? NULL : paint_no_memory;
}

paint_sheet paint_sheet_of(const paint_drawing *drawing, uint8_t *label) {
    return (paint_sheet){drawing->width, drawing->height, drawing->slices, label};
}

static void free_act(paint_act *act) {
    free(act->stroke.xy);
    json_decref(act->json);
}

void paint_drawing_free(paint_drawing *drawing) {
    for (size_t i = 0; i < drawing->count; i++)
        free_act(&drawing->acts[i]);
    SEG_CLEAR(drawing, drawing->acts, drawing->marks);
}

/* Read a whole number from low to high. @return 0 if it is none */
static int read_whole(const json_t *json, json_int_t low, json_int_t high, int *out) {
    if (!json_is_integer(json) || json_integer_value(json) < low || json_integer_value(json) > high)
        return 0;
    *out = (int)json_integer_value(json);
    return 1;
}

paint_refusal paint_stroke_read(const json_t *json, paint_stroke *out) {
    const json_t *points = json_object_get(json, "points");
    const size_t numbers = json_array_size(points);
    memset(out, 0, sizeof *out);
    if (!read_whole(json_object_get(json, "label"), 0, MOST_LABEL, &out->label))
        return "a stroke has a label from 0 (eraser) to 254";
    if (!read_whole(json_object_get(json, "radius"), 1, MOST_RADIUS, &out->radius))
        return "a stroke has a radius of 1 to 65536 sixteenths of a pixel";
    if (numbers < 2 || numbers % 2 || numbers > 2 * (size_t)MOST_POINTS)
        return "a stroke has 1 to 200000 points, an x and a y of each";
    SEG_FREED int32_t *xy = malloc(numbers * sizeof *xy);
    if (!xy)
        return paint_no_memory;
    for (size_t i = 0; i < numbers; i++) {
        int value;
        if (!read_whole(json_array_get(points, i), -MOST_SIDE * PAINT_UNIT, MOST_SIDE * PAINT_UNIT, &value))
            return "the points of a stroke are whole numbers, in sixteenths of a pixel";
        xy[i] = value;
    }
    out->count = (int)(numbers / 2);
    out->xy = seg_taken(&xy);
    return NULL;
}

/* Check runs of marks: label, first pixel and length of each, in ascending order and inside the image. */
static paint_refusal check_base(const paint_drawing *drawing, const json_t *runs) {
    const json_int_t pixels = (json_int_t)drawing->width * drawing->height;
    json_int_t end = 0;
    if (!json_is_array(runs) || json_array_size(runs) % 3)
        return "marks are runs: label, first pixel and length";
    for (size_t i = 0; i < json_array_size(runs); i += 3) {
        int label, first, length;
        if (!read_whole(json_array_get(runs, i), 1, MOST_LABEL, &label) ||
            !read_whole(json_array_get(runs, i + 1), end, pixels - 1, &first) ||
            !read_whole(json_array_get(runs, i + 2), 1, pixels - first, &length))
            return "a run of marks lies outside the image or has no label";
        end = (json_int_t)first + length;
    }
    return NULL;
}

static int is_short_text(const json_t *json) {
    return json_is_string(json) && json_string_length(json) <= MOST_TEXT;
}

/* Read an edit that adds an act, except for its JSON. */
static paint_refusal read_act(const paint_drawing *drawing, const json_t *edit, paint_act *out) {
    static const char *const names[] = {"stroke", "delete", "clear", "base", "finish", "set", "label"};
    const json_t *value = NULL;
    int act;
    memset(out, 0, sizeof *out);
    if (json_object_size(edit) != 1)
        return "an edit has one member: stroke, delete, clear, base, finish, set, label, undo or redo";
    for (size_t kind = 0; kind < sizeof names / sizeof *names && !value; kind++) {
        value = json_object_get(edit, names[kind]);
        out->kind = (paint_kind)kind;
    }
    switch (value ? out->kind : PAINT_CLEAR) {
    case PAINT_STROKE:
        return paint_stroke_read(value, &out->stroke);
    case PAINT_DELETE:
        if (!read_whole(value, 0, (json_int_t)drawing->at - 1, &act) || drawing->acts[act].kind != PAINT_STROKE)
            return "there is no such stroke to delete";
        out->target = (size_t)act;
        return NULL;
    case PAINT_BASE:
    case PAINT_FINISH:
        return check_base(drawing, value);
    case PAINT_SET:
        if (!is_short_text(json_object_get(value, "name")) ||
            !(json_is_null(json_object_get(value, "value")) || is_short_text(json_object_get(value, "value"))))
            return "an option has a name and a value";
        return NULL;
    case PAINT_LABEL:
        return paint_label_check(value);
    case PAINT_CLEAR:
        break;
    }
    return json_is_true(value) ? NULL
                               : "an edit is one of stroke, delete, clear, base, finish, set, label, undo and redo";
}

/* Read an undo or a redo: *at is the number of acts that count after it. @return 0 if the edit is neither */
static int read_step(const paint_drawing *drawing, const json_t *edit, size_t *at, paint_refusal *refusal) {
    const int undo = json_is_true(json_object_get(edit, "undo")), redo = json_is_true(json_object_get(edit, "redo"));
    *refusal = NULL;
    if (json_object_size(edit) != 1 || !(undo || redo))
        return 0;
    if (undo && drawing->at == 0)
        *refusal = "there is nothing to undo";
    else if (redo && drawing->at == drawing->count)
        *refusal = "there is nothing to redo";
    else
        *at = undo ? drawing->at - 1 : drawing->at + 1;
    return 1;
}

paint_refusal paint_check(const paint_drawing *drawing, const json_t *edit) {
    paint_act act;
    paint_refusal refusal;
    size_t at;
    if (read_step(drawing, edit, &at, &refusal))
        return refusal;
    refusal = read_act(drawing, edit, &act);
    free_act(&act);
    return refusal;
}

static void draw_base(const json_t *runs, int object, uint8_t *marks) {
    for (size_t i = 0; i + 2 < json_array_size(runs); i += 3) {
        const int label = (int)json_integer_value(json_array_get(runs, i));
        if (!object || (label != object && label != object + 1))
            memset(marks + json_integer_value(json_array_get(runs, i + 1)), label,
                   (size_t)json_integer_value(json_array_get(runs, i + 2)));
    }
}

/* Whether an act deletes everything before. */
static int is_begin(const paint_act *act) {
    return act->kind >= PAINT_CLEAR && act->kind <= PAINT_FINISH;
}

paint_refusal paint_draw_acts(const paint_drawing *drawing, int object, uint8_t *marks) {
    SEG_FREED char *gone = calloc(drawing->at + 1, 1); /* acts that a later one deletes */
    size_t first = 0;
    if (!gone)
        return paint_no_memory;
    memset(marks, 0, (size_t)drawing->width * (size_t)drawing->height);
    for (size_t i = 0; i < drawing->at; i++) {
        first = is_begin(&drawing->acts[i]) ? i : first;
        if (drawing->acts[i].kind == PAINT_DELETE)
            gone[drawing->acts[i].target] = 1;
    }
    for (size_t i = first; i < drawing->at; i++) {
        const paint_act *act = &drawing->acts[i];
        const int is_its = object && (act->stroke.label == object || act->stroke.label == object + 1);
        if (is_begin(act)) /* a clear has no runs */
            draw_base(json_object_iter_value(json_object_iter(act->json)), object, marks);
        if (act->kind == PAINT_STROKE && !gone[i] && !is_its)
            paint_draw(&act->stroke, paint_sheet_of(drawing, marks));
    }
    return NULL;
}

/* Whether an act can change the marks. */
static int is_mark(const paint_act *act) {
    return act->kind <= PAINT_FINISH;
}

int paint_object(const paint_drawing *drawing) {
    int object = 1;
    for (size_t i = 0; i < drawing->at; i++)
        object = drawing->acts[i].kind == PAINT_FINISH ? object + 1 : is_begin(&drawing->acts[i]) ? 1 : object;
    return object;
}

paint_step paint_next_step(const paint_drawing *drawing, const paint_step *done, int *count) {
    size_t first = drawing->at > 0;
    for (size_t i = 0; i < drawing->at; i++)
        if (drawing->acts[i].kind != PAINT_LABEL && (drawing->acts[i].kind || !drawing->acts[i].stroke.label))
            first = i + 1; /* marks that go, and options, begin anew */
    for (; *count > 0; --*count) {
        const paint_step *last = &done[*count - 1];
        if (last->at >= first && last->at <= drawing->at && last->at && drawing->acts[last->at - 1].id == last->id)
            break;
    }
    const size_t next = *count ? done[*count - 1].at + (done[*count - 1].at < drawing->at) : first;
    return (paint_step){next, next > 0 ? drawing->acts[next - 1].id : 0};
}

const paint_act *paint_moved(const paint_drawing *drawing, const json_t *edit) {
    paint_refusal refusal;
    size_t at = drawing->at;
    if (!read_step(drawing, edit, &at, &refusal) || refusal)
        return NULL;
    return &drawing->acts[at < drawing->at ? at : drawing->at];
}

paint_refusal paint_apply(paint_drawing *drawing, const json_t *edit) {
    paint_act act;
    paint_refusal refusal;
    size_t at = drawing->at;
    const size_t before = drawing->at;
    if (read_step(drawing, edit, &at, &refusal)) {
        if (refusal)
            return refusal;
        const paint_act *moved = &drawing->acts[at < before ? at : before];
        drawing->at = at;
        refusal = is_mark(moved) ? paint_draw_acts(drawing, 0, drawing->marks) : NULL;
        drawing->at = refusal ? before : at;
        drawing->revision += !refusal;
        return refusal;
    }
    refusal = read_act(drawing, edit, &act);
    act.json = refusal ? NULL : json_deep_copy(edit);
    act.id = drawing->revision;
    if (!act.json || seg_extend(NULL, &drawing->acts, drawing->at, sizeof act)) {
        free_act(&act);
        return refusal ? refusal : paint_no_memory;
    }
    for (size_t i = drawing->at; i < drawing->count; i++) /* acts that were undone cannot be redone any more */
        free_act(&drawing->acts[i]);
    drawing->acts[drawing->at++] = act;
    drawing->count = drawing->at;
    if (act.kind == PAINT_STROKE)
        paint_draw(&act.stroke, paint_sheet_of(drawing, drawing->marks));
    else if (is_mark(&act) && (refusal = paint_draw_acts(drawing, 0, drawing->marks)) != NULL) {
        free_act(&drawing->acts[--drawing->at]);
        drawing->count = drawing->at;
        return refusal;
    }
    drawing->revision++;
    return NULL;
}

int paint_largest_mark(const paint_drawing *drawing) {
    return paint_largest_label(drawing->marks, drawing->width, drawing->height, NULL);
}

json_t *paint_drawing_json(const paint_drawing *drawing) {
    json_t *acts = json_array();
    for (size_t i = 0; i < drawing->count; i++)
        json_array_append(acts, drawing->acts[i].json);
    return json_pack("{s:o, s:I, s:I}", "acts", acts, "at", (json_int_t)drawing->at, "revision",
                     (json_int_t)drawing->revision);
}

json_t *paint_base_json(const uint8_t *label, int width, int height) {
    const size_t pixels = (size_t)width * (size_t)height;
    json_t *runs = json_array();
    for (size_t i = 0; i < pixels;) {
        size_t end = i + 1;
        while (end % (size_t)width && label[end] == label[i]) /* runs end with their row */
            end++;
        if (label[i] >= 1 && label[i] <= MOST_LABEL) {
            json_array_append_new(runs, json_integer(label[i]));
            json_array_append_new(runs, json_integer((json_int_t)i));
            json_array_append_new(runs, json_integer((json_int_t)(end - i)));
        }
        i = end;
    }
    return json_pack("{s:o}", "base", runs);
}

int paint_largest_label(const uint8_t *label, int width, int height, int *count) {
    uint8_t there[256] = {0};
    int found = 0, largest = 0;
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        there[label[i]] = 1;
    for (int l = 1; l <= MOST_LABEL; l++) {
        found += there[l];
        largest = there[l] ? l : largest;
    }
    if (count)
        *count = found;
    return largest;
}
