/* The way of the data: features, graph, constraints, clustering, mask. What strokes do not change stays in a session.
 */
#include <segment/session.h>

#include "base/base.h"
#include "constraints/origins.h"
#include "features/context_features.h"
#include "graph/laplacian.h"
#include "image/shrink.h"
#include "masks/keep.h"
#include "masks/refine.h"
#include "masks/specks.h"
#include "methods/assign.h"
#include "methods/fill.h"
#include "pipeline/ambiguous.h"
#include "pipeline/labels.h"
#include "pipeline/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Islands of fewer pixels than this many patches, and without a mark, join what surrounds them. */
#define SPECK_PATCHES ((size_t)4)

/* What depends on the image and the options alone. Filled when first needed; features, graph and laplacian are
 * there where their rows or pointers are. */
struct seg_session {
    const seg_image *photo; /* borrowed */
    seg_options options;
    seg_patch_grid grid;
    seg_matrix features;
    seg_matrix context;
    seg_csr affinity;
    seg_full_graph *full; /* a complete graph that is too large to be listed */
    double sigma;         /* of the affinity */
    size_t edges_of_graph;
    seg_laplacian *laplacian;
    seg_edges edges;
    seg_photo_plan plan; /* its options are those above */
    int once;            /* used for one mask: what is not needed any more is freed */
};

/* What the stages of one run pass on; released in one place. */
typedef struct run {
    seg_session *session;
    const seg_image *photo;
    const seg_mask *scribbles;
    const seg_options *options;
    seg_label_map map;
    seg_constraints groups;  /* of the scribbles, and the listed pairs */
    seg_constraints sampled; /* pairs drawn from the groups, where asked for */
    seg_clustering clustering;
    seg_pixel_scribbles pixel_scribbles; /* cluster of each marked pixel */
    seg_photo_plan plan;                 /* the session's; where the borders are may change it */
} run;

static seg_status check(seg_context *ctx, run *r, const seg_constraints *pairs, seg_result *out) {
    const seg_options *o = r->options;
    const seg_image *photo = r->photo;
    size_t patches;
    if (r->scribbles && (r->scribbles->width != photo->width || r->scribbles->height != photo->height))
        return seg_fail(ctx, SEG_ERR_INPUT, "the scribbles are %d x %d pixels, the image %d x %d: sizes must agree",
                        r->scribbles->width, r->scribbles->height, photo->width, photo->height);
    out->grid = r->session->grid;
    patches = (size_t)out->grid.columns * (size_t)out->grid.rows;
    if (pairs && pairs->n != patches)
        return seg_fail(ctx, SEG_ERR_USAGE, "pairs among %zu patches for %zu patches", pairs->n, patches);
    seg_label_map_make(r->scribbles, &r->map);
    if (r->scribbles && r->map.groups == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "nothing is marked: draw a stroke in each region");
    out->k = o->k ? o->k : r->map.groups;
    if (out->k == 0)
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "neither scribbles nor a number of regions: give scribbles, or set k for regions found without strokes");
    if (out->k < r->map.groups)
        return seg_fail(ctx, SEG_ERR_USAGE, "k = %d is less than the %d labels that are marked; set k to %d or more",
                        out->k, r->map.groups, r->map.groups);
    if ((size_t)out->k > patches)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "k = %d is more than the image's number of patches, %zu; use smaller patches", out->k, patches);
    if (r->map.groups == 1 && out->k == 1)
        seg_log(
            ctx, SEG_LOG_WARNING,
            "only label %d is marked, so that the whole image is one region; draw strokes on another region too, or "
            "set k to 2 to have the rest found as a second region",
            r->map.label[0]);
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
    seg_status status = r->scribbles ? seg_constraints_from_scribbles(ctx, r->scribbles, &out->grid, &r->groups)
                                     : seg_constraints_create(ctx, patches, &r->groups);
    if (status || (status = seg_label_map_apply(ctx, &r->map, r->scribbles, &out->grid, &r->groups)) != SEG_OK)
        return status;
    for (size_t p = 0; pairs && p < pairs->pairs; p++)
        if ((status = seg_constraints_add(ctx, &r->groups, pairs->pair[p])) != SEG_OK)
            return status;
    /* Contradictions are settled here, by the user's policy; what follows may rely on there being none. */
    seg_pair_origins lent = pairs && pairs->origins ? *pairs->origins : (seg_pair_origins){0};
    lent.scribbles = r->scribbles;
    lent.grid = &out->grid;
    lent.label = r->scribbles ? r->map.label : NULL;
    r->groups.origins = &lent; /* for messages */
    status = seg_closure_compute(ctx, &r->groups, r->options->contradictions, &closure);
    r->groups.origins = NULL;
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

