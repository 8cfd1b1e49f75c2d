/* The walk alone and the forest alone, methods of their own: the walk against probabilities worked out by hand and by
 * Gaussian elimination, the forest on what can and what cannot be told apart, both for any order of the rows. */
#include "toy.h"

enum { MOST = 130 };

static void edge(double *weight, size_t n, size_t i, size_t j, double w) {
    weight[i * n + j] = weight[j * n + i] = w;
}

/* S (n x k) by elimination without a pivot: the matrix is diagonally dominant. */
static void dense_walk(size_t n, const double *weight, const int16_t *group, size_t k, double termination, double *S) {
    AUTOFREE double *A = calloc(n * n, sizeof *A);
    for (size_t i = 0; i < n; i++) {
        double degree = 0;
        for (size_t j = 0; j < n; j++)
            degree += weight[i * n + j];
        for (size_t j = 0; j < n; j++)
            A[i * n + j] = group[i] >= 0 ? i == j : i == j ? (1 + termination) * degree : -weight[i * n + j];
        for (size_t g = 0; g < k; g++)
            S[i * k + g] = group[i] >= 0 && (size_t)group[i] == g;
    }
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < n; i++) {
            const double by = A[i * n + p] / A[p * n + p];
            if (i == p || by == 0)
                continue;
            for (size_t j = 0; j < n; j++)
                A[i * n + j] -= by * A[p * n + j];
            for (size_t g = 0; g < k; g++)
                S[i * k + g] -= by * S[p * k + g];
        }
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t g = 0; g < k; g++)
            sum += S[i * k + g] /= A[i * n + i];
        for (size_t g = 0; g < k; g++)
            S[i * k + g] /= sum;
    }
}

/* Between two ends a walk that never ends by itself interpolates by the lengths (1 / weight) of the edges. */
TEST(a_path_is_interpolated) {
    for (int kind = 0; kind < 3; kind++) {
        enum { N = 33 };
        static double weight[N * N];
        double length = 0, along[N] = {0};
        memset(weight, 0, sizeof weight);
        for (size_t i = 0; i + 1 < N; i++) {
            const double w = kind == 0 ? 1 : kind == 1 ? 1.0 / (double)(1 + i % 5) : 1e-30 * (double)(1 + i % 3);
            edge(weight, N, i, i + 1, w);
            along[i + 1] = length += 1 / w;
        }
        SCOPED(seg_csr) W = toy_sparse(&ctx, N, weight);
        SCOPED(seg_constraints) c = new_constraints(&ctx, N);
        c.groups = 2;
        c.group[0] = 0;
        c.group[N - 1] = 1;
        const seg_problem problem = {.n = N, .k = 2, .affinity = &W, .constraints = &c, .restarts = 1};
        SCOPED(seg_clustering) found = toy_cluster(&ctx, "walk", "termination=0", &problem);
        for (size_t i = 0; i < N; i++) {
            assert_near(found.score.at[2 * i + 1], along[i] / length, 1e-6);
            if (fabs(along[i] / length - 0.5) > 1e-3)
                assert_int_equal(found.label[i], along[i] / length > 0.5);
        }
    }
}

