/* The way of the data, from the image and the scribbles to the mask. */
#include "pipeline/run.h"

#include "base/base.h"

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
        {seg_run_check, 0, NULL},      {seg_run_constraints, 0, "constraints"},
        {features_and_graph, 0, NULL}, {seg_run_clustering, 0.3, "clustering"},
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
