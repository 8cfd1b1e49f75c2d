/* Borders of very large images, in two steps: patches of a hundred pixels are more than the refinement near borders can
 * bridge. */
#ifndef SEG_PIPELINE_FINER_H
#define SEG_PIPELINE_FINER_H

#include "pipeline/run.h"

/* The side of the cells that lie between patches and pixels: those of the copy that features are computed on, where
 * patches have more than 64 pixels, and no side was asked for; else 0. */
int seg_finer_side(const seg_options *options, const seg_patch_grid *grid);

/* r->fine, the scores of each cell: the refinement of the patches' scores on the copy. SEG_OK, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
seg_status seg_finer_scores(seg_context *ctx, const seg_image *copy, seg_run *r);
/* The same of an image that is in memory. */
seg_status seg_finer_scores_of(seg_context *ctx, const seg_image *photo, seg_run *r);

/* What the pixels are refined from: cells where there are, else patches. */
static inline const seg_patch_grid *seg_run_cells(const seg_run *r) {
    return r->fine.rows ? &r->fine_grid : &r->session->grid;
}
static inline const seg_matrix *seg_run_cell_scores(const seg_run *r) {
    return r->fine.rows ? &r->fine : &r->clustering.score;
}

#endif
