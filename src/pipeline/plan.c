/* The plan of a job: an estimate of its memory, and larger patches if that exceeds the limit. The estimate need not be
 * exact (selection/estimate.c). */

#include "base/base.h"
#include "features/grid.h"
#include "features/spec.h"
#include "model/model.h"
#include "pipeline/start.h"
#include "selection/cluster.h"

/* Bytes, from segment_bench memory (docs/results.md). */
#define PROCESS_BYTES ((size_t)5 << 20)   /* code and tables of libraries as they are first used, small blocks */
#define THREAD_BYTES  ((size_t)192 << 10) /* its stack and its share of that */
#define BOX_BYTES     ((size_t)4 << 20)   /* what ranks its patches */
#define NET_BYTES     ((size_t)22 << 20)  /* of the net that looks for an object */
#define LIBRARY_BYTES ((size_t)2 << 20)   /* of an image library at work */
enum {
    FEATURE_PIXEL =
        32,          /* of the copy that features are computed on: a spectrum of its lightness, as allocations count */
    MASK_ROW = 1024, /* runs of equal labels, rows of the smoothing */
    OUTLINE = 5      /* colours and labels of a pixel */
};
enum { REAL = sizeof(double), SINGLE = sizeof(float) };

#define LIKELY_LABELS 8   /* if their number is not known */
#define MOST_SIDE     64  /* of a patch that a plan makes */
#define TOUCHING      0.4 /* the width within the frames of a video, in their edges' mean length (video.md) */
#define TRACK         0.4 /* of the weight of the position, for a video (docs/history/video.md) */

/* The sizes that the estimate follows from. */
typedef struct sizes {
    size_t pixels, reduced; /* of the image, and of the copy that features are computed on */
    int side;               /* of a patch */
    int with_net;           /* that looks for an object */
    seg_problem_size problem;
    const seg_method *method;
    seg_params params;
} sizes;

static sizes measure(const seg_plan_job *job, const seg_options *o) {
    const seg_patch_layout layout = seg_patch_layout_of(o, job->width, job->height);
    const seg_patch_grid grid = layout.grid;
    const size_t factor = (size_t)layout.reduced;
    sizes s = {.pixels = (size_t)job->width * (size_t)job->height, .side = grid.side};
    s.reduced = s.pixels / factor / factor / (size_t)seg_patch_deep(&grid);
    s.problem = (seg_problem_size){.n = (size_t)grid.columns * (size_t)grid.rows,
                                   .k = (size_t)(job->k ? job->k
                                                 : o->k ? o->k
                                                        : LIKELY_LABELS),
                                   .spec = &o->graph,
                                   .pairs_alone = job->constraints == SEG_PLAN_PAIRS ||
                                                  (job->constraints == SEG_PLAN_SCRIBBLES && o->sample_pairs > 0)};
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        if (o->features.weight[kind] > 0)
            s.problem.columns += seg_feature_columns((seg_feature_kind)kind);
    const int is_guided = job->constraints != SEG_PLAN_NONE || o->model;
    s.method = seg_method_find(o->method || is_guided ? o->method : SEG_METHOD_UNCONSTRAINED);
    seg_decision decided[SEG_DECISIONS];
    seg_circumstances c = seg_circumstances_of_strokes(o, s.method);
    c.groups = !s.problem.pairs_alone;
    seg_decide(o, &c, decided);
    s.problem.columns +=
        (o->channels > 3 ? 2 * (size_t)o->channels : 0) + (decided[SEG_DECIDED_CHROMATICITY].on ? 2 : 0);
    s.with_net = o->slices <= 1 && o->channels <= 1 && (job->k == 0 || job->k == c.k) &&
                 (decided[SEG_DECIDED_FRAME].on || decided[SEG_DECIDED_BALANCE].on);
    s.params = o->params_set ? o->params : seg_params_default(s.method);
    return s;
}

/* The maximum over reading the inputs, the features of the copy, graph and clustering, refinement, and writing. */
static void predict(const seg_plan_job *job, const seg_options *o, size_t held, seg_photo_plan *plan) {
    const sizes s = measure(job, o);
    const size_t n = s.problem.n, k = s.problem.k;
    const size_t mask = s.pixels * (1 + (o->probability ? k * SINGLE : 0) + (size_t)o->uncertainty);
    const size_t copy = s.reduced * (FEATURE_PIXEL + 3 * (size_t)(job->depth / 8));
    size_t most = seg_larger(copy, seg_estimate_clustering(s.method, &s.params, &s.problem));
    if (o->channels <= 1 && !o->model)
        held += 3 * s.reduced * (size_t)(job->depth / 8); /* what is seen of it (session.c) */
    const size_t outline = o->slices > 1 && o->refine != SEG_REFINE_NONE ? s.pixels * OUTLINE : 0;
    most = seg_larger(most, mask + n * k * REAL + (size_t)job->height * MASK_ROW + outline);
    most = seg_larger(most, mask + job->writing);
    plan->predicted = held + PROCESS_BYTES + (size_t)plan->threads * THREAD_BYTES + most + (s.with_net ? NET_BYTES : 0);
    if (job->reading)
        plan->predicted = seg_larger(plan->predicted, held - job->inputs + job->reading + LIBRARY_BYTES);
}

void seg_plan_say(seg_context *ctx, const seg_photo_plan *plan) {
    if (plan->adapted[0])
        seg_log(ctx, SEG_LOG_WARNING, "to keep the memory limit: %s", plan->adapted);
}

