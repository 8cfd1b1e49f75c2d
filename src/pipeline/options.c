/* The options of the main job as a whole: defaults, checks, and access by name. */

#include "base/base.h"
#include "methods/method.h"
#include "pipeline/option_values.h"
#include "pipeline/run.h"

/* Factor of the default width of the edge weights. */
#define SIGMA_SCALE 0.6

seg_options seg_options_default(void) {
    const seg_option *row;
    seg_options options = {.graph.sigma_scale = SIGMA_SCALE};
    for (int i = 0; (row = seg_option_at(i)) != NULL; i++)
        if (row->initial)
            seg_option_set(NULL, row, &options, row->initial);
    return options;
}

/* The interface is that of the major version, before 1.0 that of the minor one, and a later minor version has more. */
static int serves(int version) {
    const int major = version / 1000000, minor = version / 1000 % 1000;
    return major == SEG_VERSION_MAJOR && (major ? minor <= SEG_VERSION_MINOR : minor == SEG_VERSION_MINOR);
}

seg_status seg_options_create_for(seg_context *ctx, int version, seg_options **out) {
    *out = NULL;
    if (!serves(version))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the program was compiled for libsegment %d.%d.%d, but this is %s; install that version, or "
                        "compile the program again",
                        version / 1000000, version / 1000 % 1000, version % 1000, seg_version());
    SEG_TRY(seg_allocated(*out = seg_alloc(ctx, 1, sizeof **out)));
    **out = seg_options_default();
    return SEG_OK;
}

void seg_options_free(seg_options *options) {
    free(options);
}

void seg_options_want(seg_options *options, unsigned wants) {
    options->probability = (wants & SEG_WANT_PROBABILITY) != 0;
    options->uncertainty = (wants & SEG_WANT_UNCERTAINTY) != 0;
    options->fixed = (wants & SEG_WANT_FIXED) != 0;
}

void seg_options_set_known(seg_options *options, const struct seg_model *model, const seg_mask *start) {
    options->model = model;
    options->start = start;
}

const seg_graph_spec *seg_options_graph(const seg_options *options) {
    return &options->graph;
}

const seg_params *seg_options_params(const seg_options *options) {
    return &options->params;
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

/* A number or a choice is in the range of its row. */
static seg_status check_range(seg_context *ctx, const seg_option *row, const seg_options *options) {
    const void *field = (const char *)options + row->offset;
    char names[256];
    double high = row->high;
    int number = 0;
    const int is_choice = row->type == SEG_OPTION_CHOICE || row->type == SEG_OPTION_ISLANDS;
    if (row->type != SEG_OPTION_INT && !is_choice)
        return SEG_OK;
    memcpy(&number, field, sizeof number);
    for (int i = 0; is_choice && row->choices[i]; i++)
        high = row->low + i;
    if ((number >= row->low && number <= high) || (number == 0 && row->traits & SEG_OPTION_UNSET_BELOW))
        return SEG_OK;
    if (is_choice) {
        seg_list_choices(row->choices, names, sizeof names);
        return seg_fail(ctx, SEG_ERR_USAGE, "%s is %d; it must be %s", row->name, number, names);
    }
    return seg_fail(ctx, SEG_ERR_USAGE, "%s is %d; it must be %g to %g%s%s", row->name, number, row->low, high,
                    row->unit ? " " : "", row->unit ? row->unit : "");
}

static seg_status check_width(seg_context *ctx, const seg_graph_spec *graph) {
    if (!(graph->sigma >= 0) || isinf(graph->sigma))
        return seg_fail(ctx, SEG_ERR_USAGE, "sigma is %g; it must be above 0, or 0 to estimate it from the data",
                        graph->sigma);
    if (!(graph->sigma_scale > 0) || isinf(graph->sigma_scale))
        return seg_fail(ctx, SEG_ERR_USAGE, "sigma_scale is %g; it must be above 0", graph->sigma_scale);
    return SEG_OK;
}

seg_status seg_options_check(seg_context *ctx, const seg_options *o) {
    const seg_option *row;
    for (int i = 0; (row = seg_option_at(i)) != NULL; i++)
        SEG_TRY(check_range(ctx, row, o));
    SEG_TRY(check_width(ctx, &o->graph));
    if (o->method && !seg_method_find(o->method))
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no method '%s'; name one of the registry", o->method);
    if (o->variant != SEG_VARIANT_IMPROVED && o->variant != SEG_VARIANT_PAPER)
        return seg_fail(ctx, SEG_ERR_USAGE, "variant is %d; it must be improved or paper", (int)o->variant);
    if (o->variant != SEG_VARIANT_IMPROVED && !o->method)
        return seg_fail(ctx, SEG_ERR_USAGE, "a variant is set without a method; name the method too");
    if (o->params_set && !o->method)
        return seg_fail(ctx, SEG_ERR_USAGE, "parameters are set without a method; name the method too");
    if (!any_feature(&o->features))
        return seg_fail(ctx, SEG_ERR_USAGE, "features: weights must be finite and >= 0, and one of them above 0");
    if (o->reduce > 0 && (o->patch == 0 || o->patch % o->reduce))
        return seg_fail(ctx, SEG_ERR_USAGE, "reduce is %d; it must divide the side of a patch, which is %d", o->reduce,
                        o->patch);
    const seg_box *b = &o->box, *r = &o->region;
    if (b->width && r->width && !seg_box_is_in(b, r))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the box %d,%d,%d,%d is not inside the region %d,%d,%d,%d (left, top, width, height)", b->x,
                        b->y, b->width, b->height, r->x, r->y, r->width, r->height);
    if (o->start && (o->model || b->width || o->k || o->sample_pairs))
        return seg_fail(ctx, SEG_ERR_USAGE, "a start is corrected by strokes alone; leave model, box, k and pairs out");
    if (o->slices > 1 && (o->model || o->box.width))
        return seg_fail(ctx, SEG_ERR_USAGE, "a volume is segmented by strokes; leave model and box out");
    if (o->slices > 1 && o->channels > 1 && o->region.width)
        return seg_fail(ctx, SEG_ERR_USAGE, "a volume of channels is segmented as a whole; leave the region out");
    return o->model ? seg_model_check_use(ctx, o, NULL) : SEG_OK;
}

static seg_status find(seg_context *ctx, const char *name, const seg_option **row) {
    *row = seg_option_find(name);
    return *row ? SEG_OK : seg_fail(ctx, SEG_ERR_USAGE, "%s is not an option", name);
}

seg_status seg_options_set(seg_context *ctx, seg_options *options, const char *name, const char *text) {
    const seg_option *row;
    SEG_TRY(find(ctx, name, &row));
    return seg_option_set(ctx, row, options, text);
}

seg_status seg_options_get(seg_context *ctx, const seg_options *options, const char *name, char *text, size_t size) {
    char room[512];
    const seg_option *row;
    SEG_TRY(find(ctx, name, &row));
    const char *value = seg_option_get(row, options, room, sizeof room);
    return snprintf(text, size, "%s", value ? value : "") < (int)size
               ? SEG_OK
               : seg_fail(ctx, SEG_ERR_USAGE, "%s: its value does not fit into %zu bytes", name, size);
}
