#include "kernels/sskk.h"
#include "base/base.h"
#include "clustering/linked_samples.h"
#include "kernels/sskk_starts.h"
#include "linalg/dense.h"

enum { GIVEN = -1 };
#define SAME 1e-9 /* traces closer than this, relatively, are equal: rounding decides nothing */

/* ---- The matrix, the weights and the diagonal shift of each objective [kulis2009sskk, Table 3]. ---- */

/* The sum of |entries| off the diagonal less the diagonal: minus the lower end of the row's Gershgorin disc. */
static double disc(const seg_csr *A, const double *scale, size_t i) {
    double sum = 0;
    for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
        const double value = A->value[e] * (scale ? scale[A->column[e]] : 1);
        sum += (size_t)A->column[e] == i ? -value : fabs(value);
    }
    return scale ? sum * scale[i] : sum;
}

/* How far below zero the eigenvalues of diag(a)^-1/2 W diag(a)^-1/2 can be, with W the groups' links. With v_g the sum
 * of 1 / a over group g they are zero and those of w (2 diag(v) - sqrt(v) sqrt(v)'), of order `groups`, less at most w
 * times the largest 1 / a, because the diagonal of W is zero. */
static seg_status groups_below(seg_context *ctx, const seg_sskk_model *model, double *below) {
    const size_t groups = (size_t)model->links.groups;
    double *v, *A, *value, *vector, largest = 0;
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(v, groups), SEG_TABLE(A, groups, groups), SEG_ARRAY(value, groups),
                     SEG_TABLE(vector, groups, groups));
    for (size_t i = 0; i < model->B.n; i++)
        if (model->links.group[i] >= 0) {
            v[model->links.group[i]] += 1 / seg_sskk_weight(model, i);
            largest = fmax(largest, 1 / seg_sskk_weight(model, i));
        }
    for (size_t g = 0; g < groups; g++)
        for (size_t h = 0; h < groups; h++)
            A[g * groups + h] = (g == h ? 2 * v[g] : 0) - sqrt(v[g] * v[h]);
    SEG_TRY(seg_eigen_dense(ctx, groups, A, value, vector));
    *below = model->links.weight * (fmax(-value[0], 0) + largest);
    return SEG_OK;
}

/* How far below zero the eigenvalues of the objective's part without constraints can be. */
static double own_below(const seg_sskk_model *model, const seg_sskk_problem *problem, const double *degree,
                        seg_sskk_objective objective) {
    const seg_similarities *A = problem->similarities;
    const seg_csr *W = A->sparse;
    double below = 0, largest = 0, edge = 0;
    for (size_t i = 0; i < A->n; i++)
        largest = fmax(largest, degree ? degree[i] : 0);
    if (problem->gram || !W)
        return objective == SEG_SSKK_RATIO_CUT ? largest : 0;
    for (size_t i = 0; i < A->n; i++)
        below = fmax(below, disc(W, model->B.scale, i) / seg_sskk_weight(model, i));
    if (objective != SEG_SSKK_RATIO_CUT)
        return below;
    /* The largest eigenvalue of a Laplacian is at most the largest sum of the degrees of two neighbours. */
    for (size_t i = 0; i < A->n; i++)
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            edge = fmax(edge, degree[i] + degree[W->column[e]]);
    return fmin(edge, below + largest);
}

static seg_status bound_shift(seg_context *ctx, const seg_sskk_problem *problem, const double *degree,
                              seg_sskk_objective objective, seg_sskk_model *model) {
    double groups = 0, pairs = 0;
    if (model->links.group)
        SEG_TRY(groups_below(ctx, model, &groups));
    for (size_t i = 0; model->B.extra && i < model->B.n; i++)
        pairs = fmax(pairs, disc(model->B.extra, NULL, i) / seg_sskk_weight(model, i));
    model->shift = (own_below(model, problem, degree, objective) + groups + pairs) * (1 + 1e-9);
    return SEG_OK;
}

/* Row sums; `isolated` where they are zero. */
static seg_status degrees(seg_context *ctx, const seg_similarities *A, double isolated, double **out) {
    SEG_FREED int32_t *one = seg_alloc_zero(ctx, A->n, sizeof *one);
    double *degree = *out = seg_alloc(ctx, A->n, sizeof *degree);
    SEG_TRY(seg_allocated(one && degree));
    SEG_TRY(seg_kernel_sums(ctx, A, one, 1, degree));
    for (size_t i = 0; i < A->n; i++) {
        if (!(degree[i] >= 0) || isinf(degree[i]))
            return seg_fail(
                ctx, SEG_ERR_USAGE,
                "the similarities of sample %zu sum to %g; cuts need sums that are not negative: choose the "
                "objective association or another kernel",
                i, degree[i]);
        if (degree[i] == 0)
            degree[i] = isolated;
    }
    return SEG_OK;
}

