/* Pieces of a label that are too small to mean anything. */
#ifndef SEG_MASKS_SPECKS_H
#define SEG_MASKS_SPECKS_H

#include "masks/pixel_scribbles.h"

/* Give every connected piece (4-neighbourhood) of fewer than `least` pixels the label that most of its border touches
 * (the smaller of equals), unless it holds a marked pixel or is all there is. Pieces are judged as they stand before
 * any change; what is small still, where they changed side by side, is judged again by the pieces around it that are
 * large enough or marked, as often as that changes anything. None is left then, unless nothing is large enough or
 * marked. The runs of the rows are merged then. SEG_OK, SEG_ERR_MEMORY. Cost O(runs). */
seg_status seg_specks_remove(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least,
                             seg_label_rows *rows);

#endif
