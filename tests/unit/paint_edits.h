/* Edits of segment paint as texts, for tests. */
#ifndef PAINT_EDITS_H
#define PAINT_EDITS_H

#include "check.h"

#include "paint/document/acts.h"

/* A quote stands for a double one. */
static inline json_t *parse(const char *text) {
    char plain[256];
    snprintf(plain, sizeof plain, "%s", text);
    for (char *c = plain; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *json = json_loads(plain, 0, NULL);
    assert_non_null(json);
    return json;
}

static inline const char *try_edit(paint_drawing *drawing, const char *text) {
    json_t *json = parse(text);
    const char *checked = paint_check(drawing, json), *refusal = paint_apply(drawing, json);
    assert_int_equal(checked == NULL, refusal == NULL); /* what is checked is what is applied */
    json_decref(json);
    return refusal;
}

static inline void good(paint_drawing *drawing, const char *text) {
    const char *refusal = try_edit(drawing, text);
    if (refusal)
        fail_msg("%s: %s", text, refusal);
}

#define STROKE(label, x, y) "{'stroke': {'label': " #label ", 'radius': 16, 'points': [" #x ", " #y "]}}"

static inline int at(const paint_drawing *d, int x, int y) {
    return d->marks[y * d->width + x];
}

#endif
