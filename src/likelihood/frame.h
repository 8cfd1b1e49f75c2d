/* What the image's frame says of the background while strokes are few. */
#ifndef SEG_LIKELIHOOD_FRAME_H
#define SEG_LIKELIHOOD_FRAME_H

#include <segment/features.h>

/* For each patch, how likely a walk ends there in the background, as a share of the patch's degree; made here, n
 * numbers, freed by the caller. 0 away from the frame, at marked patches and near strokes. group: column of each
 * patch's strokes, -1: unmarked; labels: 1 or 2. SEG_OK, SEG_ERR_MEMORY. Cost O(patches). */
seg_status seg_frame_strength(seg_context *ctx, const seg_patch_grid *grid, const int16_t *group, int labels,
                              double **strength);

#endif
