/* Allocation of masks. */
#pragma once

#include <segment/image.h>

/* Allocate a mask of zeros with the default colours (seg_mask_default_colours). @return SEG_OK, SEG_ERR_USAGE (size
 * outside the limits), SEG_ERR_MEMORY. */
seg_status seg_mask_create(seg_context *ctx, int width, int height, seg_mask *out);
