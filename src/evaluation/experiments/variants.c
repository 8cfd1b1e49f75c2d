/* What an experiment runs: the protocol's own methods, or those of --methods and --param. */
#include "evaluation/experiments/protocol.h"
#include "evaluation/report/text.h"
#include "evaluation/runner/item.h"

#include "base/base.h"
#include "kernels/sdp_kernels.h"
#include "methods/method.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { STYLES = 8, LABEL_ROOM = 96 };

struct seg_variants {
    seg_variant variant[SEG_MOST_VARIANTS];
    seg_compared compared[SEG_MOST_VARIANTS];
    int count;
};

/* The protocol's variant that the first `length` characters name; -1: none. */
static int own_number(const seg_protocol *protocol, const char *name, size_t length) {
    for (int v = 0; v < protocol->variants; v++)
        if (strlen(protocol->variant[v].name) == length && strncasecmp(protocol->variant[v].name, name, length) == 0)
            return v;
    return -1;
}

/* Methods that use no pairs. */
static const char *const free_of_pairs[] = {"kmeans", "kernel-kmeans", "ncut"};

/* A method that the protocol's table does not name; it follows a strategy and a colon, or strategy is "". */
static seg_status add_other(seg_context *ctx, seg_variants *own, const char *word, const char *strategy) {
    const size_t from = *strategy ? strlen(strategy) + 1 : 0;
    seg_compared *compared = &own->compared[own->count];
    seg_variant *variant = &own->variant[own->count];
    if (strlen(word) >= LABEL_ROOM)
        return seg_fail(ctx, SEG_ERR_USAGE, "'%.40s...' is too long for a method and its parameters", word);
    SEG_TRY(seg_compared_parse(ctx, word + from, compared));
    const seg_method *method = seg_method_find(compared->method);
    const char *colon = strchr(compared->label, ':');
    const int paper = colon && strncasecmp(colon, ":paper", 6) == 0 && (colon[6] == 0 || colon[6] == ':');
    *variant = (seg_variant){
        .name = compared->label, .method = compared->method, .params = &compared->params, .style = own->count % STYLES};
    for (size_t f = 0; f < sizeof free_of_pairs / sizeof *free_of_pairs; f++)
        if (strcmp(method->name, free_of_pairs[f]) == 0)
            variant->flags |= SEG_VARIANT_UNCONSTRAINED;
    variant->flags |= paper ? SEG_VARIANT_PRINTED : 0;
    memmove(compared->label + from, compared->label, strlen(compared->label) + 1); /* LABEL_ROOM leaves room */
    snprintf(compared->label, from, "%s", strategy);
    if (from)
        compared->label[from - 1] = ':';
    variant->most = strcmp(method->name, "tragek") == 0 ? SEG_TRAGEK_SAMPLES
                    : strcmp(method->name, "pcp") == 0  ? SEG_PCP_SAMPLES
                                                        : 0;
    return SEG_OK;
}

static seg_status choose_methods(seg_context *ctx, const seg_run *run, seg_variants *own) {
    const seg_protocol *protocol = run->protocol;
    SEG_FREED char *copy = seg_format(ctx, "%s", run->options->methods);
    char *next = NULL;
    for (char *word = copy ? strtok_r(copy, ",", &next) : NULL; word; word = strtok_r(NULL, ",", &next)) {
        /* Where the variants are strategies that ask questions, a method may follow one of them. */
        const size_t length = strcspn(word, protocol->pairs == SEG_PAIRS_NONE ? ":" : "");
        const int number = own_number(protocol, word, length);
        if (own->count == SEG_MOST_VARIANTS)
            return seg_fail(ctx, SEG_ERR_USAGE, "more than %d methods at once", SEG_MOST_VARIANTS);
        if (number < 0 && protocol->pairs == SEG_PAIRS_NONE)
            return seg_fail(
                ctx, SEG_ERR_USAGE,
                "%s takes STRATEGY or STRATEGY:METHOD, not '%s'; 'segment experiment list' lists the strategies",
                protocol->info.name, word);
        if (number < 0 || word[length])
            SEG_TRY(add_other(ctx, own, word, word[length] ? protocol->variant[number].name : ""));
        else /* requested by name, so not left out for its cost */
            own->variant[own->count] = protocol->variant[number];
        own->variant[own->count].own = number;
        own->variant[own->count].flags &= ~(unsigned)SEG_VARIANT_FEW;
        for (int v = 0; v < own->count; v++)
            if (strcasecmp(own->variant[v].name, own->variant[own->count].name) == 0)
                return seg_fail(ctx, SEG_ERR_USAGE, "the methods name '%s' twice", word);
        own->count++;
    }
    if (!copy)
        return SEG_ERR_MEMORY;
    return own->count ? SEG_OK
                      : seg_fail(ctx, SEG_ERR_USAGE, "the list of methods is empty; 'segment methods' lists them");
}

static int has_param(const seg_method *method, const char *text) {
    const size_t length = strcspn(text, "=");
    for (int p = 0; p < method->param_count; p++)
        if (strlen(method->param[p].name) == length && strncmp(method->param[p].name, text, length) == 0)
            return 1;
    return 0;
}

