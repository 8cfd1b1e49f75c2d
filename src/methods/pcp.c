/* PCP: pairwise constraint propagation [li2008pcp], then kernel k-means, which is k-means on the rows of the learned
 * kernel's factor. */
#include "methods/assign.h"
#include "methods/method.h"

#include "base/base.h"
#include "kernels/pcp.h"
#include "kernels/smoother.h"

static const seg_param params[] = {
    {"tolerance", 1e-6, 1e-8, 1e-2, 0, NULL, "relative duality gap at which the semidefinite program is solved"},
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_sdp_options options = {.tolerance = param[0]};
    seg_pcp_result found = {0};
    seg_csr S = {0};
    seg_status status;
    if ((status = seg_normalized_laplacian(ctx, problem->affinity, &S)) != SEG_OK ||
        (status = seg_pcp_learn(ctx, &S, problem->constraints, &options, &found)) != SEG_OK)
        goto done;
    status = seg_assign_unit_kernel(ctx, problem, &found.kernel, out);
done:
    seg_csr_free(&S);
    seg_pcp_result_free(&found);
    return status;
}

static const char *const paper[] = {NULL};

const seg_method_row seg_method_pcp = {
    {"pcp", "pairwise constraint propagation by semidefinite programming", "li2008pcp",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, sizeof params / sizeof params[0], params, paper, NULL,
     SEG_PAPER_GRAPH_FULL},
    solve,
};
