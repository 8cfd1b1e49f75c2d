/* graph: a case by hand, symmetry, order, and the width taken from the data. */
#include "toy.h"

#include "features/grid.h"
#include "graph/neighbours/nearest.h"
#include "linalg/dense.h"

/* Weight of i -> j, 0 where there is no edge. */
static double weight(const seg_csr *W, size_t i, size_t j) {
    for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
        if (W->column[e] == (int32_t)j)
            return W->value[e];
    return 0;
}

static void check_form(const seg_csr *W, size_t n) {
    assert_int_equal(W->rows, n);
    assert_int_equal(W->cols, n);
    assert_int_equal(W->start[0], 0);
    for (size_t i = 0; i < n; i++)
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            assert_true(W->column[e] >= 0 && (size_t)W->column[e] < n && (size_t)W->column[e] != i);
            assert_true(e == W->start[i] || W->column[e - 1] < W->column[e]);
            assert_true(W->value[e] > 0 && W->value[e] <= 1);
            assert_true(weight(W, (size_t)W->column[e], i) == W->value[e]); /* to the last bit */
        }
}

/* Points 0, 1, 3, 7 on a line, one neighbour each: 0->1, 1->0, 3->1, 7->3; mean distance (1 + 1 + 2 + 4) / 4 = 2. */
TEST(four_points_by_hand) {
    double at[4] = {0, 1, 3, 7}, sigma;
    const seg_matrix X = {4, 1, at};
    seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 1, .sigma = 0, .sigma_scale = 0.5};
    SCOPED(seg_csr) W;
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, &sigma));
    check_form(&W, 4);
    assert_near(sigma, 1, 1e-15);
    assert_int_equal(W.start[4], 6);
    assert_near(weight(&W, 0, 1), exp(-0.5), 1e-15);
    assert_near(weight(&W, 1, 2), exp(-2), 1e-15);
    assert_near(weight(&W, 2, 3), exp(-8), 1e-15);
    seg_csr_free(&W);
    spec.sigma = 4;
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL));
    assert_near(weight(&W, 2, 3), exp(-0.5), 1e-15);
    seg_csr_free(&W);

    /* The same four as a 2 x 2 grid: 0-1, 0-3, 1-7, 3-7; lengths 1, 3, 6, 4, mean 3.5. */
    const seg_patch_grid grid = seg_patch_grid_make(2, 2, 1);
    spec = (seg_graph_spec){.kind = SEG_GRAPH_GRID, .neighbours = 0, .sigma = 0, .sigma_scale = 1};
    assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &W, &sigma));
    check_form(&W, 4);
    assert_near(sigma, 3.5, 1e-15);
    assert_int_equal(W.start[4], 8);
    assert_near(weight(&W, 1, 3), exp(-36 / 24.5), 1e-15);
    assert_true(weight(&W, 1, 2) == 0);
    seg_csr_free(&W);

    /* Both: the width is the neighbours', the edges are of both kinds, each once. */
    spec = (seg_graph_spec){.kind = SEG_GRAPH_BOTH, .neighbours = 1, .sigma = 0, .sigma_scale = 1};
    assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &W, &sigma));
    check_form(&W, 4);
    assert_near(sigma, 2, 1e-15);
    assert_int_equal(W.start[4], 10); /* 0-1, 1-3, 3-7, 0-3, 1-7 */
    assert_near(weight(&W, 0, 2), exp(-9.0 / 8), 1e-15);
}

/* Mean length of the edges in the layers of two grids of 15 x 5, one below the other. */
static double touching_length(const seg_matrix *X) {
    double sum = 0;
    for (size_t i = 0; i < 150; i++) {
        sum += i % 15 < 14 ? sqrt(seg_distance2(X->cols, X->at + i * X->cols, X->at + (i + 1) * X->cols)) : 0;
        sum += i / 15 % 5 < 4 ? sqrt(seg_distance2(X->cols, X->at + i * X->cols, X->at + (i + 15) * X->cols)) : 0;
    }
    return sum / (2 * (14 * 5 + 15 * 4));
}

