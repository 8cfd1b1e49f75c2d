/* Discretisation of embeddings: an indicator matrix is found again behind any rotation, scaling of its rows and noise.
 */
#include "check.h"

#include "clustering/discretise.h"

/* A random orthogonal k x k matrix by Gram-Schmidt. */
static void random_rotation(seg_random *random, size_t k, double *Q) {
    for (size_t c = 0; c < k; c++) {
        double norm = 0;
        for (size_t t = 0; t < k; t++)
            Q[c * k + t] = seg_random_normal(random);
        for (int again = 0; again < 2; again++)
            for (size_t other = 0; other < c; other++) {
                double dot = 0;
                for (size_t t = 0; t < k; t++)
                    dot += Q[c * k + t] * Q[other * k + t];
                for (size_t t = 0; t < k; t++)
                    Q[c * k + t] -= dot * Q[other * k + t];
            }
        for (size_t t = 0; t < k; t++)
            norm += Q[c * k + t] * Q[c * k + t];
        for (size_t t = 0; t < k; t++)
            Q[c * k + t] /= sqrt(norm);
    }
}

/* Rows: indicator of truth[i] plus noise, times a random length, times Q. */
static seg_matrix rotated_indicators(seg_context *ctx, seg_random *random, size_t n, size_t k, double noise,
                                     int *truth) {
    AUTOFREE double *Q = malloc(k * k * sizeof *Q), *row = malloc(k * sizeof *row);
    seg_matrix Z = new_matrix(ctx, n, k);
    random_rotation(random, k, Q);
    for (size_t i = 0; i < n; i++) {
        double length = 0.01 + seg_random_uniform(random);
        truth[i] = (int)(i < k ? i : seg_random_below(random, k));
        for (size_t c = 0; c < k; c++)
            row[c] = length * ((c == (size_t)truth[i]) + noise * seg_random_normal(random));
        for (size_t t = 0; t < k; t++)
            for (size_t c = 0; c < k; c++)
                Z.at[i * k + t] += row[c] * Q[c * k + t];
    }
    return Z;
}

/* Equal up to names: label <-> truth is one to one. */
static void check_partition(size_t n, size_t k, const int32_t *label, const int *truth) {
    for (size_t i = 0; i < n; i++) {
        assert_true(label[i] >= 0 && (size_t)label[i] < k);
        for (size_t j = 0; j < k; j++) /* the first k rows represent the clusters */
            assert_int_equal(label[i] == label[j], truth[i] == truth[j]);
    }
}

TEST(indicators_are_recovered) {
    enum { n = 700, most = 9 };
    int truth[n], iterations;
    int32_t label[n];
    double score[n * most];
    seg_random random = seg_random_seeded(1, 0);
    for (size_t k = 1; k <= most; k++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            SCOPED(seg_matrix) Z = rotated_indicators(&ctx, &random, n, k, seed == 5 ? 0.03 : 0, truth);
            ctx.seed = seed;
            iterations = 0;
            assert_ok(&ctx, seg_discretise(&ctx, &Z, 4, label, score, &iterations));
            assert_true(iterations >= 1);
            check_partition(n, k, label, truth);
            for (size_t i = 0; i < n;
                 i++) { /* rows of the score: length one, largest at the label, exact without noise */
                double norm = 0;
                for (size_t c = 0; c < k; c++) {
                    norm += score[i * k + c] * score[i * k + c];
                    assert_true(score[i * k + c] <= score[i * k + (size_t)label[i]]);
                }
                assert_near(norm, 1, 1e-12);
                if (seed < 5)
                    assert_near(score[i * k + (size_t)label[i]], 1, 1e-12);
            }
        }
}

/* Rotating the input, stretching its rows, and the number of threads do not change the labels. */
TEST(labels_do_not_depend_on_the_frame) {
    enum { n = 10000, k = 5 };
    static int truth[n];
    static int32_t label[n], again[n];
    static double score[n * k], score_again[n * k];
    double Q[k * k];
    seg_random random = seg_random_seeded(2, 0);
    /* Noisy: not all are the truth. */
    SCOPED(seg_matrix) Z = rotated_indicators(&ctx, &random, n, k, 0.3, truth), turned;
    ctx.threads = 1;
    assert_ok(&ctx, seg_discretise(&ctx, &Z, 4, label, score, NULL));
    ctx.threads = 2;
    assert_ok(&ctx, seg_discretise(&ctx, &Z, 4, again, score_again, NULL));
    assert_memory_equal(label, again, sizeof label);
    assert_memory_equal(score, score_again, sizeof score);
    turned = new_matrix(&ctx, n, k);
    random_rotation(&random, k, Q);
    for (size_t i = 0; i < n; i++) {
        double stretch = 0.1 + seg_random_uniform(&random);
        for (size_t t = 0; t < k; t++)
            for (size_t c = 0; c < k; c++)
                turned.at[i * k + t] += stretch * Z.at[i * k + c] * Q[c * k + t];
    }
    assert_ok(&ctx, seg_discretise(&ctx, &turned, 4, again, NULL, NULL));
    assert_memory_equal(label, again, sizeof label);
    int agree = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 10; j++)
            agree += (label[i] == label[j]) == (truth[i] == truth[j]);
    assert_true(agree > 9 * n); /* of 10 n */
}

TEST(odd_embeddings) {
    enum { n = 9, k = 3 };
    int32_t label[n];
    double score[n * k];
    SCOPED(seg_matrix) Z = new_matrix(&ctx, n, k);
    assert_ok(&ctx, seg_discretise(&ctx, &Z, 1, label, score, NULL)); /* all rows zero */
    for (size_t i = 0; i < n; i++)
        assert_true(label[i] >= 0 && label[i] < k);
    for (size_t i = 0; i < n * k; i++) /* one direction only, huge and tiny */
        Z.at[i] = i % 2 ? 1e300 : -1e-300;
    assert_ok(&ctx, seg_discretise(&ctx, &Z, 1, label, score, NULL));
    for (size_t i = 0; i < n * k; i++)
        assert_true(isfinite(score[i]));
    Z.at[4] = NAN;
    assert_int_equal(seg_discretise(&ctx, &Z, 1, label, score, NULL), SEG_ERR_USAGE);
}
