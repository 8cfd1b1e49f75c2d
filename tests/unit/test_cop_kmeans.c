/* COP-KMeans: every constraint is kept where that is possible, and where it is not, that is said. */
#include "constrained_problems.h"

#include "clustering/link_labels.h"
#include "clustering/pckmeans.h"

static seg_status run(seg_context *ctx, const seg_matrix *X, const seg_constraints *c, int k, int32_t *label,
                      seg_kmeans_result *result) {
    const seg_pckmeans_options options = {
        .kind = SEG_PCKMEANS_HARD, .k = k, .restarts = 4, .iterations = 100, .distortion = 1};
    AUTOFREE double *centre = malloc((size_t)k * X->cols * sizeof *centre);
    return seg_pckmeans(ctx, X, c, &options, (seg_clusters){label, centre}, result);
}

TEST(no_constraint_is_broken) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        seg_kmeans_result result;
        const size_t n = 40 + seed % 50;
        const int k = 2 + (int)(seed % 5);
        SCOPED(random_problem) p = problem_make(&ctx, seed, n, 2, k, seed % 120, (int)(seed % 3), 1);
        AUTOFREE int32_t *label = malloc(n * sizeof *label);
        AUTOFREE double *W = weights_listed(&p.constraints);
        assert_ok(&ctx, run(&ctx, &p.X, &p.constraints, k, label, &result));
        assert_near(broken_weight(W, n, label), 0, 0);
        assert_near(result.broken, 0, 0);
        assert_int_equal(result.converged, 1);
        for (size_t i = 0; i < n; i++)
            if (p.constraints.groups && p.constraints.group[i] >= 0)
                for (size_t j = 0; j < i; j++)
                    if (p.constraints.group[j] == p.constraints.group[i])
                        assert_int_equal(label[i], label[j]);
    }
}

static int can_be_coloured(const double *W, size_t n, int k, int32_t *label, size_t i) {
    if (i == n)
        return 1;
    for (label[i] = 0; label[i] < k; label[i]++) {
        int fits = 1;
        for (size_t j = 0; j < i && fits; j++)
            fits = W[i * n + j] == 0 || (W[i * n + j] < 0) == (label[i] != label[j]);
        if (fits && can_be_coloured(W, n, k, label, i + 1))
            return 1;
    }
    return 0;
}

/* Cannot-links drawn without a truth behind them: solvable or not, as trying everything says. */
TEST(infeasible_if_and_only_if) {
    enum { n = 12 };
    int solvable = 0, not = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        seg_kmeans_result result;
        int32_t label[n], other[n];
        seg_random random = seg_random_seeded(seed, 2);
        const int k = 2 + (int)(seed % 3);
        SCOPED(seg_constraints) c = new_constraints(&ctx, n);
        SCOPED(seg_matrix) X = new_matrix(&ctx, n, 2);
        for (size_t e = 0; e < 2 * n; e++)
            X.at[e] = seg_random_normal(&random);
        if (seed % 4 == 0) { /* two groups as well */
            c.groups = 2;
            c.group[0] = 0;
            c.group[1] = 1;
            c.group[2] = 1;
        }
        const uint64_t bound = k == 2 ? 7 : k == 3 ? 3 : 2; /* near the threshold of either answer */
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < i; j++)
                if (seg_random_below(&random, bound) == 0 && !(c.groups && i < 3))
                    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){i, j, -1, 1}));
        AUTOFREE double *W = weights_listed(&c);
        seg_status status = run(&ctx, &X, &c, k, label, &result);
        if (can_be_coloured(W, n, k, other, 0)) {
            solvable++;
            assert_ok(&ctx, status);
            assert_near(broken_weight(W, n, label), 0, 0);
        } else {
            not ++;
            assert_fails(&ctx, status, SEG_ERR_CONTRADICTION, "keeps every cannot-link");
        }
    }
    assert_true(solvable > 50 && not > 50);
}

/* Two sides of m samples, each apart from all of the other side but its partner, who is nearest: taking the nearest
 * cluster in most orders ends in a dead end. */
