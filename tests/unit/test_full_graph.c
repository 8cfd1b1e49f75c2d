/* The complete Gaussian graph: fast sums against plain ones, its spectrum against known ones and the dense twin, what
 * must not change it, and what it refuses. */
#include "toy.h"

#include "graph/full/full_graph.h"
#include "graph/spectrum/spectrum.h"

#include <stdlib.h>
#include <string.h>

typedef enum shape { UNIFORM, CLUSTERED, DOUBLED, FAR_PAIR, SHAPES } shape;

/* Points in about the unit cube. CLUSTERED: ten heaps of different spread. DOUBLED: every point four times. FAR_PAIR:
 * the last two lie close to each other and far from the rest. */
static void make_points(seg_context *ctx, shape kind, size_t n, size_t d, seg_matrix *X) {
    seg_random random;
    double centre[30];
    seg_random_seed(&random, 7, (uint64_t)kind);
    assert_ok(ctx, seg_matrix_create(ctx, n, d, X));
    for (size_t e = 0; e < 30; e++)
        centre[e] = seg_random_uniform(&random);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            double *x = &X->at[i * d + c];
            if (kind == CLUSTERED)
                *x = centre[i % 10 * 3 + c] + 0.001 * (double)(i % 10 + 1) * seg_random_normal(&random);
            else if (kind == DOUBLED && i % 4 != 0)
                *x = x[-(ptrdiff_t)d];
            else
                *x = seg_random_uniform(&random) + (kind == FAR_PAIR && i + 2 >= n ? 1.6 : 0);
        }
    if (kind == FAR_PAIR)
        for (size_t c = 0; c < d; c++)
            X->at[(n - 1) * d + c] = X->at[(n - 2) * d + c] + 0.001;
}

/* The plain sum. */
static double product_at(const seg_matrix *X, double sigma, size_t i, const double *v) {
    double sum = 0;
    for (size_t j = 0; j < X->rows; j++) {
        double distance2 = 0;
        for (size_t c = 0; c < X->cols; c++) {
            const double t = (X->at[i * X->cols + c] - X->at[j * X->cols + c]) / sigma;
            distance2 += t * t;
        }
        sum += i == j ? 0 : exp(-0.5 * distance2) * v[j];
    }
    return sum;
}

static seg_full_graph *make_graph(seg_context *ctx, const seg_matrix *X, double sigma, seg_full_way way) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma = sigma, .sigma_scale = 1};
    seg_full_graph *graph;
    assert_ok(ctx, seg_full_graph_create_by(ctx, X, &spec, way, &graph));
    return graph;
}

static void check_products(seg_context *ctx, shape kind, size_t n, size_t d, double sigma) {
    SCOPED(seg_matrix) X;
    seg_random random;
    AUTOFREE double *v = malloc(n * sizeof *v), *y = malloc(n * sizeof *y), *ones = malloc(n * sizeof *ones);
    double largest = 0, error = 0, worst = 0;
    make_points(ctx, kind, n, d, &X);
    seg_full_graph *graph = make_graph(ctx, &X, sigma, SEG_FULL_BY_SUMS);
    seg_random_seed(&random, 3, 3);
    for (size_t i = 0; i < n; i++) {
        v[i] = seg_random_normal(&random);
        ones[i] = 1;
    }
    assert_ok(ctx, seg_full_graph_multiply(ctx, graph, 1, v, y));
    for (size_t i = 0; i < n; i++) {
        const double exact = product_at(&X, sigma, i, v), degree = product_at(&X, sigma, i, ones);
        largest = fmax(largest, fabs(exact));
        error = fmax(error, fabs(y[i] - exact));
        worst = fmax(worst, fabs(graph->degree[i] - degree) / fmax(degree, 1e-290));
    }
    if (!(error <= 1e-6 * largest && worst <= 1e-6)) {
        print_error("shape %d, d %zu, sigma %g: products off by %g of %g, degrees by %g\n", (int)kind, d, sigma, error,
                    largest, worst);
        fail();
    }
    seg_full_graph_free(graph);
}

/* From widths at which few pairs weigh anything to widths at which all weigh the same. */
TEST(products_agree_with_plain_sums) {
    static const double sigma[] = {0.003, 0.02, 0.1, 0.5, 3, 100};
    ctx.threads = 1;
    for (int kind = 0; kind < SHAPES; kind++)
        for (size_t d = 1; d <= 3; d++)
            for (size_t s = kind % 2; s < sizeof sigma / sizeof *sigma; s += 2) /* half of them for each shape */
                check_products(&ctx, (shape)kind, 400, d, sigma[s]);
}

