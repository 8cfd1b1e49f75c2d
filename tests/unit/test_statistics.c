/* statistics: known answers, slow twins that list everything, invariances. */
#include "check.h"

#include "evaluation/report/statistics.h"

TEST(summaries) {
    const double value[] = {7, 1, 3, 9, 40, 5, 4, 2}; /* sorted 1 2 3 4 5 7 9 40 */
    seg_summary of;
    assert_ok(&ctx, seg_summarise(&ctx, value, 8, &of));
    assert_near(seg_mean(value, 8), 71.0 / 8, 1e-15);
    assert_near(of.median, 4.5, 1e-15);
    assert_near(of.first_quartile, 2.75, 1e-15);
    assert_near(of.third_quartile, 7.5, 1e-15);
    assert_near(of.least, 1, 0);
    const double four[] = {2, 4, 4, 6};
    assert_near(seg_deviation(four, 4), sqrt(8.0 / 3), 1e-15);
    assert_near(seg_deviation(four, 1), 0, 0);
    assert_ok(&ctx, seg_summarise(&ctx, value, 0, &of));
    assert_near(of.median, 0, 0);
}

/* The interval of many values is the normal one; it moves and scales with the values; the seed is all that matters. */
TEST(bootstrap) {
    enum { COUNT = 400 };
    double value[COUNT], moved[COUNT];
    seg_interval of, again, of_moved;
    seg_random random = seg_random_seeded(3, 0);
    for (int i = 0; i < COUNT; i++) {
        value[i] = seg_random_normal(&random);
        moved[i] = 10 + 2 * value[i];
    }
    assert_ok(&ctx, seg_bootstrap_mean(&ctx, value, COUNT, 1, &of));
    const double mean = seg_mean(value, COUNT), error = seg_deviation(value, COUNT) / sqrt(COUNT);
    assert_near(of.mean, mean, 0);
    assert_near(of.low, mean - 1.96 * error, 0.15 * error);
    assert_near(of.high, mean + 1.96 * error, 0.15 * error);
    assert_ok(&ctx, seg_bootstrap_mean(&ctx, value, COUNT, 1, &again));
    assert_true(of.low == again.low && of.high == again.high);
    assert_ok(&ctx, seg_bootstrap_mean(&ctx, moved, COUNT, 1, &of_moved));
    assert_near(of_moved.low, 10 + 2 * of.low, 1e-12);
    assert_near(of_moved.high, 10 + 2 * of.high, 1e-12);
    assert_ok(&ctx, seg_bootstrap_mean(&ctx, value, 1, 1, &of));
    assert_true(of.low == value[0] && of.high == value[0]);
    assert_ok(&ctx, seg_bootstrap_mean(&ctx, value, 0, 1, &of));
    assert_true(isnan(of.mean));
}

/* Fertiliser heights of cross- and self-fertilised plants (Darwin, 1876), the test's classical example. */
TEST(wilcoxon_darwin) {
    const double difference[] = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
    double zero[15] = {0};
    seg_paired test;
    assert_ok(&ctx, seg_wilcoxon(&ctx, difference, zero, 15, &test));
    assert_near(test.rank_sum, 24, 0);
    assert_near(test.p, 0.041259765625, 1e-15);
    assert_true(test.exact);
    assert_int_equal(test.above, 13);
    assert_int_equal(test.below, 2);
}

/* p by listing all signs, ties and zeros included; the order of the arguments does not matter. */
TEST(wilcoxon_listed) {
    enum { COUNT = 9 };
    const double a[COUNT] = {3, 5, 2, 8, 1, 4, 4, 9, 2}, b[COUNT] = {1, 6, 4, 3, 1, 2, 7, 4, 1};
    double rank[COUNT], positive = 0, total = 0;
    int used = 0, index[COUNT];
    for (int i = 0; i < COUNT; i++)
        if (a[i] != b[i])
            index[used++] = i;
    for (int i = 0; i < used; i++) {
        rank[i] = 0.5;
        for (int j = 0; j < used; j++) {
            const double mine = fabs(a[index[i]] - b[index[i]]), other = fabs(a[index[j]] - b[index[j]]);
            rank[i] += other < mine ? 1 : other == mine ? 0.5 : 0;
        }
        total += rank[i];
        positive += a[index[i]] > b[index[i]] ? rank[i] : 0;
    }
    int extreme = 0;
    for (int signs = 0; signs < 1 << used; signs++) {
        double sum = 0;
        for (int i = 0; i < used; i++)
            sum += signs >> i & 1 ? rank[i] : 0;
        extreme += fmin(sum, total - sum) <= fmin(positive, total - positive);
    }
    seg_paired test, turned;
    assert_ok(&ctx, seg_wilcoxon(&ctx, a, b, COUNT, &test));
    assert_int_equal(test.used, used);
    assert_int_equal(test.tied, 1);
    assert_near(test.rank_sum, fmin(positive, total - positive), 1e-15);
    assert_near(test.p, (double)extreme / (1 << used), 1e-14);
    assert_ok(&ctx, seg_wilcoxon(&ctx, b, a, COUNT, &turned));
    assert_true(turned.p == test.p && turned.above == test.below);
    assert_ok(&ctx, seg_wilcoxon(&ctx, a, a, COUNT, &test));
    assert_near(test.p, 1, 0);
}

/* Where both can be computed, the normal approximation is near the exact distribution. */
TEST(wilcoxon_normal) {
    enum { COUNT = 51 };
    double a[COUNT], b[COUNT];
    seg_paired exact, normal;
    seg_random random = seg_random_seeded(5, 0);
    for (int i = 0; i < COUNT; i++) {
        a[i] = seg_random_normal(&random);
        b[i] = seg_random_normal(&random) + 0.4;
    }
    assert_ok(&ctx, seg_wilcoxon(&ctx, a, b, 50, &exact));
    assert_true(exact.exact);
    a[50] = b[50] + 1e-6; /* the least rank: 1 of 1326 */
    assert_ok(&ctx, seg_wilcoxon(&ctx, a, b, COUNT, &normal));
    assert_false(normal.exact);
    assert_true(exact.p > 1e-4 && exact.p < 0.5);
    assert_near(normal.p, exact.p, 0.15 * exact.p);
}
