/* An image at work: opened with a plan, prepared, segmented any number of times. */
#include "pipeline/run.h"

#include "base/base.h"
#include "pipeline/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

seg_status seg_session_plan(seg_context *ctx, const seg_image *photo, const seg_options *options,
                            const seg_plan_job *job, seg_session **out) {
    seg_photo_plan plan;
    seg_session *made = NULL;
    seg_status status = seg_plan_photo(ctx, job, options, &plan);
    if (!status && !(made = seg_alloc_zero(ctx, 1, sizeof *made)))
        status = SEG_ERR_MEMORY;
    *out = made;
    if (status)
        return status;
    const int side = plan.options.patch ? plan.options.patch : seg_patch_side_auto(photo->width, photo->height);
    made->photo = photo;
    made->plan = plan;
    made->options = plan.options;
    made->grid = seg_patch_grid_make(photo->width, photo->height, side);
    return SEG_OK;
}

seg_status seg_session_open(seg_context *ctx, const seg_image *photo, const seg_options *options, seg_session **out) {
    const seg_plan_job job = {.width = photo->width, .height = photo->height, .depth = photo->depth};
    const seg_status status = seg_session_plan(ctx, photo, options, &job, out);
    if (!status)
        seg_plan_say(ctx, &(*out)->plan);
    return status;
}

seg_status seg_session_prepare(seg_context *ctx, seg_session *session) {
    const seg_options *o = &session->options;
    const seg_method *method = o->method ? seg_method_find(o->method) : seg_method_default(1);
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    return seg_session_make(ctx, session, method->needs, seg_wants_chromaticity(o, method, 1));
}

seg_status seg_session_segment(seg_context *ctx, seg_session *session, const seg_mask *scribbles,
                               const seg_constraints *pairs, seg_result **out) {
    seg_result *made = *out = seg_alloc_zero(ctx, 1, sizeof *made);
    if (!made)
        return SEG_ERR_MEMORY;
    seg_run r = {.session = session,
                 .photo = session->photo,
                 .scribbles = scribbles,
                 .pairs = pairs,
                 .options = &session->options,
                 .plan = session->plan,
                 .out = made};
    made->objective = NAN;
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    const seg_status status = seg_run_stages(ctx, &r);
    made->plan = r.plan;
    seg_constraints_free(&r.given);
    seg_constraints_free(&r.sampled);
    seg_matrix_free(&r.prior);
    seg_matrix_free(&r.fine);
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
    seg_session_free_graph(session);
    seg_edges_free(&session->edges);
    free(session);
}

seg_status seg_segment_photo(seg_context *ctx, const seg_image *photo, const seg_mask *scribbles,
                             const seg_constraints *pairs, const seg_options *options, seg_result **out) {
    const int with_pairs = pairs && pairs->pairs;
    const seg_plan_job job = {.width = photo->width,
                              .height = photo->height,
                              .depth = photo->depth,
                              .k = options->k || !scribbles ? options->k : scribbles->labels,
                              .constraints = scribbles    ? SEG_PLAN_SCRIBBLES
                                             : with_pairs ? SEG_PLAN_PAIRS
                                                          : SEG_PLAN_NONE,
                              .fixed_patches = with_pairs};
    seg_session *session;
    *out = NULL;
    seg_status status = seg_session_plan(ctx, photo, options, &job, &session);
    if (status)
        return status;
    session->once = 1;
    status = seg_session_segment(ctx, session, scribbles, pairs, out);
    seg_session_close(session);
    if (!status)
        seg_plan_say(ctx, &(*out)->plan);
    return status;
}