/* In layers, the edges within them have a width of their own where it is the larger one. */
TEST(touching_patches_of_a_layer_have_a_width) {
    static const double scales[] = {0, 0.1, 0.5, 2, 1e9};
    SCOPED(seg_matrix) X = toy_normal_rows(&ctx, 150, 3, seg_random_seeded(3, 0));
    seg_patch_grid grid = seg_patch_grid_stack(15, 10, 2, 1, 1);
    for (int i = 0; i < 5; i++) {
        seg_graph_spec spec = {.kind = SEG_GRAPH_BOTH, .neighbours = 4, .sigma_scale = 0.7};
        SCOPED(seg_csr) plain = {0};
        SCOPED(seg_csr) own = {0};
        double sigma[2];
        assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &plain, &sigma[0]));
        spec.touching_scale = scales[i];
        assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &own, &sigma[1]));
        check_form(&own, 150);
        assert_true(sigma[0] == sigma[1] && own.start[150] == plain.start[150]);
        const double width = fmax(sigma[0], scales[i] * touching_length(&X));
        for (size_t p = 0; p < 150; p++)
            for (size_t q = 0; q < 150; q++) {
                const int across = abs((int)(p % 15) - (int)(q % 15)) + abs((int)(p / 15) - (int)(q / 15));
                const double square = seg_distance2(3, X.at + p * 3, X.at + q * 3), usual = weight(&plain, p, q);
                const int touch = across == 1 && p / 75 == q / 75;
                assert_near(weight(&own, p, q), touch ? fmax(exp(-square / (2 * width * width)), 1e-12) : usual, 1e-13);
            }
    }
}

/* Against the definition, by a table of all pairs. */
TEST(edges_are_those_of_the_definition) {
    enum { N = 150, K = 4 };
    for (size_t d = 2; d <= 20; d += 6) {
        SCOPED(seg_matrix) X = toy_normal_rows(&ctx, N, d, seg_random_seeded(d, 0));
        const seg_patch_grid grid = seg_patch_grid_make(15, 10, 1);
        static int edge[N][N];
        int32_t neighbour[N * K];
        double distance2[N * K], sum = 0, sigma;
        seg_csr W;
        memset(edge, 0, sizeof edge);
        assert_ok(&ctx, seg_nearest_search(&ctx, &X, K, SEG_SEARCH_EXACT, neighbour, distance2));
        for (int e = 0; e < N * K; e++) {
            edge[e / K][neighbour[e]] = edge[neighbour[e]][e / K] = 1;
            sum += sqrt(distance2[e]);
        }
        for (int kind = SEG_GRAPH_KNN; kind <= SEG_GRAPH_BOTH; kind++) {
            seg_graph_spec spec = {.kind = (seg_graph_kind)kind, .neighbours = K, .sigma = 0, .sigma_scale = 0.7};
            assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &W, &sigma));
            check_form(&W, N);
            if (kind & SEG_GRAPH_KNN)
                assert_near(sigma, 0.7 * sum / (N * K), 1e-13);
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < N; j++) {
                    int dx = abs((int)(i % 15) - (int)(j % 15)), dy = abs((int)(i / 15) - (int)(j / 15));
                    int wanted = ((kind & SEG_GRAPH_KNN) && edge[i][j]) || ((kind & SEG_GRAPH_GRID) && dx + dy == 1);
                    double square = 0;
                    for (size_t c = 0; c < d; c++)
                        square += pow(X.at[i * d + c] - X.at[j * d + c], 2);
                    assert_near(weight(&W, i, j), wanted ? fmax(exp(-square / (2 * sigma * sigma)), 1e-12) : 0, 1e-13);
                }
            seg_csr_free(&W);
        }
    }
}

