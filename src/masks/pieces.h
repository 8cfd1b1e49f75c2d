/* Connected pieces (4-neighbourhood) of equal labels, as runs in the rows: specks and islands are such pieces. */
#ifndef SEG_MASKS_PIECES_H
#define SEG_MASKS_PIECES_H

#include "masks/pixel_scribbles.h"
#include "masks/refine.h"

/* Merge neighbouring runs of one label, and join the runs of each piece. */
void seg_pieces_join(seg_label_rows *rows);

/* The first run of the piece to which a run belongs. */
uint32_t seg_piece_root(seg_label_run *runs, uint32_t r);

/* ---- Passes over them. ---- */

/* Give every connected piece (4-neighbourhood) of fewer than `least` pixels the label that most of its border touches
 * (the smallest of equals), unless it contains a marked pixel or is the whole image. First, all pieces are judged by
 * the labels before any change. Pieces that are still small, because neighbours changed too, are judged again by the
 * pieces around them that are large enough or marked, until nothing changes. Then no such piece is left, unless none is
 * large enough or marked. At the end the runs are merged. SEG_OK, SEG_ERR_MEMORY. Cost O(runs). */
seg_status seg_specks_remove(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least,
                             seg_label_rows *rows);

/* A column that has the largest score in some patches but has no pixel gets back the pixels of the largest connected
 * piece of these patches (4-neighbourhood, the first of equals), except marked pixels and the last pixel of another
 * column. The column and the number of pixels are logged. out: these pixels get the scores of their patch. SEG_OK,
 * SEG_ERR_MEMORY. Cost O(runs), and O(pixels) where a column is lost. */
seg_status seg_regions_keep(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                            const seg_pixel_scribbles *scribbles, const seg_pixel_scores *out, seg_label_rows *rows);

#endif
