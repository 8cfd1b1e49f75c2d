#include "kernels/spectral_learning.h"
#include "base/base.h"
#include "clustering/linked_samples.h"
#include "graph/spectrum/spectrum.h"
#include "kernels/links.h"

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

static void finish_row(writer *w, double more) {
    seg_row_end(&w->rows, w->degree + more);
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
                                           seg_csr *out) {
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
        finish_row(&w, 0);
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

/* Y = -L X / scale (seg_symmetric of linalg/sparse.h). Hubs are the last entries of rows; no two hubs touch. */
static seg_status times(void *user, size_t cols, const double *X, double *Y) {
    const laplacian *v = user;
    const seg_csr *A = v->A;
    SEG_LOCAL(double, sum, seg_alloc_zero(v->ctx, v->nodes - v->n, cols * sizeof *sum));
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
    SEG_LOCAL(double, right, seg_alloc_zero(v->ctx, v->nodes, cols * sizeof *right));
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
    const seg_status status = seg_close_pairs_dense(ctx, &(seg_close_pairs){.S = &S}, k, value, X->at);
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
        const size_t best = seg_largest_of(parts, v->along);
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
    SEG_LOCAL(double, residual, seg_alloc(v->ctx, wanted, sizeof *residual));
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
        degree[i] = seg_csr_at(L, i, i);
    negate(L); /* so that edges are positive */
    SEG_TRY(seg_components_find(ctx, L, degree, &parts));
    negate(L);
    parts.n = n;
    v.parts = &parts;
    parts.root = seg_alloc(ctx, n, sizeof *parts.root);
    v.part_size = seg_arena_alloc_zero(ctx, &v.arena, (size_t)parts.count, sizeof *v.part_size);
    v.along = seg_arena_alloc_zero(ctx, &v.arena, (size_t)parts.count, sizeof *v.along);
    SEG_TRY(seg_allocated(parts.root && !v.arena.status));
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
    SEG_TRY(seg_allocated(vector));
    SEG_TRY(find(&v, wanted, value + nulls, vector));
    for (size_t i = 0; i < n; i++)
        memcpy(X->at + i * k + nulls, vector + i * wanted, wanted * sizeof *vector);
    return SEG_OK;
}

seg_status seg_spectral_learning(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints, int k,
                                 seg_matrix *X, double *value) {
    const size_t n = W->rows, clusters = (size_t)k;
    double degrees = 0;
    SEG_RELEASED(seg_csr_free) seg_csr L = {0};
    memset(X, 0, sizeof *X);
    memset(value, 0, clusters * sizeof *value);
    SEG_TRY(seg_spectral_learning_laplacian(ctx, W, constraints, &L));
    SEG_TRY(seg_matrix_create(ctx, n, clusters, X));
    for (size_t i = 0; i < n; i++)
        degrees += seg_csr_at(&L, i, i);
    const double ridge = degrees > 0 ? RIDGE * degrees / (double)n : RIDGE;
    if (n <= DENSE_SAMPLES || clusters > n / 4) {
        SEG_TRY(solve_dense(ctx, &L, n, clusters, X, value));
    } else {
        for (size_t i = 0; i < n; i++)
            for (size_t e = L.start[i]; e < L.start[i + 1]; e++)
                L.value[e] += (size_t)L.column[e] == i ? ridge : 0;
        SEG_TRY(solve_sparse(ctx, &L, ridge, X, value));
    }
    for (size_t c = 0; c < clusters; c++)
        seg_fix_sign(n, clusters, c, X->at);
    return SEG_OK;
}
