/* The way of the data, from the image and the scribbles to the mask. */
#include "pipeline/run.h"

#include "base/base.h"
#include "constraints/origins.h"
#include "methods/method.h"

/* ---- Whether image, scribbles, pairs and k fit together: out->grid and out->k. ---- */

static seg_status check_k(seg_context *ctx, seg_run *r, size_t patches) {
    const int k = r->out->k, marked = r->scan.labels;
    if (k == 0)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "neither scribbles nor a number of regions is given: give scribbles, or set k to find regions "
                        "without strokes");
    if (k < marked)
        return seg_fail(ctx, SEG_ERR_USAGE, "k = %d is less than the number of marked labels, %d; set k to %d or more",
                        k, marked, marked);
    r->too_coarse = (size_t)k > patches;
    if (r->too_coarse)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "k = %d is more than the image's number of patches, %zu; use smaller patches", k, patches);
    return SEG_OK;
}

/* The option decides which of two labels is the object; it has no meaning for other numbers of labels. */
static seg_status check_object(seg_context *ctx, const seg_run *r) {
    if (!r->options->object || (r->scribbles && r->scan.labels <= 2 && r->out->k == 2))
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_USAGE,
                    "object is for scribbles of an object, or of an object and its background; there are "
                    "%d label%s and %d region%s",
                    r->scan.labels, r->scan.labels == 1 ? "" : "s", r->out->k, r->out->k == 1 ? "" : "s");
}

/* Whether there are strokes of one label alone, patches beside them for the background, and a number for it. */
static int one_and_rest(const seg_run *r) {
    size_t marked = 0;
    for (size_t i = 0; i < r->given.n && r->scan.labels == 1; i++)
        marked += r->given.group[i] >= 0;
    return r->scan.labels == 1 && marked < r->given.n && r->scan.label[0] < SEG_MAX_LABELS;
}

seg_status seg_run_check_size(seg_context *ctx, const char *what, const seg_mask *mask, const seg_image *photo) {
    if (!mask || (mask->width == photo->width && mask->height == photo->height))
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_INPUT, "the %s %d x %d pixels, but the image has %d x %d; sizes must agree", what,
                    mask->width, mask->height, photo->width, photo->height);
}

static seg_status check(seg_context *ctx, seg_run *r) {
    const seg_image *photo = r->photo;
    seg_result *out = r->out;
    SEG_TRY(seg_run_check_size(ctx, "scribbles have", r->scribbles, photo));
    out->grid = r->session->layout.grid;
    const size_t patches = (size_t)out->grid.columns * (size_t)out->grid.rows;
    if (r->options->model)
        SEG_TRY(seg_model_check_use(ctx, r->options, r->pairs));
    if (r->pairs && r->pairs->n != patches)
        return seg_fail(ctx, SEG_ERR_USAGE, "pairs among %zu patches for %zu patches", r->pairs->n, patches);
    SEG_TRY(seg_scan_scribbles(ctx, r->scribbles, r->marks, &out->grid, &r->scan, &r->given));
    out->marked_pixels = r->scan.pixels;
    if (r->scribbles && r->scan.labels == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "nothing is marked: draw a stroke in each region");
    if (r->options->slices > 1 && r->pairs && r->pairs->pairs)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "a volume is segmented by strokes, not by listed pairs; leave the pairs out");
    if (r->options->model)
        return seg_run_model_labels(ctx, r);
    out->k = r->options->k ? r->options->k : r->scan.labels + one_and_rest(r);
    SEG_TRY(check_k(ctx, r, patches));
    SEG_TRY(check_object(ctx, r));
    if (r->scan.labels == 1 && out->k == 1)
        seg_log(ctx, SEG_LOG_WARNING,
                "only label %d is marked, so that the whole image is one region; draw strokes on another region too",
                r->scan.label[0]);
    if (r->scan.labels == 1 && out->k == 2 && !r->options->k)
        seg_log(
            ctx, SEG_LOG_WARNING,
            "only label %d is marked: the rest of the image is taken for background, label %d; draw strokes of other "
            "labels where that is wrong",
            r->scan.label[0], r->scan.label[0] + 1);
    return seg_scan_extend(ctx, out->k, &r->scan);
}

/* ---- Constraints: closed scribbles and listed pairs, sampled if requested, and the choice of the method. ---- */

/* Resolve contradictions by the policy of the user; later stages rely on consistent constraints. */
static seg_status settle(seg_context *ctx, seg_run *r) {
    const seg_pair_origins *of_pairs = seg_constraints_noted(r->pairs).origins;
    seg_constraints_notes *notes = seg_constraints_note(ctx, &r->given);
    seg_pair_origins lent = of_pairs ? *of_pairs : (seg_pair_origins){0};
    SEG_TRY(seg_allocated(notes));
    lent.label = r->scribbles ? r->scan.label : NULL;
    notes->origins = &lent; /* for messages */
    const seg_status status = seg_constraints_close(ctx, &r->given, r->options->contradictions);
    notes->origins = NULL;
    return status;
}

