#include "kernels/pcp.h"

#include "base/base.h"
#include "constraints/closed.h"

#include <stdlib.h>
#include <string.h>

/* Number the components first, then the samples without constraints. @return the number of rows */
static size_t number_samples(const seg_closure *closure, int32_t *sample) {
    size_t rows = (size_t)closure->components;
    for (size_t i = 0; i < closure->n; i++)
        sample[i] = closure->component[i] >= 0 ? closure->component[i] : (int32_t)rows++;
    return rows;
}

static seg_status add_all(seg_context *ctx, const seg_csr *S, const seg_closure *closure, const int32_t *sample,
                          size_t rows, seg_sdp *sdp) {
    seg_status status = SEG_OK;
    /* P'SP: both triangles of S meet in the one that is kept, an off-diagonal pair twice where its ends fell together.
     */
    for (size_t i = 0; i < S->rows; i++)
        for (size_t e = S->start[i]; e < S->start[i + 1] && !status; e++) {
            size_t j = (size_t)S->column[e];
            if (j <= i)
                status = seg_sdp_add(ctx, sdp, SEG_SDP_COST, 0, (size_t)sample[i], (size_t)sample[j],
                                     j < i && sample[i] == sample[j] ? 2 * S->value[e] : S->value[e]);
        }
    for (size_t r = 0; r < rows && !status; r++) {
        status = seg_sdp_add(ctx, sdp, (int)r + 1, 0, r, r, 1);
        sdp->right[r] = 1;
    }
    for (size_t c = 0; c < closure->cannots && !status; c++)
        status = seg_sdp_add(ctx, sdp, (int)(rows + c) + 1, 0, (size_t)closure->cannot[2 * c],
                             (size_t)closure->cannot[2 * c + 1], 1);
    return status;
}

seg_status seg_pcp_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints, seg_sdp *out,
                           int32_t *sample) {
    const seg_closure *closure;
    seg_closure own;
    memset(out, 0, sizeof *out);
    seg_status status = seg_closure_of(ctx, constraints, &own, &closure);
    if (status)
        return status;
    const size_t rows = number_samples(closure, sample);
    const int size = (int)rows;
    if (rows > SEG_PCP_SAMPLES)
        status = seg_fail(ctx, SEG_ERR_USAGE,
                          "PCP solves a semidefinite program over %zu samples (those that must link count as one) and "
                          "is limited to %d; use the method enpakl1, or enpakl, which work on small parts",
                          rows, SEG_PCP_SAMPLES);
    else if (closure->cannots > SEG_PCP_CANNOTS)
        status = seg_fail(ctx, SEG_ERR_USAGE,
                          "PCP holds %zu pairs that cannot link exactly and is limited to %d; sample the constraints, "
                          "or use the method enpakl",
                          closure->cannots, SEG_PCP_CANNOTS);
    else if ((status = seg_sdp_create(ctx, (int)(rows + closure->cannots), 1, &size, 0, out)) == SEG_OK)
        status = add_all(ctx, S, closure, sample, rows, out);
    seg_closure_free(&own);
    if (status)
        seg_sdp_free(out);
    return status;
}

/* If no two components can link, K' is the identity. It is the only feasible point, so an interior-point solver cannot
 * run. */
static seg_status identity(seg_context *ctx, const seg_sdp *sdp, seg_unit_kernel *out) {
    const size_t rows = (size_t)sdp->size[0];
    seg_status status = seg_matrix_create(ctx, rows, rows, &out->factor);
    for (size_t r = 0; !status && r < rows; r++)
        out->factor.at[r * rows + r] = 1;
    for (size_t e = 0; e < sdp->entries; e++)
        if (sdp->entry[e].row == SEG_SDP_COST && sdp->entry[e].i == sdp->entry[e].j)
            out->objective += sdp->entry[e].value;
    out->residuals.primal = out->residuals.dual = out->objective;
    out->converged = 1;
    return status;
}

seg_status seg_pcp_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                         const seg_sdp_options *options, seg_pcp_result *out) {
    const size_t n = constraints->n;
    int32_t *sample = seg_alloc(ctx, n, sizeof *sample);
    seg_sdp sdp = {0};
    seg_sdp_solution solution = {0};
    seg_status status;
    memset(out, 0, sizeof *out);
    if (!sample)
        return SEG_ERR_MEMORY;
    if ((status = seg_pcp_program(ctx, S, constraints, &sdp, sample)) != SEG_OK)
        goto done;
    const size_t rows = (size_t)sdp.size[0], all = rows * (rows + 1) / 2;
    status = (size_t)sdp.constraints == all
                 ? identity(ctx, &sdp, &out->kernel)
                 : seg_unit_kernel_solve(ctx, "PCP", &sdp, 0, options, &solution, &out->kernel);
    if (status)
        goto done;
    seg_matrix Z = out->kernel.factor; /* of the components: every sample gets its component's row */
    if ((status = seg_matrix_create(ctx, n, Z.cols, &out->kernel.factor)) == SEG_OK)
        for (size_t i = 0; i < n; i++)
            memcpy(out->kernel.factor.at + i * Z.cols, Z.at + (size_t)sample[i] * Z.cols, Z.cols * sizeof *Z.at);
    seg_matrix_free(&Z);
    out->samples = (size_t)sdp.size[0];
    out->cannots = (size_t)sdp.constraints - out->samples;
done:
    free(sample);
    seg_sdp_free(&sdp);
    seg_sdp_solution_free(&solution);
    if (status)
        seg_pcp_result_free(out);
    return status;
}

void seg_pcp_result_free(seg_pcp_result *result) {
    if (!result)
        return;
    seg_unit_kernel_free(&result->kernel);
    memset(result, 0, sizeof *result);
}
