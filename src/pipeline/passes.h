/* What becomes of the patches' scores: a table of passes from them to the labels of the pixels (passes.c). */
#ifndef SEG_PIPELINE_PASSES_H
#define SEG_PIPELINE_PASSES_H

#include "pipeline/run.h"

/* Run all passes that were decided for. r->clustering is there, and becomes r->rows and what else the options ask for,
 * by columns of the scores. SEG_OK, or what a pass fails with. */
seg_status seg_run_passes(seg_context *ctx, seg_run *r);

/* refine_pass.c: the columns of the pixels as the refinement that was asked for makes them, in r->rows. */
seg_status seg_run_refine(seg_context *ctx, seg_run *r);

/* Its first step on very large images: r->fine, the scores of cells (seg_patch_layout.cell), from the reduced copy. */
seg_status seg_run_make_cells(seg_context *ctx, seg_run *r);

/* The arrays that the refinement fills, as far as they were asked for. */
static inline seg_pixel_scores seg_run_pixels(const seg_run *r) {
    return (seg_pixel_scores){r->out->mask.label, r->out->probability, r->out->uncertainty};
}

#endif