/* Set each parameter for every method that has it; a parameter that no method has is an error. */
static seg_status give_params(seg_context *ctx, const seg_run *run, seg_variants *own) {
    const seg_experiment_options *options = run->options;
    for (int p = 0; p < options->params.count; p++) {
        int taken = 0;
        for (int v = 0; v < own->count; v++)
            if (has_param(seg_method_find(own->variant[v].method), options->params.at[p])) {
                own->variant[v].more = options;
                taken = 1;
            }
        if (!taken)
            return seg_fail(ctx, SEG_ERR_USAGE, "no method of this run has a parameter '%s'", options->params.at[p]);
    }
    return SEG_OK;
}

seg_status seg_run_variants(seg_context *ctx, seg_run *run) {
    const seg_experiment_options *options = run->options;
    seg_variants *own = run->own = seg_alloc_zero(ctx, 1, sizeof *own);
    if (!own)
        return SEG_ERR_MEMORY;
    if (options->methods)
        SEG_TRY(choose_methods(ctx, run, own));
    for (int v = 0; !options->methods && v < run->protocol->variants; v++) {
        own->variant[v] = run->protocol->variant[v];
        own->variant[v].own = v;
        own->count++;
    }
    SEG_TRY(give_params(ctx, run, own));
    for (int v = 0; v < own->count; v++) { /* values are checked before anything is run */
        seg_params unused;
        SEG_TRY(seg_variant_params(ctx, &own->variant[v], 2, &unused));
    }
    run->variant = own->variant;
    run->variants = own->count;
    return SEG_OK;
}

seg_status seg_variant_params(seg_context *ctx, const seg_variant *variant, size_t n, seg_params *out) {
    const seg_method *method = seg_method_find(variant->method);
    const int printed = variant->flags & SEG_VARIANT_PRINTED;
    SEG_TRY(seg_params_variant(ctx, method, printed ? SEG_VARIANT_PAPER : SEG_VARIANT_IMPROVED, out));
    if (variant->params)
        *out = *variant->params;
    for (int p = 0; !variant->params && variant->param[p]; p++)
        SEG_TRY(seg_params_set(ctx, method, variant->param[p], out));
    if (variant->flags & SEG_VARIANT_BY_SIZE && n > SEG_SMALL_SET) {
        SEG_TRY(seg_params_set(ctx, method, "B=100", out));
        SEG_TRY(seg_params_set(ctx, method, "R=100", out));
    }
    for (int p = 0; variant->more && p < variant->more->params.count; p++)
        if (has_param(method, variant->more->params.at[p]))
            SEG_TRY(seg_params_set(ctx, method, variant->more->params.at[p], out));
    return SEG_OK;
}

unsigned seg_variant_graphs(const seg_variant *variant) {
    const seg_method *method = seg_method_find(variant->method);
    if (variant->flags & SEG_VARIANT_PRINTED && method->graph == SEG_PAPER_GRAPH_FULL)
        return SEG_DATASET_COMPLETE;
    return variant->flags & SEG_VARIANT_PRINTED && method->graph == SEG_PAPER_GRAPH_KNN ? SEG_DATASET_PAPER : 0;
}

int seg_run_sizes(const seg_run *run, const seg_dataset *set, int size[SEG_MOST_SIZES]) {
    const seg_experiment_options *options = run->options;
    if (options->sizes > 0) {
        memcpy(size, options->size, (size_t)options->sizes * sizeof *size);
        return options->sizes;
    }
    if (run->protocol->sizes)
        return run->protocol->sizes(set, size);
    if (run->protocol->listed) {
        memcpy(size, run->protocol->size, sizeof run->protocol->size);
        return run->protocol->listed;
    }
    for (int s = 0; s < 10; s++)
        size[s] = run->protocol->pairs == SEG_PAIRS_UNIFORM ? (int)((set->labels.n * (size_t)(s + 1) + 4) / 8)
                                                            : (s + 1) * (set->labels.n > SEG_SMALL_SET ? 50 : 10);
    return 10;
}

seg_status seg_run_describe(seg_context *ctx, const seg_run *run, seg_text *out) {
    static const char *const drawn[] = {NULL, "uniform over all",
                                        "N must-links a class, N cannot-links a pair of classes"};
    const seg_experiment_options *options = run->options;
    seg_text_add(ctx, out, "realizations %d; restarts %d; best of %d start%s; columns %s", run->realizations,
                 run->restarts, options->starts > 1 ? options->starts : 1, options->starts > 1 ? "s" : "",
                 options->tf_idf        ? "weighed by tf-idf"
                 : options->standardise ? "standardised"
                                        : "raw");
    if (run->protocol->pairs != SEG_PAIRS_NONE)
        seg_text_add(ctx, out, "; pairs %s", drawn[run->protocol->pairs]);
    if (options->wrong > 0)
        seg_text_add(ctx, out, ", %g of them wrong", options->wrong);
    for (int w = 0; w < options->widths; w++)
        seg_text_add(ctx, out, "%s%g", w ? ", " : "; widths ", options->width[w]);
    for (int s = 0; s < options->sizes; s++)
        seg_text_add(ctx, out, "%s%d", s ? ", " : "; numbers ", options->size[s]);
    for (int p = 0; p < options->params.count; p++)
        seg_text_add(ctx, out, "%s%s", p ? ", " : "; parameters ", options->params.at[p]);
    return seg_text_add(ctx, out, "%s; seed %" PRIu64, options->full ? "; full" : "", run->seed);
}