TEST(scale_does_not_matter) {
    SCOPED(seg_matrix) X = toy_normal_rows(&ctx, 300, 5, seg_random_seeded(1, 0));
    const seg_patch_grid grid = seg_patch_grid_make(60, 20, 2);
    seg_graph_spec spec = {.kind = SEG_GRAPH_BOTH, .neighbours = 7, .sigma = 0, .sigma_scale = 1};
    seg_csr A, B;
    double sigma, scaled;
    assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &A, &sigma));
    for (size_t i = 0; i < 1500; i++)
        X.at[i] *= 1024; /* a power of two: nothing is rounded, so nothing may change */
    assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &B, &scaled));
    assert_true(scaled == 1024 * sigma);
    assert_int_equal(A.start[300], B.start[300]);
    assert_memory_equal(A.column, B.column, A.start[300] * sizeof *A.column);
    assert_memory_equal(A.value, B.value, A.start[300] * sizeof *A.value);
    seg_csr_free(&B);
    for (ctx.threads = 1; ctx.threads <= 4; ctx.threads++) {
        assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &B, NULL));
        assert_memory_equal(A.start, B.start, 301 * sizeof *A.start);
        assert_memory_equal(A.value, B.value, A.start[300] * sizeof *A.value);
        seg_csr_free(&B);
    }
    seg_csr_free(&A);
}

TEST(small_and_degenerate) {
    seg_graph_spec spec = {.kind = SEG_GRAPH_BOTH, .neighbours = 20, .sigma = 0, .sigma_scale = 1};
    seg_patch_grid grid = seg_patch_grid_make(1, 1, 1);
    double sigma;
    seg_csr W;
    /* One row: no edges. */
    SCOPED(seg_matrix) X = toy_normal_rows(&ctx, 1, 3, seg_random_seeded(1, 0));
    assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &W, &sigma));
    check_form(&W, 1);
    assert_int_equal(W.start[1], 0);
    assert_near(sigma, 1, 0);
    seg_csr_free(&W);
    seg_matrix_free(&X);
    /* Fewer rows than neighbours: all are neighbours. */
    X = toy_normal_rows(&ctx, 9, 3, seg_random_seeded(1, 0));
    spec.kind = SEG_GRAPH_KNN;
    spec.neighbours = 2147483647;
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL));
    check_form(&W, 9);
    assert_int_equal(W.start[9], 72);
    seg_csr_free(&W);
    /* All on one spot: width 1, weights 1. */
    memset(X.at, 0, 27 * sizeof *X.at);
    spec.neighbours = 3;
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, &sigma));
    check_form(&W, 9);
    assert_near(sigma, 1, 0);
    for (size_t e = 0; e < W.start[9]; e++)
        assert_near(W.value[e], 1, 0);
    /* Everyone's neighbours are rows 0, 1, 2 (of equal distances the smallest numbers). */
    assert_int_equal(W.start[1] - W.start[0], 8);
    assert_int_equal(W.start[9] - W.start[8], 3);
    seg_csr_free(&W);
    /* Far apart for the width: the edges stay. */
    for (size_t i = 0; i < 9; i++)
        X.at[3 * i] = 1e200 * (double)i;
    spec.sigma = 1e-300;
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL));
    check_form(&W, 9);
    for (size_t e = 0; e < W.start[9]; e++)
        assert_near(W.value[e], 1e-12, 0);
    seg_csr_free(&W);
    /* Width from the data, whose squares no double holds: as in any other unit. */
    SCOPED(seg_csr) unit;
    spec.sigma = 0;
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, &sigma));
    check_form(&W, 9);
    assert_true(sigma > 1e200 && sigma < 9e200);
    for (size_t i = 0; i < 9; i++)
        X.at[3 * i] = (double)i;
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &unit, NULL));
    assert_int_equal(W.start[9], unit.start[9]);
    for (size_t e = 0; e < W.start[9]; e++)
        assert_near(W.value[e], unit.value[e], 1e-12);
    seg_csr_free(&W);
    X.at[3] = INFINITY;
    assert_int_equal(seg_graph_build(&ctx, &X, NULL, &spec, &W, &sigma), SEG_ERR_USAGE);
    assert_null(W.start);
}

static int is_edge(const seg_csr *W, size_t i, size_t j) {
    for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
        if ((size_t)W->column[e] == j)
            return 1;
    return 0;
}

