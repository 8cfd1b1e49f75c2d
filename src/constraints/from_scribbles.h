/* Scribbles as runs of labels, and the groups of patches derived from them. */
#pragma once

#include "image/label_rows.h"

#include <segment/constraints.h>

/* Scribbles as label runs, of the grid's size. SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; free `out` in either case. */
seg_status seg_scribble_rows(seg_context *ctx, const seg_mask *scribbles, const seg_patch_grid *grid,
                             seg_label_rows *out);

/* As seg_constraints_from_scribbles; pixels: number of scribbled pixels per label. */
seg_status seg_scribble_groups(seg_context *ctx, int labels, const seg_label_rows *rows, const seg_patch_grid *grid,
                               size_t pixels[256], seg_constraints *out);

/* Add the pixels of a label in pixel row y to the counts of the patches of that row. @return whether there are any */
int seg_scribble_count_row(const seg_label_rows *rows, int y, uint8_t label, int side, uint32_t *count);
