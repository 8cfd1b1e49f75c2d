#include "kernels/spectral_programs.h"

#include "base/base.h"
#include "clustering/linked_samples.h"
#include "graph/spectrum/close_pairs.h"
#include "graph/spectrum/spectrum.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"
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
    for (size_t i = 0; i < p; i++) /* the two triangles agree up to rounding: make it exact */
        for (size_t j = 0; j < i; j++)
            H[i * p + j] = H[j * p + i] = 0.5 * (H[i * p + j] + H[j * p + i]);
    if (constant)
        *constant = constant_term(problem);
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

enum { DENSE_SAMPLES = 200 };     /* up to here LAPACK's solver is as fast and sees every multiplicity */
static const double RIDGE = 1e-6; /* share of the mean degree that makes the Laplacian invertible */

/* ---- The Laplacian of the affinities. ---- */

static seg_status check(seg_context *ctx, const seg_csr *W, double *largest) {
    *largest = 0;
    for (size_t e = 0; e < W->start[W->rows]; e++) {
        if (!(W->value[e] >= 0) || isinf(W->value[e]))
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "an affinity graph holds a weight that is negative or not finite; weights must be >= 0");
        *largest = fmax(*largest, W->value[e]);
    }
    return SEG_OK;
}

/* The row of the result under construction, and the sum of its affinities so far. */
typedef struct writer {
    seg_row_writer rows;
    double degree;
} writer;

static void put_edge(writer *w, int32_t column, double affinity) {
    if ((size_t)column == w->rows.row || !(affinity > 0))
        return;
    w->degree += affinity;
    seg_row_put(&w->rows, column, -affinity);
}

static void finish_row(writer *w, double ridge) {
    seg_row_end(&w->rows, w->degree + ridge);
    w->degree = 0;
}

/* Merge the graph's row with the listed links of the sample, which take precedence: affinity 1 or 0. */
static void sample_row(writer *w, const seg_csr *W, double scale, const int16_t *group, const seg_csr *links) {
    const size_t i = w->rows.row, end = W->start[i + 1], links_end = links->start[i + 1];
    size_t e = W->start[i], l = links->start[i];
    while (e < end || l < links_end) {
        if (l == links_end || (e < end && W->column[e] < links->column[l])) {
            const size_t j = (size_t)W->column[e];
            if (!group || group[i] < 0 || group[j] < 0) /* between samples of groups, the groups decide */
                put_edge(w, W->column[e], W->value[e] * scale);
            e++;
            continue;
        }
        if (e < end && W->column[e] == links->column[l])
            e++;
        put_edge(w, links->column[l], links->value[l] > 0);
        for (l++; l < links_end && links->column[l] == links->column[l - 1];)
            l++;
    }
}

seg_status seg_spectral_learning_laplacian(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints,
                                           double ridge, seg_csr *out) {
    const size_t n = W->rows, groups = (size_t)constraints->groups;
    const int16_t *group = groups ? constraints->group : NULL;
    double size[SEG_MAX_LABELS], largest;
    SEG_RELEASED(seg_csr_free) seg_csr links = {0};
    writer w = {.rows = {.A = out}};
    memset(out, 0, sizeof *out);
    SEG_TRY(check(ctx, W, &largest));
    SEG_TRY(seg_pairs_by_sample(ctx, constraints, 1, &links));
    SEG_TRY(seg_csr_create(ctx, n + groups, n + groups, W->start[n] + 2 * constraints->pairs + 4 * n + groups, out));
    seg_group_sizes(constraints, size);
    for (size_t i = 0; i < n; i++) {
        sample_row(&w, W, largest > 0 ? 1 / largest : 0, group, &links);
        if (group && group[i] >= 0)
            put_edge(&w, (int32_t)(n + (size_t)group[i]), size[group[i]]);
        finish_row(&w, ridge);
    }
    for (size_t g = 0; g < groups; g++) {
        for (size_t i = 0; i < n; i++)
            if (group[i] == (int)g)
                put_edge(&w, (int32_t)i, size[g]);
        finish_row(&w, size[g] > 0 ? 0 : 1);
    }
    return SEG_OK;
}

/* ---- Its eigenvectors. ---- */

/* The Laplacian of n samples: what is left of the matrix A of more nodes when the hubs behind them are eliminated. */
typedef struct laplacian {
    seg_context *ctx;
    const seg_csr *A;
    size_t n, nodes;
    double ridge; /* on the samples' diagonal */
    double scale; /* of times() */
    seg_cholesky *factor;
    const seg_components *parts;
    double *part_size, *along; /* of each part: its samples, a sum */
    double *right;             /* nodes */
    seg_status status;
    seg_arena arena;
} laplacian;

static void laplacian_free(laplacian *v) {
    seg_cholesky_free(v->factor);
    seg_arena_free(&v->arena);
}

/* Y = -L X / scale (seg_symmetric of linalg/sparse.h). A hub is the last entry of its row and of its samples' rows; no
 * two hubs touch. */
