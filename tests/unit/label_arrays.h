/* Labels as arrays, for what works on runs of them. */
#ifndef LABEL_ARRAYS_H
#define LABEL_ARRAYS_H

#include "check.h"

#include "image/label_rows.h"

static inline seg_label_rows rows_of(seg_context *ctx, int width, int height, const uint8_t *label) {
    seg_label_rows rows = {0};
    assert_ok(ctx, seg_label_rows_append(ctx, width, height, label, &rows));
    return rows;
}

/* The rows' labels into the array; the rows are freed. */
static inline void read_back(seg_label_rows *rows, uint8_t *label) {
    seg_label_rows_paint(rows, label);
    seg_label_rows_free(rows);
}

#endif
