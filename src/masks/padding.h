/* Areas of one colour at the frame of an image: padding, or pixels that were masked out. */
#ifndef SEG_MASKS_PADDING_H
#define SEG_MASKS_PADDING_H

#include "masks/pixel_scribbles.h"

#include <segment/image.h>

/* Share of the image's pixels; smaller areas are not changed. */
#define SEG_PADDING_LEAST_SHARE 0.01

/* Images with more pixels are not changed: those read by tiles do not keep their pixels. */
#define SEG_PADDING_MOST_PIXELS 625000

/* An area of one colour has no evidence of where a border should run. Each connected area (4-neighbourhood) of pixels
 * of exactly one colour that touches the frame and has pixels of several labels, no stroke, a colour that fewer than
 * one in 100 of any label's stroke pixels have, and at least SEG_PADDING_LEAST_SHARE of the image's pixels gets the
 * label that most of its border touches, the smallest of equals; all areas are judged by the labels as passed. label:
 * columns, below 254, width * height; the strokes must be in an array if there are any. changed: pixels that got
 * another label. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels) for each area with several labels, at most
 * 100 areas; 5 bytes per pixel. */
seg_status seg_padding_settle(seg_context *ctx, const seg_image *photo, const seg_pixel_scribbles *scribbles,
                              uint8_t *label, size_t *changed);

#endif
