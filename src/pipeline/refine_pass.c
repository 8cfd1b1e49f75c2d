/* The pass from patches to pixels. */
#include "pipeline/run.h"

#include "base/base.h"
#include "features/context_features.h"
#include "features/grid.h"
#include "image/shrink.h"
#include "image/slices.h"

/* Very large images are refined in two steps, since refinement near borders cannot bridge patches of a hundred pixels:
 * r->fine becomes the scores of cells after refinement on the reduced copy. */
seg_status seg_run_make_cells(seg_context *ctx, seg_run *r) {
    static const seg_pixel_scribbles none;
    const seg_patch_layout *layout = &r->session->layout;
    const seg_image *copy = r->session->copy;
    const seg_matrix *score = &r->clustering.score;
    SEG_RELEASED(seg_image_free) seg_image made = {0};
    SEG_RELEASED(seg_edges_free) seg_edges edges = {0};
    size_t bytes;
    if (!layout->cell)
        return SEG_OK;
    if (!copy) {
        SEG_TRY(seg_image_shrink(ctx, r->photo, (seg_stack){1, 1}, layout->cell, &made));
        copy = &made;
    }
    const size_t cells = (size_t)copy->width * (size_t)copy->height, k = score->cols;
    const seg_patch_grid small = seg_patch_grid_make(copy->width, copy->height, layout->grid.side / layout->cell);
    SEG_LOCAL(float, probability, seg_alloc(ctx, cells, k * sizeof *probability));
    const seg_refining of = {.image = copy,
                             .edges = &edges,
                             .score = score,
                             .scribbles = &none,
                             .reach = SEG_REFINE_REACH,
                             .out.probability = probability};
    SEG_TRY(seg_edges_create(ctx, &small, &edges));
    SEG_TRY(seg_refine_pixels(ctx, &of, &bytes, NULL));
    seg_matrix_free(&r->fine);
    SEG_TRY(seg_matrix_create(ctx, cells, k, &r->fine));
    for (size_t i = 0; i < cells * k; i++)
        r->fine.at[i] = probability[i];
    r->fine_grid = seg_patch_grid_make(layout->grid.width, layout->grid.height, layout->cell);
    return SEG_OK;
}

/* The refinement's view of a slice: each pixel's mean with those of the slices beside. Noise would be edges, and what
 * lies in one slice alone is mostly noise. */
static seg_status mix_slices(seg_context *ctx, const seg_run *r, int i, seg_image *out) {
    const int slices = r->options->slices, before = i > 0 ? i - 1 : i, behind = i + 1 < slices ? i + 1 : i;
    const seg_image of[3] = {seg_image_slice(r->photo, slices, before), seg_image_slice(r->photo, slices, i),
                             seg_image_slice(r->photo, slices, behind)};
    const uint32_t beside = seg_slice_beside(r->options->spacing), own = 256 - 2 * beside;
    const size_t samples = 3 * (size_t)of->width * (size_t)of->height;
    *out = of[1];
    out->data = seg_alloc(ctx, samples, (size_t)(of->depth / 8));
    for (size_t p = 0; out->data && p < samples; p++) {
        const uint32_t both = seg_image_sample(&of[0], p) + seg_image_sample(&of[2], p);
        seg_image_put(out, p, (beside * both + own * seg_image_sample(&of[1], p) + 128) >> 8);
    }
    return seg_allocated(out->data);
}

/* The patches' scores in a slice: its layer's, or, where layers have several slices, between those of two layers by how
 * far it is from their middles. */
static seg_status scores_of_slice(seg_context *ctx, const seg_run *r, const seg_matrix *all, int i, seg_matrix *own,
                                  seg_matrix *out) {
    const seg_patch_grid *grid = seg_run_cells(r);
    const int layers = seg_patch_layers(grid), deep = seg_patch_deep(grid);
    const double at = fmax(0, fmin(layers - 1, (i + 0.5) / deep - 0.5)), part = at - floor(at);
    const size_t size = all->rows / (size_t)layers * all->cols, lower = (size_t)at;
    *out = (seg_matrix){.rows = all->rows / (size_t)layers, .cols = all->cols, .at = all->at + lower * size};
    if (part == 0)
        return SEG_OK;
    SEG_TRY(seg_matrix_create(ctx, out->rows, out->cols, own));
    for (size_t j = 0; j < size; j++)
        own->at[j] = (1 - part) * out->at[j] + part * out->at[size + j];
    *out = *own;
    return SEG_OK;
}

/* One slice of a volume, or the image: its pixels, its patches' scores, and its marks. */
static seg_status refine_slice(seg_context *ctx, seg_run *r, const seg_matrix *all, int i) {
    const int slices = r->options->slices;
    const seg_patch_grid grid = seg_patch_grid_slice(seg_run_cells(r));
    SEG_RELEASED(seg_image_free) seg_image mixed = {0};
    seg_image image = seg_image_slice(r->photo, slices, i);
    if (slices > 1) {
        SEG_TRY(mix_slices(ctx, r, i, &mixed));
        image = mixed;
    }
    const size_t k = all->cols;
    const size_t first = (size_t)i * (size_t)image.height * (size_t)image.width, held = seg_memory_held();
    SEG_RELEASED(seg_matrix_free) seg_matrix between = {0};
    seg_matrix score;
    SEG_TRY(scores_of_slice(ctx, r, all, i, &between, &score));
    seg_edges *edges = &r->session->edges[i];
    seg_pixel_scribbles marks = r->scan.marks;
    seg_label_rows marked;
    size_t bytes = 0;
    if (marks.rows) {
        marked = *marks.rows;
        marked.height = image.height;
        marked.first += (size_t)i * (size_t)image.height;
        marks.rows = &marked;
        marks.label = marks.label ? marks.label + first : NULL;
    }
    seg_refining of = {.image = &image,
                       .file = r->session->file,
                       .edges = edges,
                       .score = &score,
                       .scribbles = &marks,
                       .reach = r->options->refine == SEG_REFINE_NONE ? 0 : SEG_REFINE_REACH,
                       .out = seg_run_pixels(r)};
    of.out.probability = of.out.probability ? of.out.probability + first * k : NULL;
    of.out.uncertainty = of.out.uncertainty ? of.out.uncertainty + first : NULL;
    SEG_TRY(edges->tile ? SEG_OK : seg_edges_create(ctx, &grid, edges));
    SEG_TRY(seg_refine_pixels(ctx, &of, &bytes, r->rows));
    r->plan.predicted = seg_larger(r->plan.predicted, held + bytes);
    if (r->session->once)
        seg_edges_free(edges);
    return SEG_OK;
}

static seg_status refine_pixels(seg_context *ctx, seg_run *r) {
    const double from = ctx->progress_from, to = ctx->progress_to;
    const int slices = r->options->slices;
    seg_session *s = r->session;
    SEG_RELEASED(seg_matrix_free) seg_matrix smooth = {0};
    if (!s->edges && !(s->edges = seg_alloc_zero(ctx, (size_t)slices, sizeof *s->edges)))
        return SEG_ERR_MEMORY;
    r->rows->slice = r->photo->height / slices;
    if (slices > 1)
        SEG_TRY(seg_slices_smooth(ctx, &s->layout.grid, SEG_SLICES_DEVIATION, &r->clustering.score, &smooth));
    for (int i = 0; i < slices; i++) {
        seg_progress_share(ctx, from + (to - from) * i / slices, from + (to - from) * (i + 1) / slices);
        SEG_TRY(refine_slice(ctx, r, slices > 1 ? &smooth : seg_run_cell_scores(r), i));
    }
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
