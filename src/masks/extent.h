/* The extent of an object. */
#ifndef SEG_MASKS_EXTENT_H
#define SEG_MASKS_EXTENT_H

#include <segment/features.h>

/* Strokes of an object and its background. */
typedef struct seg_extent {
    const seg_patch_grid *grid;
    const int16_t *group; /* per patch: the column of its strokes, 0 or 1; -1: unmarked. Both columns have strokes */
    double object;        /* how clearly column 0 is the object: 1; -1: column 1 is (masks/balance.h) */
} seg_extent;

/* Lower the odds of the object in unmarked patches that lie farther from its strokes than the background's strokes do.
 * score: patches x 2, rows positive with sum one. label: the column of the larger score, 0 if they are equal. lowered:
 * the number of such patches. SEG_OK, SEG_ERR_MEMORY. Cost O(patches). */
seg_status seg_extent_apply(seg_context *ctx, const seg_extent *e, seg_matrix *score, int32_t *label, size_t *lowered);

#endif
