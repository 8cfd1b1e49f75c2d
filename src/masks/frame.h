/* What the image's frame says of an object's background while strokes are few. */
#ifndef SEG_MASKS_FRAME_H
#define SEG_MASKS_FRAME_H

#include <segment/features.h>

/* What the evidence is found from. */
typedef struct seg_frame_view {
    const seg_patch_grid *grid;
    const seg_matrix *features; /* a row a patch */
    const uint8_t *uses;        /* of each column: 1 for a colour's or a texture's, 0 for a position's */
    const int16_t *group;       /* column that the patch's strokes give it: 0, the object, or 1; -1: unmarked */
} seg_frame_view;

/* For each patch, how likely a walk ends there in the background, as a share of the patch's degree; made here, n
 * numbers, freed by the caller. 0 away from the frame, at marked patches and near strokes. SEG_OK, SEG_ERR_MEMORY. Cost
 * O(patches), and while strokes are few O(patches of the frame x patches). */
seg_status seg_frame_strength(seg_context *ctx, const seg_frame_view *view, double **strength);

#endif
