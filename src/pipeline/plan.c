/* What a job takes of memory, stage by stage, from the sizes of its arrays: each term below names the array it stands
 * for. Nothing is measured here; segment_bench memory measures how close it comes (docs/results.md). */
#include "pipeline/plan.h"

#include "base/base.h"
#include "base/parallel.h"
#include "features/spec.h"
#include "graph/bytes.h"
#include "graph/laplacian.h"
#include "masks/refine.h"
#include "methods/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What becomes resident besides arrays: code and tables of the numerical libraries as they are first used, stacks, the
 * C library's small blocks; and for each thread its stack and its share of that. */
#define PROCESS_BYTES ((size_t)4 << 20)
#define THREAD_BYTES  ((size_t)192 << 10)
#define DECODER_BYTES ((size_t)2 << 20) /* code and small blocks of an image library */
#define LIKELY_LABELS 8                 /* where their number is not known */
#define MOST_SIDE     64                /* of a patch that a plan makes */
#define LEAST_VECTORS 6                 /* eigenvectors that a plan leaves a method */
#define PNG_BYTES     ((size_t)1 << 20) /* a writer's window, hash chains, rows and buffers */

enum { REAL = sizeof(double), SINGLE = sizeof(float), INDEX = sizeof(int32_t) };

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* The sizes that everything follows from. */
typedef struct sizes {
    size_t pixels, n, columns, k; /* n patches */
    seg_patch_grid grid, small;   /* of the image, and of the copy that features are computed on */
    size_t entries;               /* of the graph, both directions, at most */
    const seg_method *method;
    seg_params params;
    int factor, threads;
} sizes;

static sizes measure(const seg_plan_job *job, const seg_options *o, int threads) {
    sizes s = {.pixels = (size_t)job->width * (size_t)job->height, .threads = threads};
    const int own = seg_patch_side_auto(job->width, job->height), side = o->patch ? o->patch : own;
    s.factor = o->reduce ? o->reduce : o->patch ? 1 : side / seg_patch_side_auto(1, 1);
    s.grid = seg_patch_grid_make(job->width, job->height, side);
    s.small = seg_patch_grid_make((job->width + s.factor - 1) / s.factor, (job->height + s.factor - 1) / s.factor,
                                  side / s.factor);
    s.n = (size_t)s.grid.columns * (size_t)s.grid.rows;
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        if (o->features.weight[kind] > 0)
            s.columns += seg_feature_columns((seg_feature_kind)kind);
    s.k = (size_t)(job->k ? job->k : o->k ? o->k : LIKELY_LABELS);
    s.method = o->method ? seg_method_find(o->method) : seg_method_default(!job->unmarked);
    if (o->params_set)
        s.params = o->params;
    else
        seg_params_default(s.method, &s.params);
    s.entries = seg_graph_entries(s.n, &o->graph);
    return s;
}

/* --- Stages: bytes held at most while they run, besides what is kept from those before. --- */

/* features/texture.c on the reduced image, padded: the lightness, its spectrum, half-transformed rows (complex
 * numbers), the filters' three tables, the patches' sums twice, scratch a thread. */
static size_t texture(const sizes *s) {
    const size_t width = (size_t)s->small.width, height = (size_t)s->small.height;
    const size_t wide = width + width / 16 + 64, tall = height + height / 16 + 64; /* padding, a length FFTW likes */
    const size_t spectrum = (wide / 2 + 1) * tall, tables = (wide / 2 + 1) * (tall / 2 + 1);
    return SINGLE * (width * height + 2 * spectrum + 2 * height * wide + 3 * tables) + 2 * s->n * REAL +
           (size_t)s->threads * 9 * 2 * larger(wide, tall) * SINGLE;
}

/* The reduced image; then texture, or CIELAB's three planes of a row of patches a thread. */
static size_t features(const sizes *s, const seg_options *o, int depth) {
    const size_t reduced = (size_t)s->small.width * (size_t)s->small.height * 3 * (size_t)(depth / 8);
    const size_t strips = 3 * (size_t)s->threads * (size_t)s->small.width * (size_t)s->small.side * SINGLE;
    return (s->factor > 1 ? reduced : 0) + larger(strips, o->features.weight[SEG_FEATURE_TEXTURE] > 0 ? texture(s) : 0);
}

/* features/context_features.c: all columns but the position's, at three scales; three work copies while they are made.
 */
static size_t appearance_columns(const sizes *s, const seg_options *o) {
    return s->columns - (o->features.weight[SEG_FEATURE_POSITION] > 0 && s->columns > 2 ? 2 : 0);
}

