/* Whole-number reduction by averaging. */
#ifndef SEG_IMAGE_SHRINK_H
#define SEG_IMAGE_SHRINK_H

#include <segment/image.h>

/* The image with `factor` x `factor` pixels averaged into one (fewer at the right and lower border): ceil(width /
 * factor) by ceil(height / factor), same depth, rounded. factor >= 1. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels). */
seg_status seg_image_shrink(seg_context *ctx, const seg_image *image, int factor, seg_image *out);

#endif
