#include "kernels/tragek.h"

#include "base/base.h"
#include "kernels/links.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL = 0, CONE = 1 }; /* blocks */

/* Add weight * W (sign +1) or weight * W^p (sign -1) to a row; the indicator vectors add diagonal entries, whose
 * contribution is weight * *constant, because K has a unit diagonal. */
static seg_status add_links(seg_context *ctx, const seg_links *links, int sign, int row, double weight, seg_sdp *sdp,
                            double *constant) {
    int32_t *member = seg_alloc(ctx, links->m, sizeof *member);
    size_t count = 0;
    seg_status status = member ? SEG_OK : SEG_ERR_MEMORY;
    *constant = sign > 0 ? (double)links->grouped : 0;
    for (int g = 0; g < links->groups && !status; g++) {
        count = 0;
        for (size_t i = 0; i < links->m; i++)
            if (links->group[i] == g)
                member[count++] = (int32_t)i;
        status = seg_sdp_add_rank_one(ctx, sdp, row, KERNEL, sign * weight, count, member, NULL);
    }
    if (sign < 0 && !status) {
        count = 0;
        for (size_t i = 0; i < links->m; i++)
            if (links->group[i] >= 0)
                member[count++] = (int32_t)i;
        status = seg_sdp_add_rank_one(ctx, sdp, row, KERNEL, weight, count, member, NULL);
    }
    for (size_t p = 0; p < links->pairs && !status; p++) {
        const seg_pair *pair = &links->pair[p];
        if (pair->sign == sign)
            status = seg_sdp_add(ctx, sdp, row, KERNEL, (size_t)pair->i, (size_t)pair->j, weight * pair->weight);
    }
    free(member);
    return status;
}

/* Z_12 = <L,K> / 2 and Z_22 = <L^p,K>, with <L,K> = tr L - <W,K>. */
static seg_status add_cone(seg_context *ctx, const seg_links *links, seg_sdp *sdp) {
    const int must = (int)links->m + 1, cannot = must + 1;
    double must_constant, cannot_constant;
    seg_status status;
    if ((status = seg_sdp_add(ctx, sdp, SEG_SDP_COST, CONE, 0, 0, 1)) != SEG_OK ||
        (status = seg_sdp_add(ctx, sdp, must, CONE, 1, 0, 1)) != SEG_OK ||
        (status = add_links(ctx, links, +1, must, 1, sdp, &must_constant)) != SEG_OK ||
        (status = seg_sdp_add(ctx, sdp, cannot, CONE, 1, 1, 1)) != SEG_OK ||
        (status = add_links(ctx, links, -1, cannot, 1, sdp, &cannot_constant)) != SEG_OK)
        return status;
    sdp->right[must - 1] = links->must_trace + must_constant;
    sdp->right[cannot - 1] = links->cannot_trace + cannot_constant;
    return SEG_OK;
}

static seg_status add_all(seg_context *ctx, const seg_csr *S, const seg_links *links, const seg_tragek_options *options,
                          int cone, seg_sdp *sdp, double *constant) {
    double must_constant = 0, cannot_constant = 0;
    seg_status status = SEG_OK;
    for (size_t i = 0; i < S->rows && !status; i++) {
        for (size_t e = S->start[i]; e < S->start[i + 1] && !status; e++)
            if ((size_t)S->column[e] <= i)
                status =
                    seg_sdp_add(ctx, sdp, SEG_SDP_COST, KERNEL, i, (size_t)S->column[e], options->lambda * S->value[e]);
        if (!status)
            status = seg_sdp_add(ctx, sdp, (int)i + 1, KERNEL, i, i, 1);
        sdp->right[i] = 1;
    }
    if (!status)
        status = add_links(ctx, links, +1, SEG_SDP_COST, -options->lambda1, sdp, &must_constant);
    if (!status)
        status = add_links(ctx, links, -1, SEG_SDP_COST, options->lambda2, sdp, &cannot_constant);
    *constant = options->lambda1 * must_constant - options->lambda2 * cannot_constant;
    if (!status && cone)
        status = add_cone(ctx, links, sdp);
    return status;
}

/* The links of all samples. */
static seg_status all_links(seg_context *ctx, const seg_constraints *constraints, seg_links *out) {
    int32_t *member = seg_alloc(ctx, constraints->n, sizeof *member);
    seg_status status = SEG_ERR_MEMORY;
    memset(out, 0, sizeof *out);
    if (member) {
        for (size_t i = 0; i < constraints->n; i++)
            member[i] = (int32_t)i;
        status = seg_links_create(ctx, constraints, member, constraints->n, out);
    }
    free(member);
    return status;
}

seg_status seg_tragek_program(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                              const seg_tragek_options *options, seg_sdp *out, double *constant) {
    seg_links links;
    seg_status status;
    memset(out, 0, sizeof *out);
    if (S->rows > SEG_TRAGEK_SAMPLES)
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "TRAGEK solves a semidefinite program over all %zu samples and is limited to %d; use the method "
            "enpakl, which approximates it from sub-kernels",
            S->rows, SEG_TRAGEK_SAMPLES);
    if ((status = all_links(ctx, constraints, &links)) != SEG_OK)
        return status;
    const int cone = links.must_trace > 0 && links.cannot_trace > 0, n = (int)S->rows, size[2] = {n, 2};
    if ((status = seg_sdp_create(ctx, n + 2 * cone, 1 + cone, size, 0, out)) == SEG_OK)
        status = add_all(ctx, S, &links, options, cone, out, constant);
    seg_links_free(&links);
    if (status)
        seg_sdp_free(out);
    return status;
}

seg_status seg_tragek_learn(seg_context *ctx, const seg_csr *S, const seg_constraints *constraints,
                            const seg_tragek_options *options, seg_tragek_result *out) {
    const seg_sdp_options how = {options->tolerance, options->iterations};
    seg_sdp sdp;
    seg_sdp_solution solution;
    double constant;
    seg_status status;
    memset(out, 0, sizeof *out);
    if ((status = seg_tragek_program(ctx, S, constraints, options, &sdp, &constant)) != SEG_OK)
        return status;
    if ((status = seg_unit_kernel_solve(ctx, "TRAGEK", &sdp, constant, &how, &solution, &out->kernel)) == SEG_OK &&
        sdp.blocks > CONE) {
        out->must = 2 * solution.X[CONE].at[1];
        out->cannot = solution.X[CONE].at[3];
    }
    seg_sdp_free(&sdp);
    seg_sdp_solution_free(&solution);
    return status;
}

void seg_tragek_result_free(seg_tragek_result *result) {
    if (!result)
        return;
    seg_unit_kernel_free(&result->kernel);
    memset(result, 0, sizeof *result);
}
