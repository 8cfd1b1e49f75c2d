/* CCSR: constrained clustering via spectral regularization [li2009ccsr, Algorithm 1]. */
#include "methods/steps.h"

#include "base/base.h"
#include "graph/spectrum/spectrum.h"
#include "groups/groups.h"
#include "kernels/ccsr_program.h"
#include "kernels/links.h"
#include "linalg/dense.h"
#include "methods/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const seg_param params[] = {
    {"m", 15, 1, 60, 1, NULL, "smoothest eigenvectors the embedding is made of"},
    {"diagonal", -1, -1, 1e6, 0, NULL,
     "weight of the kernel's whole diagonal, at most so many times that of all constraints; 0: each entry counts as a "
     "constraint does, as printed; -1: 0 up to 20,000 samples, 1 beyond"},
};

/* The embedding F M^1/2 up to a rotation: F times the eigenvectors of M, each by the root of its eigenvalue. */
static seg_status embed(seg_context *ctx, const seg_matrix *F, const double *M, seg_matrix *out) {
    const size_t m = F->cols;
    double *value = seg_alloc(ctx, m, sizeof *value), *vector = seg_alloc(ctx, m, m * sizeof *vector);
    size_t rank = 0;
    seg_status status = SEG_ERR_MEMORY;
    if (!value || !vector || (status = seg_eigen_dense(ctx, m, M, value, vector)) != SEG_OK)
        goto done;
    while (rank < m && value[m - 1 - rank] > 1e-10 * value[m - 1])
        rank++;
    if (rank == 0)
        rank = 1; /* M = 0 only where every row is: any column serves */
    if ((status = seg_matrix_create(ctx, F->rows, rank, out)) != SEG_OK)
        goto done;
    for (size_t c = 0; c < rank; c++) { /* the leading columns of `vector`, packed */
        double root = sqrt(fmax(value[m - 1 - c], 0));
        for (size_t i = 0; i < F->rows; i++) {
            double sum = 0;
            for (size_t a = 0; a < m; a++)
                sum += F->at[i * m + a] * vector[a * m + (m - 1 - c)];
            out->at[i * rank + c] = root * sum;
        }
    }
done:
    free(value);
    free(vector);
    return status;
}

seg_status seg_ccsr_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, double share,
                          seg_clustering *out) {
    const size_t n = problem->n, m = (size_t)spectrum->count;
    seg_matrix F = {0};
    seg_ccsr_result learned;
    const double diagonal = seg_diagonal_weight(problem->constraints, n, share);
    double *M = seg_alloc(ctx, m, m * sizeof *M);
    seg_status status = SEG_ERR_MEMORY;
    if (!M || (status = seg_matrix_create(ctx, n, m, &F)) != SEG_OK)
        goto done;
    /* Eigenvectors have norm one over n entries: scaled by sqrt(n) their rows compare with 1; M then is the paper's
     * divided by n. */
    for (size_t e = 0; e < n * m; e++)
        F.at[e] = spectrum->vector[e] * sqrt((double)n);
    if ((status = seg_ccsr_learn(ctx, &(seg_spectral_problem){&F, problem->constraints, diagonal}, M, &learned)) !=
            SEG_OK ||
        (status = embed(ctx, &F, M, &out->embedding)) != SEG_OK)
        goto done;
    out->objective = learned.objective;
    out->iterations = learned.iterations;
    out->converged = learned.converged;
    status = seg_assign_kmeans(ctx, problem, &out->embedding, SEG_ASSIGN_GROUPS, out);
done:
    free(M);
    seg_matrix_free(&F);
    return status;
}

seg_status seg_ccsr_groups(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                           seg_constraints *out) {
    seg_clustering learned = {0};
    memset(out, 0, sizeof *out);
    seg_status status = seg_clustering_begin(ctx, problem, &learned);
    if (!status && (status = seg_ccsr_solve(ctx, problem, spectrum, -1, &learned)) == SEG_OK) {
        seg_rows_to_sphere(learned.embedding.rows, learned.embedding.cols, learned.embedding.at);
        status = seg_groups_from_pairs(ctx, problem, &learned.embedding, out);
    }
    seg_clustering_free(&learned);
    return status;
}

static int columns(const seg_problem *problem, double asked) {
    return asked < (double)problem->n ? (int)asked : (int)problem->n;
}

int seg_ccsr_columns(const seg_problem *problem) {
    return columns(problem, params[0].initial);
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    seg_spectrum spectrum = {0};
    seg_status status = seg_smoothest(ctx, problem, columns(problem, param[0]), &spectrum);
    if (!status)
        status = seg_ccsr_solve(ctx, problem, &spectrum, param[1], out);
    seg_spectrum_free(&spectrum);
    return status;
}

static const char *const paper[] = {"diagonal=0", NULL};

const seg_method_row seg_method_ccsr = {
    {"ccsr", "spectral regularization by a small semidefinite program", "li2009ccsr, Algorithm 1",
     SEG_NEEDS_GRAPH | SEG_TAKES_FULL | SEG_NEEDS_CONSTRAINTS, 2, params, paper, NULL, SEG_PAPER_GRAPH_KNN},
    solve,
};
