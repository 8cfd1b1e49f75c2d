/* Regions that refinement would leave without a pixel. */
#ifndef SEG_MASKS_KEEP_H
#define SEG_MASKS_KEEP_H

#include "masks/refine.h"

/* A column that has the largest score in some patches but has no pixel gets back the pixels of the largest connected
 * piece of these patches (4-neighbourhood, the first of equals), except marked pixels and the last pixel of another
 * column. The column and the number of pixels are logged. out: these pixels get the scores of their patch. SEG_OK,
 * SEG_ERR_MEMORY. Cost O(runs), and O(pixels) where a column is lost. */
seg_status seg_regions_keep(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                            const seg_pixel_scribbles *scribbles, const seg_pixel_scores *out, seg_label_rows *rows);

#endif
