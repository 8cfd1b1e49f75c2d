/* Each sample goes with the marked sample that is nearest along the graph's edges, an edge being 1 / weight long
 * (graph/geodesic.h). With d_g the length of the shortest path to group g, the score of cluster g is
 *     d_g^-power / sum over h of d_h^-power,
 * and that of a sample no group reaches 1 / k. A worked example (docs/adding-a-method.md); no paper. */
#include "methods/method.h"

#include "base/base.h"
#include "graph/geodesic.h"

#include <math.h>
#include <stdlib.h>

static const seg_param params[] = {
    {"power", 2, 0.1, 20, 0, NULL, "of the path's length: the larger, the less the farther groups count"},
};
enum { POWER };

/* Column g of the scores: lengths of the shortest paths to the samples of group g. */
static seg_status measure(seg_context *ctx, const seg_problem *problem, int g, int32_t *source, seg_matrix *score) {
    seg_geodesic paths = {0};
    size_t count = 0;
    seg_status status = seg_geodesic_create(ctx, problem->n, problem->affinity, &paths);
    for (size_t i = 0; i < problem->n; i++)
        if (problem->constraints->group[i] == g)
            source[count++] = (int32_t)i;
    if (!status)
        status = seg_geodesic_grow(ctx, &paths, count, source, g);
    for (size_t i = 0; !status && i < problem->n; i++)
        score->at[i * score->cols + (size_t)g] = paths.distance[i];
    seg_geodesic_free(&paths);
    return status;
}

/* Lengths become scores, the nearest group the label; the first of equals. */
static void decide(const seg_problem *problem, double power, seg_clustering *out) {
    const size_t k = (size_t)problem->k;
    for (size_t i = 0; i < problem->n; i++) {
        double *row = out->score.at + i * k, least = INFINITY, sum = 0;
        for (size_t c = 0; c < k; c++)
            if (row[c] < least) {
                least = row[c];
                out->label[i] = (int32_t)c;
            }
        for (size_t c = 0; c < k; c++) /* relative to the nearest, which is 0 on the strokes */
            sum += row[c] = isinf(least) || row[c] == least ? 1 : pow(least / row[c], power);
        for (size_t c = 0; c < k; c++)
            row[c] /= sum;
    }
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    int32_t *source;
    seg_status status = SEG_OK;
    if (problem->constraints->groups < problem->k)
        return seg_fail(ctx, SEG_ERR_USAGE, "nearest-marked needs strokes in every region: %d labels are marked for %d",
                        problem->constraints->groups, problem->k);
    if (!(source = seg_alloc(ctx, problem->n, sizeof *source)))
        return SEG_ERR_MEMORY;
    for (int g = 0; g < problem->k && !status; g++) {
        status = measure(ctx, problem, g, source, &out->score);
        if (!status) /* where the call's progress is, and whether it is to end */
            status = seg_progress(ctx, (double)(g + 1) / problem->k, "paths");
    }
    if (!status)
        decide(problem, param[POWER], out);
    out->converged = 1;
    free(source);
    return status;
}

const seg_method_row seg_method_nearest_marked = {
    {"nearest-marked", "the nearest marked sample along the graph", "geodesic distance; a worked example",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, sizeof params / sizeof params[0], params, NULL, NULL,
     SEG_PAPER_GRAPH_NONE},
    solve,
};
