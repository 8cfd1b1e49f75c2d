#include "kernels/enpakl.h"

#include "base/base.h"
#include "graph/harmonic.h"
#include "kernels/extension.h"
#include "kernels/factor.h"
#include "kernels/pcp.h"
#include "kernels/smoother.h"
#include "kernels/subsets.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share of the trace that a compressed factor may lose; the distances between rows hardly change. */
#define LOST 1e-6

/* Random streams of the context's seed used by the starts. */
#define START_STREAM 0x1000

static seg_status rows_of(seg_context *ctx, const seg_matrix *X, const int32_t *member, size_t m, seg_matrix *out) {
    seg_status status = seg_matrix_create(ctx, m, X->cols, out);
    for (size_t i = 0; !status && i < m; i++)
        memcpy(out->at + i * X->cols, X->at + (size_t)member[i] * X->cols, X->cols * sizeof *out->at);
    return status;
}

/* Run Algorithm 2 on K, then factor it. */
static seg_status project_to_factor(seg_context *ctx, const seg_subkernel_problem *problem,
                                    const seg_enpakl_options *options, seg_matrix *V, seg_subkernel_result *result) {
    const size_t m = V->rows;
    double *K = seg_alloc(ctx, m, m * sizeof *K);
    seg_status status = K ? SEG_OK : SEG_ERR_MEMORY;
    if (!status) {
        seg_gemm((seg_shape){0, 1, m, m, V->cols}, 1, V->at, V->at, 0, K);
        status = seg_subkernel_project(ctx, problem, options->iterations, options->tolerance, K, result);
    }
    if (!status)
        status = seg_factor_of_kernel(ctx, m, K, V->cols, V->at);
    free(K);
    return status;
}

/* Run PCP on the subset: K from hard constraints and the smoother. */
static seg_status propagate_to_factor(seg_context *ctx, const seg_subkernel_problem *problem, seg_matrix *V,
                                      seg_subkernel_result *result) {
    const seg_links *links = problem->links;
    const seg_constraints own = {.n = links->m, /* borrows */
                                 .groups = links->groups,
                                 .group = links->group,
                                 .pair = links->pair,
                                 .pairs = links->pairs};
    const seg_sdp_options defaults = {0};
    seg_pcp_result found;
    seg_status status = seg_pcp_learn(ctx, problem->smoother, &own, &defaults, &found);
    if (status)
        return status;
    result->objective = found.kernel.objective;
    result->iterations = found.kernel.iterations;
    result->converged = found.kernel.converged;
    *V = found.kernel.factor;
    return SEG_OK;
}

/* Solve Eq. 21 by one of its two solvers, which make their own start. V: m x rank. */
static seg_status embed_to_factor(seg_context *ctx, const seg_subkernel_problem *problem,
                                  const seg_enpakl_options *options, uint64_t subset, seg_matrix *V,
                                  seg_subkernel_result *result) {
    seg_status status = seg_matrix_create(ctx, problem->links->m, (size_t)options->rank, V);
    if (status)
        return status;
    seg_subkernel_start(ctx ? ctx->seed : 1, START_STREAM + subset, problem->links, V->cols, V->at);
    if (options->solver == SEG_ENPAKL_PROJECT)
        return project_to_factor(ctx, problem, options, V, result);
    return seg_subkernel_descend(ctx, problem, V->cols, options->iterations, options->tolerance, V->at, result);
}

/* Learn one sub-kernel over the m members: V, m x r. */
static seg_status learn_subkernel(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                                  const seg_enpakl_options *options, const int32_t *member, size_t m, uint64_t subset,
                                  seg_matrix *V, seg_subkernel_result *result) {
    seg_links links = {0};
    seg_matrix own = {0};
    seg_csr S = {0};
    seg_status status;
    if ((status = seg_links_create(ctx, constraints, member, m, &links)) != SEG_OK ||
        (status = rows_of(ctx, X, member, m, &own)) != SEG_OK ||
        (status = seg_smoother_create(ctx, &own, options->smoother_neighbours, options->sigma_scale, &S)) != SEG_OK)
        goto done;
    seg_subkernel_problem problem = {&links, &S, options->lambda, options->guard, options->each};
    if (options->solver == SEG_ENPAKL_PCP)
        status = propagate_to_factor(ctx, &problem, V, result);
    else
        status = embed_to_factor(ctx, &problem, options, subset, V, result);
    if (!status)
        status = seg_factor_compress(ctx, LOST, V);
done:
    seg_links_free(&links);
    seg_matrix_free(&own);
    seg_csr_free(&S);
    return status;
}

