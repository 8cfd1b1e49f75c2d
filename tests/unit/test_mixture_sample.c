/* The method mixture on many samples: what is chosen on part of them is what all would choose, at the bound from which
 * on a part is taken, and a fit goes on from densities as from what they say of the samples. */
#include "toy.h"

#include "clustering/gaussian_mixture.h"
#include "constraints/closed.h"
#include "methods/method.h"
#include "selection/mixture_chooser.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 4, EACH = 60, N = CLASSES * EACH };

static void draw(seg_context *ctx, size_t n, int classes, int count, seg_constraints *out) {
    seg_random random;
    seg_random_seed(&random, 3, 3);
    assert_ok(ctx, seg_constraints_create(ctx, n, out));
    while (out->pairs < (size_t)count) {
        const int32_t i = (int32_t)seg_random_below(&random, n), j = (int32_t)seg_random_below(&random, n);
        if (i != j)
            assert_ok(ctx, seg_constraints_add(ctx, out, (seg_pair){i, j, i % classes == j % classes ? 1 : -1, 1}));
    }
    assert_ok(ctx, seg_constraints_close(ctx, out, SEG_CONTRADICTIONS_REFUSE));
}

static size_t others(const seg_constraints *constraints) {
    unsigned char *named = calloc(constraints->n, 1);
    size_t count = 0;
    for (size_t p = 0; p < constraints->pairs; p++)
        named[constraints->pair[p].i] = named[constraints->pair[p].j] = 1;
    for (size_t i = 0; i < constraints->n; i++)
        count += !named[i] && constraints->group[i] < 0;
    free(named);
    return count;
}

static seg_clustering run(seg_context *ctx, const seg_matrix *X, int k, const seg_constraints *constraints,
                          const char *param, size_t most) {
    const seg_method *method = seg_method_find("mixture");
    seg_clustering out;
    seg_params params;
    SCOPED(seg_csr) W;
    toy_knn(ctx, X, 10, &W);
    const seg_problem problem = {
        .n = X->rows, .k = k, .features = X, .affinity = &W, .constraints = constraints, .restarts = 3};
    seg_params_default(method, &params);
    if (param)
        assert_ok(ctx, seg_params_set(ctx, method, param, &params));
    assert_ok(ctx, seg_clustering_begin(ctx, &problem, &out));
    assert_ok(ctx, seg_mixture_solve(ctx, &problem, params.value, most, &out));
    return out;
}

static double wrong_pairs(const seg_clustering *found, int classes) {
    size_t wrong = 0, all = 0;
    for (size_t i = 0; i < found->n; i++)
        for (size_t j = 0; j < i; j++, all++)
            wrong += (found->label[i] == found->label[j]) != (i % (size_t)classes == j % (size_t)classes);
    return (double)wrong / (double)all;
}

static int broken(const seg_constraints *constraints, const seg_clustering *found) {
    int count = 0;
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        count += (found->label[pair->i] == found->label[pair->j]) != (pair->sign > 0);
    }
    return count;
}

static int same_bytes(const seg_clustering *a, const seg_clustering *b) {
    return memcmp(a->label, b->label, a->n * sizeof *a->label) == 0 &&
           memcmp(a->score.at, b->score.at, a->n * (size_t)a->k * sizeof *a->score.at) == 0;
}