static void mark_pixels(run *r, seg_result *out) {
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    size_t count[256] = {0};
    r->pixel_scribbles.label = r->scribbles ? r->scribbles->label : NULL;
    for (int label = 0; label < 256; label++)
        r->pixel_scribbles.column[label] = label > 0 && label <= SEG_MAX_LABELS ? r->map.group[label] : -1;
    for (size_t p = 0; r->scribbles && p < pixels; p++)
        count[r->scribbles->label[p]]++;
    for (int label = 0; label < 256; label++)
        out->marked_pixels += r->pixel_scribbles.column[label] >= 0 ? count[label] : 0;
}

static void say_what_was_adapted(seg_context *ctx, const seg_photo_plan *plan) {
    if (plan->adapted[0])
        seg_log(ctx, SEG_LOG_WARNING, "within the limit on memory: %s", plan->adapted);
}

static void let_graph_go(seg_session *s) {
    seg_matrix_free(&s->features);
    seg_matrix_free(&s->context);
    seg_csr_free(&s->affinity);
    seg_full_graph_free(s->full);
    s->full = NULL;
    seg_laplacian_free(s->laplacian);
    s->laplacian = NULL;
}

/* Near borders, as far from them as the context's limit leaves room for; where there is none, the patches' blocks. */
static seg_status refine_near(seg_context *ctx, run *r, const seg_pixel_scores *pixels) {
    static const int narrower[] = {24, 12, 6};
    seg_photo_plan *plan = &r->plan;
    const int asked = plan->options.reach ? plan->options.reach : SEG_REFINE_REACH, over_limit = ctx->over_limit;
    const size_t held = seg_memory_held();
    size_t bytes = 0;
    seg_status status = seg_refine_fast(ctx, r->photo, &r->session->edges, &r->clustering.score, &r->pixel_scribbles,
                                        asked, pixels, &bytes);
    if (status != SEG_ERR_LIMIT || plan->options.fixed) {
        seg_plan_raise(plan, "mask", held + bytes);
        return status;
    }
    for (size_t i = 0; i < sizeof narrower / sizeof *narrower && status == SEG_ERR_LIMIT; i++)
        if (narrower[i] < asked) {
            plan->options.reach = narrower[i];
            status = seg_refine_fast(ctx, r->photo, &r->session->edges, &r->clustering.score, &r->pixel_scribbles,
                                     narrower[i], pixels, &bytes);
        }
    if (status == SEG_ERR_LIMIT) {
        seg_refine_none(ctx, &r->session->grid, &r->clustering.score, pixels);
        plan->options.refine = SEG_REFINE_NONE;
        bytes = 0;
        status = SEG_OK;
        seg_plan_note(plan, "no refinement");
    } else if (status == SEG_OK) {
        seg_plan_note(plan, "refinement within %d pixels of borders in place of %d", plan->options.reach, asked);
    }
    ctx->over_limit = over_limit;
    seg_plan_raise(plan, "mask", held + bytes);
    if (!r->session->once)
        say_what_was_adapted(ctx, plan);
    return status;
}

static seg_status refine(seg_context *ctx, run *r, seg_result *out) {
    const seg_options *o = r->options;
    seg_session *s = r->session;
    const seg_matrix *score = &r->clustering.score;
    const seg_pixel_scores pixels = {out->mask.label, out->probability, out->uncertainty};
    seg_status status = SEG_OK;
    if (o->refine == SEG_REFINE_NONE) {
        seg_refine_none(ctx, &s->grid, score, &pixels);
        return SEG_OK;
    }
    if (!s->edges.tile)
        status = seg_edges_create(ctx, &s->grid, &s->edges);
    if (!status)
        status = o->refine == SEG_REFINE_BEST
                     ? seg_refine_best(ctx, r->photo, &s->edges, score, &r->pixel_scribbles, &pixels)
                     : refine_near(ctx, r, &pixels);
    if (!status && r->plan.options.refine != SEG_REFINE_NONE)
        status = seg_specks_remove(ctx, r->photo->width, r->photo->height, &r->pixel_scribbles,
                                   SPECK_PATCHES * (size_t)(s->grid.side * s->grid.side), out->mask.label);
    if (!status)
        status = seg_regions_keep(ctx, &s->grid, score, &r->pixel_scribbles, &pixels);
    return status;
}

