/* The strokes, as the stages behind the clustering see them. */
#ifndef SEG_MASKS_PIXEL_SCRIBBLES_H
#define SEG_MASKS_PIXEL_SCRIBBLES_H

#include "image/label_rows.h"

/* The strokes: column of the scores of each pixel, -1 where it is not marked. */
typedef struct seg_pixel_scribbles {
    const uint8_t *label;       /* width * height; NULL: nothing is marked, or it is in rows */
    int16_t column[256];        /* of each label, -1 for what is not marked */
    const seg_label_rows *rows; /* the labels of an image that is too large for an array of them, else NULL */
} seg_pixel_scribbles;

/* Of strokes that are an array, or are none. */
static inline int seg_mark_at(const seg_pixel_scribbles *scribbles, size_t pixel) {
    return scribbles->label ? scribbles->column[scribbles->label[pixel]] : -1;
}

/* 1 where pixels from .. to-1 of row y hold a mark of the column; -1: of any. width: of the image. */
int seg_scribbles_in_row(const seg_pixel_scribbles *scribbles, int width, int y, int from, int to, int column);

#endif
