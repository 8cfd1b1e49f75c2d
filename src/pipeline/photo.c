/* The way of the data, once: features, graph, constraints, clustering, mask. */
#include <segment/photo.h>

#include "base/base.h"
#include "image/shrink.h"
#include "masks/refine.h"
#include "masks/specks.h"
#include "methods/assign.h"
#include "pipeline/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Islands of fewer pixels than this many patches, and without a mark, join what surrounds them. */
#define SPECK_PATCHES ((size_t)4)

/* What the stages pass on; released in one place. */
typedef struct run {
    const seg_image *photo;
    const seg_mask *marks;
    const seg_options *options;
    seg_label_map map;
    seg_matrix features;
    seg_csr affinity;
    seg_constraints groups;  /* of the marks, and the listed pairs */
    seg_constraints sampled; /* pairs drawn from the groups, where asked for */
    seg_clustering clustering;
    int16_t *mark; /* cluster of each marked pixel, -1 elsewhere */
} run;

static seg_status check(seg_context *ctx, run *r, const seg_constraints *pairs, seg_result *out) {
    const seg_options *o = r->options;
    const seg_image *photo = r->photo;
    seg_status status = seg_options_check(ctx, o);
    size_t patches;
    if (status)
        return status;
    if (r->marks && (r->marks->width != photo->width || r->marks->height != photo->height))
        return seg_fail(ctx, SEG_ERR_INPUT, "the marks are %d x %d pixels, the photograph %d x %d: sizes must agree",
                        r->marks->width, r->marks->height, photo->width, photo->height);
    out->grid = seg_patch_grid_make(photo->width, photo->height,
                                    o->patch ? o->patch : seg_patch_side_auto(photo->width, photo->height));
    patches = (size_t)out->grid.columns * (size_t)out->grid.rows;
    if (pairs && pairs->n != patches)
        return seg_fail(ctx, SEG_ERR_USAGE, "pairs among %zu things for %zu patches", pairs->n, patches);
    seg_label_map_make(r->marks, &r->map);
    if (r->marks && r->map.groups == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "nothing is marked: draw a stroke in each region");
    out->k = o->k ? o->k : r->map.groups;
    if (out->k == 0)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "neither scribbles nor a number of regions: give --scribbles MARKS, or -k for regions found "
                        "without strokes");
    if (out->k < r->map.groups)
        return seg_fail(ctx, SEG_ERR_USAGE, "k = %d is less than the %d labels that are marked; use -k %d or more",
                        out->k, r->map.groups, r->map.groups);
    if ((size_t)out->k > patches)
        return seg_fail(ctx, SEG_ERR_USAGE, "k = %d is more than the %zu patches of the photograph", out->k, patches);
    return seg_label_map_extend(ctx, out->k, &r->map);
}

/* The method asked for; else the default, which needs constraints, or normalized cuts without. */
static const seg_method *choose_method(const seg_options *o, const seg_constraints *constraints) {
    if (o->method)
        return seg_method_find(o->method);
    return seg_method_default(constraints->groups > 0 || constraints->pairs > 0);
}

static seg_status gather_constraints(seg_context *ctx, run *r, const seg_constraints *pairs, seg_result *out) {
    const size_t patches = (size_t)out->grid.columns * (size_t)out->grid.rows;
    seg_closure closure = {0};
    seg_status status = r->marks ? seg_constraints_from_marks(ctx, r->marks, &out->grid, &r->groups)
                                 : seg_constraints_create(ctx, patches, &r->groups);
    if (status || (status = seg_label_map_apply(ctx, &r->map, r->marks, &out->grid, &r->groups)) != SEG_OK)
        return status;
    for (size_t p = 0; pairs && p < pairs->pairs; p++)
        if ((status = seg_constraints_add(ctx, &r->groups, pairs->pair[p])) != SEG_OK)
            return status;
    /* Contradictions are settled here, by the user's policy; what follows may rely on there being none. */
    status = seg_closure_compute(ctx, &r->groups, r->options->contradictions, &closure);
    seg_closure_free(&closure);
    if (status)
        return status;
    for (size_t i = 0; i < patches && r->groups.groups; i++)
        out->marked_patches += r->groups.group[i] >= 0;
    if (r->options->sample_pairs > 0 && r->groups.groups > 0) {
        status = seg_constraints_sample(ctx, &r->groups, (size_t)r->options->sample_pairs, &r->sampled);
        for (size_t p = 0; p < r->groups.pairs && !status; p++)
            status = seg_constraints_add(ctx, &r->sampled, r->groups.pair[p]);
    }
    out->pairs = r->sampled.n ? r->sampled.pairs : r->groups.pairs;
    return status;
}

static seg_status mark_pixels(seg_context *ctx, run *r, seg_result *out) {
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    if (!r->marks)
        return SEG_OK;
    r->mark = seg_alloc(ctx, pixels, sizeof *r->mark);
    if (!r->mark)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < pixels; p++) {
        uint8_t label = r->marks->label[p];
        r->mark[p] = label > 0 && label <= SEG_MAX_LABELS ? r->map.group[label] : -1;
        out->marked_pixels += r->mark[p] >= 0;
    }
    return SEG_OK;
}

