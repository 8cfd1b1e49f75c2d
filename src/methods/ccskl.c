/* CCSKL: constrained clustering by spectral kernel learning [li2009ccskl, Algorithm 1]. */
#include "methods/assign.h"
#include "methods/method.h"

#include "base/base.h"
#include "graph/spectrum/spectrum.h"
#include "kernels/ccskl_program.h"
#include "kernels/links.h"

#include <math.h>
#include <stdlib.h>

static const seg_param params[] = {
    {"m", 20, 1, 200, 1, NULL, "smoothest eigenvectors the kernel is made of"},
    {"diagonal", -1, -1, 1e6, 0, NULL,
     "weight of the kernel's whole diagonal, at most so many times that of all constraints; 0: each entry counts as a "
     "constraint does, as printed; -1: 0 up to 20,000 samples, 1 beyond"},
};

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const size_t n = problem->n;
    const size_t m = (size_t)param[0] < n ? (size_t)param[0] : n;
    const double diagonal = seg_diagonal_weight(problem->constraints, n, param[1]);
    seg_spectrum spectrum = {0};
    seg_matrix F = {0};
    double *beta = seg_alloc(ctx, m, sizeof *beta);
    size_t used = 0;
    seg_status status = SEG_ERR_MEMORY;
    if (!beta || (status = seg_smoothest(ctx, problem, (int)m, &spectrum)) != SEG_OK ||
        (status = seg_matrix_create(ctx, n, m, &F)) != SEG_OK)
        goto done;
    /* Eigenvectors have norm one over n entries: scaled by sqrt(n) their rows compare with 1, and the program is well
     * scaled; beta then is the paper's divided by n. */
    for (size_t e = 0; e < n * m; e++)
        F.at[e] = spectrum.vector[e] * sqrt((double)n);
    if ((status = seg_ccskl_learn(ctx, &(seg_spectral_problem){&F, problem->constraints, diagonal}, beta,
                                  &out->objective, &out->iterations)) != SEG_OK)
        goto done;
    while (used < m && beta[used] > 0) /* non-increasing */
        used++;
    if (used == 0)
        used = 1; /* all zero only where every row is: any column serves */
    if ((status = seg_matrix_create(ctx, n, used, &out->embedding)) != SEG_OK)
        goto done;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < used; c++)
            out->embedding.at[i * used + c] = F.at[i * m + c] * sqrt(beta[c]);
    status = seg_assign_kmeans(ctx, problem, &out->embedding, SEG_ASSIGN_GROUPS, out);
done:
    free(beta);
    seg_matrix_free(&F);
    seg_spectrum_free(&spectrum);
    return status;
}

static const char *const paper[] = {"diagonal=0", NULL};

const seg_method_row seg_method_ccskl = {
    {"ccskl", "spectral kernel learning by quadratic programming", "li2009ccskl, Algorithm 1",
     SEG_NEEDS_GRAPH | SEG_TAKES_FULL | SEG_NEEDS_CONSTRAINTS, 2, params, paper, NULL, SEG_PAPER_GRAPH_KNN},
    solve,
};
