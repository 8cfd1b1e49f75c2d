/* How far an object reaches. */
#ifndef SEG_MASKS_EXTENT_H
#define SEG_MASKS_EXTENT_H

#include <segment/features.h>

/* Strokes of an object and its background. */
typedef struct seg_extent {
    const seg_patch_grid *grid;
    const int16_t *group; /* column that the patch's strokes give it, 0 or 1; -1: unmarked. Both columns have one */
    double object;        /* how far column 0 is the object, from 1 to -1, where column 1 is (masks/balance.h) */
} seg_extent;

/* Lower the odds of the object in unmarked patches that lie farther from its strokes than those of its background do.
 * score: patches x 2, rows positive with sum one.
 * label: the larger score's column, the first of equals. lowered: how many patches. SEG_OK, SEG_ERR_MEMORY. Cost
 * O(patches). */
seg_status seg_extent_apply(seg_context *ctx, const seg_extent *e, seg_matrix *score, int32_t *label, size_t *lowered);

#endif
