/* The context's limit on memory: smaller plans where an estimate was too small, less refinement where borders are many.
 */
#include "pipeline/run.h"

#include "base/base.h"
#include "pipeline/finer.h"
#include "pipeline/plan.h"

#include <string.h>

/* Near borders, as far from them as the context's limit leaves room for; where there is none, the patches' blocks. */
seg_status seg_run_refine_near(seg_context *ctx, seg_run *r, const seg_pixel_scores *pixels) {
    static const int narrower[] = {24, 12, 6};
    seg_photo_plan *plan = &r->plan;
    const int asked = plan->options.reach ? plan->options.reach : SEG_REFINE_REACH, over_limit = ctx->over_limit;
    const size_t held = seg_memory_held();
    size_t bytes = 0;
    seg_status status = seg_refine_fast(ctx, r->photo, &r->session->edges, seg_run_cell_scores(r), &r->scan.marks,
                                        asked, pixels, &bytes);
    if (status != SEG_ERR_LIMIT || plan->options.fixed) {
        seg_plan_raise(plan, held + bytes);
        return status;
    }
    for (size_t i = 0; i < sizeof narrower / sizeof *narrower && status == SEG_ERR_LIMIT; i++)
        if (narrower[i] < asked) {
            plan->options.reach = narrower[i];
            status = seg_refine_fast(ctx, r->photo, &r->session->edges, seg_run_cell_scores(r), &r->scan.marks,
                                     narrower[i], pixels, &bytes);
        }
    if (status == SEG_ERR_LIMIT) {
        seg_refine_none(ctx, seg_run_cells(r), seg_run_cell_scores(r), pixels);
        plan->options.refine = SEG_REFINE_NONE;
        bytes = 0;
        status = SEG_OK;
        seg_plan_note(plan, "no refinement");
    } else if (status == SEG_OK) {
        seg_plan_note(plan, "refinement within %d pixels of borders in place of %d", plan->options.reach, asked);
    }
    ctx->over_limit = over_limit;
    seg_plan_raise(plan, held + bytes);
    if (!r->session->once)
        seg_plan_say(ctx, plan);
    return status;
}

/* Where a run passes the limit all the same, the next smaller plan is tried. */
seg_status seg_segment_photo(seg_context *ctx, const seg_image *photo, const seg_mask *scribbles,
                             const seg_constraints *pairs, const seg_options *options, seg_result **out) {
    const int over_limit = ctx->over_limit, with_pairs = pairs && pairs->pairs;
    seg_plan_job job = {.width = photo->width,
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
    while (session) {
        char message[SEG_MESSAGE_SIZE];
        session->once = 1;
        job.most = session->plan.predicted - session->plan.predicted / 100;
        ctx->over_limit = 0;
        status = seg_session_segment(ctx, session, scribbles, pairs, out);
        seg_session_close(session);
        session = NULL;
        if (status != SEG_OK && ctx->over_limit && !options->fixed) {
            memcpy(message, ctx->message, sizeof message);
            if (seg_session_plan(ctx, photo, options, &job, &session) != SEG_OK)
                memcpy(ctx->message, message, sizeof message);
        }
        ctx->over_limit |= over_limit;
    }
    if (status == SEG_OK)
        seg_plan_say(ctx, &(*out)->plan);
    return status;
}
