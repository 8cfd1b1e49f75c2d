/* What is best for photographs with strokes in every region: a random walker with priors [grady2005priors] on the
 * affinity graph. A walk from an unmarked thing ends at the marked things it reaches; at every step it may also end
 * where it is, and then counts for what a forest, grown on the marked things, takes that thing for; and it may end
 * without counting, which favours what is near. Without the last two the scores are those of ENPAKL with one sub-kernel
 * (its rows are mixtures of the groups' rows by the same probabilities), whose place this method takes; where clusters
 * without a stroke are wanted it is ENPAKL. Where pairs are all there is, a kernel that ENPAKL learns from them groups
 * the things they name, and those are the marked ones. */
#include "methods/method.h"

#include "base/base.h"
#include "base/parallel.h"
#include "graph/laplacian.h"
#include "likelihood/forest.h"
#include "methods/linked_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const seg_param params[] = {
    {"prior", 4e-4, 0, 1e3, 0, NULL, "the forest's say at each step of the walk, as a share of a thing's degree"},
    {"leak", 5e-4, 1e-6, 1e3, 0, NULL, "the chance of ending without counting, as a share of a thing's degree"},
    {"blend", 0.15, 0, 1, 0, NULL, "share of the forest's own opinion in the scores (geometric mean)"},
    {"trees", 40, 1, 1000, 1, NULL, "trees of the forest"},
};
enum { PRIOR, LEAK, BLEND, TREES };

#define FLOOR     1e-3 /* the least vote of the forest */
#define TOLERANCE 1e-6 /* on images/ no label differs from those of 1e-8, no score by more than 1e-3 */

static int all_marked(const seg_problem *problem) {
    return problem->constraints->groups == problem->k && problem->constraints->pairs == 0;
}

static seg_status by_enpakl(seg_context *ctx, const seg_problem *problem, seg_clustering *out) {
    seg_params own;
    seg_params_default(&seg_method_enpakl.info, &own);
    return seg_method_enpakl.solve(ctx, problem, own.value, out);
}

/* (L + diag(absorb)) S = diag(prior * degree) P, S given at the marked things. */
static seg_status walk(seg_context *ctx, const seg_problem *problem, const seg_matrix *P, double prior, double leak,
                       seg_matrix *S, int *steps) {
    const seg_csr *W = problem->affinity;
    const size_t n = problem->n, k = S->cols;
    const seg_laplacian *laplacian = problem->laplacian;
    seg_laplacian *own = NULL;
    double *absorb = seg_alloc(ctx, n, sizeof *absorb);
    seg_status status = absorb ? SEG_OK : SEG_ERR_MEMORY;
    if (!status && !laplacian) {
        status = seg_laplacian_create(ctx, W, &own);
        laplacian = own;
    }
    for (size_t i = 0; !status && i < n; i++) {
        const int g = problem->constraints->group[i];
        double degree = 0, *s = S->at + i * k;
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            degree += W->value[e];
        if (degree <= 0) /* alone in the graph: the forest decides */
            degree = 1;
        absorb[i] = g >= 0 ? SEG_FIXED : (prior + leak) * degree;
        for (size_t c = 0; c < k; c++)
            s[c] = g >= 0 ? (double)((size_t)g == c) : prior * degree * P->at[i * k + c];
    }
    if (!status)
        status = seg_laplacian_solve(ctx, laplacian, absorb, k, TOLERANCE, S->at, S->at, steps);
    seg_laplacian_free(own);
    free(absorb);
    return status;
}

typedef struct combining {
    const seg_problem *problem;
    const seg_matrix *P;
    double blend;
    seg_clustering *out;
} combining;

/* Where no walk counts, the forest alone decides. */
static void combine_rows(void *arg, size_t first, size_t last, int worker) {
    const combining *j = arg;
    const seg_problem *problem = j->problem;
    const seg_matrix *P = j->P;
    const double blend = j->blend;
    seg_clustering *out = j->out;
    const size_t k = P->cols;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        double *s = out->score.at + i * k, sum = 0, total = 0;
        const double *p = P->at + i * k;
        size_t best = 0;
        if (problem->constraints->group[i] >= 0) {
            out->label[i] = problem->constraints->group[i];
            continue;
        }
        for (size_t c = 0; c < k; c++)
            sum += s[c] = fmax(s[c], 0);
        for (size_t c = 0; c < k; c++)
            total += s[c] = sum > 0 ? pow(s[c] / sum, 1 - blend) * pow(p[c], blend) : p[c];
        for (size_t c = 0; c < k; c++) {
            s[c] /= total;
            if (s[c] > s[best])
                best = c;
        }
        out->label[i] = (int32_t)best;
    }
}

static seg_status solve(seg_context *ctx, const seg_problem *problem, const double *param, seg_clustering *out) {
    const seg_forest_options options = {.trees = (int)param[TREES], .floor = FLOOR};
    const seg_matrix *looks = problem->surroundings ? problem->surroundings : problem->features;
    seg_matrix P = {0};
    seg_constraints groups = {0};
    seg_problem grouped = *problem;
    seg_status status = SEG_OK;
    if (problem->constraints->groups == 0) {
        if ((status = seg_enpakl_groups(ctx, problem, &groups)) != SEG_OK)
            return status;
        grouped.constraints = groups.groups ? &groups : problem->constraints;
    }
    if (!all_marked(&grouped))
        status = by_enpakl(ctx, problem, out);
    else if ((status = seg_forest_posterior(ctx, looks, grouped.constraints->group, problem->k, &options, &P)) ==
                 SEG_OK &&
             (status = walk(ctx, &grouped, &P, param[PRIOR], param[LEAK], &out->score, &out->iterations)) == SEG_OK)
        seg_parallel(ctx, grouped.n, 0, combine_rows, &(combining){&grouped, &P, param[BLEND], out});
    out->converged = out->converged || !status;
    seg_matrix_free(&P);
    seg_constraints_free(&groups);
    return status;
}

static size_t bytes(const double *param, const seg_problem_size *size) {
    /* likelihood/forest.c: up to 4000 samples; nodes (20 bytes) and votes of the trees; every row in single precision.
     */
    const size_t samples = size->marked && size->marked < 4000 ? size->marked : 4000;
    const size_t tree = 2 * samples * 20 + samples * size->k * sizeof(float);
    const size_t forest = (samples + size->n) * size->looks * sizeof(float) + (size_t)param[TREES] * tree +
                          (size_t)size->threads * 4 * samples * sizeof(int32_t);
    const size_t walk = seg_bytes_harmonic(size, 0);
    return size->n * size->k * sizeof(double) + (forest > walk ? forest : walk);
}

const seg_method_row seg_method_auto = {
    {"auto", "random walker with the priors of a forest", "grady2005priors, Eq. 8; geurts2006",
     SEG_NEEDS_GRAPH | SEG_NEEDS_CONSTRAINTS | SEG_NEEDS_FEATURES | SEG_USES_SURROUNDINGS,
     sizeof params / sizeof params[0], params},
    solve,
    bytes,
};
