/* The balance between the scores of two labels. */
#ifndef SEG_MASKS_BALANCE_H
#define SEG_MASKS_BALANCE_H

#include <segment/features.h>

/* The input of the balance. */
typedef struct seg_balance_view {
    const seg_patch_grid *grid;
    const seg_matrix *features; /* one row per patch */
    const uint8_t *uses;        /* per column: 1 for colour and texture, 0 for position */
    const int16_t *group;       /* per patch: the column of its strokes, 0 or 1; -1: unmarked */
    int labels;                 /* labels with strokes: 2, or 1, which is column 0 and the object */
    const seg_matrix *score;    /* patches x 2, rows positive with sum one */
} seg_balance_view;

/* The shift of the log odds of column 0: the mean of 17, from -1.6 to 1.6 by steps of 0.2, weighted by their costs.
 * object: how clearly column 0 is the object, from 1, where it has nothing of the image's frame, to -1, where it has
 * all of it. Exchanging the columns changes the signs of both. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(17
 * patches). */
seg_status seg_balance_find(seg_context *ctx, const seg_balance_view *view, double *shift, double *object);

/* Add the shift to the log odds of unmarked patches; label: the column of the larger score, 0 if they are equal. */
void seg_balance_apply(const int16_t *group, double shift, seg_matrix *score, int32_t *label);

#endif
