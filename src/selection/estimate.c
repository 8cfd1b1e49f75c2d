#include "selection/cluster.h"

#include "base/base.h"

enum { REAL = sizeof(double) };

/* Bytes, measured by segment_bench memory (docs/results.md); the estimate should be a little more than what is used. */
enum {
    SAMPLE = 64,      /* lists, labels, bounds */
    APPEARANCE = 24,  /* context features of a column of the features, in both precisions */
    FOREST = 100,     /* its trees, a tenth of the samples being marked */
    NODE = 200,       /* starts of the graph and its hierarchy, vectors of a solver */
    ENTRY = 28,       /* of the graph and its hierarchy together */
    FACTOR_ENTRY = 36 /* copies of the graph and their factor, for eigenvectors */
};
#define LEAST_VECTORS ((size_t)12) /* columns of embeddings where no parameter tells */

/* Neighbours count in both directions. A complete graph of too many nodes has none: it will be refused. */
static size_t entries_of(const seg_problem_size *size) {
    const seg_graph_spec *spec = size->spec;
    const size_t others = size->n - 1;
    if (!spec)
        return size->entries;
    if (spec->kind == SEG_GRAPH_FULL)
        return size->n <= SEG_FULL_NODES ? size->n * size->n : 0;
    const size_t near = (size_t)spec->neighbours < others ? (size_t)spec->neighbours : others;
    return size->n * (2 * (spec->kind & SEG_GRAPH_KNN ? near : 0) + (spec->kind & SEG_GRAPH_GRID ? 4 : 0));
}

/* The position of the parameter, -1 where the method has none. */
static int eigenvectors(const seg_method *method) {
    for (int p = 0; p < method->param_count; p++)
        if (strcmp(method->param[p].name, "m") == 0)
            return p;
    return -1;
}

size_t seg_estimate_clustering(const seg_method *method, const seg_params *params, const seg_problem_size *size) {
    const size_t n = size->n, entries = entries_of(size);
    const int m = eigenvectors(method), with_graph = (method->needs & SEG_NEEDS_GRAPH) != 0;
    const int by_vectors = !(method->needs & (SEG_NEEDS_FEATURES | SEG_USES_CONTEXT)) || size->pairs_alone;
    size_t sample = SAMPLE + REAL * (2 * size->columns + 3 * size->k), bytes = 0;
    if (method->needs & SEG_USES_CONTEXT)
        sample += APPEARANCE * size->columns + FOREST;
    if (with_graph) {
        sample += NODE;
        bytes += entries * (ENTRY + (by_vectors ? FACTOR_ENTRY : 0));
        if (!(method->needs & SEG_USES_CONTEXT) || by_vectors)
            sample += 5 * REAL * (m >= 0 ? (size_t)params->value[m] : seg_larger(size->k, LEAST_VECTORS));
    }
    if (size->kernel && !(method->needs & SEG_NEEDS_FEATURES))
        bytes += n * n * REAL;
    return bytes + n * sample;
}

seg_status seg_cluster_plan(seg_context *ctx, const seg_method *method, const seg_params *params,
                            const seg_problem *problem, const seg_graph_spec *spec, size_t *bytes) {
    const seg_constraints *constraints = problem->constraints;
    const seg_csr *W = problem->affinity;
    const seg_problem_size size = {.n = problem->n,
                                   .k = (size_t)problem->k,
                                   .columns = problem->features ? problem->features->cols : 0,
                                   .spec = spec,
                                   .entries = W ? W->start[W->rows] : 0,
                                   .kernel = problem->kernel != NULL,
                                   .pairs_alone = constraints && constraints->groups == 0 && constraints->pairs > 0};
    char what[SEG_STAGE_NAME + 64];
    seg_params defaults;
    if (!params)
        defaults = seg_params_default(method);
    const size_t own = seg_estimate_clustering(method, params ? params : &defaults, &size);
    if (bytes)
        *bytes = own;
    snprintf(what, sizeof what, "clustering %zu samples by %.*s", size.n, SEG_STAGE_NAME, method->name);
    return seg_reserve(ctx, own, what);
}
