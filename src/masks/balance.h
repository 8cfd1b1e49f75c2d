/* How much the scores of two labels count against each other. */
#ifndef SEG_MASKS_BALANCE_H
#define SEG_MASKS_BALANCE_H

#include <segment/features.h>

/* What the balance is judged by. */
typedef struct seg_balance_view {
    const seg_patch_grid *grid;
    const seg_matrix *features; /* a row a patch */
    const uint8_t *uses;        /* of each column: 1 where it is a colour's or a texture's, 0 for a position's */
    const int16_t *group;       /* column that the patch's strokes give it, 0 or 1; -1: unmarked */
    int labels;                 /* that have strokes: 2, or 1, column 0, which is the object then */
    const seg_matrix *score;    /* patches x 2, rows positive with sum one */
} seg_balance_view;

/* The shift of the log odds of column 0: the mean of 17, from -1.6 to 1.6 by steps of 0.2, weighed by what they cost.
 * object: how far column 0 is the object, from 1, where it has nothing of the image's frame, to -1, where
 * it has all of it. Exchanging the columns changes the signs of both. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost
 * O(17 patches). */
seg_status seg_balance_find(seg_context *ctx, const seg_balance_view *view, double *shift, double *object);

/* Add the shift to the log odds of unmarked patches; label: the larger score's column, the first of equals. */
void seg_balance_apply(const int16_t *group, double shift, seg_matrix *score, int32_t *label);

#endif
