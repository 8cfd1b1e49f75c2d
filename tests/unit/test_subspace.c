/* Subspace iteration for large graphs against LAPACK, ARPACK and closed forms. */
#include "check.h"

#include "base/base.h"
#include "base/random.h"
#include "graph/spectrum/chebyshev.h"
#include "graph/spectrum/spectrum.h"
#include "graph/spectrum/subspace.h"
#include "linalg/rayleigh_ritz.h"
#include "linalg/sparse.h"

#include <segment/graph.h>

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* S = D^-1/2 W D^-1/2 of a graph without isolated nodes, its parts and its null vectors. */
typedef struct problem {
    seg_csr S;
    seg_components components;
} problem;

/* `parts` circulants of `half` nodes each, every one joined to `each` others at random distances and back. The
 * eigenvalues of S, `half` numbers, each as often as there are parts; expected may be NULL. */
static problem circulants(seg_context *ctx, size_t half, size_t parts, size_t each, double *expected) {
    problem p = {.components = {.n = half * parts, .count = (int32_t)parts}};
    const size_t n = half * parts;
    size_t *shift = malloc(each * sizeof *shift), at = 0;
    double *row = malloc(half * sizeof *row);
    seg_random random;
    seg_random_seed(&random, 9, 0);
    for (size_t a = 0; a < each; a++)
        shift[a] = 1 + seg_random_below(&random, half / 2 - 1);
    assert_ok(ctx, seg_csr_create(ctx, n, n, 2 * n * each, &p.S));
    p.components.of = seg_alloc(ctx, n, sizeof *p.components.of);
    p.components.root = seg_alloc(ctx, n, sizeof *p.components.root);
    for (size_t i = 0; i < n; i++) {
        const size_t base = i / half * half, own = i % half;
        memset(row, 0, half * sizeof *row);
        for (size_t a = 0; a < each; a++) {
            row[(own + shift[a]) % half] += 0.5 / (double)each;
            row[(own + half - shift[a]) % half] += 0.5 / (double)each;
        }
        for (size_t j = 0; j < half; j++)
            if (row[j] > 0) {
                p.S.column[at] = (int32_t)(base + j);
                p.S.value[at++] = row[j];
            }
        p.S.start[i + 1] = at;
        p.components.of[i] = (int32_t)(i / half);
        p.components.root[i] = 1 / sqrt((double)half);
    }
    for (size_t k = 0; expected && k < half; k++) {
        double sum = 0;
        for (size_t a = 0; a < each; a++)
            sum += cos(2 * PI * (double)(k * shift[a] % half) / (double)half);
        expected[k] = sum / (double)each;
    }
    free(shift);
    free(row);
    return p;
}

static void problem_free(problem *p) {
    seg_csr_free(&p->S);
    seg_components_free(&p->components);
}

static int descending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* Residuals, order, orthonormality, and no part along the null vectors. */
static void check_pairs(const problem *p, size_t count, const double *value, const double *X, double tolerance) {
    const size_t n = p->S.rows;
    for (size_t c = 0; c < count; c++) {
        double square = 0, *along = calloc((size_t)p->components.count, sizeof *along);
        if (c)
            assert_true(value[c] <= value[c - 1] + 1e-12);
        for (size_t i = 0; i < n; i++) {
            double r = -value[c] * X[i * count + c];
            for (size_t e = p->S.start[i]; e < p->S.start[i + 1]; e++)
                r += p->S.value[e] * X[(size_t)p->S.column[e] * count + c];
            square += r * r;
            along[p->components.of[i]] += p->components.root[i] * X[i * count + c];
        }
        assert_near(sqrt(square), 0, tolerance);
        for (int32_t g = 0; g < p->components.count; g++)
            assert_near(along[g], 0, 1e-6);
        free(along);
        for (size_t b = 0; b <= c; b++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += X[i * count + c] * X[i * count + b];
            assert_near(dot, b == c, 1e-7);
        }
    }
}

