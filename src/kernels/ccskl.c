#include "kernels/spectral_programs.h"

#include "base/base.h"
#include "linalg/dense.h"

/* Sums over one group: G = sum y y', s = sum y, Q = sum (y o y)(y o y)', q = sum y o y. */
typedef struct group_sums {
    double *G, *s, *Q, *q;
} group_sums;

/* block: of all groups, for the caller to free. */
static seg_status sum_groups(seg_context *ctx, const seg_matrix *F, const seg_constraints *constraints, double **block,
                             group_sums *sums) {
    const size_t m = F->cols, stride = 2 * m * m + 2 * m;
    SEG_TRY(seg_allocated(*block = seg_alloc_zero(ctx, (size_t)constraints->groups, stride * sizeof **block)));
    for (int g = 0; g < constraints->groups; g++) {
        double *at = *block + (size_t)g * stride;
        sums[g] = (group_sums){at, at + 2 * m * m, at + m * m, at + 2 * m * m + m};
    }
    for (size_t i = 0; constraints->groups && i < F->rows; i++) {
        const double *y = F->at + i * m;
        if (constraints->group[i] < 0)
            continue;
        group_sums *g = &sums[constraints->group[i]];
        seg_add_outer(m, 1, y, g->G);
        for (size_t a = 0; a < m; a++) {
            g->s[a] += y[a];
            g->q[a] += y[a] * y[a];
            for (size_t c = 0; c <= a; c++)
                g->Q[a * m + c] += y[c] * y[c] * y[a] * y[a];
        }
    }
    return SEG_OK;
}

seg_status seg_ccskl_quadratic(seg_context *ctx, const seg_spectral_problem *problem, double *A, double *b) {
    const seg_matrix *F = problem->F;
    const seg_constraints *constraints = problem->constraints;
    const double diagonal = problem->diagonal;
    const size_t n = F->rows, m = F->cols;
    group_sums sums[SEG_MAX_LABELS];
    SEG_FREED double *block = NULL, *y = seg_alloc(ctx, m, sizeof *y);
    SEG_TRY(seg_allocated(y));
    SEG_TRY(sum_groups(ctx, F, constraints, &block, sums));
    memset(A, 0, m * m * sizeof *A);
    memset(b, 0, m * sizeof *b);
    for (size_t i = 0; i < n; i++) { /* (k_ii - 1)^2 */
        for (size_t a = 0; a < m; a++) {
            y[a] = F->at[i * m + a] * F->at[i * m + a];
            b[a] -= 2 * diagonal * y[a];
        }
        seg_add_outer(m, 2 * diagonal, y, A);
    }
    for (int g = 0; g < constraints->groups; g++) {
        const group_sums *u = &sums[g];
        for (size_t a = 0; a < m; a++) {
            b[a] -= u->s[a] * u->s[a] - u->q[a];
            for (size_t c = 0; c <= a; c++)
                A[a * m + c] += u->G[a * m + c] * u->G[a * m + c] - u->Q[a * m + c];
        }
        for (int h = 0; h < g; h++)
            for (size_t a = 0; a < m; a++)
                for (size_t c = 0; c <= a; c++)
                    A[a * m + c] += 2 * u->G[a * m + c] * sums[h].G[a * m + c];
    }
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        const double squared = pair->weight * pair->weight;
        const double *yi = F->at + (size_t)pair->i * m, *yj = F->at + (size_t)pair->j * m;
        for (size_t a = 0; a < m; a++) {
            y[a] = yi[a] * yj[a];
            if (pair->sign > 0)
                b[a] -= 2 * squared * y[a];
        }
        seg_add_outer(m, 2 * squared, y, A);
    }
    for (size_t a = 0; a < m; a++)
        for (size_t c = 0; c < a; c++)
            A[c * m + a] = A[a * m + c];
    return SEG_OK;
}

double seg_spectral_constant(const seg_spectral_problem *problem) {
    const seg_constraints *constraints = problem->constraints;
    double size[SEG_MAX_LABELS], sum = problem->diagonal * (double)problem->F->rows;
    seg_group_sizes(constraints, size);
    for (int g = 0; g < constraints->groups; g++)
        sum += size[g] * (size[g] - 1) / 2;
    for (size_t p = 0; p < constraints->pairs; p++)
        if (constraints->pair[p].sign > 0)
            sum += constraints->pair[p].weight * constraints->pair[p].weight;
    return sum;
}

seg_status seg_ccskl_learn(seg_context *ctx, const seg_spectral_problem *problem, double *beta, double *objective,
                           int *iterations) {
    const size_t m = problem->F->cols;
    double *A, *b;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(A, m, m), SEG_ARRAY(b, m));
    SEG_TRY(seg_ccskl_quadratic(ctx, problem, A, b));
    SEG_TRY(seg_monotone_qp(ctx, m, A, b, beta, iterations));
    if (objective)
        *objective = seg_spectral_constant(problem);
    for (size_t a = 0; objective && a < m; a++) {
        *objective += b[a] * beta[a];
        for (size_t c = 0; c < m; c++)
            *objective += 0.5 * beta[a] * A[a * m + c] * beta[c];
    }
    return SEG_OK;
}
