/* The method mixture: labels of neighbourhoods against all labellings, a step of the fit against densities worked out
 * one by one, what constraints can and k-means cannot see, and that constraints hold; for any order, unit and number of
 * threads. */
#include "toy.h"

#include "clustering/gaussian_mixture.h"
#include "clustering/link_labels.h"
#include "evaluation/experiments/measure.h"
#include "methods/mixture.h"

enum { MOST = 200 };

static seg_clustering run(seg_context *ctx, const seg_matrix *X, int k, const seg_constraints *constraints,
                          const char *param) {
    SCOPED(seg_csr) W = toy_knn(ctx, X, 10);
    const seg_problem problem = toy_problem(k, X, &W, constraints, 3);
    return toy_cluster(ctx, "mixture", param, &problem);
}

/* Pairs of samples by the classes i % classes. */
static seg_constraints draw(seg_context *ctx, size_t n, int classes, int count, uint64_t seed) {
    seg_random random = seg_random_seeded(seed, 3);
    seg_constraints out = new_constraints(ctx, n);
    while (out.pairs < (size_t)count) {
        const int32_t i = (int32_t)seg_random_below(&random, n), j = (int32_t)seg_random_below(&random, n);
        if (i != j)
            assert_ok(ctx, seg_constraints_add(ctx, &out, (seg_pair){i, j, i % classes == j % classes ? 1 : -1, 1}));
    }
    return out;
}

static int same_partition(const int32_t *label, size_t n, int classes) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if ((label[i] == label[j]) != (i % (size_t)classes == j % (size_t)classes))
                return 0;
    return 1;
}

static void assert_kept(const seg_constraints *constraints, const seg_clustering *result) {
    seg_kept kept;
    seg_kept_count(NULL, NULL, constraints, result, &kept);
    assert_int_equal(kept.broken_must_links + kept.broken_cannot_links, 0);
    for (size_t i = 0; i < constraints->n; i++)
        if (constraints->group[i] >= 0)
            assert_int_equal(result->label[i], constraints->group[i]);
}

static double sum_of(const seg_neighbourhoods *f, size_t k, const double *score, const int32_t *label, size_t *broken) {
    double sum = 0;
    *broken = 0;
    for (int32_t a = 0; a < f->count; a++) {
        sum += score[(size_t)a * k + (size_t)label[a]];
        for (size_t e = f->cannot_start[a]; e < f->cannot_start[a + 1]; e++)
            *broken += f->cannot[e] > a && label[f->cannot[e]] == label[a];
    }
    return sum;
}

/* Two clusters: the best of all labellings. More: none broken where none need be, and no single move is better. */
TEST(labels_of_links) {
    enum { n = 10 };
    for (uint64_t seed = 1; seed <= 120; seed++) {
        const size_t k = 2 + seed % 2;
        SCOPED(seg_neighbourhoods) f;
        double score[n * 3], best = -INFINITY;
        int32_t label[n], other[n];
        size_t broken, all = 1, again;
        seg_random random = seg_random_seeded(seed, 8);
        SCOPED(seg_constraints) constraints = draw(&ctx, n, (int)k, 9, seed);
        assert_ok(&ctx, seg_neighbourhoods_create(&ctx, &constraints, &f));
        for (size_t e = 0; e < (size_t)f.count * k; e++)
            score[e] = seg_random_normal(&random);
        assert_ok(&ctx, seg_link_labels(&ctx, &(seg_link_scores){&f, k, score, 0}, label, &broken));
        const double found = sum_of(&f, k, score, label, &again);
        assert_int_equal(broken, again);
        assert_int_equal(broken, 0);
        for (int32_t a = 0; a < f.count; a++)
            all *= k;
        for (size_t which = 0; which < all; which++) {
            size_t rest = which, bad;
            for (int32_t a = 0; a < f.count; a++, rest /= k)
                other[a] = (int32_t)(rest % k);
            const double sum = sum_of(&f, k, score, other, &bad);
            size_t differ = 0;
            for (int32_t a = 0; a < f.count; a++)
                differ += other[a] != label[a];
            if (bad == 0 && (k == 2 || differ == 1))
                best = fmax(best, sum);
        }
        assert_true(found >= best - 1e-9);
        assert_ok(&ctx, seg_link_labels(&ctx, &(seg_link_scores){&f, k, score, 1}, label,
                                        &broken)); /* its own result is where it stays */
        assert_near(sum_of(&f, k, score, label, &again), found, 1e-9);
    }
}