/* Graphs of several shapes and every termination, far from all marks, too, where hardly a walk arrives. */
TEST(walks_are_those_of_elimination) {
    static const char *const termination[] = {"0", "1e-6", "5e-4", "0.01"};
    for (int shape = 0; shape < 3; shape++)
        for (size_t t = 0; t < sizeof termination / sizeof *termination; t++) {
            static double weight[MOST * MOST], expected[3 * MOST];
            const size_t n = shape == 0 ? 40 : MOST;
            char param[40];
            seg_random random = seg_random_seeded(3, (uint64_t)shape);
            memset(weight, 0, sizeof weight);
            for (size_t i = 0; i + 1 < n; i++) /* a chain: alone it is the worst that multigrid meets */
                edge(weight, n, i, i + 1, 0.1 + seg_random_uniform(&random));
            for (size_t e = 0; shape < 2 && e < n; e++) {
                const size_t i = seg_random_below(&random, n), j = seg_random_below(&random, n);
                if (i != j)
                    edge(weight, n, i, j, seg_random_uniform(&random) + 1e-3);
            }
            SCOPED(seg_csr) W = toy_sparse(&ctx, n, weight);
            SCOPED(seg_constraints) c = new_constraints(&ctx, n);
            c.groups = 3;
            c.group[0] = c.group[7] = 0;
            c.group[1] = c.group[2] = 1;
            c.group[n / 2] = c.group[3] = 2;
            const seg_problem problem = {.n = n, .k = 3, .affinity = &W, .constraints = &c, .restarts = 1};
            snprintf(param, sizeof param, "termination=%s", termination[t]);
            SCOPED(seg_clustering) found = toy_cluster(&ctx, "walk", param, &problem);
            dense_walk(n, weight, c.group, 3, atof(termination[t]), expected);
            for (size_t e = 0; e < 3 * n; e++)
                if (!(fabs(found.score.at[e] - expected[e]) < 1e-6))
                    fail_msg("shape %d, %s: score %zu of sample %zu is %.9f, not %.9f", shape, param, e % 3, e / 3,
                             found.score.at[e], expected[e]);
            assert_true(isnan(found.objective));
        }
}

/* Nothing is known of samples that no walk leads away from: equal scores, and no failure. */
TEST(a_part_without_marks_has_equal_scores) {
    enum { N = 9, K = 2 };
    static const char *const termination[] = {"termination=0", NULL};
    static double weight[N * N];
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i + 1 < N; i++)
            edge(weight, N, i, i + 1, i == 4 || i == 7 ? 0 : 1); /* 0-4, 5-7 and 8 alone */
        SCOPED(seg_csr) W = toy_sparse(&ctx, N, weight);
        SCOPED(seg_constraints) c = new_constraints(&ctx, N);
        c.groups = K;
        c.group[0] = 0;
        c.group[3] = 1;
        const seg_problem problem = {.n = N, .k = K, .affinity = &W, .constraints = &c, .restarts = 1};
        SCOPED(seg_clustering) found = toy_cluster(&ctx, "walk", termination[t], &problem);
        for (size_t i = 5; i < N; i++)
            assert_near(found.score.at[K * i], 0.5, 1e-12);
        assert_int_equal(found.label[1], 0);
        assert_int_equal(found.label[4], 1);
    }
}

/* Scores as those of the default method without its forest. */
TEST(the_walk_is_the_default_without_forest) {
    SCOPED(seg_clustering) walk, plain;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 3, 50, 7);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, 3, 2);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 8);
    const seg_problem problem = {.n = X.rows, .k = 3, .affinity = &W, .constraints = &groups, .restarts = 1};
    walk = toy_cluster(&ctx, "walk", NULL, &problem);
    plain = toy_cluster(&ctx, "auto", "prior=0 blend=0", &problem);
    for (size_t e = 0; e < 3 * X.rows; e++)
        assert_near(walk.score.at[e], plain.score.at[e], 1e-3);
    assert_memory_equal(walk.label, plain.label, X.rows * sizeof *walk.label);
}

/* Groups stay, listed pairs of unmarked samples are kept, whatever scores say. */
TEST(pairs_beside_groups_are_kept) {
    static const char *const names[] = {"walk", "forest"};
    enum { K = 2 };
    for (size_t m = 0; m < 2; m++) {
        SCOPED(seg_matrix) X = toy_blobs(&ctx, K, 30, 5);
        SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, K, 1);
        SCOPED(seg_csr) W = toy_knn(&ctx, &X, 6);
        assert_ok(&ctx, seg_constraints_add(&ctx, &groups, (seg_pair){0, 40, -1, 1})); /* the same blob, apart */
        assert_ok(&ctx, seg_constraints_add(&ctx, &groups, (seg_pair){40, 42, 1, 1}));
        assert_ok(&ctx, seg_constraints_add(&ctx, &groups, (seg_pair){50, 1, 1, 1})); /* in the other blob's group */
        const seg_problem problem = toy_problem(K, &X, &W, &groups, 2);
        SCOPED(seg_clustering) found = toy_cluster(&ctx, names[m], NULL, &problem);
        assert_int_equal(found.label[0], 0);
        assert_int_equal(found.label[1], 1);
        assert_int_equal(found.label[40], 1);
        assert_int_equal(found.label[42], 1);
        assert_int_equal(found.label[50], 1);
    }
}

