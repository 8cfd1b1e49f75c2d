/* CCSKL: group sums against listed pairs, the ideal kernel recovered, the objective's value, weights. */
#include "toy.h"

#include "kernels/links.h"
#include "kernels/spectral_programs.h"
#include "solver_checks.h"

TEST(group_sums_equal_listed_pairs) {
    enum { N = 40, M = 7 };
    double A[M * M], b[M], A2[M * M], b2[M];
    SCOPED(seg_matrix) F = toy_normal_rows(&ctx, N, M, seg_random_seeded(5, 1));
    SCOPED(seg_constraints) groups = toy_groups(&ctx, N, 3, 4);
    groups.group[0] = -1; /* groups of unequal size */
    SCOPED(seg_constraints) listed = toy_list_pairs(&ctx, &groups);
    assert_ok(&ctx, seg_ccskl_quadratic(&ctx, &(seg_spectral_problem){&F, &groups, 1}, A, b));
    assert_ok(&ctx, seg_ccskl_quadratic(&ctx, &(seg_spectral_problem){&F, &listed, 1}, A2, b2));
    double scale = 0;
    for (int e = 0; e < M * M; e++)
        scale = fmax(scale, fabs(A2[e]));
    for (int e = 0; e < M * M; e++)
        assert_near(A[e], A2[e], 1e-10 * scale);
    for (int e = 0; e < M; e++)
        assert_near(b[e], b2[e], 1e-10 * scale);
}

/* The quadratic form is the cost of Eq. 6, term by term. */
TEST(objective_is_the_cost_of_equation_6) {
    enum { N = 12, M = 3 };
    double beta[M], objective, cost = 0;
    SCOPED(seg_matrix) F = toy_normal_rows(&ctx, N, M, seg_random_seeded(9, 1));
    SCOPED(seg_constraints) c = new_constraints(&ctx, N);
    seg_pair pairs[3] = {{0, 1, 1, 1}, {2, 5, -1, 1}, {3, 4, 1, 0.5}};
    for (int p = 0; p < 3; p++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &c, pairs[p]));
    assert_ok(&ctx, seg_ccskl_learn(&ctx, &(seg_spectral_problem){&F, &c, 1}, beta, &objective, NULL));
    for (int i = 0; i < N; i++) {
        double k = 0;
        for (int a = 0; a < M; a++)
            k += beta[a] * F.at[i * M + a] * F.at[i * M + a];
        cost += (k - 1) * (k - 1);
    }
    for (int p = 0; p < 3; p++) {
        double k = 0, t = pairs[p].sign > 0;
        for (int a = 0; a < M; a++)
            k += beta[a] * F.at[pairs[p].i * M + a] * F.at[pairs[p].j * M + a];
        cost += pairs[p].weight * pairs[p].weight * (k - t) * (k - t);
    }
    assert_near(objective, cost, 1e-9 * (1 + cost));
    for (int a = 0; a < M; a++)
        assert_true(beta[a] >= (a + 1 < M ? beta[a + 1] : 0));
}

/* Rows that are indicators of two groups: beta = 1 for both columns makes the ideal kernel, cost 0. */
TEST(ideal_kernel_is_recovered) {
    enum { N = 10, M = 2 };
    double beta[M], objective;
    SCOPED(seg_matrix) F = new_matrix(&ctx, N, M);
    for (size_t i = 0; i < N; i++)
        F.at[i * M + i % 2] = 1;
    SCOPED(seg_constraints) c = toy_groups(&ctx, N, 2, 3);
    assert_ok(&ctx, seg_ccskl_learn(&ctx, &(seg_spectral_problem){&F, &c, 1}, beta, &objective, NULL));
    assert_near(beta[0], 1, 1e-9);
    assert_near(beta[1], 1, 1e-9);
    assert_near(objective, 0, 1e-9);
}