/* One step, one space of two columns: posteriors by the formula of the density. */
TEST(step_by_hand) {
    enum { n = 40, k = 3, d = 2 };
    SCOPED(seg_neighbourhoods) near;
    double Z[n * d], score[n * k], mean[k * d] = {0}, share[k] = {0}, S[3] = {0};
    int32_t label[n];
    seg_random random = seg_random_seeded(4, 4);
    for (int e = 0; e < n * d; e++)
        Z[e] = seg_random_normal(&random) + 3 * (e % 5);
    SCOPED(seg_constraints) none = new_constraints(&ctx, n);
    assert_ok(&ctx, seg_neighbourhoods_create(&ctx, &none, &near));
    for (int i = 0; i < n; i++) {
        label[i] = i * i % k;
        share[label[i]]++;
        for (int a = 0; a < d; a++)
            mean[label[i] * d + a] += Z[i * d + a];
    }
    for (int c = 0; c < k; c++)
        for (int a = 0; a < d && share[c] > 0; a++)
            mean[c * d + a] /= share[c];
    for (int i = 0; i < n; i++) {
        const double x = Z[i * d] - mean[label[i] * d], y = Z[i * d + 1] - mean[label[i] * d + 1];
        S[0] += x * x / n;
        S[1] += x * y / n;
        S[2] += y * y / n;
    }
    const double shrink = 0.3, equal = (S[0] + S[2]) / 2;
    S[0] = (1 - shrink) * S[0] + shrink * equal;
    S[2] = (1 - shrink) * S[2] + shrink * equal;
    S[1] *= 1 - shrink;
    const double det = S[0] * S[2] - S[1] * S[1];
    SCOPED(seg_mixture_data) data = {.n = n, .k = k, .d = d, .spaces = 1, .column = {0, d}, .Z = Z, .shrink = shrink};
    const seg_mixture_options options = {.weight = 1, .iterations = 1};
    seg_mixture_result result;
    assert_ok(&ctx, seg_mixture_prepare(&ctx, &data));
    assert_ok(&ctx, seg_mixture_fit(&ctx, &data, &near, &options, (seg_soft_clusters){label, score}, &result));
    for (int i = 0; i < n; i++) {
        double density[k], all = 0;
        for (int c = 0; c < k; c++) {
            const double x = Z[i * d] - mean[c * d], y = Z[i * d + 1] - mean[c * d + 1];
            density[c] = (share[c] + 1) * exp(-(S[2] * x * x - 2 * S[1] * x * y + S[0] * y * y) / det / 2);
            all += density[c];
        }
        for (int c = 0; c < k; c++)
            assert_near(score[i * k + c], density[c] / all, 1e-6);
    }
}

/* Two soft clusterings of which the second has its clusters in another order: the mean by hand; a group's cluster stays
 * its own although another fits better; labels keep a cannot-link that the means would break. */