/* Labels of the mask; fewer than were asked for are a warning. */
static void count_regions(seg_context *ctx, const run *r, seg_result *out) {
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    int present[256] = {0}, first = -1;
    for (size_t p = 0; p < pixels; p++)
        present[out->mask.label[p]] = 1;
    for (int c = 0; c < out->k; c++) {
        out->regions += present[r->map.label[c]];
        first = first < 0 && !present[r->map.label[c]] ? r->map.label[c] : first;
    }
    if (out->regions < out->k)
        seg_log(ctx, SEG_LOG_WARNING,
                "the mask has %d regions of the %d that were asked for: label %d%s has no pixel; ask for fewer, or for "
                "smaller patches",
                out->regions, out->k, first, out->k - out->regions > 1 ? " and others" : "");
}

static seg_status make_mask(seg_context *ctx, run *r, seg_result *out) {
    const seg_options *o = r->options;
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    seg_status status = seg_mask_create(ctx, r->photo->width, r->photo->height, &out->mask);
    if (!status && o->probability &&
        !(out->probability = seg_alloc(ctx, pixels, (size_t)out->k * sizeof *out->probability)))
        status = SEG_ERR_MEMORY;
    if (!status && o->uncertainty && !(out->uncertainty = seg_alloc(ctx, pixels, 1)))
        status = SEG_ERR_MEMORY;
    if (status || (status = refine(ctx, r, out)) != SEG_OK)
        return status;
    for (size_t p = 0; p < pixels; p++)
        out->mask.label[p] = r->map.label[out->mask.label[p]];
    count_regions(ctx, r, out);
    memcpy(out->column_label, r->map.label, sizeof out->column_label);
    out->mask.labels = r->map.label[out->k - 1];
    if (r->scribbles)
        for (int g = 0; g < r->map.groups; g++)
            memcpy(out->mask.colour[r->map.label[g]], r->scribbles->colour[r->map.label[g]], 3);
    return seg_ambiguous_find(ctx, &out->grid, &r->clustering.score, &r->groups, out);
}

/* Patches larger than the papers' because the image is large are seen on a copy reduced to the papers' size: its
 * patches are the same ones, and the cost stays that of 0.6 megapixels. */
seg_status seg_photo_features(seg_context *ctx, const seg_image *photo, const seg_options *options,
                              seg_patch_grid *grid, seg_matrix *out) {
    const int side = options->patch ? options->patch : seg_patch_side_auto(photo->width, photo->height);
    const int factor = options->reduce ? options->reduce : options->patch ? 1 : side / seg_patch_side_auto(1, 1);
    seg_image reduced;
    seg_patch_grid small;
    seg_status status;
    *grid = seg_patch_grid_make(photo->width, photo->height, side);
    if (factor == 1)
        return seg_features_compute(ctx, photo, grid, &options->features, out);
    memset(out, 0, sizeof *out);
    seg_log(ctx, SEG_LOG_INFO, "a large image: patches of %d pixels, features from a copy %d times smaller", side,
            factor);
    if ((status = seg_image_shrink(ctx, photo, factor, &reduced)) != SEG_OK)
        return status;
    small = seg_patch_grid_make(reduced.width, reduced.height, side / factor);
    status = seg_features_compute(ctx, &reduced, &small, &options->features, out);
    seg_image_free(&reduced);
    return status;
}

/* The complete graph, of the patches' mean colours where the features have more columns than it can do with. */
static seg_status build_full_graph(seg_context *ctx, seg_session *s) {
    const size_t n = s->features.rows;
    const seg_graph_spec *spec = &s->options.graph;
    seg_options colours = s->options;
    seg_matrix own = {0};
    const seg_matrix *X = &s->features;
    seg_status status = SEG_OK;
    if (X->cols > SEG_FULL_COLUMNS) {
        memset(&colours.features, 0, sizeof colours.features);
        colours.features.weight[SEG_FEATURE_MEAN] = 1;
        status = seg_photo_features(ctx, s->photo, &colours, &s->grid, &own);
        X = &own;
    }
    if (!status)
        status = n <= SEG_FULL_LISTED ? seg_graph_build(ctx, X, NULL, spec, &s->affinity, &s->sigma)
                                      : seg_full_graph_create(ctx, X, spec, &s->full);
    if (s->full)
        s->sigma = seg_full_graph_sigma(s->full);
    s->edges_of_graph = n * (n - 1) / 2;
    seg_matrix_free(&own);
    return status;
}

static seg_status build_graph(seg_context *ctx, seg_session *s) {
    if (s->options.graph.kind == SEG_GRAPH_FULL)
        return build_full_graph(ctx, s);
    seg_status status = seg_graph_build(ctx, &s->features, &s->grid, &s->options.graph, &s->affinity, &s->sigma);
    if (!status)
        s->edges_of_graph = s->affinity.start[s->affinity.rows] / 2;
    return status;
}

