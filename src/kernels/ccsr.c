#include "kernels/spectral_programs.h"

#include "base/base.h"
#include "linalg/dense.h"

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
    double *block, *s, *of_group, *G; /* of_group: s_g */
    size_t rows = 0;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(block, BLOCK, p), SEG_ARRAY(s, p), SEG_TABLE(of_group, groups, m),
                     SEG_TABLE(G, m, m));
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
    }
    for (size_t q = 0; q < constraints->pairs; q++) {
        const seg_pair *pair = &constraints->pair[q];
        double *row = block + rows * p;
        product(m, M_SQRT2 * pair->weight, F->at + (size_t)pair->i * m, F->at + (size_t)pair->j * m, row);
        for (size_t e = 0; pair->sign > 0 && e < p; e++)
            b[e] -= M_SQRT2 * pair->weight * row[e];
        if (++rows == BLOCK) {
            add_block(p, rows, 1, block, H);
            rows = 0;
        }
    }
    add_block(p, rows, 1, block, H);
    if (groups)
        add_kronecker(m, G, H);
    seg_symmetrise(p, H); /* the two triangles agree up to rounding */
    if (constant)
        *constant = seg_spectral_constant(problem);
    return SEG_OK;
}

seg_status seg_ccsr_learn(seg_context *ctx, const seg_spectral_problem *problem, double *M,
                          seg_psd_quadratic_result *result) {
    const size_t m = problem->F->cols, p = seg_svec_length(m);
    double *H, *b, constant;
    memset(result, 0, sizeof *result);
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(H, p, p), SEG_ARRAY(b, p));
    SEG_TRY(seg_ccsr_quadratic(ctx, problem, H, b, &constant));
    SEG_TRY(seg_psd_quadratic(ctx, m, H, b, M, result));
    result->objective += constant;
    return SEG_OK;
}
