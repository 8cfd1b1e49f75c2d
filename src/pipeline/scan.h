/* The scribbles, read in one pass: number of marked pixels, labels, marked patches. Label numbers may have gaps (1 and
 * 3 of a palette), numbers of groups and clusters have none. */
#pragma once

#include "masks/refine.h"

#include <segment/constraints.h>

typedef struct seg_scan {
    size_t pixels;                 /* that are marked */
    int labels;                    /* with marked pixels: the first clusters */
    uint8_t label[SEG_MAX_LABELS]; /* of each cluster; of those without a stroke, numbers after the largest label */
    size_t marked[SEG_MAX_LABELS]; /* pixels of each cluster that has strokes */
    seg_pixel_scribbles marks;     /* cluster of each marked pixel */
    seg_label_rows own;            /* made of an array; owned */
    int taken;                     /* numbers up to it have strokes outside of the region, 0: there is none */
} seg_scan;

/* scribbles: NULL for none; rows: their labels as runs, borrowed, NULL: made of the array. groups: of the patches,
 * numbered by label as seg_constraints_from_scribbles does, until seg_scan_settle. `out` stays where it is. SEG_OK,
 * SEG_ERR_INPUT, SEG_ERR_MEMORY. Cost one pass over the pixels. */
seg_status seg_scan_scribbles(seg_context *ctx, const seg_mask *scribbles, const seg_label_rows *rows,
                              const seg_patch_grid *grid, seg_scan *out, seg_constraints *groups);

/* Number the clusters labels .. k-1, without strokes, after all that are taken. SEG_ERR_USAGE: none are left. */
seg_status seg_scan_extend(seg_context *ctx, int k, seg_scan *scan);

/* Number the groups by cluster. A label without a patch, because others have more pixels in each, gets the patch where
 * it has most; SEG_ERR_INPUT if that would leave another label without one. */
seg_status seg_scan_settle(seg_context *ctx, const seg_scan *scan, const seg_patch_grid *grid, seg_constraints *groups);

/* Unmark patches that a stroke hardly touches: those with far fewer pixels of their label than a patch beside them. The
 * stroke's pixels keep their label. A label keeps the patch where it has most. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_scan_unmark(seg_context *ctx, const seg_scan *scan, const seg_patch_grid *grid, seg_constraints *groups);
