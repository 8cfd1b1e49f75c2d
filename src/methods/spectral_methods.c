/* The methods that learn from the smoothest eigenvectors of the graph: CCSKL, CCSR and Spectral Learning. */
#include "methods/steps.h"

#include "base/base.h"
#include "groups/groups.h"
#include "kernels/spectral_learning.h"
#include "kernels/spectral_programs.h"
#include "linalg/dense.h"
#include "methods/assign.h"

/* clang-format off */
#define DIAGONAL_AND_EXTRAS \
    {"diagonal", -1, -1, 1e6, 0, NULL, \
     "weight of the kernel's whole diagonal, at most so many times that of all constraints; 0: each entry counts as a " \
     "constraint does, as printed; -1: 0 up to 20,000 samples, 1 beyond"}, \
    SEG_EXTRAS_ROW
/* clang-format on */
static const seg_param ccskl_params[] = {
    {"m", 20, 1, 200, 1, NULL, "smoothest eigenvectors the kernel is made of"},
    DIAGONAL_AND_EXTRAS,
};
static const seg_param ccsr_params[] = {
    {"m", 15, 1, 60, 1, NULL, "smoothest eigenvectors the embedding is made of"},
    DIAGONAL_AND_EXTRAS,
};
enum { COLUMNS, SHARE, EXTRAS };
static const char *const as_printed[] = {"diagonal=0", "extras=off", NULL};

/* Eigenvectors have norm one over n entries: scaled by sqrt(n) their rows compare with 1, and the programs are well
 * scaled; beta and M then are the papers' divided by n. */
static seg_status scaled(seg_context *ctx, const seg_spectrum *spectrum, size_t n, seg_matrix *F) {
    const size_t m = (size_t)spectrum->count;
    SEG_TRY(seg_matrix_create(ctx, n, m, F));
    for (size_t e = 0; e < n * m; e++)
        F->at[e] = spectrum->vector[e] * sqrt((double)n);
    return SEG_OK;
}

/* ---- CCSKL: constrained clustering by spectral kernel learning [li2009ccskl, Algorithm 1]. ---- */

static seg_status solve_ccskl(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const size_t n = problem->n, m = (size_t)param[COLUMNS] < n ? (size_t)param[COLUMNS] : n;
    const double diagonal = seg_diagonal_weight(problem->constraints, n, param[SHARE]);
    SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
    SEG_RELEASED(seg_matrix_free) seg_matrix F = {0};
    size_t used = 0;
    SEG_LOCAL(double, beta, seg_alloc(ctx, m, sizeof *beta));
    SEG_TRY(seg_smoothest(ctx, problem, (int)m, &spectrum));
    SEG_TRY(scaled(ctx, &spectrum, n, &F));
    SEG_TRY(seg_ccskl_learn(ctx, &(seg_spectral_problem){&F, problem->constraints, diagonal}, beta, &out->objective,
                            &out->iterations));
    while (used < m && beta[used] > 0) /* non-increasing */
        used++;
    if (used == 0)
        used = 1; /* all zero only where every row is: any column serves */
    SEG_TRY(seg_matrix_create(ctx, n, used, &out->embedding));
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < used; c++)
            out->embedding.at[i * used + c] = F.at[i * m + c] * sqrt(beta[c]);
    return seg_assign_linked(ctx, problem, &out->embedding, param[EXTRAS] == 0, out);
}

const seg_method_row seg_method_ccskl = {
    {"ccskl", "spectral kernel learning by quadratic programming", "li2009ccskl, Algorithm 1",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_WEIGHS_PAIRS, SEG_PARAMS(ccskl_params), as_printed,
     "images: groups from the pairs as seeds of the last step, then walks from them", SEG_PAPER_GRAPH_KNN},
    solve_ccskl,
};

/* ---- CCSR: constrained clustering via spectral regularization [li2009ccsr, Algorithm 1]. ---- */

/* The embedding F M^1/2 up to a rotation: F times the eigenvectors of M, each by the root of its eigenvalue. */
static seg_status embed(seg_context *ctx, const seg_matrix *F, const double *M, seg_matrix *out) {
    const size_t m = F->cols;
    double *value, *vector;
    size_t rank = 0;
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(value, m), SEG_TABLE(vector, m, m));
    SEG_TRY(seg_eigen_dense(ctx, m, M, value, vector));
    while (rank < m && value[m - 1 - rank] > 1e-10 * value[m - 1])
        rank++;
    if (rank == 0)
        rank = 1; /* M = 0 only where every row is: any column serves */
    SEG_TRY(seg_matrix_create(ctx, F->rows, rank, out));
    seg_project(F->at, F->rows, m, vector, out);
    for (size_t e = 0; e < F->rows * rank; e++)
        out->at[e] *= sqrt(fmax(value[m - 1 - e % rank], 0));
    return SEG_OK;
}

