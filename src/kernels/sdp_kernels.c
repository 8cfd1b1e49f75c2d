#include "kernels/sdp_kernels.h"
#include "base/base.h"
#include "constraints/closed.h"
#include "kernels/links.h"
#include "linalg/dense.h"

/* Eigenvalues below this share of the trace are noise of the solver. */
#define NOISE 1e-7

seg_status seg_factor_compress(seg_context *ctx, double lost, seg_matrix *Z) {
    const size_t n = Z->rows, r = Z->cols;
    double *gram, *vector, *value, *leading, trace = 0, dropped = 0;
    seg_matrix smaller;
    size_t keep = r;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(gram, r, r), SEG_TABLE(vector, r, r), SEG_ARRAY(value, r),
                     SEG_TABLE(leading, r, r));
    seg_gemm((seg_shape){1, 0, r, r, n}, 1, Z->at, Z->at, 0, gram);
    SEG_TRY(seg_eigen_dense(ctx, r, gram, value, vector));
    for (size_t c = 0; c < r; c++)
        trace += fmax(value[c], 0);
    while (keep > 1 && dropped + fmax(value[r - keep], 0) <= lost * trace)
        dropped += fmax(value[r - keep--], 0);
    if (keep == r)
        return SEG_OK;
    for (size_t i = 0; i < r; i++)
        for (size_t c = 0; c < keep; c++)
            leading[i * keep + c] = vector[i * r + (r - 1 - c)];
    SEG_TRY(seg_matrix_create(ctx, n, keep, &smaller));
    seg_gemm((seg_shape){0, 0, n, keep, r}, 1, Z->at, leading, 0, smaller.at);
    seg_matrix_free(Z);
    *Z = smaller;
    return SEG_OK;
}

seg_status seg_factor_of_kernel(seg_context *ctx, const seg_matrix *K, size_t r, seg_matrix *V) {
    const size_t m = K->rows;
    const int by_noise = r == 0;
    double *vector, *value, dropped = 0;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(vector, m, m), SEG_ARRAY(value, m));
    SEG_TRY(seg_eigen_dense(ctx, m, K->at, value, vector));
    r = by_noise ? m : r;
    while (by_noise && r > 1 && (dropped += fmax(value[m - r], 0)) <= NOISE * (double)m)
        r--;
    SEG_TRY(seg_matrix_create(ctx, m, r, V));
    for (size_t i = 0; i < m; i++)
        for (size_t c = 0; c < r; c++)
            V->at[i * r + c] = c < m ? vector[i * m + (m - 1 - c)] * sqrt(fmax(value[m - 1 - c], 0)) : 0;
    seg_rows_to_sphere(m, r, V->at);
    return SEG_OK;
}

void seg_unit_kernel_free(seg_unit_kernel *kernel) {
    seg_matrix_free(&kernel->factor);
    memset(kernel, 0, sizeof *kernel);
}

/* Solve a program whose block 0 is K, check the solution independently, factor K and log the residuals under `name`.
 * solution: of the program; the caller frees it in any case. */
static seg_status solve(seg_context *ctx, const char *name, const seg_sdp *sdp, double tolerance,
                        seg_sdp_solution *solution, seg_unit_kernel *out) {
    SEG_TRY(seg_sdp_solve(ctx, sdp, tolerance, solution));
    SEG_TRY(seg_factor_of_kernel(ctx, &solution->X[0], 0, &out->factor));
    for (size_t i = 0, n = solution->X[0].rows; i < n; i++)
        out->diagonal = fmax(out->diagonal, fabs(solution->X[0].at[i * n + i] - 1));
    out->residuals = solution->residuals;
    out->objective = out->residuals.primal;
    out->iterations = solution->iterations;
    out->converged = solution->converged;
    seg_log(ctx, SEG_LOG_INFO,
            "%s: unit diagonal to %.1e, positive semidefinite to %.1e, constraints to %.1e, duality gap %.1e", name,
            out->diagonal, out->residuals.psd, out->residuals.constraints, out->residuals.gap);
    return SEG_OK;
}

/* ---- TRAGEK. ---- */

enum { KERNEL = 0, CONE = 1 }; /* blocks */

/* Add weight * W (sign +1) or weight * W^p (sign -1) to a row. The indicator vectors add diagonal entries, whose
 * contribution is weight * `grouped` for W, because K has a unit diagonal, and 0 for W^p. */
