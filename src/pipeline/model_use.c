/* Use of a model: its features and labels, and its posterior as prior of the clustering. Unknown patches are one more
 * cluster, whose label is SEG_VOID. */
#include "pipeline/run.h"

#include "base/base.h"
#include "features/context_features.h"
#include "methods/method.h"
#include "model/model.h"

/* The strength of the prior is the model's, unless one was set. */
static void set_strength(seg_options *o) {
    const seg_method *method = seg_method_find(NULL);
    seg_params usual = seg_params_default(method);
    if (o->method && seg_method_find(o->method) != method) /* which is refused */
        return;
    if (!o->params_set)
        o->params = usual;
    if (o->params.value[0] == usual.value[0])
        o->params.value[0] = o->model->prior;
    o->method = method->name;
    o->params_set = 1;
}

seg_options seg_options_with_model(const seg_options *options) {
    seg_options out = *options;
    if (options->model) {
        out.features = options->model->features;
        out.patch = options->model->patch;
        out.reduce = options->model->reduce;
        set_strength(&out);
    }
    return out;
}

seg_status seg_model_check_use(seg_context *ctx, const seg_options *o, const seg_constraints *pairs) {
    const seg_method *method = seg_method_find(NULL);
    const seg_options usual = seg_options_default();
    const size_t size = sizeof usual.features;
    if (!o->model->forest.tree)
        return seg_fail(ctx, SEG_ERR_USAGE, "the model has not learned yet; call seg_model_learn first");
    if (o->method && seg_method_find(o->method) != method)
        return seg_fail(ctx, SEG_ERR_USAGE, "a model works with the method %s, not with %s; leave the method out",
                        method->name, o->method);
    if (o->k)
        return seg_fail(ctx, SEG_ERR_USAGE, "k is %d, but the model has labels of its own; leave k out", o->k);
    if ((o->patch && o->patch != o->model->patch) || (o->reduce && o->reduce != o->model->reduce) ||
        (memcmp(&o->features, &usual.features, size) && memcmp(&o->features, &o->model->features, size)))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "a model has features and patches of its own; leave features, patch and reduce out");
    if (o->sample_pairs || (pairs && pairs->pairs))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "pairs cannot be combined with a model; give scribbles, or leave the pairs out");
    if (o->object)
        return seg_fail(ctx, SEG_ERR_USAGE, "object is for scribbles without a model; leave it out");
    if (o->box.width)
        return seg_fail(ctx, SEG_ERR_USAGE, "a box is for one object without a model; leave it out");
    if (o->graph.kind == SEG_GRAPH_FULL)
        return seg_fail(ctx, SEG_ERR_USAGE, "a model needs a graph of nearest neighbours, not the complete graph");
    return SEG_OK;
}

seg_status seg_run_model_labels(seg_context *ctx, seg_run *r) {
    const struct seg_model *model = r->options->model;
    seg_scan *scan = &r->scan;
    int k = scan->labels;
    for (int c = 0; c < model->labels; c++)
        if (scan->marks.column[model->number[c]] < 0) {
            if (k == SEG_MAX_LABELS)
                return seg_fail(ctx, SEG_ERR_USAGE,
                                "the model and the scribbles together have more than %d labels; use fewer",
                                SEG_MAX_LABELS);
            scan->label[k++] = model->number[c];
        }
    if (!r->options->no_unknown && model->novelty.reach > 0 && k < SEG_MAX_LABELS)
        scan->label[k++] = SEG_VOID;
    r->out->k = k;
    return SEG_OK;
}

void seg_patches_around(const seg_patch_grid *grid, double sign, const double *from, double *to) {
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->columns; c++) {
            double found = sign * HUGE_VAL;
            for (int v = r > 0 ? r - 1 : r; v <= r + 1 && v < grid->rows; v++)
                for (int u = c > 0 ? c - 1 : c; u <= c + 1 && u < grid->columns; u++)
                    found = sign * fmin(sign * found, sign * from[(size_t)v * (size_t)grid->columns + (size_t)u]);
            to[(size_t)r * (size_t)grid->columns + (size_t)c] = found;
        }
}

