/* Constraints of a run: closed scribbles and listed pairs, sampled if requested, and the choice of the method. */
#include "pipeline/run.h"

#include "base/base.h"
#include "constraints/origins.h"
#include "methods/method.h"
#include <segment/options.h>

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

#define IN_VOLUMES 10 /* times the usual prior of the default method: walks from few slices are long */

/* The requested method; else the default, which needs constraints, or normalized cuts without constraints. */
static void choose_method(seg_run *r) {
    const seg_options *o = r->options;
    const seg_constraints *used = r->sampled.n ? &r->sampled : &r->given;
    const seg_method *usual = seg_method_find(NULL);
    const double prior = seg_params_default(usual).value[0];
    const int is_guided = used->groups > 0 || used->pairs > 0 || o->model;
    r->out->method = seg_method_find(o->method || is_guided ? o->method : SEG_METHOD_UNCONSTRAINED);
    r->out->params = o->params_set ? o->params : seg_params_default(r->out->method);
    if (o->slices > 1 && !o->video && r->out->method == usual && r->out->params.value[0] == prior) /* it was not set */
        r->out->params.value[0] = IN_VOLUMES * prior;
    r->out->pairs = used->pairs;
}

/* What was set for a graph, where the method uses none, or for a volume, where the image is none. */
static seg_status warn_of_unused(seg_context *ctx, const seg_run *r) {
    static const char *const of[][4] = {{"graph", "knn", "neighbours", "sigma"}, {"spacing", "video"}};
    const seg_method *method = r->out->method;
    const int used[] = {(method->needs & SEG_NEEDS_GRAPH) != 0, r->options->slices > 1};
    const seg_options usual = seg_options_default();
    char set[64], otherwise[64];
    for (int i = 0; i < 8; i++) {
        const char *name = of[i / 4][i % 4];
        if (used[i / 4] || !name)
            continue;
        SEG_TRY(seg_options_get(ctx, r->options, name, set, sizeof set));
        SEG_TRY(seg_options_get(ctx, &usual, name, otherwise, sizeof otherwise));
        if (strcmp(set, otherwise) != 0 && i < 4)
            seg_log(ctx, SEG_LOG_WARNING, "%s has no effect: method %s uses no graph", name, method->name);
        else if (strcmp(set, otherwise) != 0)
            seg_log(ctx, SEG_LOG_WARNING, "%s has no effect: the image has one slice", name);
    }
    return SEG_OK;
}

static seg_status decide(seg_context *ctx, seg_run *r) {
    const seg_image *seen = r->session->copy ? r->session->copy : r->photo;
    const seg_circumstances c = {.method = r->out->method,
                                 .width = r->photo->width,
                                 .height = r->photo->height,
                                 .scribbles = r->scribbles != NULL,
                                 .labels = r->scan.labels,
                                 .k = r->out->k,
                                 .groups = (r->sampled.n ? r->sampled.groups : r->given.groups) > 0,
                                 .pairs = r->given.pairs > 0,
                                 .seen = (size_t)seen->width * (size_t)seen->height};
    seg_decide(r->options, &c, r->out->decided);
    const int asked[SEG_DECISIONS] = {[SEG_DECIDED_CHROMATICITY] = r->options->chromaticity == SEG_CHROMATICITY_ON,
                                      [SEG_DECIDED_THIN] = r->options->thin == SEG_THIN_ON};
    for (int d = 0; d < SEG_DECISIONS; d++)
        if (asked[d] && !r->out->decided[d].on)
            seg_log(ctx, SEG_LOG_WARNING, "%s stays off: %s", r->out->decided[d].name, r->out->decided[d].why);
    return warn_of_unused(ctx, r);
}

seg_status seg_run_constraints(seg_context *ctx, seg_run *r) {
    const seg_status status = seg_scan_settle(ctx, &r->scan, &r->out->grid, &r->given);
    r->session->too_coarse = status == SEG_ERR_INPUT;
    SEG_TRY(status);
    if (r->options->object && r->options->slices == 1)
        SEG_TRY(seg_scan_unmark(ctx, &r->scan, &r->out->grid, &r->given));
    for (size_t p = 0; r->pairs && p < r->pairs->pairs; p++)
        SEG_TRY(seg_constraints_add(ctx, &r->given, r->pairs->pair[p]));
    SEG_TRY(settle(ctx, r));
    for (size_t i = 0; i < r->given.n && r->given.groups; i++)
        r->out->marked_patches += r->given.group[i] >= 0;
    if (r->options->sample_pairs > 0 && r->given.groups > 0) {
        SEG_TRY(seg_constraints_sample(ctx, &r->given, (size_t)r->options->sample_pairs, &r->sampled));
        for (size_t p = 0; p < r->given.pairs; p++)
            SEG_TRY(seg_constraints_add(ctx, &r->sampled, r->given.pair[p]));
    }
    choose_method(r);
    return decide(ctx, r);
}