/* Every level of accuracy keeps its word, also where the choice would not have taken it. */
TEST(levels_are_as_accurate_as_said) {
    static const double bound[SEG_FAST_LEVELS] = {1e-7, 2e-9, 4e-11}; /* an entry's error, times 3 axes, times 3 */
    enum { N = 400 };
    double v[N], y[N];
    int32_t member[N];
    ctx.threads = 1;
    for (size_t d = 1; d <= 3; d++)
        for (int level = 0; level < SEG_FAST_LEVELS; level++)
            for (double sigma = 0.05; sigma < 10; sigma *= 4) {
                SCOPED(seg_matrix) X;
                SCOPED(seg_gaussian) points;
                SCOPED(seg_fast_sum) sum;
                double error = 0;
                make_points(&ctx, UNIFORM, N, d, &X);
                assert_ok(&ctx, seg_gaussian_create(&ctx, &X, sigma, &points));
                for (size_t i = 0; i < N; i++)
                    member[i] = (int32_t)i;
                assert_ok(&ctx, seg_fast_sum_create(&ctx, &points, member, N, level, &sum));
                for (size_t j = 0; j < N; j += 57) { /* columns of the matrix */
                    memset(v, 0, sizeof v);
                    v[j] = 1;
                    seg_fast_sum_apply(&ctx, &sum, v, y);
                    for (size_t i = 0; i < N; i++) {
                        double own[N] = {0};
                        own[i] = 1;
                        error = fmax(error, fabs(y[i] - (i == j ? 1 : product_at(&X, sigma, j, own))));
                    }
                }
                if (!(error <= bound[level])) {
                    print_error("d %zu level %d sigma %g: an entry is off by %g\n", d, level, sigma, error);
                    fail();
                }
            }
}

/* m nodes at each of two places, q the weight between them: (m - 1 - m q) / (m - 1 + m q) belongs to the cut, and
 * -1 / degree to everything inside a place. */
TEST(two_places_have_a_known_spectrum) {
    enum { M = 150, COUNT = 6 };
    static const double distance[] = {1, 3, 0};
    ctx.threads = 1;
    for (int t = 0; t < 3; t++)
        for (int way = SEG_FULL_BY_MATRIX; way <= SEG_FULL_BY_SUMS; way++) {
            const double q = exp(-0.5 * distance[t] * distance[t]), degree = M - 1 + M * q;
            SCOPED(seg_matrix) X;
            SCOPED(seg_spectrum) s;
            assert_ok(&ctx, seg_matrix_create(&ctx, 2 * M, 2, &X));
            for (size_t i = 0; i < 2 * M; i++)
                X.at[2 * i] = (double)(i % 2) * distance[t];
            seg_full_graph *graph = make_graph(&ctx, &X, 1, (seg_full_way)way);
            assert_ok(&ctx, seg_spectrum_compute_full(&ctx, graph, COUNT, &s));
            assert_near(s.value[0], 0, 1e-12);
            assert_near(s.value[1], 1 - (M - 1 - M * q) / degree, 1e-8);
            for (int c = 2; c < COUNT; c++)
                assert_near(s.value[c], 1 + 1 / degree, 1e-8);
            for (size_t i = 0; i < 2 * M && t < 2; i++) /* the cut: equal inside, opposite across */
                assert_near(s.vector[i * COUNT + 1], (i % 2 ? -1 : 1) * s.vector[1], 1e-6);
            seg_full_graph_free(graph);
        }
}

static void orthonormal(const seg_spectrum *s) {
    const size_t count = (size_t)s->count;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b <= a; b++) {
            double dot = 0;
            for (size_t i = 0; i < s->n; i++)
                dot += s->vector[i * count + a] * s->vector[i * count + b];
            assert_near(dot, a == b, 1e-9);
        }
}

/* |L v - value v| with the listed weights. */
static double residual(const seg_csr *W, const double *degree, const seg_spectrum *s, size_t c) {
    const size_t count = (size_t)s->count;
    double sum = 0;
    for (size_t i = 0; i < W->rows; i++) {
        double r = (1 - s->value[c]) * s->vector[i * count + c];
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            r -= W->value[e] / sqrt(degree[i] * degree[W->column[e]]) * s->vector[(size_t)W->column[e] * count + c];
        sum += r * r;
    }
    return sqrt(sum);
}

