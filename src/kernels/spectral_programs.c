#include "kernels/spectral_programs.h"

#include "base/base.h"
#include "linalg/dense.h"
#include "optim/psd_quadratic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- CCSKL. ---- */

/* A += weight * y y' (upper triangle). */
static void add_outer(size_t m, double weight, const double *y, double *A) {
    for (size_t a = 0; a < m; a++)
        for (size_t c = a; c < m; c++)
            A[a * m + c] += weight * y[a] * y[c];
}

/* Sums over one group: G = sum y y', s = sum y, Q = sum (y o y)(y o y)', q = sum y o y. */
typedef struct group_sums {
    double *G, *s, *Q, *q;
} group_sums;

/* block: of all groups, for the caller to free. */
static seg_status sum_groups(seg_context *ctx, const seg_matrix *F, const seg_constraints *constraints, double **block,
                             group_sums *sums) {
    const size_t m = F->cols, stride = 2 * m * m + 2 * m;
    *block = seg_alloc_zero(ctx, (size_t)constraints->groups, stride * sizeof **block);
    if (!*block)
        return SEG_ERR_MEMORY;
    for (int g = 0; g < constraints->groups; g++) {
        double *at = *block + (size_t)g * stride;
        sums[g] = (group_sums){at, at + 2 * m * m, at + m * m, at + 2 * m * m + m};
    }
    for (size_t i = 0; constraints->groups && i < F->rows; i++) {
        const double *y = F->at + i * m;
        if (constraints->group[i] < 0)
            continue;
        group_sums *g = &sums[constraints->group[i]];
        add_outer(m, 1, y, g->G);
        for (size_t a = 0; a < m; a++) {
            g->s[a] += y[a];
            g->q[a] += y[a] * y[a];
            for (size_t c = a; c < m; c++)
                g->Q[a * m + c] += y[a] * y[a] * y[c] * y[c];
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
    if (!y)
        return SEG_ERR_MEMORY;
    SEG_TRY(sum_groups(ctx, F, constraints, &block, sums));
    memset(A, 0, m * m * sizeof *A);
    memset(b, 0, m * sizeof *b);
    for (size_t i = 0; i < n; i++) { /* (k_ii - 1)^2 */
        for (size_t a = 0; a < m; a++) {
            y[a] = F->at[i * m + a] * F->at[i * m + a];
            b[a] -= 2 * diagonal * y[a];
        }
        add_outer(m, 2 * diagonal, y, A);
    }
    for (int g = 0; g < constraints->groups; g++) {
        const group_sums *u = &sums[g];
        for (size_t a = 0; a < m; a++) {
            b[a] -= u->s[a] * u->s[a] - u->q[a];
            for (size_t c = a; c < m; c++)
                A[a * m + c] += u->G[a * m + c] * u->G[a * m + c] - u->Q[a * m + c];
        }
        for (int h = 0; h < g; h++)
            for (size_t a = 0; a < m; a++)
                for (size_t c = a; c < m; c++)
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
        add_outer(m, 2 * squared, y, A);
    }
    for (size_t a = 0; a < m; a++)
        for (size_t c = 0; c < a; c++)
            A[a * m + c] = A[c * m + a];
    return SEG_OK;
}

/* The constant of Eq. 13: the sum of c^2 t^2. */
static double constant_term(const seg_spectral_problem *problem) {
    const seg_constraints *constraints = problem->constraints;
    const size_t n = problem->F->rows;
    double size[SEG_MAX_LABELS] = {0}, sum = problem->diagonal * (double)n;
    for (size_t i = 0; constraints->groups && i < n; i++)
        if (constraints->group[i] >= 0)
            size[constraints->group[i]] += 1;
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
    SEG_FREED double *A = NULL;
    double *b;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(A, m, m), SEG_ARRAY(b, m)));
    SEG_TRY(seg_ccskl_quadratic(ctx, problem, A, b));
    SEG_TRY(seg_monotone_qp(ctx, m, A, b, beta, iterations));
    if (objective)
        *objective = constant_term(problem);
    for (size_t a = 0; objective && a < m; a++) {
        *objective += b[a] * beta[a];
        for (size_t c = 0; c < m; c++)
            *objective += 0.5 * beta[a] * A[a * m + c] * beta[c];
    }
    return SEG_OK;
}

/* ---- CCSR. ---- */

enum { BLOCK = 256 }; /* rows multiplied at a time */

/* s = factor * svec((y z' + z y') / 2). */
static void product(size_t m, double factor, const double *y, const double *z, double *s) {
    for (size_t a = 0; a < m; a++) {
        *s++ = factor * y[a] * z[a];
        for (size_t b = a + 1; b < m; b++)
            *s++ = factor * M_SQRT1_2 * (y[a] * z[b] + y[b] * z[a]);
    }
}