static seg_status times(void *user, size_t cols, const double *X, double *Y) {
    const laplacian *v = user;
    const seg_csr *A = v->A;
    SEG_FREED double *sum = seg_alloc_zero(v->ctx, v->nodes - v->n, cols * sizeof *sum);
    if (!sum)
        return SEG_ERR_MEMORY;
    for (size_t hub = v->n; hub < v->nodes; hub++)
        for (size_t e = A->start[hub]; e + 1 < A->start[hub + 1]; e++)
            for (size_t c = 0; c < cols; c++)
                sum[(hub - v->n) * cols + c] += A->value[e] * X[(size_t)A->column[e] * cols + c];
    for (size_t i = 0; i < v->n; i++) {
        double *y = Y + i * cols;
        memset(y, 0, cols * sizeof *y);
        for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
            const size_t j = (size_t)A->column[e], hub = j < v->n ? 0 : j - v->n;
            const double own = j < v->n ? 1 : A->value[A->start[j + 1] - 1];
            const double *x = j < v->n ? X + j * cols : sum + hub * cols;
            for (size_t c = 0; c < cols; c++)
                y[c] += (j < v->n ? -A->value[e] : A->value[e]) * x[c] / own;
        }
        for (size_t c = 0; c < cols; c++)
            y[c] /= v->scale;
    }
    return SEG_OK;
}

/* X = A^-1 X on the samples (seg_close_pairs). */
static seg_status invert(void *user, size_t cols, double *X) {
    laplacian *v = user;
    SEG_FREED double *right = seg_alloc_zero(v->ctx, v->nodes, cols * sizeof *right);
    if (!right)
        return SEG_ERR_MEMORY;
    memcpy(right, X, v->n * cols * sizeof *X);
    SEG_TRY(seg_cholesky_solve(v->ctx, v->factor, cols, right, right));
    memcpy(X, right, v->n * cols * sizeof *X);
    return SEG_OK;
}

static void project(const laplacian *v, double *x) {
    memset(v->along, 0, (size_t)v->parts->count * sizeof *v->along);
    for (size_t i = 0; i < v->n; i++)
        v->along[v->parts->of[i]] += x[i];
    for (size_t i = 0; i < v->n; i++)
        x[i] -= v->along[v->parts->of[i]] / v->part_size[v->parts->of[i]];
}

/* y = P A^-1 P x, P the projection away from the null vectors. */
static void apply(void *user, const double *x, double *y) {
    laplacian *v = user;
    memcpy(v->right, x, v->n * sizeof *x);
    memset(v->right + v->n, 0, (v->nodes - v->n) * sizeof *x);
    project(v, v->right);
    if (!v->status)
        v->status = seg_poll(v->ctx);
    if (!v->status)
        v->status = seg_cholesky_solve(v->ctx, v->factor, 1, v->right, v->right);
    project(v, v->right);
    for (size_t i = 0; i < v->n; i++)
        y[i] = v->status ? NAN : v->right[i]; /* ends the iteration */
}

static seg_status solve_dense(seg_context *ctx, const seg_csr *L, size_t n, size_t k, seg_matrix *X, double *value) {
    laplacian v = {.ctx = ctx, .A = L, .n = n, .nodes = L->rows, .scale = 1};
    const seg_symmetric S = {.n = n, .times = times, .user = &v};
    const seg_close_pairs pairs = {.S = &S};
    const seg_status status = seg_close_pairs_dense(ctx, &pairs, k, value, X->at);
    for (size_t c = 0; !status && c < k; c++)
        value[c] = fmax(-value[c], 0);
    return status;
}

/* Indicators of the parts, the largest first, as columns of norm one; how many fit. */
static size_t put_null_vectors(const laplacian *v, size_t k, seg_matrix *X) {
    const size_t parts = (size_t)v->parts->count;
    size_t put = 0;
    for (size_t p = 0; p < parts; p++)
        v->along[p] = v->part_size[p];
    for (; put < parts && put < k; put++) {
        size_t best = 0;
        for (size_t p = 1; p < parts; p++)
            if (v->along[p] > v->along[best])
                best = p;
        if (v->along[best] == 0)
            break; /* what is left are hubs without samples */
        v->along[best] = 0;
        for (size_t i = 0; i < v->n; i++)
            if ((size_t)v->parts->of[i] == best)
                X->at[i * k + put] = 1 / sqrt(v->part_size[best]);
    }
    return put;
}

static void negate(seg_csr *L) {
    for (size_t e = 0; e < L->start[L->rows]; e++)
        L->value[e] = -L->value[e];
}