seg_status seg_session_model_features(seg_context *ctx, const seg_session *s, seg_matrix *out) {
    const seg_patch_grid *grid = &s->layout.grid;
    seg_feature_spec spec = s->options.features;
    SEG_RELEASED(seg_matrix_free) seg_matrix alike = {0};
    if (s->channels.stack) /* the session stretches each, which other images do not share */
        SEG_TRY(seg_channels_features(ctx, &s->channels, grid, &spec, &s->features, &alike));
    return seg_series_features(ctx, s->channels.stack ? &alike : &s->features, grid, &spec, out);
}

seg_status seg_session_ask_model(seg_context *ctx, seg_session *s) {
    const struct seg_model *model = s->options.model;
    SEG_RELEASED(seg_matrix_free) seg_matrix F = {0};
    SEG_RELEASED(seg_matrix_free) seg_matrix P = {0};
    SEG_TRY(seg_session_model_features(ctx, s, &F));
    SEG_TRY(seg_model_posterior(ctx, model, &F, &P));
    free(s->misfit); /* of an attempt that was cancelled */
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(s->misfit, F.rows)));
    SEG_TRY(seg_novelty_distance(ctx, &model->novelty, &F, s->misfit));
    for (size_t i = 0; i < F.rows; i++)
        s->misfit[i] = seg_novelty_share(&model->novelty, s->misfit[i]);
    SEG_LOCAL(double, least, seg_alloc(ctx, F.rows, sizeof *least));
    /* A patch that two regions share looks like neither: what is narrower than three patches is not unknown. */
    seg_patches_around(&s->layout.grid, 1, s->misfit, least);
    seg_patches_around(&s->layout.grid, -1, least, s->misfit);
    return SEG_HANDED_OVER(&s->posterior, P);
}

seg_status seg_run_prior(seg_context *ctx, seg_run *r) {
    const seg_session *s = r->session;
    const size_t k = (size_t)r->out->k, known = s->posterior.cols;
    const int unknown = r->scan.label[k - 1] == SEG_VOID;
    SEG_TRY(seg_matrix_create(ctx, s->posterior.rows, k, &r->prior));
    for (size_t c = 0; c < k; c++) {
        const int from = seg_model_column(s->options.model, r->scan.label[c]);
        for (size_t i = 0; from >= 0 && i < r->prior.rows; i++)
            r->prior.at[i * k + c] = s->posterior.at[i * known + (size_t)from] * (unknown ? 1 - s->misfit[i] : 1);
    }
    for (size_t i = 0; unknown && i < r->prior.rows; i++)
        r->prior.at[i * k + k - 1] = s->misfit[i];
    return SEG_OK;
}

void seg_run_model_colours(seg_run *r) {
    const struct seg_model *model = r->options->model;
    for (int c = r->scan.labels; c < r->out->k; c++) {
        const int from = seg_model_column(model, r->scan.label[c]);
        if (from >= 0)
            memcpy(r->out->mask.colour[r->scan.label[c]], model->colour[from], 3);
    }
}

typedef struct reordering {
    float *probability;
    size_t width, k;
    uint8_t from[SEG_MAX_LABELS]; /* the column that comes to each place */
} reordering;

static void reorder_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const reordering *r = arg;
    float old[SEG_MAX_LABELS];
    for (size_t p = first * r->width; p < last * r->width; p++) {
        float *own = r->probability + p * r->k;
        memcpy(old, own, r->k * sizeof *old);
        for (size_t c = 0; c < r->k; c++)
            own[c] = old[r->from[c]];
    }
}

void seg_run_model_columns(seg_context *ctx, const seg_run *r) {
    seg_result *out = r->out;
    reordering order = {out->probability, (size_t)r->photo->width, 0, {0}};
    int column[256];
    memset(column, 0xff, sizeof column);
    for (int c = 0; c < out->k; c++)
        column[r->scan.label[c]] = c;
    for (int l = 0; l < 256; l++)
        if (column[l] >= 0) {
            out->column_label[order.k] = (uint8_t)l;
            order.from[order.k++] = (uint8_t)column[l];
        }
    if (out->probability && memcmp(out->column_label, r->scan.label, order.k) != 0)
        seg_parallel(ctx, (size_t)r->photo->height, 0, reorder_rows, &order);
}