/* What the method sees of the image, as far as it is not there yet. */
static seg_status prepare(seg_context *ctx, seg_session *s, unsigned needs) {
    const int with_graph = (needs & SEG_NEEDS_GRAPH) != 0;
    double started = seg_now();
    seg_status status;
    if (!s->features.rows) {
        if ((status = seg_progress(ctx, 0.05, "features")) != SEG_OK ||
            (status = seg_photo_features(ctx, s->photo, &s->options, &s->grid, &s->features)) != SEG_OK)
            return status;
        seg_stage_end(ctx, "features", started);
    }
    if (needs & SEG_USES_CONTEXT && !s->context.rows) {
        started = seg_now();
        if ((status = seg_context_features(ctx, &s->features, &s->grid, &s->options.features, &s->context)) != SEG_OK)
            return status;
        seg_stage_end(ctx, "context features", started);
    }
    if (with_graph && !s->affinity.rows && !s->full) {
        started = seg_now();
        if ((status = seg_progress(ctx, 0.2, "graph")) != SEG_OK || (status = build_graph(ctx, s)) != SEG_OK)
            return status;
        seg_stage_end(ctx, "graph", started);
    }
    if (with_graph && !s->laplacian && !s->full) {
        started = seg_now();
        if ((status = seg_laplacian_create(ctx, &s->affinity, &s->laplacian)) != SEG_OK)
            return status;
        seg_stage_end(ctx, "hierarchy", started);
    }
    return SEG_OK;
}

static seg_status run_stages(seg_context *ctx, run *r, const seg_constraints *pairs, seg_result *out) {
    const seg_options *o = r->options;
    seg_session *s = r->session;
    const seg_constraints *used;
    double started;
    seg_status status;
    if ((status = check(ctx, r, pairs, out)) != SEG_OK)
        return status;

    started = seg_now();
    if ((status = seg_progress(ctx, 0, "constraints")) != SEG_OK ||
        (status = gather_constraints(ctx, r, pairs, out)) != SEG_OK)
        return status;
    mark_pixels(r, out);
    used = r->sampled.n ? &r->sampled : &r->groups;
    out->method = choose_method(o, used);
    if (o->params_set)
        out->params = o->params;
    else
        seg_params_default(out->method, &out->params);
    seg_stage_end(ctx, "constraints", started);

    const int with_graph = (out->method->needs & SEG_NEEDS_GRAPH) != 0;
    if ((status = prepare(ctx, s, out->method->needs)) != SEG_OK)
        return status;
    out->feature_columns = s->features.cols;
    out->graph_edges = with_graph ? s->edges_of_graph : 0;
    out->sigma = with_graph ? s->sigma : 0;

    started = seg_now();
    seg_problem problem = {.n = s->features.rows,
                           .k = out->k,
                           .features = &s->features,
                           .affinity = with_graph && s->affinity.start ? &s->affinity : NULL,
                           .context = out->method->needs & SEG_USES_CONTEXT ? &s->context : NULL,
                           .laplacian = with_graph ? s->laplacian : NULL,
                           .full = with_graph ? s->full : NULL,
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
        if ((status = seg_name_clusters(ctx, &problem, &r->clustering)) != SEG_OK ||
            (status = seg_fill_clusters(ctx, out->method->name, &problem, &r->clustering)) != SEG_OK)
            return status;
    }
    seg_kept_count(&r->groups, &r->clustering, &out->kept);
    seg_kept_warn(ctx, out->method, &r->groups, &r->clustering, &out->kept);
    out->ran = r->clustering.ran;
    out->objective = r->clustering.objective;
    out->iterations = r->clustering.iterations;
    out->converged = r->clustering.converged;
    seg_stage_end(ctx, "clustering", started);

    started = seg_now();
    if (s->once)
        let_graph_go(s);
    if ((status = seg_progress(ctx, 0.8, "mask")) != SEG_OK || (status = make_mask(ctx, r, out)) != SEG_OK)
        return status;
    seg_stage_end(ctx, "mask", started);
    return seg_progress(ctx, 1, "mask");
}

static int auto_side(const seg_image *photo) {
    return seg_patch_side_auto(photo->width, photo->height);
}

/* Patches with a mark in them, about: those at the first patches' side. */
static size_t count_marked(const seg_mask *scribbles, int side) {
    size_t count = 0;
    for (int top = 0; scribbles && top < scribbles->height; top += side)
        for (int left = 0; left < scribbles->width; left += side) {
            int found = 0;
            for (int y = top; y < top + side && y < scribbles->height && !found; y++)
                for (int x = left; x < left + side && x < scribbles->width && !found; x++)
                    found = scribbles->label[(size_t)y * (size_t)scribbles->width + (size_t)x] != 0;
            count += (size_t)found;
        }
    return count;
}