/* Larger patches: those of the automatic side keep five pixels on a more reduced copy. @return 0 if there are none */
static int enlarge_patches(const seg_plan_job *job, seg_options *o) {
    const int side = seg_patch_layout_of(o, job->width, job->height).grid.side;
    const int step = o->patch && !o->reduce ? 1 : o->reduce ? o->patch / o->reduce : SEG_PATCH_SIDE;
    if (side + step > MOST_SIDE || seg_patch_grid_make(job->width, job->height, side).columns < 2)
        return 0;
    if (step > 1 || o->reduce)
        o->reduce = (side + step) / step;
    o->patch = side + step;
    return 1;
}

static int seeks_finely(const seg_plan_job *job, const seg_options *o) {
    return o->object && !o->patch && measure(job, o).side < SEG_PATCH_SIDE;
}

seg_options seg_options_for(const seg_plan_job *job, const seg_options *options) {
    const seg_options usual = seg_options_default();
    const int is_volume = options->slices > 1 && !options->video;
    seg_options out = seg_options_with_model(options);
    double *weight = out.features.weight;
    out.object |= out.box.width > 0 || seg_start_is_object(&out); /* sought as one that strokes mark is */
    out.free_patches = job->constraints == SEG_PLAN_SCRIBBLES && !job->fixed_patches && !out.sample_pairs &&
                       seg_method_find(out.method) == seg_method_find(NULL);
    if (memcmp(&out.features, &usual.features, sizeof usual.features) == 0) { /* else they are used as given */
        weight[SEG_FEATURE_SPREAD] *= !seeks_finely(job, &out) && !is_volume; /* it is mostly chance there */
        weight[SEG_FEATURE_POSITION] *= options->slices > 1 ? TRACK : 1;
    }
    if (is_volume) /* where a patch lies in its slice says little of one in another */
        weight[SEG_FEATURE_POSITION] = 0;
    if (options->slices > 1 && options->video) /* frames differ so little that their edges alone would count */
        out.graph.touching_scale = TOUCHING;
    return out;
}

seg_status seg_plan_photo(seg_context *ctx, const seg_plan_job *job, const seg_options *options, seg_photo_plan *out) {
    seg_options adapted;
    return seg_plan_make(ctx, job, options, out, &adapted);
}

seg_status seg_plan_make(seg_context *ctx, const seg_plan_job *whole, const seg_options *options, seg_photo_plan *out,
                         seg_options *adapted) {
    const seg_box *b = &options->region;
    const size_t limit = ctx->max_memory, pixels = (size_t)whole->width * (size_t)(whole->height / options->channels);
    seg_plan_job part = *whole, *job = &part;
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_options_check(ctx, options));
    if (job->width < 1 || job->height < 1 || job->width > SEG_MAX_SIDE || job->height > SEG_MAX_STACK ||
        (job->depth != 8 && job->depth != 16))
        return seg_fail(ctx, SEG_ERR_USAGE, "a plan for %d x %d pixels of %d bits", job->width, job->height,
                        job->depth);
    if (options->model && options->model->channels != options->channels)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the model was learned from images of %d channel(s), but this image has %d; give one with as "
                        "many, where 1 is a grey image or one of colours",
                        options->model->channels, options->channels);
    if (job->height % (options->slices * options->channels))
        return seg_fail(ctx, SEG_ERR_USAGE, "%d rows of pixels are not %d slices or channels of equal height",
                        job->height, options->slices * options->channels);
    job->height /= options->channels;
    job->inputs += options->channels > 1 ? 3 * pixels : 0; /* what the stages of pixels see of them */
    if (b->width && !seg_box_is_in(b, &(seg_box){0, 0, job->width, job->height / options->slices}))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the region %d,%d,%d,%d (left, top, width, height) is not inside the image of %d x %d pixels",
                        b->x, b->y, b->width, b->height, job->width, job->height / options->slices);
    if (b->width) { /* its pixels are copied, and the result is of the whole image */
        const size_t k = options->probability ? (size_t)(job->k ? job->k : LIKELY_LABELS) : 0;
        job->inputs += pixels * (1 + (size_t)options->uncertainty + k * SINGLE);
        job->width = b->width;
        job->height = b->height * options->slices;
        job->inputs += 3 * (size_t)job->width * (size_t)job->height * (size_t)job->depth / 8;
    }
    if (options->box.width) /* the marks that it makes, and what ranks patches */
        job->inputs += (size_t)job->width * (size_t)job->height + BOX_BYTES;
    const size_t held = seg_memory_held() + job->inputs;
    *adapted = seg_options_for(job, options);
    out->threads = seg_threads(ctx);
    predict(job, adapted, held, out);
    out->asked = out->predicted;
    const int asked = measure(job, adapted).side, may = !options->fixed && !job->fixed_patches && !options->model;
    seg_photo_plan next = *out;
    seg_options larger = *adapted;
    if (seeks_finely(job, adapted)) /* larger patches have a spread */
        larger.features.weight[SEG_FEATURE_SPREAD] = options->features.weight[SEG_FEATURE_SPREAD];
    while (limit && out->predicted > limit && may && enlarge_patches(job, &larger)) {
        predict(job, &larger, held, &next);
        if (next.predicted >= out->predicted)
            break; /* something else takes the most */
        *out = next;
        *adapted = larger;
        snprintf(out->adapted, sizeof out->adapted, "patches of %d pixels instead of %d", larger.patch, asked);
    }
    if (!limit || out->predicted <= limit)
        return SEG_OK;
    ctx->over_limit = 1;
    return seg_fail(ctx, SEG_ERR_LIMIT,
                    "an image of %d x %d pixels needs a memory limit of at least %.0fM%s, but the limit is %.0fM; "
                    "allow more, or give a smaller image",
                    whole->width, whole->height, 1e-6 * (double)out->predicted + 1,
                    options->fixed ? " with these options" : "", 1e-6 * (double)limit);
}
