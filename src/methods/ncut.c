/* Normalized cuts, multiclass: the k smoothest eigenvectors, discretised by the nearest rotation [yu2003multiclass].
 * Constraints are not used but to name the clusters. */
#include "methods/assign.h"
#include "methods/method.h"
#include "methods/smoothest.h"

#include "base/base.h"
#include "clustering/discretise.h"

#include <math.h>
#include <string.h>

#define DISCRETISE_STREAM 0x3000

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k;
    seg_spectrum spectrum = {0};
    seg_status status;
    (void)param;
    if ((status = seg_smoothest(ctx, problem, problem->k, &spectrum)) != SEG_OK ||
        (status = seg_matrix_create(ctx, n, k, &out->embedding)) != SEG_OK)
        goto done;
    memcpy(out->embedding.at, spectrum.vector, n * k * sizeof *spectrum.vector);
    out->objective = 0; /* the relaxed cut: the sum of the eigenvalues */
    for (size_t c = 0; c < k; c++)
        out->objective += spectrum.value[c];
    if ((status = seg_discretise(ctx, &out->embedding, DISCRETISE_STREAM, out->label, out->score.at,
                                 &out->iterations)) != SEG_OK)
        goto done;
    for (size_t i = 0; i < n; i++) { /* rotated rows are near indicators: cut below 0, sum to one */
        double *score = out->score.at + i * k, sum = 0;
        for (size_t c = 0; c < k; c++)
            sum += score[c] = fmax(score[c], 0);
        for (size_t c = 0; c < k; c++)
            score[c] = sum > 0 ? score[c] / sum : 1.0 / (double)k;
    }
    status = seg_name_clusters(ctx, problem, out);
done:
    seg_spectrum_free(&spectrum);
    return status;
}

static const char *const paper[] = {NULL};

const seg_method_row seg_method_ncut = {
    {"ncut", "multiclass normalized cuts", "yu2003multiclass", SEG_NEEDS_GRAPH | SEG_TAKES_FULL, 0, NULL, paper, NULL,
     SEG_PAPER_GRAPH_KNN},
    solve,
};