TEST(joint_by_hand) {
    enum { n = 4, k = 3 };
    static const double first[n * k] = {0.8, 0.1, 0.1, 0.1, 0.7, 0.2, 0, 0.1, 0.9, 0.1, 0.6, 0.3},
                                  second[n * k] = {0.3, 0.7, 0, 0.2, 0.1, 0.7, 1, 0, 0, 0.3, 0.2, 0.5};
    static const int32_t moved[k] = {2, 0, 1}; /* 0 of the second is 2 of the first, and so on */
    SCOPED(seg_neighbourhoods) near;
    double mean[n * k];
    int32_t label[n] = {0, 1, 2, 2};
    seg_joint joint = {.n = n, .k = k, .reference = first, .mean = mean, .shares = 1};
    memcpy(mean, first, sizeof mean);
    assert_ok(&ctx, seg_joint_add(&ctx, &joint, second, 0.5));
    for (int i = 0; i < n; i++)
        for (int c = 0; c < k; c++)
            assert_near(mean[i * k + moved[c]], first[i * k + moved[c]] + 0.5 * second[i * k + c], 1e-15);
    SCOPED(seg_constraints) constraints = new_constraints(&ctx, n);
    assert_ok(&ctx, seg_constraints_add(&ctx, &constraints, (seg_pair){1, 3, -1, 1}));
    assert_ok(&ctx, seg_neighbourhoods_create(&ctx, &constraints, &near));
    assert_ok(&ctx, seg_joint_end(&ctx, &joint, &near, label));
    const int32_t expected[n] = {0, 1, 2, 2}; /* both of the pair lean to 1, the last one less */
    assert_memory_equal(label, expected, sizeof label);
    assert_near(mean[3 * k + 2], 1, 0);
    assert_near(mean[0], (0.8 + 0.5 * 0.7) / 1.5, 1e-15);
    memcpy(mean, first, sizeof mean);
    joint.groups = k;
    assert_ok(&ctx, seg_joint_add(&ctx, &joint, second, 1)); /* three groups: nothing is moved */
    for (int e = 0; e < n * k; e++)
        assert_near(mean[e], first[e] + second[e], 1e-15);
}

/* Well separated: right without constraints, with pairs, with groups for all and for some clusters. */
TEST(blobs) {
    SCOPED(seg_constraints) groups, some;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 4, 30, 2);
    SCOPED(seg_constraints) pairs = draw(&ctx, X.rows, 4, 40, 1);
    groups = toy_groups(&ctx, X.rows, 4, 3);
    some = toy_groups(&ctx, X.rows, 4, 2);
    for (size_t i = 0; i < X.rows; i++)
        some.group[i] = some.group[i] > 1 ? -1 : some.group[i];
    some.groups = 2;
    const seg_constraints *given[] = {NULL, &pairs, &groups, &some};
    for (int g = 0; g < 4; g++) {
        SCOPED(seg_clustering) out = run(&ctx, &X, 4, given[g], NULL);
        assert_true(same_partition(out.label, X.rows, 4));
        if (given[g])
            assert_kept(given[g], &out);
        for (size_t i = 0; i < X.rows; i++) {
            double sum = 0;
            for (int c = 0; c < 4; c++)
                sum += out.score.at[i * 4 + (size_t)c];
            assert_near(sum, 1, 1e-9);
        }
    }
}

/* Two classes that differ in the column that varies least: nothing shows them but pairs. */
static void stripes(seg_context *ctx, seg_matrix *X) {
    seg_random random = seg_random_seeded(6, 6);
    *X = new_matrix(ctx, MOST, 3);
    for (size_t i = 0; i < MOST; i++) {
        X->at[3 * i] = 4 * seg_random_normal(&random);
        X->at[3 * i + 1] = 4 * seg_random_normal(&random);
        X->at[3 * i + 2] = (i % 2 ? 1.5 : -1.5) + 0.3 * seg_random_normal(&random);
    }
}

static double wrong_share(const int32_t *label, size_t n) {
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += (size_t)label[i] != i % 2;
    return fmin((double)wrong, (double)(n - wrong)) / (double)n;
}

TEST(pairs_show_what_is_hidden) {
    SCOPED(seg_matrix) X;
    stripes(&ctx, &X);
    SCOPED(seg_constraints) pairs = draw(&ctx, MOST, 2, 60, 2);
    SCOPED(seg_clustering) blind = run(&ctx, &X, 2, NULL, NULL), told = run(&ctx, &X, 2, &pairs, NULL);
    assert_true(wrong_share(blind.label, MOST) > 0.3);
    assert_true(wrong_share(told.label, MOST) < 0.02);
    assert_kept(&pairs, &told);
}

/* Two spirals, which no Gaussian is like: with many pairs the walk along the graph is taken as it is,
 * where its two smoothest coordinates do not straighten them. */
