/* Smoother borders between regions. */
#ifndef SEG_MASKS_SMOOTH_BORDERS_H
#define SEG_MASKS_SMOOTH_BORDERS_H

#include "masks/refine.h"

#define SEG_MAX_SMOOTH 16 /* pixels */

/* Give every pixel the label that most pixels of the disc of that radius around it have, its own among equals and else
 * the smallest; marked pixels keep theirs. A border becomes shorter where it bends within the radius, and lines thinner
 * than it go. All pixels are judged as they stand before any change. label: width*height; radius: 0 (nothing is done)
 * .. SEG_MAX_SMOOTH. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels near borders * radius^2); a byte per
 * pixel. */
seg_status seg_borders_smooth(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles, int radius,
                              uint8_t *label);

#endif
