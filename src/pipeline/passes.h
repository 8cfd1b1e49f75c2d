/* The passes from the scores of the patches to the labels of the pixels, as a table (passes.c). */
#ifndef SEG_PIPELINE_PASSES_H
#define SEG_PIPELINE_PASSES_H

#include "pipeline/run.h"

/* Run all passes that were decided on. Input: r->clustering; outputs: r->rows and the other results that the options
 * request, by columns of the scores. SEG_OK, or the error of a pass. */
seg_status seg_run_passes(seg_context *ctx, seg_run *r);

/* refine_pass.c: the columns of the pixels by the chosen refinement, in r->rows. */
seg_status seg_run_refine(seg_context *ctx, seg_run *r);

/* Its first step on very large images: r->fine, the scores of cells (seg_patch_layout.cell), from the reduced copy. */
seg_status seg_run_make_cells(seg_context *ctx, seg_run *r);

/* The arrays that the refinement fills, as far as they are requested. */
static inline seg_pixel_scores seg_run_pixels(const seg_run *r) {
    return (seg_pixel_scores){r->out->probability, r->out->uncertainty};
}

#endif