TEST(spectrum_agrees_with_the_listed_graph) {
    enum { N = 500, COUNT = 12 };
    static const double sigma[] = {0, 0.3, 0.15};
    ctx.threads = 1;
    for (int kind = 0; kind < SHAPES; kind++)
        for (size_t s = kind % 2; s < 3; s += 2) {
            const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma = sigma[s], .sigma_scale = 1};
            SCOPED(seg_matrix) X;
            SCOPED(seg_csr) W;
            SCOPED(seg_spectrum) listed, fast, dense;
            double width, degree[N] = {0};
            make_points(&ctx, (shape)kind, N, 3, &X);
            assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, &width));
            for (size_t i = 0; i < N; i++)
                for (size_t e = W.start[i]; e < W.start[i + 1]; e++)
                    degree[i] += W.value[e];
            seg_full_graph *sums = make_graph(&ctx, &X, sigma[s], SEG_FULL_BY_SUMS);
            seg_full_graph *matrix = make_graph(&ctx, &X, sigma[s], SEG_FULL_BY_MATRIX);
            assert_true(width == sums->sigma && width == matrix->sigma);
            assert_ok(&ctx, seg_spectrum_compute(&ctx, &W, COUNT, &listed));
            assert_ok(&ctx, seg_spectrum_compute_full(&ctx, sums, COUNT, &fast));
            assert_ok(&ctx, seg_spectrum_compute_full(&ctx, matrix, COUNT, &dense));
            orthonormal(&fast);
            for (size_t c = 0; c < COUNT; c++) {
                assert_near(fast.value[c], listed.value[c], 2e-6);
                assert_near(dense.value[c], listed.value[c], 2e-6);
                assert_near(residual(&W, degree, &fast, c), 0, 3e-6);
            }
            seg_full_graph_free(sums);
            seg_full_graph_free(matrix);
        }
}

/* The width from the data: neither their order nor a shift matters. */
TEST(order_and_place_do_not_matter) {
    enum { N = 1500, COUNT = 5 };
    SCOPED(seg_matrix) X, Y;
    SCOPED(seg_spectrum) a, b;
    ctx.threads = 1;
    make_points(&ctx, CLUSTERED, N, 3, &X);
    assert_ok(&ctx, seg_matrix_create(&ctx, N, 3, &Y));
    for (size_t i = 0; i < N; i++)
        for (size_t c = 0; c < 3; c++)
            Y.at[(i * 707 % N) * 3 + c] = X.at[i * 3 + c] + 64 * (double)(c + 1);
    seg_full_graph *one = make_graph(&ctx, &X, 0, SEG_FULL_BY_SUMS), *other = make_graph(&ctx, &Y, 0, SEG_FULL_BY_SUMS);
    assert_true(one->sum.n == N && !one->dense);
    assert_near(one->sigma, other->sigma, 1e-12);
    for (size_t i = 0; i < N; i++) {
        const double degree = one->degree[i];
        assert_near(other->degree[i * 707 % N], degree, 1e-6 * degree);
    }
    assert_ok(&ctx, seg_spectrum_compute_full(&ctx, one, COUNT, &a));
    assert_ok(&ctx, seg_spectrum_compute_full(&ctx, other, COUNT, &b));
    for (size_t c = 0; c < COUNT; c++) {
        double dot = 0;
        assert_near(a.value[c], b.value[c], 1e-6);
        for (size_t i = 0; i < N; i++)
            dot += a.vector[i * COUNT + c] * b.vector[(i * 707 % N) * COUNT + c];
        assert_near(fabs(dot), 1, 1e-5);
    }
    seg_full_graph_free(one);
    seg_full_graph_free(other);
}

/* Fast sums with listed weak nodes among them. */
TEST(threads_do_not_matter) {
    enum { N = 1200, COUNT = 4 };
    seg_matrix X;
    seg_spectrum first, other;
    for (size_t d = 1; d <= 3; d++) {
        AUTOFREE double *degree = malloc(N * sizeof *degree);
        make_points(&ctx, FAR_PAIR, N, d, &X);
        for (int threads = 1; threads <= 3; threads += 2) {
            ctx.threads = threads;
            seg_full_graph *graph = make_graph(&ctx, &X, 0.25, SEG_FULL_BY_SUMS);
            assert_true(graph->sum.n > 0);
            seg_spectrum *s = threads == 1 ? &first : &other;
            assert_ok(&ctx, seg_spectrum_compute_full(&ctx, graph, COUNT, s));
            if (threads == 1)
                memcpy(degree, graph->degree, N * sizeof *degree);
            else {
                assert_memory_equal(degree, graph->degree, N * sizeof *degree);
                assert_memory_equal(first.value, other.value, COUNT * sizeof *first.value);
                assert_memory_equal(first.vector, other.vector, N * COUNT * sizeof *first.vector);
                seg_spectrum_free(&other);
            }
            seg_full_graph_free(graph);
        }
        seg_spectrum_free(&first);
        seg_matrix_free(&X);
    }
}

