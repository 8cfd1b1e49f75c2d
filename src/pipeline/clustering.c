/* The clustering of the patches. */
#include "pipeline/run.h"

#include "base/base.h"
#include "masks/object.h"
#include "methods/assign.h"
#include "selection/cluster.h"

/* Evidence of the background at the frame, for strokes of one or two labels. */
static seg_status look_at_frame(seg_context *ctx, const seg_run *r, double **background) {
    const seg_session *s = r->session;
    SEG_FREED uint8_t *uses = seg_session_appearance(ctx, s);
    const seg_object_view view = {&s->layout.grid, &s->features, uses, r->given.group};
    return uses ? seg_frame_strength(ctx, &view, background) : SEG_ERR_MEMORY;
}

/* Whether a net says what the object is: it was trained on images in colour. */
static int has_odds(const seg_run *r) {
    const seg_options *o = &r->session->options;
    const seg_decision *decided = r->out->decided;
    const int either = decided[SEG_DECIDED_BALANCE].on && r->given.groups == 2 && !r->sampled.n;
    return o->slices <= 1 && o->channels <= 1 && (decided[SEG_DECIDED_FRAME].on || either);
}

seg_status seg_run_clustering(seg_context *ctx, seg_run *r) {
    const seg_session *s = r->session;
    seg_result *out = r->out;
    const double from = ctx->progress_from, to = ctx->progress_to;
    const int with_graph = (out->method->needs & SEG_NEEDS_GRAPH) != 0;
    const seg_prepared prepared = {.laplacian = with_graph ? s->laplacian : NULL};
    seg_problem problem = {.n = s->features.rows,
                           .k = out->k,
                           .features = &s->features,
                           .affinity = with_graph && s->affinity.start ? &s->affinity : NULL,
                           .patches = 1,
                           .context = out->method->needs & SEG_USES_CONTEXT && s->context.rows ? &s->context : NULL,
                           .prepared = &prepared,
                           .constraints = r->sampled.n ? &r->sampled : &r->given,
                           .restarts = r->options->restarts};
    out->feature_columns = s->features.cols;
    out->graph_edges = with_graph ? s->edges_of_graph : 0;
    out->sigma = with_graph ? s->sigma : 0;
    SEG_FREED double *background = NULL, *odds = NULL;
    if (s->options.model)
        SEG_TRY(seg_run_prior(ctx, r));
    if (r->sampled.n) /* the clusters take these labels, too */
        SEG_TRY(seg_check_k(ctx, &problem, &r->given));
    problem.prior = r->prior.rows ? &r->prior : NULL;
    if (out->decided[SEG_DECIDED_FRAME].on)
        SEG_TRY(look_at_frame(ctx, r, &background));
    double trust = 1;
    if (has_odds(r))
        SEG_TRY(seg_run_object_odds(ctx, r, &odds, &trust));
    problem.background = background;
    problem.odds = odds;
    problem.discount = 1 - trust;
    seg_progress_share(ctx, from + 0.3 * (to - from), from + 0.8 * (to - from));
    SEG_TRY(seg_cluster(ctx, out->method, &out->params, &problem, &r->clustering));
    seg_progress_share(ctx, from, to);
    if (r->sampled.n) { /* the method saw pairs only: its clusters still take the strokes' labels */
        problem.constraints = &r->given;
        SEG_TRY(seg_name_clusters(ctx, &problem, &r->clustering));
        SEG_TRY(seg_fill_clusters(ctx, out->method->name, &problem, &r->clustering));
    }
    seg_kept_count(ctx, out->method, &r->given, &r->clustering, &out->kept);
    out->ran = r->clustering.ran;
    out->objective = r->clustering.objective;
    out->objective_bound = r->clustering.objective_bound;
    out->iterations = r->clustering.iterations;
    out->converged = r->clustering.converged;
    return SEG_OK;
}
