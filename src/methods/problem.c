/* What methods do with a problem and its result. */
#include "methods/method.h"

#include "base/base.h"
#include "graph/neighbours/nearest.h"
#include "graph/spectrum/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

seg_status seg_neighbour_distance(seg_context *ctx, const seg_matrix *X, int count, int last_alone, double *mean) {
    const size_t n = X->rows, nearest = n > (size_t)count ? (size_t)count : n - 1;
    double sum = 0;
    *mean = 0;
    if (nearest < 1)
        return SEG_OK;
    SEG_FREED int32_t *neighbour = seg_alloc(ctx, n, nearest * sizeof *neighbour);
    SEG_FREED double *distance2 = seg_alloc(ctx, n, nearest * sizeof *distance2);
    SEG_TRY(neighbour && distance2 ? seg_nearest_search(ctx, X, (int)nearest, SEG_SEARCH_EXACT, neighbour, distance2)
                                   : SEG_ERR_MEMORY);
    for (size_t e = 0; e < n * nearest; e++)
        if (!last_alone || e % nearest == nearest - 1)
            sum += sqrt(distance2[e]);
    *mean = sum / ((double)n * (double)(last_alone ? 1 : nearest));
    return SEG_OK;
}

seg_status seg_smoothest(seg_context *ctx, const seg_problem *problem, int count, seg_spectrum *out) {
    const seg_prepared prepared = seg_prepared_of(problem);
    int found;
    const seg_status status = seg_spectra_take(ctx, &prepared.spectra, problem->affinity, count, &found, out);
    return found ? status : seg_spectrum_compute(ctx, problem->affinity, count, out);
}

int seg_smoothest_columns(const seg_method *method, const seg_params *params, size_t n, int k) {
    if (strcmp(method->name, "ncut") == 0)
        return k;
    if (strcmp(method->name, "ccskl") != 0 && strcmp(method->name, "ccsr") != 0)
        return 0;
    return params->value[0] < (double)n ? (int)params->value[0] : (int)n;
}

seg_status seg_clustering_begin(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    memset(out, 0, sizeof *out);
    out->n = problem->n;
    out->k = problem->k;
    out->objective = out->objective_bound = out->kernel_psd = out->kernel_diagonal = out->kernel_gap = NAN;
    out->converged = 1;
    out->label = seg_alloc_zero(ctx, problem->n, sizeof *out->label);
    if (!out->label)
        return SEG_ERR_MEMORY;
    const seg_status status = seg_matrix_create(ctx, problem->n, (size_t)problem->k, &out->score);
    if (status)
        seg_clustering_free(out);
    return status;
}

seg_status seg_method_solve(seg_context *ctx, const seg_method_row *row, const seg_problem *problem,
                            seg_clustering *out) {
    seg_params params;
    seg_params_default(&row->info, &params);
    SEG_TRY(row->solve(ctx, problem, params.value, out));
    if (!out->ran)
        out->ran = row->info.name;
    return SEG_OK;
}

void seg_clustering_free(seg_clustering *clustering) {
    if (!clustering)
        return;
    free(clustering->label);
    seg_matrix_free(&clustering->score);
    seg_matrix_free(&clustering->embedding);
    memset(clustering, 0, sizeof *clustering);
}
