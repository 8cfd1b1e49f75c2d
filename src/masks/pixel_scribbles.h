/* The strokes, as the stages behind the clustering see them. */
#ifndef SEG_MASKS_PIXEL_SCRIBBLES_H
#define SEG_MASKS_PIXEL_SCRIBBLES_H

#include "image/label_rows.h"

/* The strokes, as runs of labels. */
typedef struct seg_pixel_scribbles {
    const seg_label_rows *rows; /* NULL: nothing is marked */
    int16_t column[256];        /* of each label: its column of the scores, -1 for what is not marked */
    const uint8_t *label;       /* the same labels as an array, for what needs them so; else NULL */
} seg_pixel_scribbles;

/* By the array, if there is one. */
static inline int seg_mark_at(const seg_pixel_scribbles *scribbles, size_t pixel) {
    return scribbles->label ? scribbles->column[scribbles->label[pixel]] : -1;
}

/* 1 where pixels from .. to-1 of row y hold a mark of the column; -1: of any. */
int seg_scribbles_in_row(const seg_pixel_scribbles *scribbles, int y, int from, int to, int column);

#endif