/* Every eigenvalue but the first twice in each part: up to six times in all. Counts that end within a multiplicity and
 * between two; one pair. */
static void solve_multiplicities(int numbered) {
    enum { half = 601, each = 14 };
    static const size_t counts[4] = {1, 5, 12, 20};
    for (size_t parts = 1; parts <= 3; parts++) {
        const size_t n = half * parts;
        double expected[half], *all = malloc(n * sizeof *all), *X = malloc(n * 20 * sizeof *X), value[20];
        int products;
        SCOPED(problem) p = circulants(&ctx, half, parts, each, expected);
        for (size_t i = 0; i < n; i++)
            all[i] = expected[i % half];
        qsort(all, n, sizeof *all, descending);
        for (int c = 0; c < 4; c++) {
            const seg_subspace_options options = {counts[c], 2e-7, numbered, &products};
            assert_ok(&ctx, seg_subspace_solve(&ctx, &p.S, &p.components, &options, value, X));
            assert_true(products > 0);
            check_pairs(&p, counts[c], value, X, 2.5e-7);
            for (size_t e = 0; e < counts[c]; e++) /* without the null vectors' */
                assert_near(value[e], all[parts + e], 1e-10);
        }
        free(all);
        free(X);
    }
}

TEST(multiplicities_in_several_parts) {
    solve_multiplicities(0);
    solve_multiplicities(1);
}

/* Neighbours of points in five dimensions, in three groups nearly cut from each other. */
static seg_csr neighbours_graph(seg_context *ctx, size_t n, int neighbours) {
    SCOPED(seg_matrix) X;
    seg_csr W;
    seg_random random;
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = neighbours, .sigma_scale = 1.5};
    seg_random_seed(&random, 5, 0);
    assert_ok(ctx, seg_matrix_create(ctx, n, 5, &X));
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < 5; d++)
            X.at[i * 5 + d] = seg_random_normal(&random) + (d == i % 3 ? 6 : 0);
    assert_ok(ctx, seg_graph_build(ctx, &X, NULL, &spec, &W, NULL));
    return W;
}

/* The whole way, on a graph beyond the size from which this solver is taken: what it computes is what ARPACK does of
 * the normalised matrix, and the residuals are of the given weights. */
typedef struct normal {
    const seg_context *ctx;
    const seg_csr *W;
    const double *root;
    double *scaled;
} normal;

static void apply(void *user, const double *x, double *y) {
    normal *s = user;
    for (size_t i = 0; i < s->W->rows; i++)
        s->scaled[i] = x[i] / s->root[i];
    seg_csr_times_vector(s->ctx, s->W, s->scaled, y);
    for (size_t i = 0; i < s->W->rows; i++)
        y[i] = y[i] / s->root[i] + x[i];
}

TEST(a_graph_of_neighbours_agrees_with_arpack) {
    enum { n = 9000, count = 12 };
    SCOPED(seg_spectrum) s;
    double *root = calloc(n, sizeof *root), *scaled = malloc(n * sizeof *scaled), value[count];
    AUTOFREE double *vector = malloc(n * count * sizeof *vector);
    SCOPED(seg_csr) W = neighbours_graph(&ctx, n, 20);
    assert_true(W.start[n] / n > 24); /* else a factor is made */
    for (size_t i = 0; i < n; i++) {
        for (size_t e = W.start[i]; e < W.start[i + 1]; e++)
            root[i] += W.value[e];
        root[i] = sqrt(root[i]);
    }
    normal own = {&ctx, &W, root, scaled};
    const seg_lanczos_options options = {.count = count, .largest = 1, .basis = 60, .tolerance = 1e-12};
    assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply, &own}, &options, value, vector, NULL));
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &W, count, &s));
    assert_true(s.iterations > 0);
    for (size_t c = 0; c < count; c++) {
        double square = 0;
        assert_near(s.value[c], 2 - value[c], 1e-9);
        for (size_t i = 0; i < n; i++) {
            double r = (1 - s.value[c]) * s.vector[i * count + c];
            for (size_t e = W.start[i]; e < W.start[i + 1]; e++)
                r -= W.value[e] / root[i] / root[W.column[e]] * s.vector[(size_t)W.column[e] * count + c];
            square += r * r;
        }
        assert_near(sqrt(square), 0, 1e-6);
        for (size_t b = 0; b <= c; b++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += s.vector[i * count + c] * s.vector[i * count + b];
            assert_near(dot, b == c, 1e-10);
        }
    }
    free(root);
    free(scaled);
}