static seg_status make_mask(seg_context *ctx, run *r, seg_result *out) {
    const seg_options *o = r->options;
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    seg_status status = seg_mask_create(ctx, r->photo->width, r->photo->height, &out->mask);
    if (status)
        return status;
    if (o->refine == SEG_REFINE_NONE)
        seg_refine_none(ctx, &out->grid, &r->clustering.score, out->mask.label);
    else if ((status = seg_refine_fast(ctx, r->photo, &out->grid, &r->clustering.score, r->mark, out->mask.label)) !=
                 SEG_OK ||
             (status = seg_specks_remove(ctx, r->photo->width, r->photo->height, r->mark,
                                         SPECK_PATCHES * (size_t)(out->grid.side * out->grid.side), out->mask.label)) !=
                 SEG_OK)
        return status;
    for (size_t p = 0; p < pixels; p++)
        out->mask.label[p] = r->map.label[out->mask.label[p]];
    out->mask.labels = r->map.label[out->k - 1];
    if (r->marks)
        for (int g = 0; g < r->map.groups; g++)
            memcpy(out->mask.colour[r->map.label[g]], r->marks->colour[r->map.label[g]], 3);
    return SEG_OK;
}

/* Patches larger than the papers' because the photograph is large are seen on a copy reduced to the papers' size: its
 * patches are the same ones, and the cost stays that of a megapixel. */
seg_status seg_photo_features(seg_context *ctx, const seg_image *photo, const seg_options *options,
                              seg_patch_grid *grid, seg_matrix *out) {
    const int side = options->patch ? options->patch : seg_patch_side_auto(photo->width, photo->height);
    const int factor = options->patch ? 1 : side / seg_patch_side_auto(1, 1);
    seg_image reduced;
    seg_patch_grid small;
    seg_status status;
    *grid = seg_patch_grid_make(photo->width, photo->height, side);
    if (factor == 1)
        return seg_features_compute(ctx, photo, grid, &options->features, out);
    memset(out, 0, sizeof *out);
    seg_log(ctx, SEG_LOG_INFO, "a large photograph: patches of %d pixels, features from a copy %d times smaller", side,
            factor);
    if ((status = seg_image_shrink(ctx, photo, factor, &reduced)) != SEG_OK)
        return status;
    small = seg_patch_grid_make(reduced.width, reduced.height, side / factor);
    status = seg_features_compute(ctx, &reduced, &small, &options->features, out);
    seg_image_free(&reduced);
    return status;
}

static seg_status run_stages(seg_context *ctx, run *r, const seg_constraints *pairs, seg_result *out) {
    const seg_options *o = r->options;
    const seg_constraints *used;
    double started;
    seg_status status;
    if ((status = check(ctx, r, pairs, out)) != SEG_OK)
        return status;

    started = seg_now();
    if ((status = seg_progress(ctx, 0, "constraints")) != SEG_OK ||
        (status = gather_constraints(ctx, r, pairs, out)) != SEG_OK || (status = mark_pixels(ctx, r, out)) != SEG_OK)
        return status;
    used = r->sampled.n ? &r->sampled : &r->groups;
    out->method = choose_method(o, used);
    if (o->params_set)
        out->params = o->params;
    else
        seg_params_default(out->method, &out->params);
    seg_stage_end(ctx, "constraints", started);

    started = seg_now();
    if ((status = seg_progress(ctx, 0.05, "features")) != SEG_OK ||
        (status = seg_photo_features(ctx, r->photo, o, &out->grid, &r->features)) != SEG_OK)
        return status;
    out->feature_columns = r->features.cols;
    seg_stage_end(ctx, "features", started);

    if (out->method->needs & SEG_NEEDS_GRAPH) {
        started = seg_now();
        if ((status = seg_progress(ctx, 0.2, "graph")) != SEG_OK ||
            (status = seg_graph_build(ctx, &r->features, &out->grid, &o->graph, &r->affinity, &out->sigma)) != SEG_OK)
            return status;
        out->graph_edges = r->affinity.start[r->affinity.rows] / 2;
        seg_stage_end(ctx, "graph", started);
    }

    started = seg_now();
    seg_problem problem = {.n = r->features.rows,
                           .k = out->k,
                           .features = &r->features,
                           .affinity = out->method->needs & SEG_NEEDS_GRAPH ? &r->affinity : NULL,
                           .constraints = used,
                           .restarts = o->restarts};
    if ((status = seg_progress(ctx, 0.3, "clustering")) != SEG_OK)
        return status;
    seg_progress_share(ctx, 0.3, 0.8);
    status = seg_cluster(ctx, out->method, &out->params, &problem, &r->clustering);
    seg_progress_share(ctx, 0, 1);
    if (status)
        return status;
    if (r->sampled.n) { /* the method saw pairs only: its clusters still take the strokes' labels */
        problem.constraints = &r->groups;
        if ((status = seg_name_clusters(ctx, &problem, &r->clustering)) != SEG_OK)
            return status;
    }
    out->objective = r->clustering.objective;
    out->iterations = r->clustering.iterations;
    out->converged = r->clustering.converged;
    seg_stage_end(ctx, "clustering", started);

    started = seg_now();
    if ((status = seg_progress(ctx, 0.8, "mask")) != SEG_OK || (status = make_mask(ctx, r, out)) != SEG_OK)
        return status;
    seg_stage_end(ctx, "mask", started);
    return seg_progress(ctx, 1, "mask");
}

seg_status seg_segment_photo(seg_context *ctx, const seg_image *photo, const seg_mask *marks,
                             const seg_constraints *pairs, const seg_options *options, seg_result *out) {
    run r = {.photo = photo, .marks = marks, .options = options};
    seg_status status;
    memset(out, 0, sizeof *out);
    out->objective = NAN;
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    status = run_stages(ctx, &r, pairs, out);
    seg_matrix_free(&r.features);
    seg_csr_free(&r.affinity);
    seg_constraints_free(&r.groups);
    seg_constraints_free(&r.sampled);
    seg_clustering_free(&r.clustering);
    free(r.mark);
    if (status)
        seg_result_free(out);
    return status;
}

void seg_result_free(seg_result *result) {
    if (!result)
        return;
    seg_mask_free(&result->mask);
    memset(result, 0, sizeof *result);
}
