/* The clustering of the patches. */
#include "pipeline/run.h"

#include "base/base.h"
#include "features/spec.h"
#include "masks/balance.h"
#include "masks/extent.h"
#include "methods/assign.h"
#include "methods/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An object and its background, each with strokes, by the default method. */
static seg_status balance(seg_context *ctx, seg_run *r) {
    const seg_session *s = r->session;
    const double *weight = s->options.features.weight;
    const seg_constraints *given = &r->given;
    if (r->options->balance == SEG_BALANCE_OFF || r->out->method != seg_method_default(1) || !r->scribbles ||
        r->options->model || r->out->k != 2 || given->groups != 2 || given->pairs)
        return SEG_OK;
    uint8_t *uses = seg_alloc(ctx, s->features.cols, 1);
    if (!uses)
        return SEG_ERR_MEMORY;
    memset(uses, 1, s->features.cols);
    for (size_t kind = 0, column = 0; kind < SEG_FEATURE_KINDS; kind++)
        for (size_t c = 0; weight[kind] > 0 && c < seg_feature_columns((seg_feature_kind)kind); c++)
            uses[column++] = kind != SEG_FEATURE_POSITION;
    const seg_balance_view view = {&s->grid, &s->features, uses, given->group, &r->clustering.score};
    double object = 0;
    size_t lowered = 0;
    seg_status status = seg_balance_find(ctx, &view, &r->shift, &object);
    if (!status && r->shift != 0) {
        seg_balance_apply(given->group, r->shift, &r->clustering.score, r->clustering.label);
        seg_log(ctx, SEG_LOG_INFO, "the odds of label %d are taken %.2f times as large as the walk has them",
                r->scan.label[r->shift < 0], exp(fabs(r->shift)));
    }
    if (!status)
        status =
            seg_extent_apply(ctx, &s->grid, given->group, object, &r->clustering.score, r->clustering.label, &lowered);
    if (!status && lowered)
        seg_log(ctx, SEG_LOG_INFO,
                "%zu patches lie much farther from the strokes of label %d than those of the other label do: its odds "
                "are lower there",
                lowered, r->scan.label[object < 0]);
    free(uses);
    return status;
}

seg_status seg_run_clustering(seg_context *ctx, seg_run *r) {
    const seg_session *s = r->session;
    seg_result *out = r->out;
    const int with_graph = (out->method->needs & SEG_NEEDS_GRAPH) != 0;
    seg_problem problem = {.n = s->features.rows,
                           .k = out->k,
                           .features = &s->features,
                           .affinity = with_graph && s->affinity.start ? &s->affinity : NULL,
                           .patches = 1,
                           .context = out->method->needs & SEG_USES_CONTEXT && s->context.rows ? &s->context : NULL,
                           .laplacian = with_graph ? s->laplacian : NULL,
                           .full = with_graph ? s->full : NULL,
                           .constraints = r->sampled.n ? &r->sampled : &r->given,
                           .restarts = r->options->restarts};
    out->feature_columns = s->features.cols;
    out->graph_edges = with_graph ? s->edges_of_graph : 0;
    out->sigma = with_graph ? s->sigma : 0;
    seg_status status = s->options.model ? seg_run_prior(ctx, r) : SEG_OK;
    if (status)
        return status;
    problem.prior = r->prior.rows ? &r->prior : NULL;
    seg_progress_share(ctx, r->rows ? 0.36 : 0.3, r->rows ? 0.4 : 0.8);
    status = seg_cluster(ctx, out->method, &out->params, &problem, &r->clustering);
    seg_progress_share(ctx, 0, 1);
    if (!status && r->sampled.n) { /* the method saw pairs only: its clusters still take the strokes' labels */
        problem.constraints = &r->given;
        if ((status = seg_name_clusters(ctx, &problem, &r->clustering)) == SEG_OK)
            status = seg_fill_clusters(ctx, out->method->name, &problem, &r->clustering);
    }
    if (!status)
        status = balance(ctx, r);
    if (status)
        return status;
    seg_kept_count(&r->given, &r->clustering, &out->kept);
    seg_kept_warn(ctx, out->method, &r->given, &r->clustering, &out->kept);
    out->ran = r->clustering.ran;
    out->objective = r->clustering.objective;
    out->objective_bound = r->clustering.objective_bound;
    out->iterations = r->clustering.iterations;
    out->converged = r->clustering.converged;
    return SEG_OK;
}
