/* From patch scores to pixel labels. */
#ifndef SEG_MASKS_REFINE_H
#define SEG_MASKS_REFINE_H

#include <segment/features.h>
#include <segment/matrix.h>

/* Every pixel takes the label (column of the largest score, the first of equals) of its patch. label: width*height,
 * 0-based. */
void seg_refine_none(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score, uint8_t *label);

/* Patch scores smoothed along the photograph's edges at pixel resolution, then the largest. Patches that an edge
 * crosses (large spread of colour) say less, so that the pixels in them follow the patches on their side of the edge;
 * marked pixels keep their label. score: patches x k; mark: NULL, or width*height, -1 = unmarked, else a column of
 * score. */
seg_status seg_refine_fast(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid,
                           const seg_matrix *score, const int16_t *mark, uint8_t *label);

#endif
