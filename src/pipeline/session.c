/* Sessions: an image with a plan and prepared features, segmented any number of times. */
#include "pipeline/run.h"

#include "base/base.h"
#include "features/grid.h"
#include "pipeline/box.h"
#include "pipeline/start.h"

#include <math.h>

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

/* What is asked of a session. */
typedef struct request {
    const seg_mask *scribbles;
    const seg_constraints *pairs;
    int too_coarse;   /* set to 1: the strokes need smaller patches */
    seg_matrix score; /* of the patches; taken over where it is wanted */
    int wants_score;
} request;

/* One attempt. */
static seg_status segment(seg_context *ctx, seg_session *session, request *job, seg_result **out) {
    seg_label_rows rows = {0};
    seg_result *made = *out = seg_result_create(ctx, &session->options);
    job->too_coarse = 0;
    SEG_TRY(seg_allocated(made));
    SEG_RELEASED(seg_run_free)
    seg_run r = {.session = session,
                 .photo = session->photo,
                 .scribbles = job->scribbles,
                 .pairs = job->pairs,
                 .options = &session->options,
                 .plan = session->plan,
                 .rows = &rows,
                 .out = made};
    seg_status status = seg_run_stages(ctx, &r);
    if (!status)
        status = seg_run_remember(ctx, &r);
    made->plan = r.plan;
    job->too_coarse = r.too_coarse;
    if (!status && job->wants_score) {
        job->score = r.clustering.score;
        r.clustering.score = (seg_matrix){0};
    }
    if (status) {
        seg_result_free(made);
        *out = NULL;
    }
    return status;
}

/* A turn towards the marks of an object in a box: of blocks, without the messages that the last one makes. */
static seg_status find_marks(seg_context *ctx, seg_session *s, seg_box_marks *marks, request *job) {
    const seg_options asked = s->options;
    const seg_log_fn log = ctx->log;
    const int once = s->once;
    SEG_RELEASED(seg_matrix_free) seg_matrix score = {0};
    request turn = {.scribbles = &marks->mask, .wants_score = 1};
    seg_result *blocks;
    s->options.refine = SEG_REFINE_NONE;
    s->options.islands = (seg_islands_rule){.usual = SEG_ISLANDS_KEEP};
    s->options.probability = s->options.uncertainty = s->once = 0;
    ctx->log = NULL;
    const seg_status status = segment(ctx, s, &turn, &blocks);
    ctx->log = log;
    s->options = asked;
    s->once = once;
    job->too_coarse = turn.too_coarse;
    score = turn.score;
    seg_result_free(blocks);
    return status ? status : seg_box_go_on(ctx, s, &score, marks);
}

enum { TURNS = 2 };

static seg_status segment_box(seg_context *ctx, seg_session *s, request *job, seg_result **out) {
    SEG_RELEASED(seg_box_free) seg_box_marks marks = {0};
    *out = NULL;
    if (job->pairs && job->pairs->pairs)
        return seg_fail(ctx, SEG_ERR_USAGE, "a box is for strokes, not for listed pairs; leave one of them out");
    if (s->options.k && s->options.k != 2)
        return seg_fail(ctx, SEG_ERR_USAGE, "a box is for 2 regions, not for %d; leave k out", s->options.k);
    SEG_TRY(seg_session_prepare(ctx, s));
    SEG_TRY(seg_box_begin(ctx, s, job->scribbles, &marks));
    for (int t = 0; t < TURNS; t++) {
        seg_progress_share(ctx, (double)t / (TURNS + 1), (t + 1.0) / (TURNS + 1));
        SEG_TRY(find_marks(ctx, s, &marks, job));
    }
    seg_progress_share(ctx, (double)TURNS / (TURNS + 1), 1);
    request last = {.scribbles = &marks.mask};
    const seg_status status = segment(ctx, s, &last, out);
    job->too_coarse = last.too_coarse;
    return status;
}

static seg_status segment_start(seg_context *ctx, seg_session *s, request *job, seg_result **out) {
    const seg_options *o = &s->options;
    SEG_RELEASED(seg_start_free) seg_start start = {0};
    *out = NULL;
    if (o->model || o->box.width || o->object || o->k || o->sample_pairs || (job->pairs && job->pairs->pairs) ||
        s->file)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "a start is corrected by strokes alone; leave model, box, object, k, pairs and tiles out");
    SEG_TRY(seg_start_begin(ctx, s, job->scribbles, &start));
    request last = {.scribbles = &start.marks};
    s->start = &start;
    const seg_status status = segment(ctx, s, &last, out);
    s->start = NULL;
    if (!status)
        (*out)->marked_pixels = start.strokes;
    job->too_coarse = last.too_coarse;
    return status;
}

static seg_status attempt(seg_context *ctx, seg_session *s, request *job, seg_result **out) {
    return s->options.start       ? segment_start(ctx, s, job, out)
           : s->options.box.width ? segment_box(ctx, s, job, out)
                                  : segment(ctx, s, job, out);
}

/* Small images may have strokes of two labels in one patch, or fewer patches than regions: the automatic side is then
 * the largest that separates them. */
static seg_status segment_finer(seg_context *ctx, const seg_session *coarse, request *job, seg_result **out) {
    seg_session finer = {.photo = coarse->photo, .options = coarse->options, .plan = coarse->plan, .once = 1};
    seg_status status = SEG_ERR_INPUT;
    for (int side = coarse->layout.grid.side - 1; job->too_coarse && side >= 1; side--) {
        seg_session_free_graph(&finer); /* a box makes features before it is known that they do not suffice */
        finer.options.patch = side;
        finer.layout = seg_patch_layout_of(&finer.options, coarse->photo->width, coarse->photo->height);
        status = attempt(ctx, &finer, job, out);
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
    request job = {.scribbles = scribbles, .pairs = pairs};
    ctx->threads = session->plan.threads;
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    seg_status status = attempt(ctx, session, &job, out);
    if (job.too_coarse && !session->options.patch && !pairs && side == SEG_PATCH_SIDE)
        status = segment_finer(ctx, session, &job, out);
    ctx->threads = threads;
    return status;
}

void seg_session_close(seg_session *session) {
    if (!session)
        return;
    seg_session_free_graph(session);
    seg_last_mask_free(&session->last);
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
                              .constraints = scribbles || options->start || options->box.width ? SEG_PLAN_SCRIBBLES
                                             : with_pairs                                      ? SEG_PLAN_PAIRS
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
