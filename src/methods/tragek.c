/* TRAGEK: transductive graph embedding kernel learning [chen2011npkl, Algorithm 1]. The smoothness term is the graph
 * the problem brings; the complete Gaussian graph is Eq. 15 as printed. Kernel k-means on the learned kernel is k-means
 * on the rows of its factor. */
#include "methods/assign.h"
#include "methods/method.h"

#include "base/base.h"
#include "kernels/smoother.h"
#include "kernels/tragek.h"

static const seg_param params[] = {
    {"lambda", 1, 0, 1e4, 0, NULL, "weight of the smoothness term (paper: 1)"},
    {"lambda1", 1, 0, 1e4, 0, NULL, "weight of the must-links' inner products (paper: 1)"},
    {"lambda2", 1, 0, 1e4, 0, NULL, "weight of the cannot-links' inner products (paper: 1)"},
    {"tolerance", 1e-6, 1e-8, 1e-2, 0, NULL, "relative duality gap at which the semidefinite program is solved"},
};
enum { LAMBDA, LAMBDA1, LAMBDA2, TOLERANCE };

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_tragek_options options = {param[LAMBDA], param[LAMBDA1], param[LAMBDA2], param[TOLERANCE], 0};
    seg_tragek_result found = {0};
    seg_csr S = {0};
    seg_status status;
    if ((status = seg_normalized_laplacian(ctx, problem->affinity, &S)) != SEG_OK ||
        (status = seg_tragek_learn(ctx, &S, problem->constraints, &options, &found)) != SEG_OK)
        goto done;
    status = seg_assign_unit_kernel(ctx, problem, &found.kernel, out);
done:
    seg_csr_free(&S);
    seg_tragek_result_free(&found);
    return status;
}

static const char *const paper[] = {NULL};

const seg_method_row seg_method_tragek = {
    {"tragek", "transductive graph embedding kernel by semidefinite programming", "chen2011npkl, Algorithm 1",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, sizeof params / sizeof params[0], params, paper, NULL,
     SEG_PAPER_GRAPH_FULL},
    solve,
};
