/* Pieces of a label that are too small to mean anything. */
#ifndef SEG_MASKS_SPECKS_H
#define SEG_MASKS_SPECKS_H

#include "masks/refine.h"

/* Give every connected piece (4-neighbourhood) of fewer than `least` pixels the label that most of its border touches
 * (the smaller of equals), unless it holds a marked pixel or is all there is. Pieces are judged as they stand before
 * any change; what is small still, where they changed side by side, is judged again by the pieces around it that are
 * large enough or marked, as often as that changes anything. None is left then, but where nothing is large enough or
 * marked. label: width*height. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels); memory for the runs of equal labels in the
 * rows only. */
seg_status seg_specks_remove(seg_context *ctx, int width, int height, const seg_pixel_scribbles *scribbles,
                             size_t least, uint8_t *label);
/* Likewise of a map that is kept as runs, which are joined and merged then. */
seg_status seg_specks_remove_rows(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least,
                                  seg_label_rows *rows);

#endif
