#include "methods/method.h"
#include "base/base.h"
#include "graph/neighbours/nearest.h"

seg_status seg_neighbour_distance(seg_context *ctx, const seg_matrix *X, int count, int last_alone, double *mean) {
    const size_t n = X->rows, nearest = n > (size_t)count ? (size_t)count : n - 1;
    double sum = 0;
    *mean = 0;
    if (nearest < 1)
        return SEG_OK;
    SEG_LOCAL(int32_t, neighbour, seg_alloc(ctx, n, nearest * sizeof *neighbour));
    SEG_LOCAL(double, distance2, seg_alloc(ctx, n, nearest * sizeof *distance2));
    SEG_TRY(seg_nearest_search(ctx, X, (int)nearest, SEG_SEARCH_EXACT, neighbour, distance2));
    for (size_t e = 0; e < n * nearest; e++)
        if (!last_alone || e % nearest == nearest - 1)
            sum += sqrt(distance2[e]);
    *mean = sum / ((double)n * (double)(last_alone ? 1 : nearest));
    return SEG_OK;
}

seg_status seg_smoothest(seg_context *ctx, const seg_problem *problem, int count, seg_spectrum *out) {
    const seg_prepared prepared = seg_prepared_of(problem);
    int found;
    const seg_status status = seg_spectra_take(ctx, &prepared.spectra, problem->affinity, count, &found, out);
    return found ? status : seg_spectrum_compute(ctx, problem->affinity, count, out);
}

int seg_smoothest_columns(const seg_method *method, const seg_params *params, size_t n, int k) {
    if (strcmp(method->name, "ncut") == 0)
        return k;
    if (strcmp(method->name, "ccskl") != 0 && strcmp(method->name, "ccsr") != 0)
        return 0;
    return params->value[0] < (double)n ? (int)params->value[0] : (int)n;
}

seg_status seg_clustering_begin(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    memset(out, 0, sizeof *out);
    out->n = problem->n;
    out->k = problem->k;
    out->objective = out->objective_bound = out->kernel_psd = out->kernel_diagonal = out->kernel_gap = NAN;
    out->converged = 1;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->label, problem->n)));
    SEG_RETURN_OR(seg_matrix_create(ctx, problem->n, (size_t)problem->k, &out->score), seg_clustering_free(out));
}

seg_status seg_method_solve(seg_context *ctx, const seg_method_row *row, const seg_problem *problem,
                            seg_clustering *out) {
    SEG_TRY(row->solve(ctx, problem, seg_params_default(&row->info).value, out));
    if (!out->ran)
        out->ran = row->info.name;
    return SEG_OK;
}

void seg_clustering_free(seg_clustering *clustering) {
    if (!clustering)
        return;
    free(clustering->label);
    seg_matrix_free(&clustering->score);
    seg_matrix_free(&clustering->embedding);
    memset(clustering, 0, sizeof *clustering);
}

/* ---- Values of the parameters: defaults, those of the paper, and values from text. ---- */

seg_params seg_params_default(const seg_method *method) {
    seg_params params = {0};
    for (int i = 0; i < method->param_count; i++)
        params.value[i] = method->param[i].initial;
    return params;
}

void seg_list_choices(const char *const *names, char *list, size_t size) {
    size_t used = 0;
    list[0] = 0;
    for (int i = 0; names[i] && used < size; i++) {
        const char *between = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(list + used, size - used, "%s%s", between, names[i]);
    }
}

seg_status seg_params_set(seg_context *ctx, const seg_method *method, const char *text, seg_params *params) {
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const seg_param *param = NULL;
    char names[400], *end;
    double value;
    int index = 0;
    for (int i = 0; i < method->param_count; i++)
        if (strlen(method->param[i].name) == length && strncmp(method->param[i].name, text, length) == 0)
            param = &method->param[index = i];
    if (!param || !equals) {
        const char *all[SEG_MAX_PARAMS + 1] = {0};
        for (int i = 0; i < method->param_count; i++)
            all[i] = method->param[i].name;
        seg_list_choices(all, names, sizeof names);
        return seg_fail(ctx, SEG_ERR_USAGE, "'%s' is not NAME=VALUE with a parameter of %s; it has %s", text,
                        method->name, method->param_count ? names : "none");
    }
    if (param->choice) {
        for (int c = 0; param->choice[c]; c++)
            if (strcasecmp(param->choice[c], equals + 1) == 0) {
                params->value[index] = c;
                return SEG_OK;
            }
        seg_list_choices(param->choice, names, sizeof names);
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter %s of %s is %s, not '%s'", param->name, method->name, names,
                        equals + 1);
    }
    errno = 0;
    value = seg_decimal(equals + 1, &end);
    if (end == equals + 1 || *end || errno || !isfinite(value) || value < param->low || value > param->high ||
        (param->whole && value != floor(value)))
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter %s of %s is a %snumber from %g to %g, not '%s'", param->name,
                        method->name, param->whole ? "whole " : "", param->low, param->high, equals + 1);
    params->value[index] = value;
    return SEG_OK;
}

