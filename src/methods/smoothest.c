#include "methods/smoothest.h"

#include "graph/spectra.h"
#include "graph/spectrum.h"

#include <string.h>

seg_status seg_smoothest(seg_context *ctx, const seg_problem *problem, int count, seg_spectrum *out) {
    int found;
    if (!problem->affinity)
        return seg_spectrum_compute_full(ctx, problem->full, count, out);
    const seg_status status = seg_spectra_take(ctx, problem->spectra, problem->affinity, count, &found, out);
    return found ? status : seg_spectrum_compute(ctx, problem->affinity, count, out);
}

int seg_smoothest_columns(const seg_method *method, const seg_params *params, size_t n, int k) {
    if (strcmp(method->name, "ncut") == 0)
        return k;
    if (strcmp(method->name, "ccskl") != 0 && strcmp(method->name, "ccsr") != 0)
        return 0;
    return params->value[0] < (double)n ? (int)params->value[0] : (int)n;
}