static seg_status add_links(seg_context *ctx, const seg_links *links, seg_sdp *sdp, int row, int sign, double weight) {
    const seg_sdp_place place = {row, KERNEL};
    SEG_LOCAL(int32_t, member, seg_alloc(ctx, links->m, sizeof *member));
    /* Each group, and for W^p all of them together. */
    for (int g = 0; g < links->groups + (sign < 0); g++) {
        size_t count = 0;
        for (size_t i = 0; i < links->m; i++)
            if (g < links->groups ? links->group[i] == g : links->group[i] >= 0)
                member[count++] = (int32_t)i;
        SEG_TRY(seg_sdp_add_rank_one(ctx, sdp, place, g < links->groups ? sign * weight : weight, count, member));
    }
    for (size_t p = 0; p < links->pairs; p++) {
        const seg_pair *pair = &links->pair[p];
        if (pair->sign == sign)
            SEG_TRY(seg_sdp_add(ctx, sdp, place, (size_t)pair->i, (size_t)pair->j, weight * pair->weight));
    }
    return SEG_OK;
}

/* Z_12 = <L,K> / 2 and Z_22 = <L^p,K>, with <L,K> = tr L - <W,K>. */
static seg_status add_cone(seg_context *ctx, const seg_links *links, seg_sdp *sdp) {
    const int must = (int)links->m + 1, cannot = must + 1;
    SEG_TRY(seg_sdp_add(ctx, sdp, (seg_sdp_place){SEG_SDP_COST, CONE}, 0, 0, 1));
    SEG_TRY(seg_sdp_add(ctx, sdp, (seg_sdp_place){must, CONE}, 1, 0, 1));
    SEG_TRY(add_links(ctx, links, sdp, must, +1, 1));
    SEG_TRY(seg_sdp_add(ctx, sdp, (seg_sdp_place){cannot, CONE}, 1, 1, 1));
    SEG_TRY(add_links(ctx, links, sdp, cannot, -1, 1));
    sdp->right[must - 1] = links->must_trace + (double)links->grouped;
    sdp->right[cannot - 1] = links->cannot_trace;
    return SEG_OK;
}

static seg_status add_all(seg_context *ctx, const seg_csr *S, const seg_links *links, const seg_tragek_options *options,
                          seg_sdp *sdp) {
    for (size_t i = 0; i < S->rows; i++) {
        for (size_t e = S->start[i]; e < S->start[i + 1]; e++)
            if ((size_t)S->column[e] <= i)
                SEG_TRY(seg_sdp_add(ctx, sdp, (seg_sdp_place){SEG_SDP_COST, KERNEL}, i, (size_t)S->column[e],
                                    options->lambda * S->value[e]));
        SEG_TRY(seg_sdp_add(ctx, sdp, (seg_sdp_place){(int)i + 1, KERNEL}, i, i, 1));
        sdp->right[i] = 1;
    }
    SEG_TRY(add_links(ctx, links, sdp, SEG_SDP_COST, +1, -options->lambda1));
    return add_links(ctx, links, sdp, SEG_SDP_COST, -1, options->lambda2);
}

seg_status seg_tragek_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                              const seg_tragek_options *options, seg_sdp *out, double *constant) {
    SEG_RELEASED(seg_links_free) seg_links links = {0};
    memset(out, 0, sizeof *out);
    if (S->rows > SEG_TRAGEK_SAMPLES)
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "TRAGEK solves a semidefinite program over all %zu samples and is limited to %d; use the method "
            "enpakl, which approximates it from sub-kernels",
            S->rows, SEG_TRAGEK_SAMPLES);
    SEG_TRY(seg_links_create(ctx, constraints, NULL, constraints->n, &links));
    const int cone = links.must_trace > 0 && links.cannot_trace > 0, n = (int)S->rows, size[2] = {n, 2};
    *constant = options->lambda1 * (double)links.grouped;
    SEG_TRY(seg_sdp_create(ctx, n + 2 * cone, 1 + cone, size, out));
    SEG_TRY(add_all(ctx, S, &links, options, out));
    return cone ? add_cone(ctx, &links, out) : SEG_OK;
}

seg_status seg_tragek_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                            const seg_tragek_options *options, seg_unit_kernel *out) {
    SEG_RELEASED(seg_sdp_free) seg_sdp sdp = {0};
    SEG_RELEASED(seg_sdp_solution_free) seg_sdp_solution solution = {0};
    double constant;
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_tragek_program(ctx, S, constraints, options, &sdp, &constant));
    SEG_TRY(solve(ctx, "TRAGEK", &sdp, options->tolerance, &solution, out));
    out->objective += constant;
    out->must = sdp.blocks > CONE ? 2 * solution.X[CONE].at[1] : 0;
    out->cannot = sdp.blocks > CONE ? solution.X[CONE].at[3] : 0;
    return SEG_OK;
}

/* ---- PCP. ---- */

