/* Motion between the slices of a volume that is a video. */
#pragma once

#include <segment/features.h>

/* place (made here, to be freed): of each patch x and y in pixels, not where it is but where what it shows was first
 * seen. So patches of one object are near each other, wherever it moves. The bytes do not depend on the threads.
 * SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_motion_find(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid, float **place);
