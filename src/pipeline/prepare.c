/* Inputs of a method: features, graph, and its hierarchy. */
#include "pipeline/run.h"

#include "base/base.h"
#include "features/columns.h"
#include "features/context_features.h"
#include "features/grid.h"
#include "features/spec.h"
#include "image/shrink.h"

enum { COLOURS = 3 };

/* Of a video: the position of what a patch shows, which the motion does not change. */
static seg_status place_positions(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid,
                                  const seg_feature_spec *spec, seg_matrix *out) {
    const int height = grid->height / grid->slices;
    const double weight = spec->weight[SEG_FEATURE_POSITION], longer = grid->width > height ? grid->width : height;
    size_t column = 0;
    SEG_FREED float *place = NULL;
    if (!(weight > 0))
        return SEG_OK;
    for (int kind = 0; kind < SEG_FEATURE_POSITION; kind++)
        column += spec->weight[kind] > 0 ? seg_feature_columns((seg_feature_kind)kind) : 0;
    SEG_TRY(seg_motion_find(ctx, image, grid, &place));
    for (size_t i = 0; i < 2 * out->rows; i++)
        out->at[i / 2 * out->cols + column + i % 2] = weight * place[i] / longer;
    return SEG_OK;
}

/* copy: the image reduced to what features are computed on, NULL: it is made. */
static seg_status compute(seg_context *ctx, const seg_image *photo, const seg_image *copy, const seg_options *options,
                          seg_matrix *out) {
    const seg_patch_layout layout = seg_patch_layout_of(options, photo->width, photo->height);
    const int side = layout.grid.side, factor = layout.reduced;
    SEG_RELEASED(seg_image_free) seg_image reduced = {0};
    memset(out, 0, sizeof *out);
    if (factor > 1)
        seg_log(ctx, SEG_LOG_INFO, "large image: patches of %d pixels, features computed on a copy %d times smaller",
                side, factor);
    if (factor > 1 && !copy)
        SEG_TRY(
            seg_image_shrink(ctx, photo, (seg_stack){options->slices, seg_patch_deep(&layout.grid)}, factor, &reduced));
    const seg_image *from = copy ? copy : factor > 1 ? &reduced : photo;
    const seg_patch_grid small =
        seg_patch_grid_stack(from->width, from->height, seg_patch_layers(&layout.grid), 1, side / factor);
    SEG_TRY(seg_features_compute(ctx, from, &small, &options->features, out));
    SEG_RETURN_OR(options->video && options->slices > 1 ? place_positions(ctx, from, &small, &options->features, out)
                                                        : SEG_OK,
                  seg_matrix_free(out));
}

seg_status seg_photo_features(seg_context *ctx, const seg_image *photo, const seg_options *options,
                              seg_patch_grid *grid, seg_matrix *out) {
    *grid = seg_patch_layout_of(options, photo->width, photo->height).grid;
    return compute(ctx, photo, NULL, options, out);
}

/* The complete graph, of the patches' mean colours where the features have more columns than colours have. */
static seg_status build_full_graph(seg_context *ctx, seg_session *s) {
    const seg_graph_spec *spec = &s->options.graph;
    seg_options colours = s->options;
    SEG_RELEASED(seg_matrix_free) seg_matrix own = {0};
    if (s->features.cols <= COLOURS)
        return seg_graph_build(ctx, &s->features, NULL, spec, &s->affinity, &s->sigma);
    memset(&colours.features, 0, sizeof colours.features);
    colours.features.weight[SEG_FEATURE_MEAN] = 1;
    SEG_TRY(seg_photo_features(ctx, s->photo, &colours, &s->layout.grid, &own));
    return seg_graph_build(ctx, &own, NULL, spec, &s->affinity, &s->sigma);
}

static seg_status build_graph(seg_context *ctx, seg_session *s) {
    SEG_TRY(s->options.graph.kind == SEG_GRAPH_FULL
                ? build_full_graph(ctx, s)
                : seg_graph_build(ctx, &s->features, &s->layout.grid, &s->options.graph, &s->affinity, &s->sigma));
    s->edges_of_graph = s->affinity.start[s->affinity.rows] / 2;
    return SEG_OK;
}

static seg_status make_features(seg_context *ctx, seg_session *s) {
    SEG_TRY(compute(ctx, s->photo, s->copy, &s->options, &s->features));
    return s->channels.count > 3
               ? seg_channels_append(ctx, &s->channels, &s->layout.grid, &s->options.features, &s->features)
               : SEG_OK;
}

seg_status seg_session_make_graph(seg_context *ctx, seg_session *s) {
    SEG_TRY(make_features(ctx, s));
    return build_graph(ctx, s);
}

static seg_status make_context(seg_context *ctx, seg_session *s) {
    const int is_video = s->options.video && s->options.slices > 1; /* its positions are of what moves */
    return (is_video ? seg_series_features : seg_context_features)(ctx, &s->features, &s->layout.grid,
                                                                   &s->options.features, &s->context);
}

static seg_status make_hierarchy(seg_context *ctx, seg_session *s) {
    return seg_laplacian_create(ctx, &s->affinity, &s->laplacian);
}

/* Make a part and record its cost; parts without a share of progress continue from the previous one. */
static seg_status part(seg_context *ctx, seg_session *s, const char *name, double begins,
                       seg_status (*make)(seg_context *ctx, seg_session *s)) {
    const double started = seg_now();
    if (begins > 0)
        SEG_TRY(seg_progress(ctx, begins, name));
    SEG_TRY(make(ctx, s));
    seg_stage_end(ctx, name, started);
    return SEG_OK;
}

seg_status seg_session_make(seg_context *ctx, seg_session *s, unsigned needs, int with_chromaticity) {
    const seg_chromaticity wanted = with_chromaticity ? SEG_CHROMATICITY_ON : SEG_CHROMATICITY_OFF;
    const int with_graph = (needs & SEG_NEEDS_GRAPH) != 0;
    const int solves = with_graph && !(needs & SEG_EIGENVECTORS_ONLY);
    if (s->chromatic && s->chromatic != wanted) /* strokes were added or removed */
        seg_session_free_graph(s);
    if (!s->features.rows)
        SEG_TRY(part(ctx, s, "features", 0.05, make_features));
    if (!s->chromatic && wanted == SEG_CHROMATICITY_ON)
        SEG_TRY(seg_chromaticity_append(ctx, &s->options.features, &s->features));
    s->chromatic = wanted;
    if (s->options.model && !s->posterior.rows)
        SEG_TRY(part(ctx, s, "model", 0, seg_session_ask_model));
    if (needs & SEG_USES_CONTEXT && !s->context.rows)
        SEG_TRY(part(ctx, s, "context features", 0, make_context));
    if (with_graph && !s->affinity.rows)
        SEG_TRY(part(ctx, s, "graph", 0.2, build_graph));
    return solves && !s->laplacian ? part(ctx, s, "hierarchy", 0, make_hierarchy) : SEG_OK;
}

void seg_session_free_graph(seg_session *s) {
    seg_matrix_free(&s->features);
    s->chromatic = SEG_CHROMATICITY_AUTO;
    seg_matrix_free(&s->context);
    seg_matrix_free(&s->posterior);
    free(seg_taken(&s->misfit));
    seg_csr_free(&s->affinity);
    seg_laplacian_free(seg_taken(&s->laplacian));
}
