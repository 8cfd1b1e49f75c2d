/* Islands too small to mean anything. */
#ifndef SEG_MASKS_SPECKS_H
#define SEG_MASKS_SPECKS_H

#include <segment/context.h>

/* Give every connected piece (4-neighbourhood) of fewer than `least` pixels the label that most of its border touches
 * (the smaller of equals), unless it holds a marked pixel or is all there is. Pieces are judged as they stand before
 * any change. label: width*height; mark: NULL, or width*height, -1 = unmarked. Cost O(pixels). */
seg_status seg_specks_remove(seg_context *ctx, int width, int height, const int16_t *mark, size_t least,
                             uint8_t *label);

#endif