/* As many as the bound, one more, a tenth, one: the clusters stay, the pairs are kept, rows sum to 1. */
TEST(around_the_bound) {
    seg_context two;
    SCOPED(seg_matrix) X;
    SCOPED(seg_constraints) pairs, none, groups;
    seg_context_init(&two);
    ctx.threads = 1;
    two.threads = 2;
    toy_blobs(&ctx, CLASSES, EACH, 2, &X);
    draw(&ctx, X.rows, CLASSES, 60, &pairs);
    assert_ok(&ctx, seg_constraints_create(&ctx, X.rows, &none));
    toy_groups(&ctx, X.rows, CLASSES, 3, &groups);
    const size_t most = others(&pairs);
    SCOPED(seg_clustering) all = run(&ctx, &X, CLASSES, &pairs, NULL, SIZE_MAX);
    SCOPED(seg_clustering) edge = run(&ctx, &X, CLASSES, &pairs, NULL, most);
    assert_true(same_bytes(&all, &edge));
    const size_t parts[] = {most - 1, most / 2, most / 10, 1};
    for (int p = 0; p < 4; p++) {
        SCOPED(seg_clustering) part = run(&ctx, &X, CLASSES, &pairs, NULL, parts[p]);
        SCOPED(seg_clustering) again = run(&two, &X, CLASSES, &pairs, NULL, parts[p]);
        assert_true(same_bytes(&part, &again));
        assert_true(wrong_pairs(&part, CLASSES) == 0);
        assert_int_equal(broken(&pairs, &part), 0);
        for (size_t i = 0; i < X.rows; i++) {
            double sum = 0;
            for (int c = 0; c < CLASSES; c++)
                sum += part.score.at[i * CLASSES + (size_t)c];
            assert_near(sum, 1, 1e-9);
        }
    }
    const seg_constraints *given[] = {&none, &groups};
    for (int g = 0; g < 2; g++) {
        SCOPED(seg_clustering) part = run(&ctx, &X, CLASSES, given[g], NULL, X.rows / 4);
        assert_true(wrong_pairs(&part, CLASSES) == 0);
        for (size_t i = 0; i < X.rows; i++)
            assert_true(given[g]->group[i] < 0 || part.label[i] == given[g]->group[i]);
    }
    seg_context_end(&two);
    seg_context_end(&ctx);
}

/* Two spirals: what counts is the walk as it stands, which goes through the whole graph. */
TEST(walks_go_through_all) {
    enum { n = 400 };
    SCOPED(seg_matrix) X;
    SCOPED(seg_constraints) pairs;
    toy_spirals(&ctx, n, &X);
    draw(&ctx, n, 2, 90, &pairs);
    SCOPED(seg_clustering) told = run(&ctx, &X, 2, &pairs, "m=2", 100);
    assert_true(wrong_pairs(&told, 2) < 0.02);
    assert_int_equal(broken(&pairs, &told), 0);
}

/* Pairs that contradict the samples are left out of the choice on a part, and of the result. */
TEST(mistakes_stay_out) {
    SCOPED(seg_matrix) X;
    SCOPED(seg_constraints) pairs;
    toy_blobs(&ctx, CLASSES, EACH, 2, &X);
    draw(&ctx, X.rows, CLASSES, 60, &pairs);
    pairs.pair[5].sign = -pairs.pair[5].sign;
    pairs.pair[31].sign = -pairs.pair[31].sign;
    seg_closure_free(pairs.closure);
    free(pairs.closure);
    pairs.closure = NULL;
    assert_ok(&ctx, seg_constraints_close(&ctx, &pairs, SEG_CONTRADICTIONS_REFUSE));
    SCOPED(seg_clustering) found = run(&ctx, &X, CLASSES, &pairs, "mistakes=1", 50);
    assert_true(wrong_pairs(&found, CLASSES) == 0);
    assert_int_equal(broken(&pairs, &found), 2);
}

/* All that are named, one of each stretch of the others. */
TEST(one_of_each_stretch) {
    enum { most = 37 };
    double Z[2 * N];
    int32_t start[N];
    const double param[SEG_MAX_PARAMS] = {0};
    seg_mixture_chooser whole = {.param = param, .whole = &whole, .stands_for = 1}, part;
    for (int i = 0; i < N; i++) {
        Z[2 * i] = Z[2 * i + 1] = i;
        start[i] = 1000 + i;
    }
    whole.data = (seg_mixture_data){.n = N, .k = 2, .d = 2, .spaces = 1, .column = {0, 2}, .Z = Z};
    whole.start[KMEANS] = start;
    draw(&ctx, N, CLASSES, 20, &whole.all);
    seg_closure *closure = whole.all.closure; /* lent to a chooser */
    whole.now.left_out = calloc(whole.all.pairs, 1);
    const size_t unnamed = others(&whole.all);
    assert_ok(&ctx, seg_mixture_sample(&ctx, &whole, most, &part));
    assert_int_equal(part.data.n, N - unnamed + most);
    assert_near(part.stands_for * most, (double)unnamed, 1e-9);
    size_t met = 0, taken = 0, at = 0;
    for (size_t i = 0; i < N; i++) {
        int named = 0;
        for (size_t p = 0; p < whole.all.pairs; p++)
            named |= whole.all.pair[p].i == (int32_t)i || whole.all.pair[p].j == (int32_t)i;
        const int here = at < part.data.n && part.picked[at] == i;
        if (here) {
            assert_near(part.data.Z[2 * at], (double)i, 0);
            assert_int_equal(part.start[KMEANS][at], 1000 + (int)i);
            at++;
        }
        assert_true(!named || here);
        if (named)
            continue;
        taken += (size_t)here;
        met++;
        const size_t beyond = met * most % unnamed; /* of the last end of a stretch, in parts of a sample */
        if (beyond == 0 || beyond > unnamed - most) /* a stretch has ended */
            assert_int_equal(taken, (met * most + unnamed - 1) / unnamed);
    }
    assert_int_equal(at, part.data.n);
    for (size_t p = 0; p < whole.all.pairs; p++) {
        assert_int_equal(part.picked[part.all.pair[p].i], whole.all.pair[p].i);
        assert_int_equal(part.picked[part.all.pair[p].j], whole.all.pair[p].j);
    }
    seg_mixture_chooser_free(&part);
    whole.start[KMEANS] = NULL;
    seg_mixture_chooser_free(&whole);
    seg_closure_free(closure);
    free(closure);
}

