/* The methods whose kernel is the solution of a semidefinite program: TRAGEK and PCP. The smoothness term is the graph
 * that the problem brings; the complete Gaussian graph is Eq. 15 as printed. Kernel k-means on the learned kernel is
 * k-means on the rows of its factor. */
#include "methods/assign.h"
#include "methods/method.h"

#include "base/base.h"
#include "constraints/held_out_pairs.h"
#include "kernels/smoother.h"

static const char *const paper[] = {NULL};

/* tragek: NULL for PCP. */
static seg_status solve(seg_context *ctx, const seg_problem *problem, const seg_tragek_options *tragek,
                        double tolerance, seg_clustering *out) {
    SEG_RELEASED(seg_unit_kernel_free) seg_unit_kernel kernel = {0};
    SEG_RELEASED(seg_csr_free) seg_csr S = {0};
    if (problem->constraints->groups < 2 && seg_constraints_cannots(problem->constraints) == 0)
        seg_log(ctx, SEG_LOG_WARNING,
                "%s learns nothing from must-links alone: its best kernel puts everything in one cluster, and these "
                "clusters mean nothing; add a cannot-link, or use ncut",
                tragek ? "TRAGEK" : "PCP");
    SEG_TRY(seg_normalized_laplacian(ctx, problem->affinity, &S));
    SEG_TRY(tragek ? seg_tragek_learn(ctx, &S, problem->constraints, tragek, &kernel)
                   : seg_pcp_learn(ctx, &S, problem->constraints, tolerance, &kernel));
    return seg_assign_unit_kernel(ctx, problem, &kernel, out);
}

/* ---- TRAGEK: transductive graph embedding kernel learning [chen2011npkl, Algorithm 1]. ---- */

static const seg_param tragek_params[] = {
    {"lambda", 1, 0, 1e4, 0, NULL, "weight of the smoothness term (paper: 1)"},
    {"lambda1", 1, 0, 1e4, 0, NULL, "weight of the must-links' inner products (paper: 1)"},
    {"lambda2", 1, 0, 1e4, 0, NULL, "weight of the cannot-links' inner products (paper: 1)"},
    {"tolerance", 1e-6, 1e-8, 1e-2, 0, NULL, "relative duality gap at which the semidefinite program is solved"},
};
enum { LAMBDA, LAMBDA1, LAMBDA2, TOLERANCE };

static seg_status solve_tragek(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_tragek_options options = {param[LAMBDA], param[LAMBDA1], param[LAMBDA2], param[TOLERANCE]};
    return solve(ctx, problem, &options, 0, out);
}

const seg_method_row seg_method_tragek = {
    {"tragek", "transductive graph embedding kernel by semidefinite programming", "chen2011npkl, Algorithm 1",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, SEG_PARAMS(tragek_params), paper, NULL, SEG_PAPER_GRAPH_FULL},
    solve_tragek,
};

/* ---- PCP: pairwise constraint propagation [li2008pcp]. ---- */

static const seg_param pcp_params[] = {
    {"tolerance", 1e-6, 1e-8, 1e-2, 0, NULL, "relative duality gap at which the semidefinite program is solved"},
};

static seg_status solve_pcp(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    return solve(ctx, problem, NULL, param[0], out);
}

const seg_method_row seg_method_pcp = {
    {"pcp", "pairwise constraint propagation by semidefinite programming", "li2008pcp",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, SEG_PARAMS(pcp_params), paper, NULL, SEG_PAPER_GRAPH_FULL},
    solve_pcp,
};