/* The diagonal's weight, by the sums over all terms; and what it is of a share. */
TEST(the_diagonal_by_its_weight) {
    enum { N = 30, M = 4 };
    SCOPED(seg_constraints) c;
    double A[M * M], b[M], heavy[M * M], light[M], beta[M], objective, sum = 0;
    SCOPED(seg_matrix) F = toy_normal_rows(&ctx, N, M, seg_random_seeded(8, 1));
    c = toy_groups(&ctx, N, 2, 3);
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){10, 11, 1, 2}));
    assert_ok(&ctx, seg_ccskl_quadratic(&ctx, &(seg_spectral_problem){&F, &c, 0}, A, b));
    assert_ok(&ctx, seg_ccskl_quadratic(&ctx, &(seg_spectral_problem){&F, &c, 0.3}, heavy, light));
    for (size_t a = 0; a < M; a++) {
        double linear = b[a];
        for (size_t d = 0; d < M; d++) {
            double square = A[a * M + d];
            for (size_t i = 0; i < N; i++)
                square += 0.6 * pow(F.at[i * M + a] * F.at[i * M + d], 2);
            assert_near(heavy[a * M + d], square, 1e-10);
        }
        for (size_t i = 0; i < N; i++)
            linear -= 0.6 * F.at[i * M + a] * F.at[i * M + a];
        assert_near(light[a], linear, 1e-10);
    }
    assert_ok(&ctx, seg_ccskl_learn(&ctx, &(seg_spectral_problem){&F, &c, 0.3}, beta, &objective, NULL));
    for (size_t i = 0; i < N; i++) /* Eq. 13, term by term */
        for (size_t j = 0; j <= i; j++) {
            double k = 0, weight = i == j ? 0.3 : 0, t = i == j;
            for (size_t a = 0; a < M; a++)
                k += beta[a] * F.at[i * M + a] * F.at[j * M + a];
            if (i != j && c.group[i] >= 0 && c.group[j] >= 0) {
                weight = 1;
                t = c.group[i] == c.group[j];
            } else if (i == 11 && j == 10) {
                weight = 4;
                t = 1;
            }
            sum += weight * (k - t) * (k - t);
        }
    assert_near(objective, sum, 1e-9 * fmax(1, sum));
    double grouped = 0;
    for (size_t i = 0; i < N; i++)
        grouped += c.group[i] >= 0;
    const double total = grouped * (grouped - 1) / 2 + 4;
    assert_near(seg_diagonal_weight(&c, N, 0), 1, 0);
    assert_near(seg_diagonal_weight(&c, N, -1), 1, 0);
    assert_near(seg_diagonal_weight(&c, N, 0.5), fmin(1, 0.5 * total / N), 1e-15);
    assert_near(seg_diagonal_weight(&c, N, 1e6), 1, 0);
    seg_constraints none = new_constraints(&ctx, N);
    assert_near(seg_diagonal_weight(&none, N, 1), 1, 0);
    seg_constraints_free(&none);
    for (size_t n = SEG_DIAGONAL_PRINTED; n <= SEG_DIAGONAL_PRINTED + 1; n++) {
        none = new_constraints(&ctx, n);
        assert_ok(&ctx, seg_constraints_add(&ctx, &none, (seg_pair){0, 1, -1, 3}));
        assert_near(seg_diagonal_weight(&none, n, -1), n > SEG_DIAGONAL_PRINTED ? 9.0 / (double)n : 1, 1e-15);
        seg_constraints_free(&none);
    }
}

TEST(a_heavier_weight_pulls_harder) {
    enum { N = 2, M = 1 };
    double beta[2];
    SCOPED(seg_matrix) F = new_matrix(&ctx, N, M);
    F.at[0] = F.at[1] = 1; /* minimise 2 (beta - 1)^2 + c^2 beta^2: beta = 2 / (2 + c^2) */
    for (int i = 0; i < 2; i++) {
        double weight = i ? 3 : 1;
        seg_pair pair = {0, 1, -1, weight};
        SCOPED(seg_constraints) c = new_constraints(&ctx, N);
        assert_ok(&ctx, seg_constraints_add(&ctx, &c, pair));
        assert_ok(&ctx, seg_ccskl_learn(&ctx, &(seg_spectral_problem){&F, &c, 1}, &beta[i], NULL, NULL));
        assert_near(beta[i], 2 / (2 + weight * weight), 1e-12);
    }
}

/* A graph of three parts of 25, 75 and 200 nodes, in either order of the rows, a few nodes of each known: the parts
 * come out as clusters. The weights of the eigenvectors fall, so that the largest part must have the first. */
TEST(order_of_disconnected_parts_does_not_matter) {
    static const size_t sizes[2][3] = {{25, 75, 200}, {200, 75, 25}};
    for (int order = 0; order < 2; order++) {
        enum { N = 300 };
        SCOPED(seg_clustering) found;
        int32_t part[N];
        SCOPED(seg_matrix) X = toy_normal_rows(&ctx, N, 2, seg_random_seeded(7, 1));
        SCOPED(seg_constraints) known = new_constraints(&ctx, N);
        known.groups = 3;
        for (size_t p = 0, i = 0; p < 3; p++)
            for (size_t own = 0; own < sizes[order][p]; own++, i++) {
                X.at[2 * i] += 50 * (double)p;
                part[i] = (int32_t)p;
                known.group[i] = own < 5 ? (int32_t)p : -1;
            }
        SCOPED(seg_csr) W = toy_knn(&ctx, &X, 10);
        const seg_problem problem = toy_problem(3, &X, &W, &known, 10);
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_find("ccskl"), NULL, &problem, &found));
        assert_memory_equal(found.label, part, sizeof part);
    }
}