static void compare_threads(int numbered) {
    enum { half = 9001, count = 9 };
    int products;
    const seg_subspace_options options = {count, 2e-7, numbered, &products};
    double *X[3], value[3][count];
    for (int run = 0; run < 3; run++) {
        ctx.threads = run + 1;
        SCOPED(problem) p = circulants(&ctx, half, 1, 13, NULL);
        X[run] = malloc(half * count * sizeof *X[run]);
        assert_ok(&ctx, seg_subspace_solve(&ctx, &p.S, &p.components, &options, value[run], X[run]));
        check_pairs(&p, count, value[run], X[run], 2.5e-7);
    }
    for (int run = 1; run < 3; run++) {
        assert_memory_equal(X[0], X[run], half * count * sizeof *X[0]);
        assert_memory_equal(value[0], value[run], sizeof value[0]);
    }
    for (int run = 0; run < 3; run++)
        free(X[run]);
}

TEST(same_bytes_for_any_threads) {
    compare_threads(0);
    compare_threads(1);
}

/* The polynomial by its closed form, in both precisions, with columns that are kept out. */
TEST(a_filter_is_its_polynomial) {
    enum { half = 101, cols = 5, known = 3 };
    SCOPED(seg_chebyshev) filter;
    SCOPED(problem) p = circulants(&ctx, half, 1, 13, NULL);
    const seg_chebyshev_terms terms = {.degree = 11, .clean = 4, .low = -0.5, .high = 0.4, .top = 0.8};
    static const size_t columns[3] = {1, 4, 2}, kept[1] = {known};
    assert_ok(&ctx, seg_chebyshev_create(&ctx, &p.S, &p.components, &filter));
    for (int single = 0; single < 2; single++) {
        double X[half * cols], before[half * cols];
        for (size_t i = 0; i < half; i++)
            for (size_t c = 0; c < cols; c++) /* cosines of the circle: eigenvectors */
                before[i * cols + c] = sqrt(2.0 / half) * cos(2 * PI * (double)(i * (c + 1) % half) / half);
        for (size_t i = 0; i < half; i++)
            before[i * cols + 2] += 3 * before[i * cols + known] + 2 * p.components.root[i];
        memcpy(X, before, sizeof X);
        assert_ok(&ctx, seg_chebyshev_filter(&filter, &terms,
                                             &(seg_chebyshev_columns){cols, X, columns, 3, kept, 1, single}));
        for (size_t c = 0; c < cols; c++) {
            double eigenvalue = 0, factor = 1;
            for (size_t e = p.S.start[0]; e < p.S.start[1]; e++)
                eigenvalue += p.S.value[e] * cos(2 * PI * (double)((size_t)p.S.column[e] * (c + 1) % half) / half);
            const double x = (eigenvalue + 0.05) / 0.45, top = 0.85 / 0.45;
            if (c == 1 || c == 2 || c == 4)
                factor = (fabs(x) <= 1 ? cos(11 * acos(x)) : (x < 0 ? -1 : 1) * cosh(11 * acosh(fabs(x)))) /
                         cosh(11 * acosh(top));
            for (size_t i = 0; i < half; i++) {
                double own = before[i * cols + c];
                if (c == 2)
                    own = sqrt(2.0 / half) * cos(2 * PI * (double)(3 * i % half) / half);
                assert_near(X[i * cols + c], factor * own, single ? 2e-6 : 1e-13);
            }
        }
    }
}

