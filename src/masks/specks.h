/* Pieces of a label that are too small to mean anything. */
#ifndef SEG_MASKS_SPECKS_H
#define SEG_MASKS_SPECKS_H

#include "masks/pixel_scribbles.h"

/* Give every connected piece (4-neighbourhood) of fewer than `least` pixels the label that most of its border touches
 * (the smallest of equals), unless it contains a marked pixel or is the whole image. First, all pieces are judged by
 * the labels before any change. Pieces that are still small, because neighbours changed too, are judged again by the
 * pieces around them that are large enough or marked, until nothing changes. Then no such piece is left, unless none is
 * large enough or marked. At the end the runs are merged. SEG_OK, SEG_ERR_MEMORY. Cost O(runs). */
seg_status seg_specks_remove(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least,
                             seg_label_rows *rows);

#endif