/* A sample that stands for two is as two samples; a fit that begins with the densities of another goes on as that. */
TEST(weights_and_densities) {
    enum { n = 90, k = 3, d = 2 };
    seg_random random;
    SCOPED(seg_constraints) none, none_twice;
    SCOPED(seg_neighbourhoods) near, near_twice;
    double Z[2 * n * d], score[n * k], other[2 * n * k], density[k * (d + 1)];
    int32_t label[n], twice[2 * n];
    seg_mixture_result result;
    seg_random_seed(&random, 9, 9);
    for (int i = 0; i < n; i++) {
        label[i] = twice[i] = twice[n + i] = i % k;
        for (int a = 0; a < d; a++)
            Z[i * d + a] = Z[(n + i) * d + a] = seg_random_normal(&random) + 2 * (i % k == a);
    }
    assert_ok(&ctx, seg_constraints_create(&ctx, n, &none));
    assert_ok(&ctx, seg_constraints_create(&ctx, 2 * n, &none_twice));
    assert_ok(&ctx, seg_neighbourhoods_create(&ctx, &none, &near));
    assert_ok(&ctx, seg_neighbourhoods_create(&ctx, &none_twice, &near_twice));
    seg_mixture_data data = {.n = n, .k = k, .d = d, .spaces = 1, .column = {0, d}, .Z = Z, .shrink = 0.5};
    SCOPED(seg_mixture_data) all = data;
    all.n = 2 * n;
    assert_ok(&ctx, seg_mixture_prepare(&ctx, &data));
    assert_ok(&ctx, seg_mixture_prepare(&ctx, &all));
    seg_mixture_options options = {.weight = 2, .iterations = 7, .density = density};
    assert_ok(&ctx, seg_mixture_fit(&ctx, &data, &near, &options, (seg_soft_clusters){label, score}, &result));
    assert_int_equal(result.iterations, 7);
    options = (seg_mixture_options){.weight = 1, .iterations = 7};
    assert_ok(&ctx, seg_mixture_fit(&ctx, &all, &near_twice, &options, (seg_soft_clusters){twice, other}, &result));
    for (int e = 0; e < n * k; e++) {
        assert_near(other[e], score[e], 1e-9);
        assert_near(other[n * k + e], score[e], 1e-9);
    }
    options = (seg_mixture_options){.weight = 1, .iterations = 1, .from = density};
    assert_ok(&ctx, seg_mixture_fit(&ctx, &data, &near, &options, (seg_soft_clusters){twice, other}, &result));
    assert_memory_equal(other, score, sizeof score);
    assert_memory_equal(twice, label, sizeof label);
    for (int i = 0; i < n; i++)
        label[i] = twice[i] = i % k;
    options = (seg_mixture_options){.weight = 1, .iterations = 7, .density = density};
    assert_ok(&ctx, seg_mixture_fit(&ctx, &data, &near, &options, (seg_soft_clusters){twice, other}, &result));
    options = (seg_mixture_options){.weight = 1, .iterations = 9};
    assert_ok(&ctx, seg_mixture_fit(&ctx, &data, &near, &options, (seg_soft_clusters){label, score}, &result));
    options = (seg_mixture_options){.weight = 1, .iterations = 3, .from = density}; /* its first is the seventh */
    assert_ok(&ctx, seg_mixture_fit(&ctx, &data, &near, &options, (seg_soft_clusters){twice, other}, &result));
    for (int e = 0; e < n * k; e++)
        assert_near(other[e], score[e], 1e-9);
    seg_mixture_data_free(&data);
}
