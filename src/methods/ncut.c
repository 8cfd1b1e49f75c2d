/* Multiclass normalized cuts: the k smoothest eigenvectors, discretised by the nearest rotation; of several starts, the
 * one with the least cut [yu2003multiclass]. Constraints only name the clusters. */
#include "methods/steps.h"

#include "base/base.h"
#include "clustering/discretise.h"
#include "graph/full/full_graph.h"
#include "graph/spectrum/spectrum.h"
#include "methods/assign.h"

#include <segment/graph.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DISCRETISE_STREAM 0x3000
static const double SAME = 1e-12; /* cuts closer than this are equal */

/* What the cut of a partition is computed from. */
typedef struct cut {
    const seg_problem *problem;
    double *inside, *degree; /* k each: weight of the edges within a cluster, and of all edges at its nodes */
    double *indicator, *sum; /* n x k each, of the complete graph alone */
} cut;

static void cut_free(cut *c) {
    free(c->inside);
    free(c->indicator);
}

static seg_status cut_create(seg_context *ctx, const seg_problem *problem, cut *c) {
    const size_t n = problem->n, k = (size_t)problem->k;
    *c = (cut){.problem = problem, .inside = seg_alloc(ctx, k, 2 * sizeof *c->inside)};
    if (!problem->affinity)
        c->indicator = seg_alloc(ctx, n, 2 * k * sizeof *c->indicator);
    if (!c->inside || (!problem->affinity && !c->indicator))
        return SEG_ERR_MEMORY;
    c->degree = c->inside + k;
    c->sum = c->indicator ? c->indicator + n * k : NULL;
    return SEG_OK;
}

/* The normalized cut, sum over the clusters of (1 - inside / degree) [yu2003multiclass, Eq. 3]; a cluster without
 * edges, an empty one too, counts 1, the maximum. */
static seg_status cut_of(seg_context *ctx, cut *c, const int32_t *label, double *value) {
    const seg_csr *W = c->problem->affinity;
    const size_t n = c->problem->n, k = (size_t)c->problem->k;
    memset(c->inside, 0, 2 * k * sizeof *c->inside);
    for (size_t i = 0; W && i < n; i++)
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            c->degree[label[i]] += W->value[e];
            c->inside[label[i]] += label[W->column[e]] == label[i] ? W->value[e] : 0;
        }
    if (!W) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < k; j++)
                c->indicator[i * k + j] = (size_t)label[i] == j;
        const seg_status status = seg_full_graph_multiply(ctx, c->problem->full, k, c->indicator, c->sum);
        if (status)
            return status;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < k; j++) {
                c->degree[label[i]] += c->sum[i * k + j];
                c->inside[label[i]] += (size_t)label[i] == j ? c->sum[i * k + j] : 0;
            }
    }
    *value = (double)k;
    for (size_t j = 0; j < k; j++)
        *value -= c->degree[j] > 0 ? c->inside[j] / c->degree[j] : 0;
    return SEG_OK;
}

/* The discretisation with the least cut of several starts, the first of equals. */
static seg_status discretise(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k;
    const int restarts = k > 1 ? problem->restarts : 1;
    cut c = {0};
    int32_t *label = NULL;
    double *score = NULL;
    seg_status status = cut_create(ctx, problem, &c);
    if (!status)
        status = seg_discretise(ctx, &out->embedding, DISCRETISE_STREAM, out->label, out->score.at, &out->iterations);
    if (!status)
        status = cut_of(ctx, &c, out->label, &out->objective);
    if (!status && restarts > 1 &&
        (!(label = seg_alloc(ctx, n, sizeof *label)) || !(score = seg_alloc(ctx, n, k * sizeof *score))))
        status = SEG_ERR_MEMORY;
    for (int r = 1; !status && r < restarts; r++) {
        double value;
        int iterations;
        if ((status = seg_poll(ctx)) != SEG_OK ||
            (status = seg_discretise(ctx, &out->embedding, DISCRETISE_STREAM + (uint64_t)r, label, score,
                                     &iterations)) != SEG_OK ||
            (status = cut_of(ctx, &c, label, &value)) != SEG_OK)
            break;
        if (value < out->objective - SAME) {
            memcpy(out->label, label, n * sizeof *label);
            memcpy(out->score.at, score, n * k * sizeof *score);
            out->objective = value;
            out->iterations = iterations;
        }
    }
    cut_free(&c);
    free(label);
    free(score);
    return status;
}

seg_status seg_ncut_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                          seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k, count = (size_t)spectrum->count;
    seg_status status = seg_matrix_create(ctx, n, k, &out->embedding);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        memcpy(out->embedding.at + i * k, spectrum->vector + i * count, k * sizeof *spectrum->vector);
    out->objective_bound = 0; /* the relaxed cut: the sum of the eigenvalues */
    for (size_t c = 0; c < k; c++)
        out->objective_bound += spectrum->value[c];
    if ((status = discretise(ctx, problem, out)) != SEG_OK)
        return status;
    for (size_t i = 0; i < n; i++) { /* rotated rows are close to indicators: set negative entries to 0, normalise */
        double *score = out->score.at + i * k, sum = 0;
        for (size_t c = 0; c < k; c++)
            sum += score[c] = fmax(score[c], 0);
        for (size_t c = 0; c < k; c++)
            score[c] = sum > 0 ? score[c] / sum : 1.0 / (double)k;
    }
    return seg_name_clusters(ctx, problem, out);
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    seg_spectrum spectrum = {0};
    seg_status status = seg_smoothest(ctx, problem, problem->k, &spectrum);
    (void)param;
    if (!status)
        status = seg_ncut_solve(ctx, problem, &spectrum, out);
    seg_spectrum_free(&spectrum);
    return status;
}

static const char *const paper[] = {NULL};

const seg_method_row seg_method_ncut = {
    {"ncut", "multiclass normalized cuts", "yu2003multiclass", SEG_NEEDS_GRAPH | SEG_TAKES_FULL, 0, NULL, paper, NULL,
     SEG_PAPER_GRAPH_KNN},
    solve,
};