static seg_status sample(seg_context *ctx, seg_run *r) {
    SEG_TRY(seg_constraints_sample(ctx, &r->given, (size_t)r->options->sample_pairs, &r->sampled));
    for (size_t p = 0; p < r->given.pairs; p++)
        SEG_TRY(seg_constraints_add(ctx, &r->sampled, r->given.pair[p]));
    return SEG_OK;
}

/* The requested method; else the default, which needs constraints, or normalized cuts without constraints. */
static void choose_method(seg_run *r) {
    const seg_options *o = r->options;
    const seg_constraints *used = r->sampled.n ? &r->sampled : &r->given;
    r->out->method =
        o->method ? seg_method_find(o->method)
                  : seg_method_find(used->groups > 0 || used->pairs > 0 || o->model ? NULL : SEG_METHOD_UNCONSTRAINED);
    if (o->params_set)
        r->out->params = o->params;
    else
        r->out->params = seg_params_default(r->out->method);
    r->out->pairs = used->pairs;
}

void seg_run_decide(seg_run *r) {
    const seg_circumstances c = {.method = r->out->method,
                                 .width = r->photo->width,
                                 .height = r->photo->height,
                                 .scribbles = r->scribbles != NULL,
                                 .labels = r->scan.labels,
                                 .k = r->out->k,
                                 .groups = (r->sampled.n ? r->sampled.groups : r->given.groups) > 0,
                                 .pairs = r->given.pairs > 0,
                                 .tiled = r->session->file != NULL};
    seg_decide(r->options, &c, r->out->decided);
}

static seg_status take_constraints(seg_context *ctx, seg_run *r) {
    const seg_status status = seg_scan_settle(ctx, &r->scan, &r->out->grid, &r->given);
    r->too_coarse = status == SEG_ERR_INPUT;
    SEG_TRY(status);
    if (r->options->object && r->options->slices == 1)
        SEG_TRY(seg_scan_unmark(ctx, &r->scan, &r->out->grid, &r->given));
    for (size_t p = 0; r->pairs && p < r->pairs->pairs; p++)
        SEG_TRY(seg_constraints_add(ctx, &r->given, r->pairs->pair[p]));
    SEG_TRY(settle(ctx, r));
    for (size_t i = 0; i < r->given.n && r->given.groups; i++)
        r->out->marked_patches += r->given.group[i] >= 0;
    if (r->options->sample_pairs > 0 && r->given.groups > 0)
        SEG_TRY(sample(ctx, r));
    choose_method(r);
    seg_run_decide(r);
    return SEG_OK;
}

/* ---- All stages. ---- */

static seg_status features_and_graph(seg_context *ctx, seg_run *r) {
    unsigned needs = r->out->method->needs;
    if (r->options->model && !r->scribbles) /* a forest of the image's own strokes would need them */
        needs &= ~(unsigned)SEG_USES_CONTEXT;
    return seg_session_make(ctx, r->session, needs, r->out->decided[SEG_DECIDED_CHROMATICITY].on);
}

seg_status seg_run_stages(seg_context *ctx, seg_run *r) {
    static const struct stage {
        seg_status (*run)(seg_context *ctx, seg_run *r);
        double begins;    /* share of the whole that is done before */
        const char *name; /* NULL: told by its parts, or too short to tell of */
    } stages[] = {
        {check, 0, NULL},
        {take_constraints, 0, "constraints"},
        {features_and_graph, 0, NULL},
        {seg_run_clustering, 0.3, "clustering"},
        {seg_run_mask, 0.8, "mask"},
    };
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const struct stage *stage = &stages[i];
        const double started = seg_now();
        if (stage->name)
            SEG_TRY(seg_progress(ctx, stage->begins, stage->name));
        SEG_TRY(stage->run(ctx, r));
        if (stage->name)
            seg_stage_end(ctx, stage->name, started);
    }
    return seg_progress(ctx, 1, "mask");
}

/* A result and the options it was made by. */
typedef struct made {
    seg_result result;
    seg_options options;
} made;

seg_result *seg_result_create(seg_context *ctx, const seg_options *options) {
    made *one = seg_alloc_zero(ctx, 1, sizeof *one);
    if (!one)
        return NULL;
    one->options = *options;
    one->result.options = &one->options;
    one->result.objective = one->result.objective_bound = NAN;
    return &one->result;
}

void seg_result_free(seg_result *result) {
    if (!result)
        return;
    seg_mask_free(&result->mask);
    free(result->probability);
    free(result->uncertainty);
    free(result);
}
