/* Spectral Learning [kamvar2003spectral]: constraints put into the affinities, then spectral clustering. */
#include "methods/assign.h"
#include "methods/method.h"

#include "base/base.h"
#include "kernels/constrained_spectrum.h"

#include <math.h>
#include <stdlib.h>

static const char *const rows_choice[] = {"unit", "plain", NULL};
static const seg_param params[] = {
    {"rows", 0, 0, 1, 1, rows_choice, "rows of the eigenvectors are scaled to length one, or taken as they are"},
};

/* A pair's affinity becomes 1 or 0, which leaves nothing for a weight to say. */
static seg_status refuse_weights(seg_context *ctx, const seg_constraints *constraints) {
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        if (pair->weight != 1)
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "the method spectral-learning sets the affinity of a listed pair to 1 or 0 and has no use "
                            "for the weight %g; leave the weights out, or choose the method sskk, which uses them",
                            pair->weight);
    }
    return SEG_OK;
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k;
    double *value = seg_alloc(ctx, k, sizeof *value);
    seg_status status = value ? refuse_weights(ctx, problem->constraints) : SEG_ERR_MEMORY;
    if (status || (status = seg_spectral_learning(ctx, problem->affinity, problem->constraints, problem->k,
                                                  &out->embedding, value)) != SEG_OK)
        goto done;
    out->objective = 0; /* the relaxed ratio cut: the sum of the Laplacian's eigenvalues */
    for (size_t c = 0; c < k; c++)
        out->objective += value[c];
    for (size_t i = 0; i < n; i++) {
        double *row = out->embedding.at + i * k, norm = 0;
        for (size_t c = 0; c < k; c++)
            norm += row[c] * row[c];
        /* Entries are of the order of 1 / sqrt(n): plain rows are scaled to compare with 1. */
        norm = param[0] == 0 ? sqrt(norm) : 1 / sqrt((double)n);
        for (size_t c = 0; norm > 0 && c < k; c++)
            row[c] /= norm;
    }
    status = seg_assign_kmeans(ctx, problem, &out->embedding, SEG_ASSIGN_GROUPS, out);
done:
    free(value);
    return status;
}

static const char *const paper[] = {"rows=plain", NULL};

const seg_method_row seg_method_spectral_learning = {
    {"spectral-learning", "affinities overruled by constraints, top eigenvectors", "kamvar2003spectral",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, 1, params, paper, "rows of the eigenvectors are brought to length one",
     SEG_PAPER_GRAPH_KNN},
    solve,
};