static size_t cluster(const sizes *s, const seg_options *o, const seg_plan_job *job) {
    const seg_problem_size size = {.n = s->n,
                                   .k = s->k,
                                   .columns = s->columns,
                                   .appearance = 3 * appearance_columns(s, o),
                                   .entries = s->entries,
                                   .marked = job->marked,
                                   .pairs_alone = !job->unmarked && (job->marked == 0 || o->sample_pairs > 0),
                                   .full = o->graph.kind == SEG_GRAPH_FULL && s->entries == 0,
                                   .threads = s->threads};
    return seg_method_bytes(s->method, &s->params, &size);
}

/* The mask, probabilities and uncertainties; of refinement what does not depend on where the borders are: a pointer and
 * two list places a tile of 40 pixels, a confidence a patch, and smoothing's rows (masks/edge_smoother.c); afterwards
 * the runs of equal labels (masks/specks.c), which are few. */
static size_t mask(const sizes *s, const seg_options *o) {
    const size_t own = s->pixels * (1 + (o->probability ? s->k * SINGLE : 0) + (size_t)o->uncertainty);
    const size_t runs = (size_t)s->grid.height * (sizeof(size_t) + 64 * 4 * INDEX);
    const size_t tiles = s->pixels / 1600 * 4 * sizeof(void *) + s->n * (SINGLE + 2);
    const size_t longer = larger((size_t)s->grid.width, (size_t)s->grid.height);
    const size_t rows = (size_t)s->threads * larger(40, (size_t)s->grid.side) * longer * SINGLE;
    if (o->refine == SEG_REFINE_NONE)
        return own + PNG_BYTES;
    return own + (o->refine == SEG_REFINE_BEST ? seg_refine_best_bytes(s->pixels, s->k) : 0) + tiles + rows + runs;
}

/* --- The plan. --- */

void seg_plan_note(seg_photo_plan *plan, const char *format, ...) {
    size_t used = strlen(plan->adapted);
    va_list arguments;
    if (used && used + 3 < sizeof plan->adapted) {
        memcpy(plan->adapted + used, ", ", 3);
        used += 2;
    }
    va_start(arguments, format);
    vsnprintf(plan->adapted + used, sizeof plan->adapted - used, format, arguments);
    va_end(arguments);
}

void seg_plan_raise(seg_photo_plan *plan, const char *stage, size_t bytes) {
    int at = 0;
    while (at < plan->stages && strcmp(plan->stage[at].name, stage) != 0)
        at++;
    if (at == SEG_PLAN_STAGES)
        return;
    plan->stages = at < plan->stages ? plan->stages : at + 1;
    plan->stage[at].name = stage;
    plan->stage[at].bytes = larger(plan->stage[at].bytes, bytes);
    plan->predicted = 0;
    for (int s = 0; s < plan->stages; s++)
        plan->predicted = larger(plan->predicted, plan->stage[s].bytes);
}

static void predict(const seg_plan_job *job, size_t held, seg_photo_plan *plan) {
    const seg_options *o = &plan->options;
    const sizes s = measure(job, o, plan->threads);
    const size_t appearance = s.n * 3 * appearance_columns(&s, o) * REAL,
                 list = s.n * (4 * INDEX + 2 * sizeof(int16_t));
    size_t kept = held + PROCESS_BYTES + (size_t)plan->threads * THREAD_BYTES + list;
    memset(plan->stage, 0, sizeof plan->stage);
    plan->stages = 0;
    if (job->reading)
        seg_plan_raise(plan, "read", held - job->inputs + job->reading + DECODER_BYTES);
    seg_plan_raise(plan, "constraints", kept + s.n * 8 * INDEX);
    kept += s.n * s.columns * REAL;
    seg_plan_raise(plan, "features", kept + features(&s, o, job->depth));
    if (s.method->needs & SEG_USES_CONTEXT) {
        kept += appearance;
        seg_plan_raise(plan, "context features", kept + appearance);
    }
    if (s.method->needs & SEG_NEEDS_GRAPH) {
        seg_plan_raise(plan, "graph", kept + seg_graph_building_bytes(s.n, s.columns, &o->graph, s.threads));
        kept += seg_graph_bytes(s.n, &o->graph);
        if (s.entries) {
            seg_plan_raise(plan, "hierarchy", kept + seg_laplacian_making_bytes(s.n, s.entries));
            kept += seg_laplacian_bytes(s.n, s.entries);
        }
    }
    seg_plan_raise(plan, "clustering", kept + cluster(&s, o, job));
    kept = held + PROCESS_BYTES + (size_t)plan->threads * THREAD_BYTES + list + s.n * s.k * REAL;
    seg_plan_raise(plan, "mask", kept + mask(&s, o));
    kept = held + PROCESS_BYTES + s.pixels * (1 + (o->probability ? s.k * SINGLE : 0) + (size_t)o->uncertainty);
    seg_plan_raise(plan, "write", kept + PNG_BYTES + job->writing);
}