TEST(many_pairs_ask_the_graph) {
    enum { n = 400 };
    SCOPED(seg_matrix) X = toy_spirals(&ctx, n);
    SCOPED(seg_constraints) pairs = draw(&ctx, n, 2, 90, 3);
    SCOPED(seg_clustering) told = run(&ctx, &X, 2, &pairs, "m=2"), fitted = run(&ctx, &X, 2, &pairs, "m=2 weight=1");
    assert_true(wrong_share(told.label, n) < 0.01);
    assert_true(wrong_share(fitted.label, n) > 0.02);
    assert_kept(&pairs, &told);
}

/* Threads, the order of the pairs, repeated pairs and the unit change nothing. */
TEST(invariances) {
    SCOPED(seg_matrix) X;
    stripes(&ctx, &X);
    SCOPED(seg_constraints) pairs = draw(&ctx, MOST, 2, 50, 7);
    SCOPED(seg_constraints) turned = new_constraints(&ctx, MOST);
    for (size_t p = pairs.pairs; p-- > 0;) {
        const seg_pair pair = pairs.pair[p];
        assert_ok(&ctx, seg_constraints_add(&ctx, &turned, (seg_pair){pair.j, pair.i, pair.sign, 1}));
        assert_ok(&ctx, seg_constraints_add(&ctx, &turned, pair));
    }
    ctx.threads = 1;
    SCOPED(seg_clustering) first = run(&ctx, &X, 2, &pairs, NULL);
    for (int threads = 2; threads <= 4; threads++) {
        ctx.threads = threads;
        SCOPED(seg_clustering) again = run(&ctx, &X, 2, threads == 3 ? &turned : &pairs, NULL);
        assert_memory_equal(again.label, first.label, MOST * sizeof *first.label);
        assert_memory_equal(again.score.at, first.score.at, MOST * 2 * sizeof *first.score.at);
    }
    for (size_t e = 0; e < X.rows * X.cols; e++)
        X.at[e] *= 1000;
    SCOPED(seg_clustering) scaled = run(&ctx, &X, 2, &pairs, NULL);
    assert_memory_equal(scaled.label, first.label, MOST * sizeof *first.label);
}

/* One cluster, as many clusters as samples, columns without variance, a graph alone, must-links alone, a parameter out
 * of its range. */
TEST(edges) {
    const seg_method *method = seg_method_find("mixture");
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 3, 4, 2);
    SCOPED(seg_constraints) pairs = new_constraints(&ctx, X.rows);
    assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){0, 4, 1, 1}));
    SCOPED(seg_clustering) one = run(&ctx, &X, 1, NULL, NULL), all = run(&ctx, &X, 12, NULL, NULL);
    SCOPED(seg_clustering) musts = run(&ctx, &X, 3, &pairs, NULL), fixed = run(&ctx, &X, 3, &pairs, "weight=0.5");
    int seen[12] = {0};
    for (int i = 0; i < 12; i++) {
        assert_int_equal(one.label[i], 0);
        assert_int_equal(seen[all.label[i]]++, 0);
    }
    assert_kept(&pairs, &musts);
    assert_kept(&pairs, &fixed);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 3);
    seg_problem alone = {.n = X.rows, .k = 3, .affinity = &W, .constraints = &pairs, .restarts = 1};
    seg_clustering out;
    assert_ok(&ctx, seg_cluster(&ctx, method, NULL, &alone, &out));
    assert_true(same_partition(out.label, 12, 3) || out.label[0] == out.label[4]);
    seg_clustering_free(&out);
    for (size_t e = 0; e < X.rows * X.cols; e++)
        X.at[e] = 5;
    alone.features = &X;
    assert_ok(&ctx, seg_cluster(&ctx, method, NULL, &alone, &out));
    assert_kept(&pairs, &out);
    seg_clustering_free(&out);
    const seg_params params = toy_params(&ctx, method, "weight=0");
    assert_fails(&ctx, seg_cluster(&ctx, method, &params, &alone, &out), SEG_ERR_USAGE, "weight");
}
