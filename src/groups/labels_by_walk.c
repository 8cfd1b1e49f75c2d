/* Labels by random walks on the graph from all named samples and their labels. */
#include "groups/pair_labels.h"

#include "base/base.h"
#include "graph/laplacian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS      50
#define ROUNDS      3    /* more rounds change little (docs/history/pairs.md) */
#define WALK_APART  3.0  /* cost of a broken cannot-link in negative log-probabilities of the walk */
#define TERMINATION 5e-4 /* of the walk, as a share of a sample's degree */
#define FLOOR       0.02 /* least share of a label in a sample's vote */
#define TOLERANCE   1e-4 /* of the walks: with 1e-6 no group differs on MSRC or on mixtures (docs/history/scale.md) */

/* Turn the probabilities of where walks from a sample's neighbours end into costs. */
static void vote(const seg_problem *problem, seg_pair_labels *l, const double *S) {
    const seg_csr *W = problem->affinity;
    const size_t k = (size_t)problem->k;
    for (size_t c = 0; c < l->count; c++) {
        const size_t i = l->sample[c];
        double *cost = l->cost + c * k, total = 0;
        for (size_t a = 0; a < k; a++) {
            cost[a] = 0;
            for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
                cost[a] += W->value[e] * fmax(0, S[(size_t)W->column[e] * k + a]);
            total += cost[a];
        }
        for (size_t a = 0; a < k; a++)
            cost[a] = total > 0 ? -log((cost[a] / total + FLOOR) / (1 + FLOOR * (double)k)) : 0;
    }
}

seg_status seg_labels_by_walk(seg_context *ctx, const seg_problem *problem, seg_pair_labels *l) {
    const seg_csr *W = problem->affinity;
    const size_t n = problem->n, k = (size_t)problem->k;
    const seg_laplacian *laplacian = problem->laplacian;
    seg_laplacian *own = NULL;
    double *absorb = seg_alloc(ctx, n, sizeof *absorb), *S = seg_alloc(ctx, n * k, sizeof *S);
    seg_status status = absorb && S ? SEG_OK : SEG_ERR_MEMORY;
    if (!status && !laplacian) {
        status = seg_laplacian_create(ctx, W, &own);
        laplacian = own;
    }
    for (int round = 0, moved = 1; round < ROUNDS && moved && !status; round++) {
        for (size_t i = 0; i < n; i++) {
            double degree = 0;
            for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
                degree += W->value[e];
            absorb[i] = TERMINATION * (degree > 0 ? degree : 1);
        }
        memset(S, 0, n * k * sizeof *S);
        for (size_t c = 0; c < l->count; c++) {
            absorb[l->sample[c]] = SEG_FIXED;
            S[l->sample[c] * k + (size_t)l->label[c]] = 1;
        }
        status = seg_laplacian_solve(ctx, laplacian, &(seg_laplacian_system){absorb, k, TOLERANCE, S, S, NULL});
        if (status)
            break;
        vote(problem, l, S);
        moved = 0;
        for (int s = 0; s < SWEEPS && seg_pair_labels_move(l, WALK_APART); s++)
            moved = 1;
    }
    seg_laplacian_free(own);
    free(absorb);
    free(S);
    return status;
}
