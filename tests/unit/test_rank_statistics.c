/* Ranks over data sets: the worked example of [demsar2006, Table 6], its table of quantiles, ties and failures. */
#include "check.h"

#include "evaluation/report/statistics.h"

/* AUC of C4.5 and three variants on 14 sets, as printed; ranks by 1 - AUC. */
TEST(demsar) {
    static const double auc[14][4] = {
        {0.763, 0.768, 0.771, 0.798},  {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
        {0.628, 0.661, 0.654, 0.657},  {0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931},
        {0.661, 0.668, 0.609, 0.685},  {0.583, 0.583, 0.563, 0.625}, {0.775, 0.838, 0.866, 0.875},
        {1.000, 1.000, 1.000, 1.000},  {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
        {0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970},
    };
    double mean[4] = {0};
    seg_friedman test;
    for (int set = 0; set < 14; set++) {
        double loss[4], rank[4];
        for (int m = 0; m < 4; m++)
            loss[m] = 1 - auc[set][m];
        seg_rank_row(loss, 4, rank);
        for (int m = 0; m < 4; m++)
            mean[m] += rank[m] / 14;
    }
    assert_near(mean[0], 3.143, 6e-4);
    assert_near(mean[1], 2.000, 6e-4);
    assert_near(mean[2], 2.893, 6e-4);
    assert_near(mean[3], 1.964, 6e-4);
    seg_friedman_test(mean, 4, 14, &test);
    assert_near(test.chi2, 9.28, 0.01);
    assert_near(test.critical, 1.25, 0.005);
    assert_near(test.p, 0.0258, 2e-4); /* chi2 of 9.28, three degrees of freedom */
}

/* [demsar2006, Table 5a], and 20 methods. */
TEST(quantiles) {
    static const double printed[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    for (size_t k = 2; k <= 10; k++)
        assert_near(seg_nemenyi_quantile(k, 0.05), printed[k - 2], 1.1e-3);
    assert_near(seg_nemenyi_quantile(2, 0.10), 1.645, 1e-3);
    assert_near(seg_nemenyi_quantile(20, 0.05), 3.544, 1.1e-3);
}

TEST(ties_and_failures) {
    const double value[] = {0.3, 0.1, NAN, 0.3, NAN}, expected[] = {2.5, 1, 4.5, 2.5, 4.5};
    double rank[5];
    seg_rank_row(value, 5, rank);
    for (int i = 0; i < 5; i++)
        assert_near(rank[i], expected[i], 0);
    seg_rank_row(value, 1, rank);
    assert_near(rank[0], 1, 0);
}

/* All equal: nothing to see. All blocks agree: the largest statistic there is, N (k - 1). */
TEST(extremes) {
    const double equal[] = {2, 2, 2}, agreed[] = {1, 2, 3};
    seg_friedman test;
    seg_friedman_test(equal, 3, 10, &test);
    assert_near(test.chi2, 0, 1e-12);
    assert_near(test.p, 1, 1e-12);
    seg_friedman_test(agreed, 3, 10, &test);
    assert_near(test.chi2, 20, 1e-12);
    assert_near(test.p, exp(-10), 1e-12); /* two degrees of freedom */
}

/* As R's p.adjust(p, "holm") has it: ties, a value above one, one that is missing. */
TEST(holm) {
    const double p[] = {0.01, 0.04, 0.03, 0.005, 0.5, 0.5, 1e-5}, with[] = {0.2, 0.01, NAN, 0.03};
    const double expected[] = {0.05, 0.12, 0.12, 0.03, 1, 1, 7e-5}, missing[] = {0.2, 0.03, NAN, 0.06};
    double adjusted[7];
    seg_holm(p, 7, adjusted);
    for (int i = 0; i < 7; i++)
        assert_near(adjusted[i], expected[i], 1e-12);
    seg_holm(with, 4, adjusted);
    for (int i = 0; i < 4; i++)
        if (i == 2)
            assert_true(isnan(adjusted[i]));
        else
            assert_near(adjusted[i], missing[i], 1e-12);
    adjusted[0] = 0.7;
    seg_holm(adjusted, 1, adjusted); /* in place; one comparison needs no adjustment */
    assert_near(adjusted[0], 0.7, 1e-12);
    seg_holm(adjusted, 0, adjusted);
}