/* Nodes of S in the order i -> i * step modulo n, and two more, each a part of its own. */
static problem mixed(seg_context *ctx, const seg_csr *W, size_t step) {
    const size_t n = W->rows + 2;
    problem p = {.components = {.n = n}};
    size_t at = 0, *old = malloc(n * sizeof *old), *place = malloc(n * sizeof *place);
    double *degree = calloc(n, sizeof *degree), *volume;
    assert_ok(ctx, seg_csr_create(ctx, n, n, W->start[W->rows] + 2, &p.S));
    for (size_t i = 0; i < n; i++) {
        old[i] = i * step % n;
        place[old[i]] = i;
    }
    for (size_t i = 0; i < n; i++) {
        if (old[i] >= W->rows) {
            p.S.column[at] = (int32_t)i;
            p.S.value[at++] = degree[i] = 1;
        } else {
            for (size_t e = W->start[old[i]]; e < W->start[old[i] + 1]; e++) {
                p.S.column[at] = (int32_t)place[W->column[e]];
                p.S.value[at++] = W->value[e];
                degree[i] += W->value[e];
            }
        }
        p.S.start[i + 1] = at;
        degree[i] = degree[i] > 0 ? degree[i] : 1; /* without edges */
    }
    assert_ok(ctx, seg_components_find(ctx, &p.S, degree, &p.components));
    p.components.root = seg_alloc(ctx, n, sizeof *p.components.root);
    volume = calloc((size_t)p.components.count, sizeof *volume);
    for (size_t i = 0; i < n; i++)
        volume[p.components.of[i]] += degree[i];
    for (size_t i = 0; i < n; i++) {
        p.components.root[i] = sqrt(degree[i] / volume[p.components.of[i]]);
        for (size_t e = p.S.start[i]; e < p.S.start[i + 1]; e++)
            p.S.value[e] /= sqrt(degree[i] * degree[p.S.column[e]]);
    }
    free(old);
    free(place);
    free(degree);
    free(volume);
    return p;
}

/* With and without it: the same eigenvalues, and the same space of the nine pairs before a gap. */
TEST(a_numbering_changes_no_result) {
    enum { half = 900, n = 2 * half + 2, count = 9 };
    double *X[2], value[2][count];
    int products;
    SCOPED(seg_csr) W = neighbours_graph(&ctx, 2 * half, 10);
    for (size_t i = 0; i < 2 * half; i++) /* two parts, without what ties them */
        for (size_t e = W.start[i]; e < W.start[i + 1]; e++)
            if ((i < half) != (W.column[e] < half))
                W.value[e] = 0;
    SCOPED(problem) p = mixed(&ctx, &W, 1009);
    assert_true(p.components.count >= 4);
    for (int run = 0; run < 2; run++) { /* n is the bound: numbered; n + 1: as given */
        const seg_subspace_options options = {count, 1e-8, n + 1 - (size_t)run, &products};
        X[run] = malloc(n * count * sizeof *X[run]);
        assert_ok(&ctx, seg_subspace_solve(&ctx, &p.S, &p.components, &options, value[run], X[run]));
        check_pairs(&p, count, value[run], X[run], 1.5e-8);
    }
    assert_memory_not_equal(X[0], X[1], n * count * sizeof *X[0]); /* the second was numbered */
    for (size_t c = 0; c < count; c++) {
        double square = 0;
        assert_near(value[0][c], value[1][c], 1e-11);
        for (size_t b = 0; b < count; b++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += X[0][i * count + c] * X[1][i * count + b];
            square += dot * dot;
        }
        if (value[0][c] - value[0][count - 1] > 1e-3)
            assert_near(square, 1, 1e-9);
    }
    free(X[0]);
    free(X[1]);
}

