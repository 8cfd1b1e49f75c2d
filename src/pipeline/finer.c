#include "pipeline/finer.h"

#include "base/base.h"
#include "image/shrink.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST_SIDE 64 /* pixels of a patch whose borders are refined in one step */

int seg_finer_side(const seg_options *options, const seg_patch_grid *grid) {
    return options->patch || grid->side <= LARGEST_SIDE ? 0 : grid->side / seg_patch_side_auto(1, 1);
}

seg_status seg_finer_scores(seg_context *ctx, const seg_image *copy, seg_run *r) {
    static const seg_pixel_scribbles none;
    const seg_matrix *score = &r->clustering.score;
    const int factor = seg_finer_side(r->options, &r->session->grid);
    const size_t cells = (size_t)copy->width * (size_t)copy->height, k = score->cols;
    const seg_patch_grid small = seg_patch_grid_make(copy->width, copy->height, r->session->grid.side / factor);
    seg_pixel_scores out = {seg_alloc(ctx, cells, 1), seg_alloc(ctx, cells, k * sizeof(float)), NULL};
    seg_edges edges = {0};
    size_t bytes;
    seg_status status = out.label && out.probability ? seg_edges_create(ctx, &small, &edges) : SEG_ERR_MEMORY;
    if (!status)
        status = seg_refine_fast(ctx, copy, &edges, score, &none, SEG_REFINE_REACH, &out, &bytes);
    seg_edges_free(&edges);
    seg_matrix_free(&r->fine);
    if (!status)
        status = seg_matrix_create(ctx, cells, k, &r->fine);
    for (size_t i = 0; !status && i < cells * k; i++)
        r->fine.at[i] = out.probability[i];
    r->fine_grid = seg_patch_grid_make(r->session->grid.width, r->session->grid.height, factor);
    free(out.label);
    free(out.probability);
    return status;
}

seg_status seg_finer_scores_of(seg_context *ctx, const seg_image *photo, seg_run *r) {
    seg_image copy;
    seg_status status = seg_image_shrink(ctx, photo, seg_finer_side(r->options, &r->session->grid), &copy);
    if (!status)
        status = seg_finer_scores(ctx, &copy, r);
    seg_image_free(&copy);
    return status;
}

seg_status seg_run_refine_near(seg_context *ctx, seg_run *r, const seg_pixel_scores *pixels) {
    const seg_options *o = &r->plan.options;
    const size_t held = seg_memory_held();
    size_t bytes = 0;
    const seg_status status = seg_refine_fast(ctx, r->photo, &r->session->edges, seg_run_cell_scores(r), &r->scan.marks,
                                              o->reach ? o->reach : SEG_REFINE_REACH, pixels, &bytes);
    r->plan.predicted = seg_larger(r->plan.predicted, held + bytes);
    return status;
}
