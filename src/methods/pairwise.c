#include "methods/pairwise.h"

#include "base/base.h"
#include "methods/assign.h"
#include "methods/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STREAM     0x4000
#define ITERATIONS 200 /* limit of one run */

const char *const seg_start_choice[] = {"largest", "farthest", NULL};
const char *const seg_pairs_choice[] = {"listed", "closure", NULL};
const char *const seg_moves_choice[] = {"samples", "neighbourhoods", NULL};
const char *const seg_rest_choice[] = {"kmeans++", "perturbed", NULL};
const char *const seg_distance_choice[] = {"euclidean", "cosine", NULL};

static double mean_squared_error(const seg_matrix *X, const int32_t *label, const double *centre, double *room) {
    const size_t d = X->cols;
    double sum = 0;
    for (size_t i = 0; i < X->rows; i++) {
        const double *x = seg_rows_at(X, i, 1, room);
        for (size_t t = 0; t < d; t++) {
            double difference = x[t] - centre[(size_t)label[i] * d + t];
            sum += difference * difference;
        }
    }
    return sum / (double)X->rows;
}

/* exponent: X is in units of 2^exponent. */
static seg_status solve(seg_context *ctx, const seg_problem *problem, const seg_matrix *X, int exponent,
                        seg_pckmeans_options options, seg_clustering *out) {
    seg_kmeans_result result = {0};
    seg_status status;
    double *centre = seg_alloc(ctx, (size_t)problem->k, X->cols * sizeof *centre), *room = seg_rows_room(ctx, X, 1);
    if (!centre || !room) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    options.k = problem->k;
    options.restarts = problem->restarts;
    options.iterations = ITERATIONS;
    options.stream = STREAM;
    if (options.unit == SEG_PCKMEANS_ONE || options.unit == SEG_PCKMEANS_CONSTRAINTS) /* squares as measured */
        options.w = fmin(ldexp(options.w, -2 * exponent), SEG_KMEANS_LARGEST);
    status = seg_pckmeans(ctx, X, problem->constraints, &options, (seg_clusters){out->label, centre}, &result);
    if (status)
        goto done;
    out->objective = ldexp(result.objective, 2 * exponent);
    out->iterations = result.iterations;
    out->converged = result.converged;
    const double spread2 = mean_squared_error(X, out->label, centre, room);
    status = seg_score_by_distance(ctx, X, centre, spread2 > 0 ? 0.5 / spread2 : 0, out->label, &out->score);
    if (!status)
        status = seg_name_clusters(ctx, problem, out);
done:
    free(centre);
    free(room);
    return status;
}

seg_status seg_solve_pairwise(seg_context *ctx, const seg_problem *problem, seg_pckmeans_options options,
                              seg_clustering *out) {
    seg_matrix unit;
    if (!options.cosine)
        return solve(ctx, problem, problem->features, problem->exponent, options, out);
    seg_status status = seg_sphere_create(ctx, problem->features, &unit);
    if (status)
        return status;
    options.distortion = 0.5; /* of |x - c|^2: 1 - cos */
    status = solve(ctx, problem, &unit, 0, options, out);
    seg_matrix_free(&unit);
    return status;
}

seg_status seg_solve_soft(seg_context *ctx, const seg_problem *problem, const double *param, seg_pckmeans_unit unit,
                          double distortion, int cosine, seg_clustering *out) {
    enum { WEIGHT, UNIT, PAIRS, MOVES, START, REST };
    const seg_pckmeans_options options = {.kind = SEG_PCKMEANS_SOFT,
                                          .start = param[START] == 0 ? SEG_START_LARGEST : SEG_START_FARTHEST,
                                          .perturbed = param[REST] == 1,
                                          .w = param[WEIGHT],
                                          .unit = param[UNIT] == 0   ? SEG_PCKMEANS_ONE
                                                  : param[UNIT] == 1 ? unit
                                                                     : SEG_PCKMEANS_SPREAD,
                                          .distortion = distortion,
                                          .cosine = cosine,
                                          .closure = param[PAIRS] == 1,
                                          .whole = param[MOVES] == 1};
    return seg_solve_pairwise(ctx, problem, options, out);
}