/* Pairs of every kind, from one on: what they ask for is kept where blobs lie apart, and nothing fails. */
TEST(pairs_alone) {
    static const char *const names[] = {"walk", "walk", "forest"};
    enum { K = 3 };
    for (size_t m = 0; m < 3; m++)
        for (int kind = 0; kind < 3; kind++) /* must-links, cannot-links, both */
            for (int count = 1; count <= 25; count += 6) {
                seg_kept kept;
                size_t size[K] = {0};
                SCOPED(seg_matrix) X = toy_blobs(&ctx, K, 20, 9);
                SCOPED(seg_csr) W = toy_knn(&ctx, &X, 6);
                SCOPED(seg_constraints) c = new_constraints(&ctx, X.rows);
                for (int p = 0; p < count; p++) {
                    if (kind != 1)
                        assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){p, p + K, 1, 1}));
                    if (kind != 0)
                        assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){p, p + 1, -1, 1}));
                }
                const seg_problem problem = {.n = X.rows,
                                             .k = K,
                                             .features = m == 1 ? NULL : &X,
                                             .affinity = m == 2 ? NULL : &W,
                                             .constraints = &c,
                                             .restarts = 3};
                SCOPED(seg_clustering) found = toy_cluster(&ctx, names[m], NULL, &problem);
                seg_kept_count(NULL, NULL, &c, &found, &kept);
                for (size_t i = 0; i < X.rows; i++) {
                    if (found.label[i] != found.label[i % K])
                        fail_msg("%s, kind %d, %d pairs: sample %zu", names[m], kind, count, i);
                    size[found.label[i]]++;
                }
                assert_true(size[0] == 20 && size[1] == 20 && size[2] == 20);
                assert_int_equal(kept.broken_must_links + kept.broken_cannot_links, 0);
            }
}

TEST(no_features_no_forest) {
    enum { N = 4 };
    static const double weight[N * N] = {0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0};
    double value[N] = {1, 2, 3, 4};
    const seg_matrix X = {N, 1, value};
    SCOPED(seg_clustering) found;
    SCOPED(seg_csr) W = toy_sparse(&ctx, N, weight);
    SCOPED(seg_constraints) c = new_constraints(&ctx, N);
    seg_problem problem = {.n = N, .k = 2, .affinity = &W, .constraints = &c, .restarts = 1};
    assert_fails(&ctx, seg_cluster(&ctx, seg_method_find("walk"), NULL, &problem, &found), SEG_ERR_USAGE,
                 "walk learns from constraints");
    c.groups = 2;
    c.group[0] = 0;
    c.group[3] = 1;
    assert_fails(&ctx, seg_cluster(&ctx, seg_method_find("forest"), NULL, &problem, &found), SEG_ERR_USAGE,
                 "forest needs feature vectors");
    problem.affinity = NULL;
    problem.features = &X;
    assert_fails(&ctx, seg_cluster(&ctx, seg_method_find("walk"), NULL, &problem, &found), SEG_ERR_USAGE,
                 "walk needs an affinity graph");
    found = toy_cluster(&ctx, "forest", NULL, &problem); /* which needs no graph */
    assert_int_equal(found.label[1], 0);
    assert_int_equal(found.label[2], 1);
    seg_clustering_free(&found);
    problem.k = 1;
    c.groups = 1;
    c.group[3] = -1;
    found = toy_cluster(&ctx, "forest", NULL, &problem); /* one label */
    for (size_t i = 0; i < N; i++)
        assert_true(found.label[i] == 0 && found.score.at[i] == 1);
    seg_clustering_free(&found);
    problem.features = NULL;
    problem.affinity = &W;
    found = toy_cluster(&ctx, "walk", NULL, &problem);
    for (size_t i = 0; i < N; i++)
        assert_true(found.label[i] == 0 && found.score.at[i] == 1);
}

/* Classes that one column tells apart, among columns that tell nothing; what lies on one spot has the shares of its
 * marks. */
