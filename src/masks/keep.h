/* Regions that refinement would leave without a pixel. */
#ifndef SEG_MASKS_KEEP_H
#define SEG_MASKS_KEEP_H

#include "masks/refine.h"

/* A column of the scores that is the largest of some patches and has no pixel gets the pixels of the largest connected
 * piece of those patches back (4-neighbourhood, the first of equals), but for marked ones and the last pixel of another
 * column. Which, and how many pixels, goes to the log. out: the scores of these pixels become the patch's; out->label
 * is not used. SEG_OK, SEG_ERR_MEMORY. Cost O(runs), and O(pixels) where a column is lost. */
seg_status seg_regions_keep(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                            const seg_pixel_scribbles *scribbles, const seg_pixel_scores *out, seg_label_rows *rows);

#endif
