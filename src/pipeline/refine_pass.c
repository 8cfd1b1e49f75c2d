/* The pass from patches to pixels. */
#include "pipeline/passes.h"

#include "base/base.h"
#include "features/grid.h"
#include "image/shrink.h"
#include "pipeline/tiled.h"

#include <stdlib.h>
#include <string.h>

/* Very large images are refined in two steps, since refinement near borders cannot bridge patches of a hundred pixels:
 * r->fine becomes the scores of cells after refinement on the reduced copy. */
static seg_status refine_cells(seg_context *ctx, const seg_image *copy, seg_run *r) {
    static const seg_pixel_scribbles none;
    const seg_patch_layout *layout = &r->session->layout;
    const seg_matrix *score = &r->clustering.score;
    const size_t cells = (size_t)copy->width * (size_t)copy->height, k = score->cols;
    const seg_patch_grid small = seg_patch_grid_make(copy->width, copy->height, layout->grid.side / layout->cell);
    seg_pixel_scores out = {seg_alloc(ctx, cells, 1), seg_alloc(ctx, cells, k * sizeof(float)), NULL};
    seg_edges edges = {0};
    size_t bytes;
    seg_status status = out.label && out.probability ? seg_edges_create(ctx, &small, &edges) : SEG_ERR_MEMORY;
    if (!status)
        status = seg_refine_fast(ctx, &(seg_refining){copy, &edges, score, &none, &out}, SEG_REFINE_REACH, &bytes);
    seg_edges_free(&edges);
    seg_matrix_free(&r->fine);
    if (!status)
        status = seg_matrix_create(ctx, cells, k, &r->fine);
    for (size_t i = 0; !status && i < cells * k; i++)
        r->fine.at[i] = out.probability[i];
    r->fine_grid = seg_patch_grid_make(layout->grid.width, layout->grid.height, layout->cell);
    free(out.label);
    free(out.probability);
    return status;
}

seg_status seg_run_make_cells(seg_context *ctx, seg_run *r) {
    seg_image copy;
    if (!r->session->layout.cell)
        return SEG_OK;
    if (r->tiles)
        return refine_cells(ctx, r->tiles->copy, r);
    seg_status status = seg_image_shrink(ctx, r->photo, r->session->layout.cell, &copy);
    if (!status)
        status = refine_cells(ctx, &copy, r);
    seg_image_free(&copy);
    return status;
}

static seg_status refine_near(seg_context *ctx, seg_run *r, const seg_pixel_scores *pixels) {
    const int reach = r->options->reach ? r->options->reach : SEG_REFINE_REACH;
    const size_t held = seg_memory_held();
    size_t bytes = 0;
    const seg_refining of = {r->photo, &r->session->edges, seg_run_cell_scores(r), &r->scan.marks, pixels};
    const seg_status status = seg_refine_fast(ctx, &of, reach, &bytes);
    r->plan.predicted = seg_larger(r->plan.predicted, held + bytes);
    return status;
}

static seg_status refine_pixels(seg_context *ctx, seg_run *r, const seg_pixel_scores *pixels) {
    seg_session *s = r->session;
    if (r->options->refine == SEG_REFINE_NONE) {
        seg_refine_none(ctx, &s->layout.grid, &r->clustering.score, &r->scan.marks, pixels);
        return SEG_OK;
    }
    seg_status status = s->edges.tile ? SEG_OK : seg_edges_create(ctx, seg_run_cells(r), &s->edges);
    if (status)
        return status;
    return r->options->refine == SEG_REFINE_BEST
               ? seg_refine_best(ctx,
                                 &(seg_refining){r->photo, &s->edges, &r->clustering.score, &r->scan.marks, pixels})
               : refine_near(ctx, r, pixels);
}

seg_status seg_run_refine(seg_context *ctx, seg_run *r) {
    const seg_pixel_scores pixels = seg_run_pixels(r);
    if (r->session->once)
        seg_session_free_graph(r->session);
    seg_status status = r->options->refine == SEG_REFINE_FAST ? seg_run_make_cells(ctx, r) : SEG_OK;
    if (!status)
        status = r->tiles ? seg_tiled_refine(ctx, r) : refine_pixels(ctx, r, &pixels);
    if (!status && !r->tiles)
        status = seg_label_rows_append(ctx, r->photo->width, r->photo->height, pixels.label, r->rows);
    return status;
}
