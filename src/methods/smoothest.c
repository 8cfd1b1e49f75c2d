#include "methods/smoothest.h"

seg_status seg_smoothest(seg_context *ctx, const seg_problem *problem, int count, seg_spectrum *out) {
    return problem->affinity ? seg_spectrum_compute(ctx, problem->affinity, count, out)
                             : seg_spectrum_compute_full(ctx, problem->full, count, out);
}