static seg_status open_session(seg_context *ctx, const seg_image *photo, const seg_options *options,
                               const seg_plan_job *job, seg_session **out) {
    seg_session *made;
    seg_status status = seg_options_check(ctx, options);
    *out = NULL;
    if (status)
        return status;
    made = seg_alloc_zero(ctx, 1, sizeof *made);
    if (!made)
        return SEG_ERR_MEMORY;
    if ((status = seg_plan_photo(ctx, job, options, &made->plan)) != SEG_OK) {
        free(made);
        return status;
    }
    made->photo = photo;
    made->options = made->plan.options;
    made->grid =
        seg_patch_grid_make(photo->width, photo->height, made->options.patch ? made->options.patch : auto_side(photo));
    *out = made;
    return SEG_OK;
}

seg_status seg_session_open(seg_context *ctx, const seg_image *photo, const seg_options *options, seg_session **out) {
    const seg_plan_job job = {.width = photo->width, .height = photo->height, .depth = photo->depth};
    seg_status status = open_session(ctx, photo, options, &job, out);
    if (status == SEG_OK)
        say_what_was_adapted(ctx, &(*out)->plan);
    return status;
}

seg_status seg_session_prepare(seg_context *ctx, seg_session *session) {
    const seg_options *o = &session->options;
    const seg_method *method = o->method ? seg_method_find(o->method) : seg_method_default(1);
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    return prepare(ctx, session, method->needs);
}

seg_status seg_session_segment(seg_context *ctx, seg_session *session, const seg_mask *scribbles,
                               const seg_constraints *pairs, seg_result **out) {
    run r = {.session = session,
             .photo = session->photo,
             .scribbles = scribbles,
             .options = &session->options,
             .plan = session->plan};
    const int threads = ctx->threads;
    seg_status status;
    seg_result *made = *out = seg_alloc_zero(ctx, 1, sizeof *made);
    if (!made)
        return SEG_ERR_MEMORY;
    ctx->threads = session->plan.threads;
    made->objective = NAN;
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    status = run_stages(ctx, &r, pairs, made);
    ctx->threads = threads;
    made->plan = r.plan;
    seg_constraints_free(&r.groups);
    seg_constraints_free(&r.sampled);
    seg_clustering_free(&r.clustering);
    if (status) {
        seg_result_free(made);
        *out = NULL;
    }
    return status;
}

void seg_session_close(seg_session *session) {
    if (!session)
        return;
    let_graph_go(session);
    seg_edges_free(&session->edges);
    free(session);
}

seg_status seg_segment_photo(seg_context *ctx, const seg_image *photo, const seg_mask *scribbles,
                             const seg_constraints *pairs, const seg_options *options, seg_result **out) {
    seg_session *session = NULL;
    seg_status status;
    seg_label_map map;
    *out = NULL;
    seg_label_map_make(scribbles, &map);
    seg_plan_job job = {.width = photo->width,
                        .height = photo->height,
                        .depth = photo->depth,
                        .k = options->k ? options->k : map.groups,
                        .marked = count_marked(scribbles, options->patch > 0 ? options->patch : auto_side(photo)),
                        .unmarked = !scribbles && !(pairs && pairs->pairs),
                        .fixed_patches = pairs && pairs->pairs};
    const int over_limit = ctx->over_limit;
    status = open_session(ctx, photo, options, &job, &session);
    while (session) {
        char message[SEG_MESSAGE_SIZE];
        session->once = 1;
        job.most = session->plan.predicted - session->plan.predicted / 100;
        ctx->over_limit = 0;
        status = seg_session_segment(ctx, session, scribbles, pairs, out);
        seg_session_close(session);
        session = NULL;
        /* More than was predicted (a factor that fills up, say): a smaller plan, while there is one. */
        if (status != SEG_OK && ctx->over_limit && !options->fixed) {
            memcpy(message, ctx->message, sizeof message);
            if (open_session(ctx, photo, options, &job, &session) != SEG_OK)
                memcpy(ctx->message, message, sizeof message);
        }
        ctx->over_limit |= over_limit;
    }
    if (status == SEG_OK)
        say_what_was_adapted(ctx, &(*out)->plan);
    return status;
}

void seg_result_free(seg_result *result) {
    if (!result)
        return;
    seg_mask_free(&result->mask);
    free(result->probability);
    free(result->uncertainty);
    free(result);
}
