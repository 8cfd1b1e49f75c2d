/* Labels as arrays, for what works on runs of them. */
#ifndef LABEL_ARRAYS_H
#define LABEL_ARRAYS_H

#include "check.h"

#include "masks/refine.h"

static inline seg_label_rows rows_of(seg_context *ctx, int width, int height, const uint8_t *label) {
    seg_label_rows rows = {0};
    assert_ok(ctx, seg_label_rows_append(ctx, width, height, label, &rows));
    return rows;
}

/* Strokes of an array whose labels are columns + 1; *rows is to be freed. */
static inline seg_pixel_scribbles marks_of(seg_context *ctx, int width, int height, const uint8_t *mark,
                                           seg_label_rows *rows) {
    seg_pixel_scribbles marks = {.rows = rows, .label = mark};
    *rows = rows_of(ctx, width, height, mark);
    for (int l = 0; l < 256; l++)
        marks.column[l] = (int16_t)(l - 1);
    return marks;
}

/* The rows' labels into the array; the rows are freed. */
static inline void read_back(seg_label_rows *rows, uint8_t *label) {
    seg_label_rows_paint(rows, label);
    seg_label_rows_free(rows);
}

#endif