/* The union of the neighbours' relation with its reverse. */
TEST(either_is_a_neighbour_of_the_other) {
    enum { N = 60, K = 5 };
    SCOPED(seg_csr) W;
    int32_t neighbour[N * K];
    double distance2[N * K];
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = K, .sigma_scale = 1};
    SCOPED(seg_matrix) X = toy_normal_rows(&ctx, N, 3, seg_random_seeded(4, 0));
    assert_ok(&ctx, seg_nearest_search(&ctx, &X, K, SEG_SEARCH_EXACT, neighbour, distance2));
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            int joined = 0;
            for (size_t t = 0; t < K; t++)
                joined |= (size_t)neighbour[i * K + t] == j || (size_t)neighbour[j * K + t] == i;
            assert_int_equal(is_edge(&W, i, j), joined);
        }
}

/* The centre of a cross has four equally far neighbours, an arm two beside the centre: the last place goes to the row
 * that stands first in the table (docs/stages/graph.md). place: the row of each point, the centre first. */
static void check_cross(seg_context *ctx, const int place[5], int apart) {
    static const double x[5][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 2, .sigma_scale = 1};
    double at[10];
    SCOPED(seg_csr) W;
    for (int p = 0; p < 5; p++)
        memcpy(at + (size_t)place[p] * 2, x[p], sizeof x[p]);
    assert_ok(ctx, seg_graph_build(ctx, &(seg_matrix){5, 2, at}, NULL, &spec, &W, NULL));
    for (int p = 1; p < 5; p++) {
        const int next = p % 4 + 1; /* the arm beside it */
        assert_true(is_edge(&W, (size_t)place[0], (size_t)place[p]));
        assert_int_equal(is_edge(&W, (size_t)place[p], (size_t)place[next]), p != apart);
    }
    assert_int_equal(W.start[5], 14);
}

TEST(tied_neighbours_go_by_the_order_of_the_rows) {
    check_cross(&ctx, (int[]){0, 1, 2, 3, 4}, 3); /* arms 3 and 4 have nearer rows in the table */
    check_cross(&ctx, (int[]){4, 0, 1, 2, 3}, 3); /* the tied ones in the same order: the same graph */
    check_cross(&ctx, (int[]){2, 0, 1, 3, 4}, 3);
    check_cross(&ctx, (int[]){0, 4, 3, 2, 1}, 1); /* in the opposite order: that of the other two */
    check_cross(&ctx, (int[]){0, 2, 1, 4, 3}, 3);
}

/* Whole numbers in another order of the rows: only neighbours that are tied for the last place differ. */
TEST(another_order_changes_only_ties_of_the_last_place) {
    enum { N = 150, K = 6 };
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = K, .sigma = 1};
    for (size_t d = 3; d <= 64; d += 61) { /* a tree, and products */
        int32_t neighbour[N * K], row[N];
        double distance2[N * K];
        size_t differ = 0;
        seg_random random = seg_random_seeded(37, d);
        SCOPED(seg_matrix) X = toy_normal_rows(&ctx, N, d, seg_random_seeded(1, 0));
        SCOPED(seg_matrix) turned = toy_normal_rows(&ctx, N, d, seg_random_seeded(1, 0));
        for (size_t e = 0; e < N * d; e++)
            X.at[e] = (double)seg_random_below(&random, d == 3 ? 6 : 2);
        for (size_t i = 0; i < N; i++) { /* row i of X is row[i] of the other table */
            const size_t j = seg_random_below(&random, i + 1);
            row[i] = row[j];
            row[j] = (int32_t)i;
        }
        for (size_t i = 0; i < N; i++)
            memcpy(turned.at + (size_t)row[i] * d, X.at + i * d, d * sizeof *X.at);
        SCOPED(seg_csr) W;
        SCOPED(seg_csr) V;
        SCOPED(seg_csr) again;
        assert_ok(&ctx, seg_nearest_search(&ctx, &X, K, SEG_SEARCH_EXACT, neighbour, distance2));
        assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL));
        assert_ok(&ctx, seg_graph_build(&ctx, &turned, NULL, &spec, &V, NULL));
        ctx.threads = 3;
        assert_ok(&ctx, seg_graph_build(&ctx, &turned, NULL, &spec, &again, NULL));
        assert_int_equal(V.start[N], again.start[N]);
        assert_memory_equal(V.column, again.column, V.start[N] * sizeof *V.column);
        for (size_t i = 0; i < N; i++)
            for (size_t j = i + 1; j < N; j++) {
                double distance = 0;
                for (size_t c = 0; c < d; c++)
                    distance += (X.at[i * d + c] - X.at[j * d + c]) * (X.at[i * d + c] - X.at[j * d + c]);
                if (is_edge(&W, i, j) == is_edge(&V, (size_t)row[i], (size_t)row[j]))
                    continue;
                differ++;
                assert_true(distance == distance2[i * K + K - 1] || distance == distance2[j * K + K - 1]);
            }
        assert_true(differ > 0);
    }
}

