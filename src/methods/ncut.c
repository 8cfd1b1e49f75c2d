/* Normalized cuts, multiclass: the k smoothest eigenvectors, discretised by the nearest rotation [yu2003multiclass].
 * Constraints are not used but to name the clusters. */
#include "methods/ncut.h"

#include "methods/assign.h"
#include "methods/method.h"
#include "methods/smoothest.h"

#include "base/base.h"
#include "clustering/discretise.h"

#include <math.h>
#include <string.h>

#define DISCRETISE_STREAM 0x3000

seg_status seg_ncut_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                          seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k, count = (size_t)spectrum->count;
    seg_status status = seg_matrix_create(ctx, n, k, &out->embedding);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        memcpy(out->embedding.at + i * k, spectrum->vector + i * count, k * sizeof *spectrum->vector);
    out->objective = 0; /* the relaxed cut: the sum of the eigenvalues */
    for (size_t c = 0; c < k; c++)
        out->objective += spectrum->value[c];
    if ((status = seg_discretise(ctx, &out->embedding, DISCRETISE_STREAM, out->label, out->score.at,
                                 &out->iterations)) != SEG_OK)
        return status;
    for (size_t i = 0; i < n; i++) { /* rotated rows are near indicators: cut below 0, sum to one */
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