/* The pairs beyond the null vectors. value: wanted. By Lanczos' method, unless they are too close to each other. */
static seg_status find(laplacian *v, size_t wanted, double *value, double *vector) {
    const seg_lanczos_options options = {
        .count = (int)wanted, .largest = 1, .basis = (int)(2 * wanted + 20), .restarts = 300, .tolerance = 1e-8};
    const seg_symmetric S = {.n = v->n, .times = times, .user = v};
    int products = 0;
    const seg_close_pairs pairs = {&S, v->parts, invert, v, &products};
    SEG_FREED double *residual = seg_alloc(v->ctx, wanted, sizeof *residual);
    if (!residual)
        return SEG_ERR_MEMORY;
    SEG_TRY(seg_cholesky_create(v->ctx, v->A, &v->factor));
    seg_status status = seg_lanczos(v->ctx, &(seg_operator){v->n, apply, v}, &options, value, vector, NULL);
    status = v->status ? v->status : status;
    for (size_t c = 0; !status && c < wanted; c++)
        value[c] = fmax(1 / value[c] - v->ridge, 0);
    if (status != SEG_ERR_NUMERIC)
        return status;
    SEG_TRY(seg_close_pairs_solve(v->ctx, &pairs, wanted, value, vector, residual));
    SEG_TRY(seg_close_pairs_check(v->ctx, wanted, residual));
    for (size_t c = 0; c < wanted; c++)
        value[c] = fmax(-value[c] * v->scale - v->ridge, 0);
    return SEG_OK;
}

/* X: n x k zeros. */
static seg_status solve_sparse(seg_context *ctx, seg_csr *L, double ridge, seg_matrix *X, double *value) {
    const size_t n = X->rows, k = X->cols;
    SEG_RELEASED(laplacian_free) laplacian v = {.ctx = ctx, .A = L, .n = n, .nodes = L->rows, .ridge = ridge};
    SEG_RELEASED(seg_components_free) seg_components parts = {0};
    double *degree = seg_arena_alloc_zero(ctx, &v.arena, L->rows, sizeof *degree);
    v.right = seg_arena_alloc_zero(ctx, &v.arena, L->rows, sizeof *v.right);
    SEG_TRY(v.arena.status);
    for (size_t i = 0; i < L->rows; i++)
        for (size_t e = L->start[i]; e < L->start[i + 1]; e++)
            if ((size_t)L->column[e] == i)
                degree[i] = L->value[e];
    negate(L); /* so that edges are positive */
    SEG_TRY(seg_components_find(ctx, L, degree, &parts));
    negate(L);
    parts.n = n;
    v.parts = &parts;
    parts.root = seg_alloc(ctx, n, sizeof *parts.root);
    v.part_size = seg_arena_alloc_zero(ctx, &v.arena, (size_t)parts.count, sizeof *v.part_size);
    v.along = seg_arena_alloc_zero(ctx, &v.arena, (size_t)parts.count, sizeof *v.along);
    if (!parts.root || v.arena.status)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        v.part_size[parts.of[i]] += 1;
        v.scale = fmax(v.scale, degree[i]);
    }
    for (size_t i = 0; i < n; i++)
        parts.root[i] = 1 / sqrt(v.part_size[parts.of[i]]);
    const size_t nulls = put_null_vectors(&v, k, X), wanted = k - nulls;
    if (wanted == 0)
        return SEG_OK;
    double *vector = seg_arena_alloc(ctx, &v.arena, n, wanted * sizeof *vector);
    if (!vector)
        return SEG_ERR_MEMORY;
    SEG_TRY(find(&v, wanted, value + nulls, vector));
    for (size_t i = 0; i < n; i++)
        memcpy(X->at + i * k + nulls, vector + i * wanted, wanted * sizeof *vector);
    return SEG_OK;
}

static void add_to_diagonal(seg_csr *L, size_t n, double value) {
    for (size_t i = 0; i < n; i++)
        for (size_t e = L->start[i]; e < L->start[i + 1]; e++)
            L->value[e] += (size_t)L->column[e] == i ? value : 0;
}

seg_status seg_spectral_learning(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints, int k,
                                 seg_matrix *X, double *value) {
    const size_t n = W->rows, clusters = (size_t)k;
    double degrees = 0;
    SEG_RELEASED(seg_csr_free) seg_csr L = {0};
    memset(X, 0, sizeof *X);
    memset(value, 0, clusters * sizeof *value);
    SEG_TRY(seg_spectral_learning_laplacian(ctx, W, constraints, 0, &L));
    SEG_TRY(seg_matrix_create(ctx, n, clusters, X));
    for (size_t i = 0; i < n; i++)
        for (size_t e = L.start[i]; e < L.start[i + 1]; e++)
            degrees += (size_t)L.column[e] == i ? L.value[e] : 0;
    const double ridge = degrees > 0 ? RIDGE * degrees / (double)n : RIDGE;
    if (n <= DENSE_SAMPLES || clusters > n / 4) {
        SEG_TRY(solve_dense(ctx, &L, n, clusters, X, value));
    } else {
        add_to_diagonal(&L, n, ridge);
        SEG_TRY(solve_sparse(ctx, &L, ridge, X, value));
    }
    for (size_t c = 0; c < clusters; c++)
        seg_fix_sign(n, clusters, c, X->at);
    return SEG_OK;
}
