/* The strokes in the form that the stages after the clustering use. */
#ifndef SEG_MASKS_PIXEL_SCRIBBLES_H
#define SEG_MASKS_PIXEL_SCRIBBLES_H

#include "image/label_rows.h"

/* The strokes, as runs of labels. */
typedef struct seg_pixel_scribbles {
    const seg_label_rows *rows; /* NULL: nothing is marked */
    int16_t column[256];        /* per label: its column of the scores, -1 for unmarked */
    const uint8_t *label;       /* the same labels as an array, or NULL */
} seg_pixel_scribbles;

/* The column of the stroke at a pixel, -1 if the pixel is unmarked or there is no array. */
static inline int seg_mark_at(const seg_pixel_scribbles *scribbles, size_t pixel) {
    return scribbles->label ? scribbles->column[scribbles->label[pixel]] : -1;
}

#endif