TEST(clusters_are_found_without_a_list) {
    enum { CLUSTERS = 3, EACH = 300 };
    static const char *const takes[] = {"ncut", "ccskl", "ccsr"}, *const refuses[] = {"spectral-learning", "enpakl"};
    SCOPED(seg_matrix) X;
    SCOPED(seg_constraints) groups;
    seg_clustering found;
    toy_blobs(&ctx, CLUSTERS, EACH, 5, &X);
    toy_groups(&ctx, X.rows, CLUSTERS, 4, &groups);
    seg_full_graph *graph = make_graph(&ctx, &X, 2, SEG_FULL_BY_SUMS);
    seg_problem problem = {.n = X.rows, .k = CLUSTERS, .features = &X, .constraints = &groups, .restarts = 3};
    problem.full = graph;
    for (size_t m = 0; m < 3; m++) {
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_find(takes[m]), NULL, &problem, &found));
        for (size_t i = 0; i < X.rows; i++)
            assert_int_equal(found.label[i], i % CLUSTERS);
        if (m == 0) { /* the cut, pair by pair */
            double inside[CLUSTERS] = {0}, all[CLUSTERS] = {0}, cut = CLUSTERS;
            for (size_t i = 0; i < X.rows; i++)
                for (size_t j = 0; j < X.rows; j++) {
                    const double u = X.at[2 * i] - X.at[2 * j], v = X.at[2 * i + 1] - X.at[2 * j + 1];
                    const double w = i == j ? 0 : exp(-(u * u + v * v) / (2 * graph->sigma * graph->sigma));
                    all[i % CLUSTERS] += w;
                    inside[i % CLUSTERS] += i % CLUSTERS == j % CLUSTERS ? w : 0;
                }
            for (size_t c = 0; c < CLUSTERS; c++)
                cut -= inside[c] / all[c];
            assert_near(found.objective, cut, 1e-6);
            assert_true(found.objective_bound <= cut + 1e-6);
        } else
            assert_true(isnan(found.objective_bound));
        seg_clustering_free(&found);
    }
    for (size_t m = 0; m < 2; m++) {
        assert_fails(&ctx, seg_cluster(&ctx, seg_method_find(refuses[m]), NULL, &problem, &found), SEG_ERR_USAGE,
                     "one by one");
    }
    problem.n--;
    X.rows--;
    problem.constraints = NULL;
    assert_fails(&ctx, seg_cluster(&ctx, seg_method_find("ncut"), NULL, &problem, &found), SEG_ERR_USAGE,
                 "900 nodes for 899 samples");
    X.rows++;
    seg_full_graph_free(graph);
}

static int stop(void *user, double done, const char *stage) {
    (void)done;
    (void)stage;
    return --*(int *)user < 0;
}

TEST(what_cannot_be_is_refused) {
    seg_matrix X, flat = {.rows = 12000, .cols = 4};
    seg_full_graph *graph;
    seg_spectrum s;
    seg_csr W;
    seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma_scale = 1};
    make_points(&ctx, UNIFORM, 40000, 3, &X);
    X.rows = 1;
    assert_int_equal(seg_full_graph_create(&ctx, &X, &spec, &graph, NULL), SEG_ERR_USAGE);
    assert_null(graph);
    X.rows = SEG_FULL_LISTED + 1;
    assert_fails(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL), SEG_ERR_USAGE, "nearest neighbours");
    flat.at = X.at;
    assert_fails(&ctx, seg_full_graph_create(&ctx, &flat, &spec, &graph, NULL), SEG_ERR_USAGE, "at most 3 columns");
    X.rows = 40000;
    spec.sigma = 1e-4;
    assert_fails(&ctx, seg_full_graph_create(&ctx, &X, &spec, &graph, NULL), SEG_ERR_USAGE, "too narrow");
    X.rows = 500;
    spec.sigma = 1e-9;
    assert_fails(&ctx, seg_full_graph_create(&ctx, &X, &spec, &graph, NULL), SEG_ERR_USAGE, "raise sigma");
    spec.sigma = -1;
    assert_int_equal(seg_full_graph_create(&ctx, &X, &spec, &graph, NULL), SEG_ERR_USAGE);
    spec.sigma = 1e-300;
    assert_int_equal(seg_full_graph_create(&ctx, &X, &spec, &graph, NULL), SEG_ERR_USAGE);
    spec.sigma = 0;
    X.at[700] = NAN;
    assert_fails(&ctx, seg_full_graph_create(&ctx, &X, &spec, &graph, NULL), SEG_ERR_USAGE, "column 2 of row 234");
    X.at[700] = 0.5;
    X.rows = 4100;
    assert_ok(&ctx, seg_full_graph_create(&ctx, &X, &spec, &graph, NULL));
    assert_int_equal(seg_spectrum_compute_full(&ctx, graph, 0, &s), SEG_ERR_USAGE);
    assert_int_equal(seg_spectrum_compute_full(&ctx, graph, 2000, &s), SEG_ERR_USAGE);
    assert_null(s.vector);
    int calls = 20;
    ctx.progress = stop;
    ctx.progress_user = &calls;
    assert_fails(&ctx, seg_spectrum_compute_full(&ctx, graph, 3, &s), SEG_ERR_CANCELLED, "cancelled");
    seg_full_graph_free(graph);
    seg_full_graph_free(NULL);
    seg_matrix_free(&X);
}
