/* Evidence that the image's frame is background, for use while strokes are few. */
#ifndef SEG_MASKS_FRAME_H
#define SEG_MASKS_FRAME_H

#include <segment/features.h>

/* The input of the evidence. */
typedef struct seg_frame_view {
    const seg_patch_grid *grid;
    const seg_matrix *features; /* one row per patch */
    const uint8_t *uses;        /* per column: 1 for colour and texture, 0 for position */
    const int16_t *group;       /* per patch: the column of its strokes, 0 (the object) or 1; -1: unmarked */
} seg_frame_view;

/* For each patch, the probability that a walk is absorbed there by the background, as a share of its degree. *strength
 * (one number per patch) is allocated here, freed by the caller. 0 away from the frame, at marked patches and near
 * strokes. SEG_OK, SEG_ERR_MEMORY. Cost O(patches), and while strokes are few O(patches of the frame x patches). */
seg_status seg_frame_strength(seg_context *ctx, const seg_frame_view *view, double **strength);

#endif