/* Tall products against the obvious loops, at sizes around a block's. */
TEST(tall_products) {
    static const size_t rows[] = {1, 3, 4, 4095, 4097, 9001};
    seg_random random;
    ctx.threads = 2;
    seg_random_seed(&random, 2, 0);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        enum { b = 3 };
        const size_t n = rows[r];
        double *A = malloc(n * b * sizeof *A), *B = malloc(n * b * sizeof *B), G[b * b], T[b * b], residual[b];
        const double value[b] = {0.5, -1, 2};
        for (size_t e = 0; e < n * b; e++)
            A[e] = seg_random_normal(&random);
        for (size_t e = 0; e < n * b; e++)
            B[e] = seg_random_normal(&random);
        for (size_t e = 0; e < b * b; e++)
            T[e] = seg_random_normal(&random);
        assert_ok(&ctx, seg_tall_gram(&ctx, n, b, A, B, G));
        for (size_t p = 0; p < b; p++)
            for (size_t q = 0; q < b; q++) {
                double sum = 0;
                for (size_t i = 0; i < n; i++)
                    sum += A[i * b + p] * B[i * b + q];
                assert_near(G[p * b + q], sum, 1e-11 * (double)n);
            }
        AUTOFREE double *turned = malloc(n * b * sizeof *turned);
        memcpy(turned, B, n * b * sizeof *turned);
        seg_tall_turn(&ctx, n, b, T, turned);
        for (size_t i = 0; i < n; i++)
            for (size_t q = 0; q < b; q++) {
                double sum = 0;
                for (size_t p = 0; p < b; p++)
                    sum += B[i * b + p] * T[p * b + q];
                assert_near(turned[i * b + q], sum, 1e-13);
            }
        memcpy(residual, value, sizeof residual);
        assert_ok(&ctx, seg_tall_residuals(&ctx, n, b, turned, B, residual));
        for (size_t q = 0; q < b; q++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += pow(turned[i * b + q] - value[q] * B[i * b + q], 2);
            assert_near(residual[q], sqrt(sum), 1e-11 * (double)n);
        }
        free(A);
        free(B);
    }
}

static int cancel(void *user, double share, const char *stage) {
    (void)stage;
    (void)share;
    return --*(int *)user <= 0;
}

TEST(limits_and_requests_to_stop) {
    enum { half = 1501, count = 9 };
    int products;
    const seg_subspace_options options = {count, 2e-7, 0, &products}, exact = {count, 0, 0, &products};
    double *X = malloc(half * count * sizeof *X), value[count];
    int left = 3;
    problem p = circulants(&ctx, half, 1, 13, NULL);
    ctx.max_memory = seg_memory_held() + (1 << 17);
    assert_int_equal(seg_subspace_solve(&ctx, &p.S, &p.components, &options, value, X), SEG_ERR_MEMORY);
    assert_int_equal(ctx.over_limit, 1);
    ctx.max_memory = 0;
    ctx.progress = cancel;
    ctx.progress_user = &left;
    assert_int_equal(seg_subspace_solve(&ctx, &p.S, &p.components, &options, value, X), SEG_ERR_CANCELLED);
    ctx.progress = NULL;
    /* a residual that no arithmetic reaches: the passes end, and say so */
    assert_int_equal(seg_subspace_solve(&ctx, &p.S, &p.components, &exact, value, X), SEG_ERR_NUMERIC);
    problem_free(&p);
    p = circulants(&ctx, 31, 1, 3, NULL); /* fewer nodes than twice the columns */
    assert_int_equal(seg_subspace_solve(&ctx, &p.S, &p.components, &options, value, X), SEG_ERR_NUMERIC);
    problem_free(&p);
    assert_int_equal(seg_subspace_columns(1) % SEG_FILTER_LANES, 0);
    assert_true(seg_subspace_columns(19) == 32 && seg_subspace_columns(1000) == 0);
    free(X);
}
