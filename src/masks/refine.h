/* From patch scores to pixel labels. */
#ifndef SEG_MASKS_REFINE_H
#define SEG_MASKS_REFINE_H

#include "masks/edges.h"

#include <segment/matrix.h>

/* The strokes: column of the scores of each pixel, -1 where it is not marked. */
typedef struct seg_pixel_marks {
    const uint8_t *label; /* width * height; NULL: nothing is marked */
    int16_t column[256];  /* of each label, -1 for what is no mark */
} seg_pixel_marks;

static inline int seg_mark_at(const seg_pixel_marks *marks, size_t pixel) {
    return marks->label ? marks->column[marks->label[pixel]] : -1;
}

/* What becomes of the pixels; each array is filled where it is not NULL. */
typedef struct seg_pixel_scores {
    uint8_t *label;       /* width * height, 0-based column of the largest score, the first of equals */
    float *probability;   /* width * height * k, each pixel's sum is 1 */
    uint8_t *uncertainty; /* width * height, 255 (1 - (best - second best)) */
} seg_pixel_scores;

/* Every pixel takes the scores of its patch. */
void seg_refine_none(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                     const seg_pixel_scores *out);

/* Patch scores smoothed along the photograph's edges at pixel resolution. Patches that an edge crosses (large spread of
 * colour) say less, so that the pixels in them follow the patches on their side of the edge; marked pixels keep their
 * label. score: patches x k. Only what is near a border between labels is smoothed: an average of scores that are all
 * largest in one column is largest there too. edges: of the image; what is not yet prepared is.
 * SEG_OK, SEG_ERR_MEMORY. Cost O(pixels), and O(k) of those near a border; some 10 k + 30 bytes for each of these. */
seg_status seg_refine_fast(seg_context *ctx, const seg_image *image, seg_edges *edges, const seg_matrix *score,
                           const seg_pixel_marks *marks, const seg_pixel_scores *out);

#endif