static seg_status add_reduced(seg_context *ctx, const seg_csr *S, const seg_closure *closure, const int32_t *sample,
                              size_t rows, seg_sdp *sdp) {
    /* P'SP: both triangles of S meet in the one kept, an off-diagonal pair twice where its ends fell together. */
    for (size_t i = 0; i < S->rows; i++)
        for (size_t e = S->start[i]; e < S->start[i + 1]; e++) {
            const size_t j = (size_t)S->column[e];
            if (j <= i)
                SEG_TRY(seg_sdp_add(ctx, sdp, (seg_sdp_place){SEG_SDP_COST, 0}, (size_t)sample[i], (size_t)sample[j],
                                    j < i && sample[i] == sample[j] ? 2 * S->value[e] : S->value[e]));
        }
    for (size_t r = 0; r < rows; r++) {
        SEG_TRY(seg_sdp_add(ctx, sdp, (seg_sdp_place){(int)r + 1, 0}, r, r, 1));
        sdp->right[r] = 1;
    }
    for (size_t c = 0; c < closure->cannots; c++)
        SEG_TRY(seg_sdp_add(ctx, sdp, (seg_sdp_place){(int)(rows + c) + 1, 0}, (size_t)closure->cannot[2 * c],
                            (size_t)closure->cannot[2 * c + 1], 1));
    return SEG_OK;
}

seg_status seg_pcp_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints, seg_sdp *out,
                           int32_t *sample) {
    const seg_closure *closure;
    SEG_RELEASED(seg_closure_free) seg_closure own = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_closure_of(ctx, constraints, &own, &closure));
    size_t rows = (size_t)closure->components; /* which are numbered first, then the samples without constraints */
    for (size_t i = 0; i < closure->n; i++)
        sample[i] = closure->component[i] >= 0 ? closure->component[i] : (int32_t)rows++;
    if (rows > SEG_PCP_SAMPLES)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "PCP solves a semidefinite program over %zu samples (those that must link count as one) and "
                        "is limited to %d; use the method enpakl1, or enpakl, which work on small parts",
                        rows, SEG_PCP_SAMPLES);
    if (closure->cannots > SEG_PCP_CANNOTS)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "PCP holds %zu pairs that cannot link exactly and is limited to %d; sample the constraints, "
                        "or use the method enpakl",
                        closure->cannots, SEG_PCP_CANNOTS);
    SEG_TRY(seg_sdp_create(ctx, (int)(rows + closure->cannots), 1, &(int){(int)rows}, out));
    return add_reduced(ctx, S, closure, sample, rows, out);
}

/* If no two components can link, K' is the identity, the only feasible point: an interior-point solver cannot run. */
static seg_status identity(seg_context *ctx, const seg_sdp *sdp, seg_unit_kernel *out) {
    const size_t rows = (size_t)sdp->size[0];
    SEG_TRY(seg_matrix_create(ctx, rows, rows, &out->factor));
    for (size_t r = 0; r < rows; r++)
        out->factor.at[r * rows + r] = 1;
    for (size_t e = 0; e < sdp->entries; e++)
        if (sdp->entry[e].row == SEG_SDP_COST && sdp->entry[e].i == sdp->entry[e].j)
            out->objective += sdp->entry[e].value;
    out->residuals.primal = out->residuals.dual = out->objective;
    out->converged = 1;
    return SEG_OK;
}

seg_status seg_pcp_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints, double tolerance,
                         seg_unit_kernel *out) {
    const size_t n = constraints->n;
    SEG_RELEASED(seg_sdp_free) seg_sdp sdp = {0};
    SEG_RELEASED(seg_sdp_solution_free) seg_sdp_solution solution = {0};
    SEG_RELEASED(seg_unit_kernel_free) seg_unit_kernel reduced = {0};
    memset(out, 0, sizeof *out);
    SEG_LOCAL(int32_t, sample, seg_alloc(ctx, n, sizeof *sample));
    SEG_TRY(seg_pcp_program(ctx, S, constraints, &sdp, sample));
    const size_t rows = (size_t)sdp.size[0], all = rows * (rows + 1) / 2;
    SEG_TRY((size_t)sdp.constraints == all ? identity(ctx, &sdp, &reduced)
                                           : solve(ctx, "PCP", &sdp, tolerance, &solution, &reduced));
    *out = reduced;
    const seg_matrix *Z = &reduced.factor; /* of the components: every sample gets its component's row */
    SEG_TRY(seg_rows_taken(ctx, Z, sample, n, &out->factor));
    out->samples = rows;
    out->cannots = (size_t)sdp.constraints - rows;
    return SEG_OK;
}
