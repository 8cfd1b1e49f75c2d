#include "methods/bytes.h"

#include "base/base.h"
#include "base/parallel.h"
#include "graph/bytes.h"
#include "graph/laplacian.h"
#include "methods/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REAL = sizeof(double), INDEX = sizeof(int32_t), EDGE = sizeof(double) + sizeof(int32_t) };

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* --- Parts that several methods share. --- */

/* k-means (clustering/kmeans.c): a label, a distance and two bounds a sample, for a restart and for the best of them;
 * squared distances to the centres where they become scores. */
size_t seg_bytes_kmeans(size_t n, size_t k) {
    return n * (4 * REAL + 2 * INDEX) + n * k * REAL;
}

/* Entries of the Cholesky factor of a graph's Laplacian, by nested separators of a planar-like graph: n log n
 * [lipton1979nd], the constant measured on patch graphs of 12 neighbours (docs/results.md). */
static double factor_entries(double n, double entries) {
    return n > 1 ? 0.16 * entries * log2(n) : 1;
}

/* The smoothest eigenvectors (graph/spectrum.c): the normalized graph, five vectors of its nodes, the eigenvectors;
 * then the factor, made from a copy of the graph's lower half and CHOLMOD's orderings of it, beside Lanczos' basis
 * (twice the pairs and 20), its four work vectors and four guards; at last two copies of the pairs
 * (linalg/rayleigh_ritz.c). Of a complete graph no copy and no factor. */
static size_t spectrum(const seg_problem_size *e, size_t count) {
    const size_t n = e->n, graph = e->full ? 0 : e->entries * EDGE + n * REAL;
    const size_t kept = graph + n * (5 * REAL + 3 * INDEX) + n * (count + 4) * REAL;
    const size_t factor = e->full ? 0 : (size_t)(factor_entries((double)n, (double)e->entries)) * (REAL + 1);
    const size_t making = e->full ? 0 : graph + n * EDGE + graph / 2 + 2 * e->entries * INDEX + 8 * n * INDEX;
    const size_t lanczos = n * (2 * count + 20 + 4) * REAL, ritz = 2 * n * count * REAL;
    return kept + larger(factor + larger(lanczos, ritz), factor + making);
}

/* Sums of the samples' similarities to the clusters, twice, labels and weights; of features a centred copy with half
 * their squares. */
size_t seg_bytes_kernel_kmeans(const seg_problem_size *e, int copies) {
    const size_t n = e->n;
    return n * (3 * e->k + 6) * REAL + n * (e->columns && !e->kernel ? e->columns + 1 : 0) * REAL +
           (size_t)copies * (e->kernel ? n * n * REAL : e->entries * EDGE + n * REAL);
}

size_t seg_bytes_harmonic(const seg_problem_size *e, size_t columns) {
    return e->hierarchy + e->n * (columns + 1) * REAL + seg_laplacian_solving_bytes(e->n);
}

/* One sub-kernel over all marked samples (kernels/enpakl.c): its smoother's graph, factor and descent, some 700 bytes
 * per marked sample; extended over the graph to a factor of every sample. */
size_t seg_bytes_sub_kernel(const seg_problem_size *e, size_t rank) {
    const size_t columns = larger(rank, e->k), marked = e->marked ? e->marked : e->n / 10;
    return 2 * e->n * columns * REAL + seg_bytes_harmonic(e, columns) + marked * (700 + 4 * columns * REAL) +
           seg_bytes_kmeans(e->n, e->k);
}

size_t seg_bytes_vectors(const seg_problem_size *e, size_t count) {
    /* Eigenvectors, their scaled copy and the embedding are there together. */
    const size_t columns = 3 * e->n * count * REAL + seg_bytes_kmeans(e->n, e->k);
    return larger(spectrum(e, count), columns);
}

int seg_method_eigenvectors(const seg_method *method) {
    for (int p = 0; p < method->param_count; p++)
        if (strcmp(method->param[p].name, "m") == 0)
            return p;
    return -1;
}

size_t seg_bytes_semidefinite(const seg_problem_size *e) {
    /* Some 12 matrices of the samples that meet in the program, and DSDP's of as many rows. */
    const size_t side = e->n < 600 ? e->n : 600;
    return 40 * side * side * REAL + e->entries * EDGE + e->n * 20 * REAL + seg_bytes_kmeans(e->n, e->k);
}

size_t seg_method_bytes(const seg_method *method, const seg_params *params, const seg_problem_size *e) {
    const seg_method_row *row = seg_method_row_of(method);
    /* label, score and what the constraints' closure takes in seg_cluster */
    const size_t result = e->n * (e->k * REAL + 6 * INDEX + 2 * sizeof(int16_t));
    if (row->bytes)
        return result + row->bytes(params->value, e);
    /* k-means and its kin with constraints: a copy of the features at most, and the distances twice. */
    return result + seg_bytes_kmeans(e->n, e->k) + e->n * (e->columns + e->k) * REAL;
}

seg_status seg_cluster_plan(seg_context *ctx, const seg_method *method, const seg_params *params,
                            const seg_problem *problem, const seg_graph_spec *spec, size_t *bytes) {
    char what[SEG_STAGE_NAME + 64];
    seg_problem_size e = {.n = problem->n,
                          .k = (size_t)problem->k,
                          .columns = problem->features ? problem->features->cols : 0,
                          .entries = problem->affinity ? problem->affinity->start[problem->affinity->rows] : 0,
                          .full = problem->full != NULL,
                          .kernel = problem->kernel != NULL,
                          .threads = seg_threads(ctx)};
    seg_params defaults;
    size_t building = 0, graph = 0, own;
    if (!params)
        seg_params_default(method, &defaults);
    e.appearance = problem->context ? problem->context->cols : e.columns;
    for (size_t i = 0; problem->constraints && problem->constraints->groups && i < e.n; i++)
        e.marked += problem->constraints->group[i] >= 0;
    for (size_t p = 0; problem->constraints && p < problem->constraints->pairs; p++)
        e.marked += 2;
    e.marked = e.marked < e.n ? e.marked : e.n;
    e.pairs_alone = problem->constraints && problem->constraints->groups == 0 && problem->constraints->pairs > 0;
    if (spec) {
        e.entries = seg_graph_entries(e.n, spec);
        e.full = spec->kind == SEG_GRAPH_FULL && !e.entries;
        building = seg_graph_building_bytes(e.n, e.columns, spec, e.threads);
        graph = seg_graph_bytes(e.n, spec);
    }
    if (!problem->laplacian && e.entries)
        e.hierarchy = seg_laplacian_making_bytes(e.n, e.entries);
    own = seg_method_bytes(method, params ? params : &defaults, &e);
    if (bytes)
        *bytes = larger(building, graph + own);
    snprintf(what, sizeof what, "clustering %zu samples by %.*s", e.n, SEG_STAGE_NAME, method->name);
    return seg_reserve(ctx, larger(building, graph + own), what);
}
