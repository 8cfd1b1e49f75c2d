/* Areas of one colour at the frame of an image: what was put around it, or masked out. */
#ifndef SEG_MASKS_PADDING_H
#define SEG_MASKS_PADDING_H

#include "masks/pixel_scribbles.h"

#include <segment/image.h>

/* Of the image; smaller areas are left alone. */
#define SEG_PADDING_LEAST_SHARE 0.01

/* Images with more pixels are left alone: where they are read by tiles, the pixels are not kept. */
#define SEG_PADDING_MOST_PIXELS 625000

/* Nothing in an area of one colour says where a border should run. Each connected area (4-neighbourhood)
 * of pixels of exactly one colour that touches the frame and has pixels of several labels, no stroke, a colour that
 * fewer than one in 100 of any label's stroke pixels have, and at least SEG_PADDING_LEAST_SHARE of the image's pixels
 * gets the label that most of its border touches, the smaller of equals; all by the labels as they come. label:
 * columns, below 254, width * height; strokes in an array, or none. changed: pixels that got another label. SEG_OK,
 * SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels) for each area that is cut, of which there are 100 at most; 5 bytes
 * each. */
seg_status seg_padding_settle(seg_context *ctx, const seg_image *photo, const seg_pixel_scribbles *scribbles,
                              uint8_t *label, size_t *changed);

#endif
