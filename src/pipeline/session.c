/* Sessions: an image with a plan and prepared features, segmented any number of times. */
#include "pipeline/run.h"

#include "base/base.h"
#include "features/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

seg_status seg_session_plan(seg_context *ctx, const seg_image *photo, const seg_options *options,
                            const seg_plan_job *job, seg_session **out) {
    seg_photo_plan plan;
    seg_options adapted;
    seg_session *made = NULL;
    seg_status status = seg_plan_make(ctx, job, options, &plan, &adapted);
    if (!status && !(made = seg_alloc_zero(ctx, 1, sizeof *made)))
        status = SEG_ERR_MEMORY;
    *out = made;
    if (status)
        return status;
    made->photo = photo;
    made->plan = plan;
    made->options = adapted;
    made->layout = seg_patch_layout_of(&adapted, photo->width, photo->height);
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
    const seg_method *method = o->method ? seg_method_find(o->method) : seg_method_find(NULL);
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    const seg_circumstances strokes = seg_circumstances_of_strokes(o, method);
    seg_decision decided[SEG_DECISIONS];
    seg_decide(o, &strokes, decided);
    return seg_session_make(ctx, session, method->needs, decided[SEG_DECIDED_CHROMATICITY].on);
}

void seg_run_free(seg_run *r) {
    seg_constraints_free(&r->given);
    seg_constraints_free(&r->sampled);
    seg_matrix_free(&r->prior);
    seg_matrix_free(&r->fine);
    seg_clustering_free(&r->clustering);
    seg_label_rows_free(&r->scan.own);
    seg_label_rows_free(r->rows);
}

/* One attempt. too_coarse: the strokes need smaller patches. */
static seg_status segment(seg_context *ctx, seg_session *session, const seg_mask *scribbles,
                          const seg_constraints *pairs, int *too_coarse, seg_result **out) {
    seg_label_rows rows = {0};
    seg_result *made = *out = seg_result_create(ctx, &session->options);
    *too_coarse = 0;
    if (!made)
        return SEG_ERR_MEMORY;
    SEG_RELEASED(seg_run_free)
    seg_run r = {.session = session,
                 .photo = session->photo,
                 .scribbles = scribbles,
                 .pairs = pairs,
                 .options = &session->options,
                 .plan = session->plan,
                 .rows = &rows,
                 .out = made};
    const seg_status status = seg_run_stages(ctx, &r);
    made->plan = r.plan;
    *too_coarse = r.too_coarse;
    if (status) {
        seg_result_free(made);
        *out = NULL;
    }
    return status;
}

/* Small images may have strokes of two labels in one patch, or fewer patches than regions: the automatic side is then
 * the largest that separates them. */
static seg_status segment_finer(seg_context *ctx, const seg_session *coarse, const seg_mask *scribbles,
                                seg_result **out) {
    seg_session finer = {.photo = coarse->photo, .options = coarse->options, .plan = coarse->plan, .once = 1};
    seg_status status = SEG_ERR_INPUT;
    int too_coarse = 1;
    for (int side = coarse->layout.grid.side - 1; too_coarse && side >= 1; side--) {
        finer.options.patch = side;
        finer.layout = seg_patch_layout_of(&finer.options, coarse->photo->width, coarse->photo->height);
        status = segment(ctx, &finer, scribbles, NULL, &too_coarse, out);
    }
    if (!status)
        seg_log(ctx, SEG_LOG_INFO, "patches of %d pixels instead of %d, so that every label has patches of its own",
                finer.options.patch, coarse->layout.grid.side);
    seg_session_free_graph(&finer);
    seg_edges_free(&finer.edges);
    return status;
}

seg_status seg_session_segment(seg_context *ctx, seg_session *session, const seg_mask *scribbles,
                               const seg_constraints *pairs, seg_result **out) {
    const int threads = ctx->threads, side = session->layout.grid.side;
    int too_coarse;
    ctx->threads = session->plan.threads;
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    seg_status status = segment(ctx, session, scribbles, pairs, &too_coarse, out);
    if (too_coarse && !session->options.patch && !pairs && side == SEG_PATCH_SIDE)
        status = segment_finer(ctx, session, scribbles, out);
    ctx->threads = threads;
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
    SEG_TRY(seg_session_plan(ctx, photo, options, &job, &session));
    session->once = 1;
    const seg_status status = seg_session_segment(ctx, session, scribbles, pairs, out);
    seg_session_close(session);
    if (!status)
        seg_plan_say(ctx, &(*out)->plan);
    return status;
}
