/* Pieces of a label that are too small to mean anything, or that no stroke of the label touches. */
#ifndef SEG_MASKS_SPECKS_H
#define SEG_MASKS_SPECKS_H

#include "masks/refine.h"

/* Give every connected piece (4-neighbourhood) of fewer than `least` pixels the label that most of its border touches
 * (the smaller of equals), unless it holds a marked pixel or is all there is. Pieces are judged as they stand before
 * any change. label: width*height. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels); memory for the runs of equal labels in the
 * rows only. */
seg_status seg_specks_remove(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles,
                             size_t least, uint8_t *label);

/* Give every connected piece that no stroke of its own label touches the label that most of its border touches,
 * likewise; borders with other such pieces do not count until those have theirs. Labels without a stroke, or without a
 * piece that one touches, keep all their pieces. Labels are columns, below 255. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels)
 * for each level of pieces within pieces. */
seg_status seg_islands_remove(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles,
                              uint8_t *label);

#endif