/* Larger patches: those of the automatic side keep their five pixels on a copy that is reduced the more. @return 0
 * where there are none */
static int enlarge_patches(const seg_plan_job *job, seg_options *o) {
    const int own = seg_patch_side_auto(1, 1);
    const int side = o->patch ? o->patch : seg_patch_side_auto(job->width, job->height);
    const int step = o->patch && !o->reduce ? 1 : o->reduce ? o->patch / o->reduce : own;
    if (side + step > MOST_SIDE || seg_patch_grid_make(job->width, job->height, side).columns < 2)
        return 0;
    if (step > 1 || o->reduce)
        o->reduce = (side + step) / step;
    o->patch = side + step;
    return 1;
}

static int fewer_vectors(const sizes *s, seg_options *o) {
    const int p = seg_method_eigenvectors(s->method);
    const int least = (int)s->k + 2 > LEAST_VECTORS ? (int)s->k + 2 : LEAST_VECTORS;
    if (p < 0 || (int)s->params.value[p] <= least || !o->method)
        return 0;
    o->params = s->params;
    o->params_set = 1;
    o->params.value[p] = (int)s->params.value[p] / 2 > least ? (int)s->params.value[p] / 2 : least;
    return 1;
}

/* One step down the ladder; kept only where it makes the plan smaller. @return 0 at its end */
static int adapt(const seg_plan_job *job, size_t held, size_t limit, seg_photo_plan *plan) {
    for (int step = 0; step < 4; step++) {
        seg_photo_plan next = *plan;
        const sizes s = measure(job, &plan->options, plan->threads);
        const int may = !plan->options.fixed;
        int there = 0;
        if (step == 0 && (there = plan->threads > 1))
            next.threads = plan->threads / 2;
        else if (step == 1 && (there = may && plan->options.refine == SEG_REFINE_BEST))
            next.options.refine = SEG_REFINE_FAST;
        else if (step == 2)
            there = may && fewer_vectors(&s, &next.options);
        else if (step == 3)
            there = may && !job->fixed_patches && enlarge_patches(job, &next.options);
        if (!there)
            continue;
        predict(job, held, &next);
        /* Fewer threads cost time: they are worth that where they help a good deal. */
        const size_t least = step == 0 ? (plan->predicted - limit) / 4 : 0;
        if (next.predicted + least < plan->predicted) {
            *plan = next;
            return 1;
        }
    }
    return 0;
}

static void describe(const seg_plan_job *job, const seg_options *asked, int threads, seg_photo_plan *plan) {
    const seg_options *o = &plan->options;
    const int vectors = plan->options.params_set ? seg_method_eigenvectors(seg_method_find(o->method)) : -1;
    const sizes before = measure(job, asked, threads);
    plan->adapted[0] = 0;
    if (plan->threads != threads)
        seg_plan_note(plan, "%d threads in place of %d", plan->threads, threads);
    if (o->refine != asked->refine)
        seg_plan_note(plan, "refine fast in place of best");
    if (vectors >= 0 && o->params.value[vectors] < before.params.value[vectors])
        seg_plan_note(plan, "%g eigenvectors in place of %g", o->params.value[vectors], before.params.value[vectors]);
    if (o->patch != asked->patch)
        seg_plan_note(plan, "patches of %d pixels in place of %d", o->patch, before.grid.side);
}

seg_status seg_plan_photo(seg_context *ctx, const seg_plan_job *job, const seg_options *options, seg_photo_plan *out) {
    const int threads = seg_threads(ctx);
    const size_t now = seg_memory_held(), held = now + job->inputs;
    const size_t limit = job->most && job->most < ctx->max_memory ? job->most : ctx->max_memory;
    memset(out, 0, sizeof *out);
    seg_status status = seg_options_check(ctx, options);
    if (status)
        return status;
    if (job->width < 1 || job->height < 1 || job->width > SEG_MAX_SIDE || job->height > SEG_MAX_SIDE ||
        (job->depth != 8 && job->depth != 16))
        return seg_fail(ctx, SEG_ERR_USAGE, "a plan for %d x %d pixels of %d bits", job->width, job->height,
                        job->depth);
    out->options = *options;
    out->threads = threads;
    predict(job, held, out);
    out->asked = out->predicted;
    while (limit && out->predicted > limit)
        if (!adapt(job, held, limit, out))
            break;
    describe(job, options, threads, out);
    if (!limit || out->predicted <= limit)
        return SEG_OK;
    ctx->over_limit = 1;
    return seg_fail(ctx, SEG_ERR_LIMIT,
                    "an image of %d x %d pixels needs a limit on memory of at least %.0fM%s, and it is %.0fM: allow "
                    "more, or give a smaller image",
                    job->width, job->height, 1e-6 * (double)out->predicted + 1,
                    options->fixed ? " with these options" : "", 1e-6 * (double)limit);
}