seg_status seg_ccsr_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, double share,
                          int extras, seg_clustering *out) {
    const size_t n = problem->n, m = (size_t)spectrum->count;
    SEG_RELEASED(seg_matrix_free) seg_matrix F = {0};
    seg_psd_quadratic_result learned;
    const double diagonal = seg_diagonal_weight(problem->constraints, n, share);
    SEG_LOCAL(double, M, seg_alloc(ctx, m, m * sizeof *M));
    SEG_TRY(scaled(ctx, spectrum, n, &F));
    SEG_TRY(seg_ccsr_learn(ctx, &(seg_spectral_problem){&F, problem->constraints, diagonal}, M, &learned));
    SEG_TRY(embed(ctx, &F, M, &out->embedding));
    seg_clustering_solved(out, learned.objective, learned.iterations, learned.converged);
    return seg_assign_linked(ctx, problem, &out->embedding, extras, out);
}

seg_status seg_ccsr_groups(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                           seg_constraints *out) {
    SEG_RELEASED(seg_clustering_free) seg_clustering learned = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_clustering_begin(ctx, problem, &learned));
    SEG_TRY(seg_ccsr_solve(ctx, problem, spectrum, -1, 0, &learned));
    return seg_groups_from_pairs(ctx, problem, &learned.embedding, out);
}

static int columns(const seg_problem *problem, double asked) {
    return asked < (double)problem->n ? (int)asked : (int)problem->n;
}

int seg_ccsr_columns(const seg_problem *problem) {
    return columns(problem, ccsr_params[0].initial);
}

static seg_status solve_ccsr(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    SEG_RELEASED(seg_spectrum_free) seg_spectrum spectrum = {0};
    SEG_TRY(seg_smoothest(ctx, problem, columns(problem, param[COLUMNS]), &spectrum));
    return seg_ccsr_solve(ctx, problem, &spectrum, param[SHARE], param[EXTRAS] == 0, out);
}

const seg_method_row seg_method_ccsr = {
    {"ccsr", "spectral regularization by a small semidefinite program", "li2009ccsr, Algorithm 1",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_WEIGHS_PAIRS, SEG_PARAMS(ccsr_params), as_printed,
     "images: groups from the pairs as seeds of the last step, then walks from them", SEG_PAPER_GRAPH_KNN},
    solve_ccsr,
};

/* ---- Spectral Learning [kamvar2003spectral]: constraints put into the affinities, then spectral clustering. ---- */

static const seg_param learning_params[] = {
    {"rows", 0, 0, 1, 1, SEG_WORDS("unit", "plain"),
     "rows of the eigenvectors are scaled to length one, or taken as they are"},
    SEG_EXTRAS_ROW,
};

static seg_status solve_learning(seg_context *ctx, const seg_problem *problem, const double *param,
                                 seg_clustering *out) {
    const size_t n = problem->n, k = (size_t)problem->k;
    SEG_LOCAL(double, value, seg_alloc(ctx, k, sizeof *value));
    SEG_TRY(seg_spectral_learning(ctx, problem->affinity, problem->constraints, problem->k, &out->embedding, value));
    out->objective = seg_sum(k, value); /* the relaxed ratio cut: of the Laplacian's eigenvalues */
    /* Entries are of the order of 1 / sqrt(n): plain rows are scaled to compare with 1. */
    for (size_t e = 0; param[0] != 0 && e < n * k; e++)
        out->embedding.at[e] /= 1 / sqrt((double)n);
    if (param[0] == 0)
        seg_rows_to_sphere(n, k, out->embedding.at);
    return seg_assign_linked(ctx, problem, &out->embedding, param[1] == 0, out);
}

const seg_method_row seg_method_spectral_learning = {
    {"spectral-learning", "affinities overruled by constraints, top eigenvectors", "kamvar2003spectral",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS, SEG_PARAMS(learning_params), SEG_WORDS("rows=plain", "extras=off"),
     "rows of the eigenvectors are brought to length one; images: as ccskl", SEG_PAPER_GRAPH_KNN},
    solve_learning,
};