TEST(the_forest_tells_apart_what_can_be) {
    enum { N = 300, COLUMNS = 5, K = 3 };
    seg_random random = seg_random_seeded(1, 1);
    SCOPED(seg_matrix) X = new_matrix(&ctx, N, COLUMNS);
    SCOPED(seg_constraints) c = new_constraints(&ctx, N);
    c.groups = K;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < COLUMNS; j++)
            X.at[i * COLUMNS + j] = seg_random_uniform(&random);
        X.at[i * COLUMNS + 2] = (double)(i % K) + 0.2 * seg_random_uniform(&random);
        c.group[i] = i < 120 ? (int16_t)(i % K) : -1;
    }
    const seg_problem problem = {.n = N, .k = K, .features = &X, .constraints = &c, .restarts = 1};
    SCOPED(seg_clustering) found = toy_cluster(&ctx, "forest", "candidates=5", &problem);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(found.label[i], (int)(i % K));
        assert_true(found.score.at[i * K + i % K] > 0.7);
    }
    seg_clustering_free(&found);
    for (size_t e = 0; e < N * COLUMNS; e++)
        X.at[e] = 7;
    for (size_t i = 0; i < N; i++)
        c.group[i] = i < 2 ? 0 : i < 8 ? 1 : i < 10 ? 2 : -1;
    found = toy_cluster(&ctx, "forest", NULL, &problem);
    for (size_t i = 10; i < N; i++) {
        assert_near(found.score.at[i * K], (0.2 + 1e-3) / (1 + 3e-3), 1e-6);
        assert_near(found.score.at[i * K + 1], (0.6 + 1e-3) / (1 + 3e-3), 1e-6);
        assert_int_equal(found.label[i], 1);
    }
    for (size_t i = 0; i < 10; i++) /* the marks stay, though they contradict each other */
        assert_int_equal(found.label[i], c.group[i]);
}

/* Context features are what the forest looks at where there are any. */
TEST(the_forest_takes_context) {
    enum { N = 40 };
    SCOPED(seg_matrix) X = new_matrix(&ctx, N, 1);
    SCOPED(seg_matrix) S = new_matrix(&ctx, N, 2);
    SCOPED(seg_constraints) c = new_constraints(&ctx, N);
    c.groups = 2;
    for (size_t i = 0; i < N; i++) {
        S.at[2 * i + 1] = (double)(i % 2); /* the features themselves say nothing */
        c.group[i] = i < 10 ? (int16_t)(i % 2) : -1;
    }
    const seg_problem problem = {.n = N, .k = 2, .features = &X, .context = &S, .constraints = &c, .restarts = 1};
    SCOPED(seg_clustering) found = toy_cluster(&ctx, "forest", NULL, &problem);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(found.label[i], (int)(i % 2));
}

/* Rows in another order, columns in other units, another number of threads, once more. */
TEST(orders_units_threads) {
    enum { EACH = 60, K = 3, N = EACH * K };
    static const char *const names[] = {"walk", "forest"};
    for (size_t m = 0; m < 2; m++) {
        SCOPED(seg_matrix) X;
        SCOPED(seg_constraints) c;
        ctx.threads = 1;
        X = toy_blobs(&ctx, K, EACH, 31);
        for (size_t e = 0; e < 2 * N; e++) /* they overlap */
            X.at[e] += 4 * sin((double)(e * e));
        c = toy_groups(&ctx, N, K, 4);
        SCOPED(seg_csr) W = toy_knn(&ctx, &X, 7);
        SCOPED(seg_matrix) Y = new_matrix(&ctx, N, 2);
        SCOPED(seg_constraints) d = new_constraints(&ctx, N);
        d.groups = K;
        for (size_t i = 0; i < N; i++) { /* 77 has no factor in common with N */
            const size_t to = i * 77 % N;
            Y.at[2 * to] = X.at[2 * i];
            Y.at[2 * to + 1] = X.at[2 * i + 1];
            d.group[to] = c.group[i];
        }
        SCOPED(seg_csr) V = toy_knn(&ctx, &Y, 7);
        const seg_problem problem = toy_problem(K, &X, &W, &c, 1), turned = toy_problem(K, &Y, &V, &d, 1);
        SCOPED(seg_clustering) found = toy_cluster(&ctx, names[m], NULL, &problem);
        SCOPED(seg_clustering) other = toy_cluster(&ctx, names[m], NULL, &turned);
        for (size_t i = 0; i < N; i++)
            for (size_t g = 0; g < K; g++)
                assert_near(found.score.at[K * i + g], other.score.at[K * (i * 77 % N) + g], 1e-6);
        seg_clustering_free(&other);
        for (int threads = 1; threads <= 4; threads *= 2) {
            ctx.threads = threads;
            other = toy_cluster(&ctx, names[m], NULL, &problem);
            assert_memory_equal(found.label, other.label, N * sizeof *found.label);
            assert_memory_equal(found.score.at, other.score.at, N * K * sizeof *found.score.at);
            seg_clustering_free(&other);
        }
        for (size_t i = 0; i < N; i++) { /* one column in another unit: the graph is the one that was */
            X.at[2 * i] *= 1024;
            X.at[2 * i + 1] /= 8;
        }
        other = toy_cluster(&ctx, names[m], NULL, &problem);
        assert_memory_equal(found.score.at, other.score.at, N * K * sizeof *found.score.at);
    }
}