/* F: W_i V_i over all samples for one subset, scaled by the root of its weight alpha_i (Eq. 33). */
static seg_status extend(seg_context *ctx, const seg_matrix *X, const seg_csr *W, const seg_constraints *constraints,
                         const seg_enpakl_options *options, const int32_t *member, const seg_matrix *V, double alpha,
                         const seg_laplacian *laplacian, uint8_t *known, seg_matrix *F) {
    seg_status status = seg_matrix_create(ctx, constraints->n, V->cols, F);
    if (status || (status = seg_extension_known(ctx, constraints, member, V->rows, V->at, known, F)) != SEG_OK)
        return status;
    if (options->weights == SEG_ENPAKL_LLE)
        status = seg_extension_lle(ctx, X, constraints, member, V->rows, options->lle_neighbours, V->at, known, F);
    else /* absorption probabilities of the graph instead of the weights of Eq. 30 */
        status = seg_harmonic_extend(ctx, W, laplacian, known, options->extension_tolerance, F);
    for (size_t i = 0; !status && i < F->rows * F->cols; i++)
        F->at[i] *= sqrt(alpha);
    return status;
}

/* Z <- [Z F], compressed. */
static seg_status append_columns(seg_context *ctx, const seg_matrix *F, seg_matrix *Z) {
    const size_t n = F->rows, old = Z->cols, new = F->cols;
    seg_matrix wider;
    seg_status status = seg_matrix_create(ctx, n, old + new, &wider);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        if (old)
            memcpy(wider.at + i * (old + new), Z->at + i * old, old * sizeof *wider.at);
        memcpy(wider.at + i * (old + new) + old, F->at + i * new, new * sizeof *wider.at);
    }
    seg_matrix_free(Z);
    *Z = wider;
    return old ? seg_factor_compress(ctx, LOST, Z) : SEG_OK;
}

seg_status seg_enpakl_learn(seg_context *ctx, const seg_matrix *X, const seg_csr *W, const seg_constraints *constraints,
                            const seg_enpakl_options *options, seg_enpakl_result *out) {
    seg_subsets subsets = {0};
    const seg_laplacian *laplacian = options->laplacian;
    seg_laplacian *own = NULL;
    uint8_t *known = NULL;
    double total = 0;
    seg_status status;
    memset(out, 0, sizeof *out);
    out->converged = 1;
    if ((status = seg_subsets_pick(ctx, constraints, options->landmarks, options->portion, &subsets)) != SEG_OK)
        return status;
    if (subsets.count == 0) {
        status = seg_fail(ctx, SEG_ERR_USAGE,
                          "ENPAKL learns from constraints, and there are none: mark strokes of at least one label, or "
                          "choose the method kmeans or ncut");
        goto done;
    }
    known = seg_alloc(ctx, constraints->n, 1);
    if (!known) {
        status = SEG_ERR_MEMORY;
        goto done;
    }
    if (options->weights == SEG_ENPAKL_HARMONIC && !laplacian) {
        if ((status = seg_laplacian_create(ctx, W, &own)) != SEG_OK)
            goto done;
        laplacian = own;
    }
    for (size_t s = 0; s < subsets.count; s++)
        total += subsets.degree[s];
    for (size_t s = 0; s < subsets.count && !status; s++) {
        const int32_t *member = subsets.member + subsets.start[s];
        double alpha = options->equal_alpha || !(total > 0) ? 1.0 / (double)subsets.count : subsets.degree[s] / total;
        seg_subkernel_result result = {0};
        seg_matrix V = {0}, F = {0};
        if ((status = learn_subkernel(ctx, X, constraints, options, member, subsets.start[s + 1] - subsets.start[s], s,
                                      &V, &result)) == SEG_OK &&
            (status = extend(ctx, X, W, constraints, options, member, &V, alpha, laplacian, known, &F)) == SEG_OK)
            status = append_columns(ctx, &F, &out->factor);
        out->objective += result.objective / (double)subsets.count;
        out->iterations += result.iterations;
        out->converged &= result.converged;
        seg_matrix_free(&V);
        seg_matrix_free(&F);
        if (!status)
            status = seg_progress(ctx, (double)(s + 1) / (double)subsets.count, "sub-kernels");
    }
    out->subsets = subsets.count;
done:
    seg_subsets_free(&subsets);
    seg_laplacian_free(own);
    free(known);
    if (status)
        seg_enpakl_result_free(out);
    return status;
}

void seg_enpakl_result_free(seg_enpakl_result *result) {
    if (!result)
        return;
    seg_matrix_free(&result->factor);
    memset(result, 0, sizeof *result);
}
