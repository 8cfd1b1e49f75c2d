/* Multiclass normalized cuts: the k smoothest eigenvectors, discretised by the nearest rotation; of several starts, the
 * one with the least cut [yu2003multiclass]. Constraints only name the clusters. */
#include "methods/steps.h"

#include "base/base.h"
#include "clustering/discretise.h"
#include "methods/assign.h"

#define DISCRETISE_STREAM 0x3000
static const double SAME = 1e-12; /* cuts closer than this are equal */

/* The normalized cut, sum over the clusters of (1 - inside / degree) [yu2003multiclass, Eq. 3]; a cluster without
 * edges, an empty one too, counts 1, the maximum. */
static double cut_of(const seg_problem *problem, const int32_t *label) {
    const seg_csr *W = problem->affinity;
    const size_t k = (size_t)problem->k;
    double inside[SEG_MAX_LABELS] = {0}, degree[SEG_MAX_LABELS] = {0}, value = (double)k;
    for (size_t i = 0; i < problem->n; i++)
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            degree[label[i]] += W->value[e];
            inside[label[i]] += label[W->column[e]] == label[i] ? W->value[e] : 0;
        }
    for (size_t j = 0; j < k; j++)
        value -= degree[j] > 0 ? inside[j] / degree[j] : 0;
    return value;
}

/* The discretisation with the least cut of several starts, the first of equals. */
static seg_status discretise(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k;
    const int restarts = k > 1 ? problem->restarts : 1;
    SEG_LOCAL(int32_t, label, seg_alloc(ctx, n, sizeof *label));
    SEG_LOCAL(double, score, seg_alloc(ctx, n, k * sizeof *score));
    SEG_TRY(seg_discretise(ctx, &out->embedding, DISCRETISE_STREAM, out->label, out->score.at, &out->iterations));
    out->objective = cut_of(problem, out->label);
    for (int r = 1; r < restarts; r++) {
        int iterations;
        SEG_TRY(seg_poll(ctx));
        SEG_TRY(seg_discretise(ctx, &out->embedding, DISCRETISE_STREAM + (uint64_t)r, label, score, &iterations));
        const double value = cut_of(problem, label);
        if (value < out->objective - SAME) {
            memcpy(out->label, label, n * sizeof *label);
            memcpy(out->score.at, score, n * k * sizeof *score);
            out->objective = value;
            out->iterations = iterations;
        }
    }
    return SEG_OK;
}

seg_status seg_ncut_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                          seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k, count = (size_t)spectrum->count;
    SEG_TRY(seg_matrix_create(ctx, n, k, &out->embedding));
    for (size_t i = 0; i < n; i++)
        memcpy(out->embedding.at + i * k, spectrum->vector + i * count, k * sizeof *spectrum->vector);
    out->objective_bound = 0; /* the relaxed cut: the sum of the eigenvalues */
    for (size_t c = 0; c < k; c++)
        out->objective_bound += spectrum->value[c];
    SEG_TRY(discretise(ctx, problem, out));
    for (size_t i = 0; i < n; i++) { /* rotated rows are close to indicators: set negative entries to 0, normalise */
        double *score = out->score.at + i * k;
        for (size_t c = 0; c < k; c++)
            score[c] = fmax(score[c], 0);
        seg_normalise_scores(k, score);
    }
    return seg_name_clusters(ctx, problem, out);
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, SEG_UNUSED const double *param,
                        seg_clustering *out) {
    SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
    SEG_TRY(seg_smoothest(ctx, problem, problem->k, &spectrum));
    return seg_ncut_solve(ctx, problem, &spectrum, out);
}

static const char *const paper[] = {NULL};

const seg_method_row seg_method_ncut = {
    {"ncut", "multiclass normalized cuts", "yu2003multiclass", SEG_NEEDS_GRAPH | SEG_EIGENVECTORS_ONLY, 0, NULL, paper,
     NULL, SEG_PAPER_GRAPH_KNN},
    solve,
};