/* More clusters than labels: the marked ones keep their numbers; others are found where nothing is marked. Two further
 * ones in a graph of four components are more than CCSKL, which the walk asks, can tell apart. */
TEST(clusters_without_a_group) {
    static const char *const names[] = {"walk", "forest"};
    enum { K = 4 };
    for (size_t m = 0; m < 2; m++)
        for (int marked = m == 0 ? K - 1 : 1; marked < K; marked++) {
            SCOPED(seg_matrix) X = toy_blobs(&ctx, K, 25, 17);
            SCOPED(seg_constraints) c = toy_groups(&ctx, X.rows, K, 3);
            SCOPED(seg_csr) W = toy_knn(&ctx, &X, 7);
            c.groups = marked;
            for (size_t i = 0; i < X.rows; i++)
                if (c.group[i] >= marked)
                    c.group[i] = -1;
            const seg_problem problem = toy_problem(K, &X, &W, &c, 3);
            SCOPED(seg_clustering) found = toy_cluster(&ctx, names[m], NULL, &problem);
            for (size_t i = 0; i < X.rows; i++) {
                const int right = (int)(i % K) < marked ? found.label[i] == (int)(i % K) : found.label[i] >= marked;
                if (!right || found.label[i] != found.label[i % K])
                    fail_msg("%s, %d marked: sample %zu is in %d", names[m], marked, i, found.label[i]);
            }
        }
}

/* More marked samples than trees are grown from, of classes that overlap, turned around, with the columns exchanged. */
TEST(neither_samples_nor_columns_have_an_order) {
    enum { N = 6000, MARKED = 5000, COLUMNS = 12, K = 3 };
    seg_clustering found[2];
    seg_random random;
    SCOPED(seg_matrix) X = new_matrix(&ctx, N, COLUMNS);
    SCOPED(seg_constraints) c = new_constraints(&ctx, N);
    c.groups = K;
    for (size_t other = 0; other < 2; other++) {
        random = seg_random_seeded(1, 1);
        for (size_t i = 0; i < N; i++) {
            const size_t row = other ? N - 1 - i : i;
            for (size_t j = 0; j < COLUMNS; j++)
                X.at[row * COLUMNS + (other ? (j + 5) % COLUMNS : j)] =
                    (double)(i % K) / (double)(1 + j) + seg_random_uniform(&random);
            c.group[row] = i < MARKED ? (int16_t)(i % K) : -1;
        }
        const seg_problem problem = {.n = N, .k = K, .features = &X, .constraints = &c, .restarts = 1};
        found[other] = toy_cluster(&ctx, "forest", NULL, &problem);
    }
    for (size_t i = 0; i < N; i++)
        assert_memory_equal(found[0].score.at + i * K, found[1].score.at + (N - 1 - i) * K, K * sizeof(double));
    seg_clustering_free(&found[0]);
    seg_clustering_free(&found[1]);
}
