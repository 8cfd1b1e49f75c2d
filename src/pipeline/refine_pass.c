/* The pass from patches to pixels. */
#include "pipeline/run.h"

#include "base/base.h"
#include "features/grid.h"
#include "image/shrink.h"

/* Very large images are refined in two steps, since refinement near borders cannot bridge patches of a hundred pixels:
 * r->fine becomes the scores of cells after refinement on the reduced copy. */
static seg_status refine_cells(seg_context *ctx, const seg_image *copy, seg_run *r) {
    static const seg_pixel_scribbles none;
    const seg_patch_layout *layout = &r->session->layout;
    const seg_matrix *score = &r->clustering.score;
    const size_t cells = (size_t)copy->width * (size_t)copy->height, k = score->cols;
    const seg_patch_grid small = seg_patch_grid_make(copy->width, copy->height, layout->grid.side / layout->cell);
    SEG_RELEASED(seg_edges_free) seg_edges edges = {0};
    SEG_FREED float *probability = seg_alloc(ctx, cells, k * sizeof *probability);
    size_t bytes;
    const seg_refining of = {.image = copy,
                             .edges = &edges,
                             .score = score,
                             .scribbles = &none,
                             .reach = SEG_REFINE_REACH,
                             .out.probability = probability};
    SEG_TRY(seg_allocated(probability));
    SEG_TRY(seg_edges_create(ctx, &small, &edges));
    SEG_TRY(seg_refine_pixels(ctx, &of, &bytes, NULL));
    seg_matrix_free(&r->fine);
    SEG_TRY(seg_matrix_create(ctx, cells, k, &r->fine));
    for (size_t i = 0; i < cells * k; i++)
        r->fine.at[i] = probability[i];
    r->fine_grid = seg_patch_grid_make(layout->grid.width, layout->grid.height, layout->cell);
    return SEG_OK;
}

seg_status seg_run_make_cells(seg_context *ctx, seg_run *r) {
    SEG_RELEASED(seg_image_free) seg_image copy = {0};
    if (!r->session->layout.cell)
        return SEG_OK;
    SEG_TRY(r->session->copy ? SEG_OK : seg_image_shrink(ctx, r->photo, r->session->layout.cell, &copy));
    return refine_cells(ctx, copy.data ? &copy : r->session->copy, r);
}

static seg_status refine_pixels(seg_context *ctx, seg_run *r) {
    seg_session *s = r->session;
    const seg_options *o = r->options;
    const size_t held = seg_memory_held();
    size_t bytes = 0;
    const seg_refining of = {.image = r->photo,
                             .file = s->file,
                             .edges = &s->edges,
                             .score = seg_run_cell_scores(r),
                             .scribbles = &r->scan.marks,
                             .reach = o->refine == SEG_REFINE_NONE ? 0 : SEG_REFINE_REACH,
                             .out = seg_run_pixels(r)};
    SEG_TRY(s->edges.tile ? SEG_OK : seg_edges_create(ctx, seg_run_cells(r), &s->edges));
    SEG_TRY(seg_refine_pixels(ctx, &of, &bytes, r->rows));
    r->plan.predicted = seg_larger(r->plan.predicted, held + bytes);
    return SEG_OK;
}

seg_status seg_run_refine(seg_context *ctx, seg_run *r) {
    const double from = ctx->progress_from, to = ctx->progress_to;
    if (r->session->once)
        seg_session_free_graph(r->session);
    if (r->options->refine == SEG_REFINE_FAST)
        SEG_TRY(seg_run_make_cells(ctx, r));
    seg_progress_share(ctx, from + 0.8 * (to - from), to);
    SEG_TRY(refine_pixels(ctx, r));
    seg_progress_share(ctx, from, to);
    return SEG_OK;
}