/* H += sign times the block's rows' outer products. */
static void add_block(size_t p, size_t rows, double sign, const double *block, double *H) {
    seg_gemm((seg_shape){1, 0, p, p, rows}, sign, block, block, 1, H);
}

/* H += G (x) G. */
static void add_kronecker(size_t m, const double *G, double *H) {
    const size_t p = seg_svec_length(m);
    size_t row = 0;
    for (size_t a = 0; a < m; a++)
        for (size_t b = a; b < m; b++, row++) {
            size_t column = 0;
            for (size_t c = 0; c < m; c++)
                for (size_t e = c; e < m; e++, column++)
                    H[row * p + column] += (a == b ? M_SQRT1_2 : 1) * (c == e ? M_SQRT1_2 : 1) *
                                           (G[a * m + c] * G[b * m + e] + G[a * m + e] * G[b * m + c]);
        }
}

seg_status seg_ccsr_quadratic(seg_context *ctx, const seg_spectral_problem *problem, double *H, double *b,
                              double *constant) {
    const seg_matrix *F = problem->F;
    const seg_constraints *constraints = problem->constraints;
    const double diagonal = problem->diagonal;
    const size_t n = F->rows, m = F->cols, p = seg_svec_length(m), groups = (size_t)constraints->groups;
    double size[SEG_MAX_LABELS] = {0}, sum = diagonal * (double)n;
    SEG_FREED double *block = NULL;
    double *s, *of_group, *G; /* of_group: s_g */
    size_t rows = 0;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(block, BLOCK, p), SEG_ARRAY(s, p), SEG_TABLE(of_group, groups, m),
                             SEG_TABLE(G, m, m)));
    memset(H, 0, p * p * sizeof *H);
    memset(b, 0, p * sizeof *b);
    for (size_t i = 0; i < n; i++) {
        const double *y = F->at + i * m;
        const int g = groups ? constraints->group[i] : -1;
        /* count (i, i) once, and subtract the half of the pair (i, i) that is in G (x) G */
        const double factor = 2 * diagonal - (g >= 0), root = sqrt(fabs(factor));
        product(m, 1, y, y, s);
        for (size_t e = 0; e < p; e++) {
            b[e] -= factor * s[e];
            block[rows * p + e] = root * s[e];
        }
        if (factor < 0)
            add_block(p, 1, -1, block + rows * p, H);
        else if (++rows == BLOCK) {
            add_block(p, rows, 1, block, H);
            rows = 0;
        }
        if (g < 0)
            continue;
        size[g] += 1;
        for (size_t a = 0; a < m; a++) {
            of_group[(size_t)g * m + a] += y[a];
            for (size_t c = 0; c < m; c++)
                G[a * m + c] += y[a] * y[c];
        }
    }
    for (size_t g = 0; g < groups; g++) {
        product(m, 1, of_group + g * m, of_group + g * m, s);
        for (size_t e = 0; e < p; e++)
            b[e] -= s[e];
        sum += size[g] * (size[g] - 1) / 2;
    }
    for (size_t q = 0; q < constraints->pairs; q++) {
        const seg_pair *pair = &constraints->pair[q];
        double *row = block + rows * p;
        product(m, M_SQRT2 * pair->weight, F->at + (size_t)pair->i * m, F->at + (size_t)pair->j * m, row);
        if (pair->sign > 0) {
            for (size_t e = 0; e < p; e++)
                b[e] -= M_SQRT2 * pair->weight * row[e];
            sum += pair->weight * pair->weight;
        }
        if (++rows == BLOCK) {
            add_block(p, rows, 1, block, H);
            rows = 0;
        }
    }
    add_block(p, rows, 1, block, H);
    if (groups)
        add_kronecker(m, G, H);
    for (size_t i = 0; i < p; i++) /* the two triangles agree up to rounding: make it exact */
        for (size_t j = 0; j < i; j++)
            H[i * p + j] = H[j * p + i] = 0.5 * (H[i * p + j] + H[j * p + i]);
    if (constant)
        *constant = sum;
    return SEG_OK;
}

seg_status seg_ccsr_learn(seg_context *ctx, const seg_spectral_problem *problem, double *M,
                          seg_psd_quadratic_result *result) {
    const size_t m = problem->F->cols, p = seg_svec_length(m);
    SEG_FREED double *H = NULL;
    double *b, constant;
    memset(result, 0, sizeof *result);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(H, p, p), SEG_ARRAY(b, p)));
    SEG_TRY(seg_ccsr_quadratic(ctx, problem, H, b, &constant));
    SEG_TRY(seg_psd_quadratic(ctx, m, H, b, M, result));
    result->objective += constant;
    return SEG_OK;
}