seg_status seg_params_variant(seg_context *ctx, const seg_method *method, seg_method_variant variant, seg_params *out) {
    *out = seg_params_default(method);
    if (variant == SEG_VARIANT_IMPROVED)
        return SEG_OK;
    if (variant != SEG_VARIANT_PAPER)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no variant %d; the variants are paper and improved",
                        (int)variant);
    if (!method->paper)
        return seg_fail(ctx, SEG_ERR_USAGE, "the method %s is of no paper as it stands and has no variant paper",
                        method->name);
    for (int i = 0; method->paper[i]; i++)
        SEG_TRY(seg_params_set(ctx, method, method->paper[i], out));
    return SEG_OK;
}

/* ---- The graph and the restarts of a variant. ---- */

enum { NEIGHBOURS = 20, RESTARTS = 10 };

/* The width, as a multiple of the mean distance to the neighbours, is in the middle of where normalized cuts and CCSKL
 * do well over nine data sets; with 0.6, the width for images, they lose clusters. The papers centre their widths on
 * the mean distance to the twentieth neighbour [li2009ccskl, Sec. 5.2], which is 1.1 to 1.4 times that. */
#define WIDTH 1.5

/* spec stays as it is where the paper has no graph. */
static seg_status paper_graph(seg_context *ctx, const seg_method *method, const seg_matrix *X, seg_graph_spec *spec) {
    double width = 0;
    if (method->graph == SEG_PAPER_GRAPH_NONE)
        return SEG_OK;
    if (method->graph == SEG_PAPER_GRAPH_KNN)
        SEG_TRY(seg_neighbour_distance(ctx, X, NEIGHBOURS, 1, &width));
    spec->kind = method->graph == SEG_PAPER_GRAPH_FULL ? SEG_GRAPH_FULL : SEG_GRAPH_KNN;
    spec->neighbours = NEIGHBOURS;
    spec->sigma = isfinite(width) ? width : 0; /* 0: the mean distance of all pairs */
    spec->sigma_scale = 1;
    return SEG_OK;
}

seg_status seg_cluster_settings_fill(seg_context *ctx, const seg_method *method, seg_method_variant variant,
                                     const seg_matrix *X, seg_cluster_settings *settings) {
    const unsigned chosen = settings->chosen;
    const int paper = variant == SEG_VARIANT_PAPER, full = settings->graph.kind == SEG_GRAPH_FULL;
    seg_graph_spec *graph = &settings->graph;
    seg_params unused;
    SEG_TRY(seg_params_variant(ctx, method, variant, &unused));
    graph->kind = full ? SEG_GRAPH_FULL : SEG_GRAPH_KNN;
    graph->sigma_scale = full ? 1 : WIDTH;
    if (!(chosen & SEG_CHOSEN_NEIGHBOURS))
        graph->neighbours = NEIGHBOURS;
    if (!(chosen & SEG_CHOSEN_SIGMA))
        graph->sigma = 0;
    if (!(chosen & SEG_CHOSEN_SEARCH))
        graph->search = paper ? SEG_SEARCH_EXACT : SEG_SEARCH_AUTO;
    if (!(chosen & SEG_CHOSEN_RESTARTS))
        settings->restarts = paper ? 1 : RESTARTS; /* no paper says that the best of several runs is taken */
    if (paper && X && X->rows > 1 && !full && !(chosen & (SEG_CHOSEN_NEIGHBOURS | SEG_CHOSEN_SIGMA)))
        return paper_graph(ctx, method, X, graph);
    return SEG_OK;
}