seg_status seg_sskk_model_create(seg_context *ctx, const seg_sskk_problem *problem, const seg_sskk_options *options,
                                 seg_sskk_model *out) {
    const seg_similarities *A = problem->similarities;
    const seg_constraints *constraints = problem->constraints;
    const double count = seg_constraints_given(constraints); /* a violated constraint costs penalty * n / (k C): */
    const double unit = count > 0 ? options->penalty * (double)constraints->n / (options->k * count) : 0;
    const int ratio_cut = options->objective == SEG_SSKK_RATIO_CUT;
    *out = (seg_sskk_model){.B = *A};
    if (constraints->groups && unit > 0)
        out->links = (seg_group_links){constraints->group, constraints->groups, unit};
    if (constraints->pairs && unit > 0) {
        SEG_TRY(seg_pairs_by_sample(ctx, constraints, unit, &out->pairs));
        out->B.extra = &out->pairs;
    }
    if (options->objective == SEG_SSKK_ASSOCIATION)
        return bound_shift(ctx, problem, NULL, options->objective, out);
    /* If degrees are weights, an isolated sample has degree one, because weights must be positive. */
    SEG_FREED double *degree = NULL;
    SEG_TRY(degrees(ctx, A, ratio_cut ? 0 : 1, &degree));
    if (ratio_cut) {
        SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->diagonal, A->n)));
        for (size_t i = 0; i < A->n; i++)
            out->diagonal[i] = -degree[i];
        out->B.diagonal = out->diagonal;
        return bound_shift(ctx, problem, degree, options->objective, out);
    }
    out->weight = seg_taken(&degree);
    if (options->objective == SEG_SSKK_WEIGHTED)
        out->B.scale = out->weight;
    return bound_shift(ctx, problem, out->weight, options->objective, out);
}

void seg_sskk_model_free(seg_sskk_model *model) {
    seg_csr_free(&model->pairs);
    SEG_CLEAR(model, model->weight, model->diagonal);
}

/* ---- The runs. ---- */

static double trace_of(const seg_similarities *A) {
    double trace = 0;
    for (size_t i = 0; i < A->n; i++)
        trace += seg_similarities_diagonal(A, i);
    return trace;
}

/* The start of a run. */
static seg_status start_run(seg_context *ctx, const seg_sskk_problem *problem, const seg_sskk_options *options, int run,
                            int32_t *label) {
    const int both = options->start == SEG_SSKK_BEST;
    const int random = options->start == SEG_SSKK_RANDOM || (both && run % 2);
    if (run == GIVEN) {
        memcpy(label, options->given, problem->similarities->n * sizeof *label);
        return SEG_OK;
    }
    const seg_seeding seeding = {options->k, random ? SEG_SEEDS_RANDOM : SEG_SEEDS_FARTHEST,
                                 (uint64_t)(both ? run / 2 : run)};
    return seg_farthest_first(ctx, problem->similarities, problem->constraints, &seeding, label, NULL);
}

seg_status seg_sskk(seg_context *ctx, const seg_sskk_problem *problem, const seg_sskk_options *options,
                    seg_sskk_found to, seg_sskk_result *result) {
    const seg_similarities *A = problem->similarities;
    const size_t n = A->n, k = (size_t)options->k;
    const int alone = problem->constraints->groups == options->k;
    const int runs = options->start == SEG_SSKK_GIVEN ? 0 : alone ? 1 : options->restarts;
    SEG_RELEASED(seg_sskk_model_free) seg_sskk_model own = {0};
    SEG_FREED int32_t *label = NULL;
    double *sum;
    int found = 0;
    memset(result, 0, sizeof *result);
    if (to.model)
        memset(to.model, 0, sizeof *to.model);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(label, n), SEG_TABLE(sum, n, k)));
    SEG_TRY(seg_sskk_model_create(ctx, problem, options, &own));
    const seg_kernel_problem inner = {&own.B, &own.links};
    const seg_kernel_kmeans_options steps = {.k = options->k,
                                             .weight = own.weight,
                                             .shift = own.shift,
                                             .use = options->shift,
                                             .iterations = options->iterations,
                                             .sweeps = options->sweeps};
    for (int run = options->given ? GIVEN : 0; run < runs; run++) {
        seg_kernel_kmeans_result now;
        SEG_TRY(start_run(ctx, problem, options, run, label));
        SEG_TRY(seg_kernel_kmeans(ctx, &inner, &steps, label, sum, &now));
        if (found && !(now.objective > result->trace + SAME * fabs(result->trace)))
            continue;
        found = 1;
        result->trace = now.objective;
        result->iterations = now.iterations;
        result->converged = now.converged;
        memcpy(to.label, label, n * sizeof *label);
        memcpy(to.sum, sum, n * k * sizeof *sum);
    }
    result->shift = own.shift;
    result->objective = -result->trace;
    if (options->objective == SEG_SSKK_NORMALIZED_CUT)
        result->objective += options->k;
    else if (problem->gram && options->objective == SEG_SSKK_ASSOCIATION)
        result->objective += trace_of(A);
    else if (problem->gram && options->objective == SEG_SSKK_WEIGHTED)
        for (size_t i = 0; i < n; i++)
            result->objective += own.weight[i] * seg_similarities_diagonal(A, i);
    if (to.model) {
        *to.model = own;
        if (own.B.extra)
            to.model->B.extra = &to.model->pairs;
        memset(&own, 0, sizeof own);
    }
    return SEG_OK;
}
