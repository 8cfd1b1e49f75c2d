#include <segment/photo.h>

#include "base/base.h"

#include <math.h>
#include <string.h>

/* Defaults by measurement over whole data sets: docs/results.md. */
void seg_options_default(seg_options *options) {
    memset(options, 0, sizeof *options);
    options->features.weight[SEG_FEATURE_MEAN] = 1;
    options->features.weight[SEG_FEATURE_SPREAD] = 0.6;
    options->features.weight[SEG_FEATURE_POSITION] = 0.5;
    options->features.weight[SEG_FEATURE_TEXTURE] = 0.15;
    options->graph.kind = SEG_GRAPH_BOTH;
    options->graph.neighbours = 12;
    options->graph.sigma = 0;
    options->graph.sigma_scale = 0.6;
    options->contradictions = SEG_CONTRADICTIONS_REFUSE;
    options->restarts = 5;
    options->refine = SEG_REFINE_FAST;
}

static int any_feature(const seg_feature_spec *spec) {
    int on = 0;
    for (int i = 0; i < SEG_FEATURE_KINDS; i++) {
        if (!(spec->weight[i] >= 0) || isinf(spec->weight[i]))
            return 0;
        on |= spec->weight[i] > 0;
    }
    return on;
}

seg_status seg_options_check(seg_context *ctx, const seg_options *o) {
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; i++)
        if (o->reserved[i])
            return seg_fail(ctx, SEG_ERR_USAGE, "reserved fields are not 0; make options by seg_options_create");
    if (o->k < 0 || o->k > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_USAGE, "k is %d; it must be 1 to %d, or 0 for the number of labels", o->k,
                        SEG_MAX_LABELS);
    if (o->method && !seg_method_find(o->method))
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no method '%s'; name one of the registry", o->method);
    if (o->params_set && !o->method)
        return seg_fail(ctx, SEG_ERR_USAGE, "parameters are set for no method; name the method too");
    if (o->patch < 0 || o->patch > 64)
        return seg_fail(ctx, SEG_ERR_USAGE, "patch is %d; it must be 1 to 64 pixels, or 0 to fit the image", o->patch);
    if (!any_feature(&o->features))
        return seg_fail(ctx, SEG_ERR_USAGE, "features: weights must be finite and >= 0, and one of them above 0");
    if (o->graph.kind < SEG_GRAPH_KNN || o->graph.kind > SEG_GRAPH_FULL)
        return seg_fail(ctx, SEG_ERR_USAGE, "graph is %d; it must be knn, grid, both or full", (int)o->graph.kind);
    if (o->graph.neighbours < 1 || o->graph.neighbours > 1000)
        return seg_fail(ctx, SEG_ERR_USAGE, "knn is %d; it must be 1 to 1000", o->graph.neighbours);
    if (!(o->graph.sigma >= 0) || isinf(o->graph.sigma))
        return seg_fail(ctx, SEG_ERR_USAGE, "sigma is %g; it must be above 0, or 0 to take it from the data",
                        o->graph.sigma);
    if (!(o->graph.sigma_scale > 0) || isinf(o->graph.sigma_scale))
        return seg_fail(ctx, SEG_ERR_USAGE, "sigma_scale is %g; it must be above 0", o->graph.sigma_scale);
    if (o->sample_pairs < 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "pairs is %d; it must be 0 (all) or more", o->sample_pairs);
    if (o->contradictions != SEG_CONTRADICTIONS_REFUSE && o->contradictions != SEG_CONTRADICTIONS_DROP)
        return seg_fail(ctx, SEG_ERR_USAGE, "contradictions must be refuse or drop");
    if (o->restarts < 1 || o->restarts > 100000)
        return seg_fail(ctx, SEG_ERR_USAGE, "restarts is %d; it must be 1 to 100000", o->restarts);
    if (o->reduce < 0 || (o->reduce > 0 && (o->patch == 0 || o->patch % o->reduce)))
        return seg_fail(ctx, SEG_ERR_USAGE, "reduce is %d; it must divide the patch's side, which is %d", o->reduce,
                        o->patch);
    if (o->reach < 0 || o->reach > 1000)
        return seg_fail(ctx, SEG_ERR_USAGE, "reach is %d; it must be 1 to 1000 pixels, or 0 for the default", o->reach);
    if (o->refine < SEG_REFINE_NONE || o->refine > SEG_REFINE_BEST)
        return seg_fail(ctx, SEG_ERR_USAGE, "refine must be none, fast or best");
    return SEG_OK;
}
