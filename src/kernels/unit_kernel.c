#include "kernels/unit_kernel.h"

#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Eigenvalues below this share of the trace are noise of the solver. */
#define NOISE 1e-7

seg_status seg_unit_kernel_factor(seg_context *ctx, const seg_matrix *K, seg_matrix *Z, double *diagonal) {
    const size_t n = K->rows;
    double *value = seg_alloc(ctx, n, sizeof *value), *vector = seg_alloc(ctx, n, n * sizeof *vector), dropped = 0;
    size_t r = n;
    seg_status status = SEG_ERR_MEMORY;
    if (!value || !vector || (status = seg_eigen_dense(ctx, n, K->at, value, vector)) != SEG_OK)
        goto done;
    while (r > 1 && (dropped += fmax(value[n - r], 0)) <= NOISE * (double)n)
        r--;
    if ((status = seg_matrix_create(ctx, n, r, Z)) != SEG_OK)
        goto done;
    *diagonal = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < r; c++)
            Z->at[i * r + c] = vector[i * n + (n - 1 - c)] * sqrt(fmax(value[n - 1 - c], 0));
        *diagonal = fmax(*diagonal, fabs(K->at[i * n + i] - 1));
    }
    seg_rows_to_sphere(n, r, Z->at);
done:
    free(value);
    free(vector);
    return status;
}

seg_status seg_unit_kernel_solve(seg_context *ctx, const char *name, const seg_sdp *sdp, double constant,
                                 const seg_sdp_options *options, seg_sdp_solution *solution, seg_unit_kernel *out) {
    seg_status status;
    memset(solution, 0, sizeof *solution);
    memset(out, 0, sizeof *out);
    if ((status = seg_sdp_solve(ctx, sdp, options, solution)) != SEG_OK ||
        (status = seg_unit_kernel_factor(ctx, &solution->X[0], &out->factor, &out->diagonal)) != SEG_OK) {
        seg_unit_kernel_free(out);
        return status;
    }
    out->residuals = solution->residuals;
    out->objective = out->residuals.primal + constant;
    out->iterations = solution->iterations;
    out->converged = solution->converged;
    seg_log(ctx, SEG_LOG_INFO,
            "%s: unit diagonal to %.1e, positive semidefinite to %.1e, constraints to %.1e, duality gap %.1e", name,
            out->diagonal, out->residuals.psd, out->residuals.constraints, out->residuals.gap);
    return SEG_OK;
}

void seg_unit_kernel_free(seg_unit_kernel *kernel) {
    seg_matrix_free(&kernel->factor);
    memset(kernel, 0, sizeof *kernel);
}
