/* Label images of another size than the image that they are about. */
#ifndef SEG_SCRIBBLES_MASK_FIT_H
#define SEG_SCRIBBLES_MASK_FIT_H

#include <segment/image.h>

/* 1 where one size is the other scaled by some factor, to within the rounding to whole pixels, and differs by more than
 * a twentieth: what is nearly of the same size was rather cut off than scaled. */
int seg_sizes_in_proportion(int width, int height, int other_width, int other_height);

/* Scale scribbles to the photo's size where the sizes are in proportion, each pixel with the label at its place, which
 * is logged as a warning. SEG_OK, also where the sizes are equal; SEG_ERR_INPUT where they are not in proportion, or a
 * label would vanish; SEG_ERR_MEMORY. */
seg_status seg_mask_fit(seg_context *ctx, const char *name, const seg_image *photo, seg_mask *mask);

#endif