TEST(dead_ends_are_left) {
    enum { m = 40, n = 2 * m };
    seg_kmeans_result result;
    int32_t label[n];
    SCOPED(seg_constraints) c = new_constraints(&ctx, n);
    SCOPED(seg_matrix) X = new_matrix(&ctx, n, 1);
    for (int32_t i = 0; i < m; i++) {
        X.at[2 * i] = 10 * (i % 2) + 0.01 * i;
        X.at[2 * i + 1] = X.at[2 * i] + 0.001;
        for (int32_t j = 0; j < m; j++)
            if (i != j)
                assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){2 * i, 2 * j + 1, -1, 1}));
    }
    assert_ok(&ctx, run(&ctx, &X, &c, 2, label, &result));
    for (int32_t i = 0; i < n; i++)
        assert_int_equal(label[i], i % 2 ? 1 - label[0] : label[0]);
}

TEST(impossible_is_said) {
    enum { n = 40 };
    SCOPED(seg_constraints) c;
    SCOPED(seg_matrix) X;
    seg_clustering found;
    seg_problem problem = {.n = n, .k = 3, .features = &X, .constraints = &c, .restarts = 2};
    c = new_constraints(&ctx, n);
    X = new_matrix(&ctx, n, 2);
    for (size_t e = 0; e < 2 * n; e++)
        X.at[e] = (double)(e * e % 17);
    /* A wheel with five spokes: no four samples are all apart, and still three clusters do not suffice. */
    for (int32_t i = 0; i < 5; i++) {
        assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){i, (i + 1) % 5, -1, 1}));
        assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){i, 7, -1, 1}));
    }
    assert_fails(&ctx, seg_cluster(&ctx, seg_method_find("cop-kmeans"), NULL, &problem, &found), SEG_ERR_CONTRADICTION,
                 "3 clusters");
    assert_null(found.label);
    problem.k = 4;
    assert_ok(&ctx, seg_cluster(&ctx, seg_method_find("cop-kmeans"), NULL, &problem, &found));
    for (int32_t i = 0; i < 5; i++)
        assert_true(found.label[i] != found.label[(i + 1) % 5] && found.label[i] != found.label[7]);
    seg_clustering_free(&found);
    seg_constraints_free(&c);
    /* Thirty samples all apart, twenty clusters: proved at once although 20! orders could be tried. */
    c = new_constraints(&ctx, n);
    for (int32_t i = 0; i < 30; i++)
        for (int32_t j = 0; j < i; j++)
            assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){i, j, -1, 1}));
    problem.k = 20;
    problem.restarts = 200; /* enough for runs side by side: the sentence arrives all the same */
    ctx.threads = 3;
    assert_fails(&ctx, seg_cluster(&ctx, seg_method_find("cop-kmeans"), NULL, &problem, &found), SEG_ERR_CONTRADICTION,
                 "ask for more");
    /* A contradiction is named as one by every method of the family. */
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){3, 35, 1, 1}));
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){35, 4, 1, 1}));
    const char *const names[] = {"seeded-kmeans", "constrained-kmeans", "pckmeans", "cop-kmeans", "hmrf-kmeans"};
    for (int m = 0; m < 5; m++) {
        assert_fails(&ctx, seg_cluster(&ctx, seg_method_find(names[m]), NULL, &problem, &found), SEG_ERR_CONTRADICTION,
                     "4 != 3");
    }
}

/* Every parameter of the family at either end, over scribbles on blobs. */
TEST(every_setting_finds_the_blobs) {
    enum { clusters = 3, each = 40, n = clusters * each };
    SCOPED(seg_matrix) X = toy_blobs(&ctx, clusters, each, 5);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, n, clusters, 5);
    assert_ok(&ctx, seg_constraints_add(&ctx, &groups, (seg_pair){n - 1, n - 4, 1, 2}));
    const seg_problem problem = {.n = n, .k = clusters, .features = &X, .constraints = &groups, .restarts = 2};
    const char *const names[] = {"seeded-kmeans", "constrained-kmeans", "pckmeans", "cop-kmeans", "hmrf-kmeans"};
    for (int m = 0; m < 5; m++) {
        const seg_method *method = seg_method_find(names[m]);
        for (int p = 0; p < method->param_count; p++)
            for (int high = 0; high < 2; high++) {
                SCOPED(seg_clustering) found;
                seg_params params = seg_params_default(method);
                params.value[p] = high ? method->param[p].high : method->param[p].low;
                assert_ok(&ctx, seg_cluster(&ctx, method, &params, &problem, &found));
                for (size_t i = 0; i < n; i++)
                    assert_int_equal(found.label[i], i % clusters);
                assert_true(isfinite(found.objective) && found.converged);
            }
    }
}