/* Cosines of vectors; those of a scaled kernel are the same. */
TEST(graph_of_a_kernel) {
    enum { N = 5 };
    static const double x[N][2] = {{1, 0}, {2, 2}, {0, 3}, {-4, 0}, {0, 0}};
    seg_csr W;
    double k[N * N];
    seg_matrix K = {N, N, k};
    seg_graph_spec spec = {.kind = SEG_GRAPH_KERNEL, .neighbours = 1};
    for (int scaled = 0; scaled < 2; scaled++) {
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++)
                k[i * N + j] = (scaled ? 50 : 1) * (x[i][0] * x[j][0] + x[i][1] * x[j][1]);
        assert_ok(&ctx, seg_graph_build(&ctx, &K, NULL, &spec, &W, NULL));
        check_form(&W, N);
        assert_int_equal(W.start[N], 4); /* 0-1 and 1-2; the fourth looks away, the last is the origin */
        assert_near(weight(&W, 0, 1), sqrt(0.5), 1e-15);
        assert_near(weight(&W, 1, 2), sqrt(0.5), 1e-15);
        seg_csr_free(&W);
    }
    spec.neighbours = 0;
    assert_int_equal(seg_graph_build(&ctx, &K, NULL, &spec, &W, NULL), SEG_ERR_USAGE);
    spec.neighbours = 2;
    k[0] = -1;
    assert_int_equal(seg_graph_build(&ctx, &K, NULL, &spec, &W, NULL), SEG_ERR_USAGE);
    assert_null(W.start);
    K.rows = 4;
    assert_int_equal(seg_graph_build(&ctx, &K, NULL, &spec, &W, NULL), SEG_ERR_USAGE);
}

TEST(wrong_arguments_are_refused) {
    static const seg_graph_spec bad[] = {
        {(seg_graph_kind)0, 5, 0, 1}, {(seg_graph_kind)5, 5, 0, 1}, {SEG_GRAPH_KNN, 0, 0, 1},
        {SEG_GRAPH_KNN, 5, -1, 1},    {SEG_GRAPH_KNN, 5, NAN, 1},   {SEG_GRAPH_KNN, 5, 0, 0},
        {SEG_GRAPH_KNN, 5, 0, NAN},   {SEG_GRAPH_GRID, 5, 0, 1},    {SEG_GRAPH_BOTH, 5, 0, 1},
    };
    const seg_patch_grid other = seg_patch_grid_make(7, 1, 1);
    seg_csr W;
    SCOPED(seg_matrix) X = toy_normal_rows(&ctx, 8, 2, seg_random_seeded(1, 0));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(&W, 1, sizeof W);
        ctx.message[0] = 0;
        assert_int_equal(seg_graph_build(&ctx, &X, NULL, &bad[i], &W, NULL), SEG_ERR_USAGE);
        assert_null(W.value);
        assert_true(strlen(ctx.message) > 10);
    }
    assert_int_equal(seg_graph_build(&ctx, &X, &other, &bad[8], &W, NULL), SEG_ERR_USAGE);
    X.at[3] = NAN;
    const seg_graph_spec good = {.kind = SEG_GRAPH_KNN, .neighbours = 2, .sigma = 0, .sigma_scale = 1};
    assert_int_equal(seg_graph_build(&ctx, &X, NULL, &good, &W, NULL), SEG_ERR_USAGE);
    X.rows = 0;
    assert_int_equal(seg_graph_build(&ctx, &X, NULL, &good, &W, NULL), SEG_ERR_USAGE);
}
