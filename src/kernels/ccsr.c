#include "kernels/ccsr.h"

#include "base/base.h"
#include "linalg/dense.h"
#include "optim/psd_quadratic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

seg_status seg_ccsr_quadratic(seg_context *ctx, const seg_matrix *F, const seg_constraints *constraints,
                              double diagonal, double *H, double *b, double *constant) {
    const size_t n = F->rows, m = F->cols, p = seg_svec_length(m), groups = (size_t)constraints->groups;
    double size[SEG_MAX_LABELS] = {0}, sum = diagonal * (double)n;
    double *block = seg_alloc(ctx, BLOCK, p * sizeof *block), *s = seg_alloc(ctx, p, sizeof *s);
    double *of_group = seg_alloc_zero(ctx, groups * m + m * m, sizeof *of_group); /* s_g, then G */
    size_t rows = 0;
    seg_status status = SEG_ERR_MEMORY;
    if (!block || !s || !of_group)
        goto done;
    double *G = of_group + groups * m;
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
    status = SEG_OK;
done:
    free(block);
    free(s);
    free(of_group);
    return status;
}

seg_status seg_ccsr_learn(seg_context *ctx, const seg_matrix *F, const seg_constraints *constraints, double diagonal,
                          double *M, seg_ccsr_result *result) {
    const size_t p = seg_svec_length(F->cols);
    double *H = seg_alloc(ctx, p, p * sizeof *H), *b = seg_alloc(ctx, p, sizeof *b), constant, started;
    seg_psd_quadratic_result solved;
    seg_status status = SEG_ERR_MEMORY;
    memset(result, 0, sizeof *result);
    if (!H || !b || (status = seg_ccsr_quadratic(ctx, F, constraints, diagonal, H, b, &constant)) != SEG_OK)
        goto done;
    started = seg_now();
    if ((status = seg_psd_quadratic(ctx, F->cols, H, b, NULL, M, &solved)) != SEG_OK)
        goto done;
    result->seconds = seg_now() - started;
    result->objective = solved.objective + constant;
    result->gap = solved.gap;
    result->iterations = solved.iterations + solved.newton;
    result->converged = solved.converged;
done:
    free(H);
    free(b);
    return status;
}
