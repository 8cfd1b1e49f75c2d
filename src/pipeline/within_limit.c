/* The context's limit on memory: smaller plans where an estimate was too small. */
#include "pipeline/run.h"

#include "base/base.h"
#include "pipeline/plan.h"

#include <string.h>

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
