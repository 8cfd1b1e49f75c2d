/* metrics: known answers, invariance under renaming, slow twins that list all pairs or all matchings. */
#include "check.h"

#include "optim/matching.h"

BEFORE_EACH {
    ctx.threads = 2;
}

static seg_scores scores_of(const int *a, const int *b, size_t n) {
    seg_contingency table;
    seg_scores scores;
    assert_ok(&ctx, seg_contingency_count(&ctx, a, b, n, &table));
    assert_ok(&ctx, seg_score(&ctx, &table, &scores));
    seg_contingency_free(&table);
    assert_null(table.count);
    return scores;
}

/* Six samples, table {2 1; 0 3}: all six metrics by hand. */
TEST(known_answers) {
    const int a[] = {0, 0, 0, 1, 1, 1}, b[] = {0, 0, 1, 1, 1, 1};
    seg_scores s = scores_of(a, b, 6);
    /* 15 pairs: together in both 1 + 3, in a 6, in b 1 + 6: agree 15 + 8 - 6 - 7 = 10. */
    assert_near(s.pairwise_accuracy, 10.0 / 15, 1e-15);
    assert_near(s.adjusted_rand, (4 - 6 * 7 / 15.0) / (6.5 - 6 * 7 / 15.0), 1e-15);
    assert_near(s.pairwise_f, 8.0 / 13, 1e-15);
    assert_near(s.clustering_error, 1.0 / 6, 1e-15);
    assert_near(s.error_rate, 1.0 / 6, 1e-15);
    assert_near(s.mean_dice, (4.0 / 5 + 6.0 / 7) / 2, 1e-15);
    double ha = log(2), hb = -(log(1.0 / 3) / 3 + log(2.0 / 3) * 2 / 3);
    double mutual = log(2.0 / 6 / (0.5 / 3)) / 3 + log(1.0 / 6 / (0.5 * 2 / 3)) / 6 + log(0.5 / (0.5 * 2 / 3)) / 2;
    assert_near(s.nmi, 2 * mutual / (ha + hb), 1e-14);
    assert_int_equal(s.scored, 6);
    seg_contingency table;
    /* Labels of which nearly all are one tell little. */
    const int c[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, d[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
    assert_near(scores_of(c, d, 10).nmi,
                (0.8 * log(0.8 / 0.81) + 0.2 * log(0.1 / 0.09)) / -(0.9 * log(0.9) + 0.1 * log(0.1)), 1e-14);
    /* A table that counts nothing has no error, and nothing is missing in it. */
    uint64_t none[4] = {0};
    table = (seg_contingency){.rows = 2, .cols = 2, .count = none};
    assert_ok(&ctx, seg_score(&ctx, &table, &s));
    assert_near(s.clustering_error, 0, 0);
    assert_near(s.error_rate, 0, 0);
    assert_near(s.mean_dice, 0, 0);
    assert_near(s.nmi, 1, 0);
}

TEST(independent_labellings) {
    const int a[] = {0, 0, 1, 1}, b[] = {0, 1, 0, 1};
    seg_scores s = scores_of(a, b, 4);
    assert_near(s.nmi, 0, 1e-15);
    assert_near(s.pairwise_accuracy, 2.0 / 6, 1e-15);
    assert_near(s.pairwise_f, 0, 0);
    assert_near(s.clustering_error, 0.5, 0);
}

TEST(perfect_and_single) {
    const int a[] = {3, 3, 0, 7, 7, 7}, b[] = {1, 1, 4, 0, 0, 0}, one[] = {2, 2, 2, 2, 2, 2},
              own[] = {0, 1, 2, 3, 4, 5};
    seg_scores s = scores_of(a, b, 6);
    assert_near(s.pairwise_accuracy, 1, 0);
    assert_near(s.pairwise_f, 1, 0);
    assert_near(s.clustering_error, 0, 0);
    assert_near(s.nmi, 1, 1e-15);
    assert_near(s.error_rate, 1, 0);
    assert_near(s.mean_dice, 0, 0);
    s = scores_of(one, one, 6);
    assert_near(s.nmi, 1, 0);
    assert_near(s.mean_dice, 1, 0);
    s = scores_of(one, own, 6);
    assert_near(s.nmi, 0, 1e-15);
    assert_near(s.pairwise_accuracy, 0, 0);
    assert_near(s.pairwise_f, 0, 0);
    assert_near(s.clustering_error, 5.0 / 6, 1e-15);
    assert_near(s.mean_dice, (2.0 / 7) / 6, 1e-15); /* only label 2 is met */
    s = scores_of(own, own, 6);
    assert_near(s.pairwise_f, 1, 0);
    s = scores_of(one, one, 1); /* one sample has no pairs */
    assert_near(s.pairwise_accuracy, 1, 0);
    assert_near(s.pairwise_f, 1, 0);
}

TEST(void_samples_are_left_out) {
    const int a[] = {0, 5, 1, -9}, b[] = {0, -1, 1, -2};
    seg_scores s = scores_of(a, b, 4);
    assert_int_equal(s.scored, 2);
    assert_near(s.error_rate, 0, 0);
}

/* 2^32 - 1 samples: pair counts near 2^63 stay exact. */
TEST(huge_counts) {
    uint64_t count[] = {2147483648u, 0, 0, 2147483647u};
    seg_contingency table = {2, 2, count, 4294967295u};
    seg_scores s;
    assert_ok(&ctx, seg_score(&ctx, &table, &s));
    assert_near(s.pairwise_accuracy, 1, 0);
    assert_near(s.pairwise_f, 1, 0);
    uint64_t half[] = {1u << 31, 1u << 30, 0, 1u << 30};
    seg_contingency mixed = {2, 2, half, (uint64_t)1 << 32};
    table = mixed;
    table.total--;
    half[0]--;
    double n = 4294967295.0, together = 0.25 * n * n / 2 + 2 * (0.0625 * n * n / 2);
    double expected = 1 + (2 * together - 0.625 * n * n / 2 - 0.5 * n * n / 2) / (n * n / 2);
    assert_ok(&ctx, seg_score(&ctx, &table, &s));
    assert_near(s.pairwise_accuracy, expected, 1e-8);
    assert_near(s.clustering_error, 0.25, 1e-8);
}

/* Slow twin: list all pairs. */
static void pairs_twin(const int *a, const int *b, int n, double *accuracy, double *adjusted, double *f) {
    double agree = 0, both = 0, in_a = 0, in_b = 0, all = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            all++;
            agree += (a[i] == a[j]) == (b[i] == b[j]);
            in_a += a[i] == a[j];
            in_b += b[i] == b[j];
            both += a[i] == a[j] && b[i] == b[j];
        }
    *accuracy = all > 0 ? agree / all : 1;
    /* The usual form of the index, from the counts of agreeing pairs. */
    double scale = (all - in_a) * (all - in_b) + in_a * in_b, apart = all - in_a - in_b + both;
    *adjusted = all * all == scale ? 1 : 1 - (all * all - (both + apart) * all) / (all * all - scale);
    *f = in_a + in_b == 0 ? 1 : both == 0 ? 0 : 2 / (in_a / both + in_b / both);
}

TEST(same_as_listing_pairs_and_invariant) {
    seg_random random = seg_random_seeded(5, 0);
    for (int round = 0; round < 300; round++) {
        int a[60], b[60], renamed[60], name[8], n = 1 + (int)seg_random_below(&random, 60);
        int ka = 1 + (int)seg_random_below(&random, 8), kb = 1 + (int)seg_random_below(&random, 8);
        for (int i = 0; i < 8; i++)
            name[i] = i;
        for (int i = 7; i > 0; i--) {
            int j = (int)seg_random_below(&random, (uint64_t)i + 1), t = name[i];
            name[i] = name[j];
            name[j] = t;
        }
        for (int i = 0; i < n; i++) {
            a[i] = (int)seg_random_below(&random, (uint64_t)ka);
            b[i] = seg_random_below(&random, 3) ? a[i] % kb : (int)seg_random_below(&random, (uint64_t)kb);
            renamed[i] = 11 * name[a[i]];
        }
        double accuracy, adjusted, f;
        pairs_twin(a, b, n, &accuracy, &adjusted, &f);
        seg_scores s = scores_of(a, b, (size_t)n), t = scores_of(renamed, b, (size_t)n);
        seg_scores swapped = scores_of(b, a, (size_t)n);
        assert_near(s.pairwise_accuracy, accuracy, 1e-14);
        assert_near(s.adjusted_rand, adjusted, 1e-12);
        assert_near(t.adjusted_rand, s.adjusted_rand, 0);
        assert_near(swapped.adjusted_rand, s.adjusted_rand, 1e-14);
        assert_near(s.pairwise_f, f, 1e-14);
        assert_near(t.pairwise_accuracy, s.pairwise_accuracy, 0);
        assert_near(t.pairwise_f, s.pairwise_f, 0);
        assert_near(t.clustering_error, s.clustering_error, 0);
        assert_near(t.nmi, s.nmi, 1e-13);
        assert_near(swapped.pairwise_accuracy, s.pairwise_accuracy, 0);
        assert_near(swapped.clustering_error, s.clustering_error, 0);
        assert_near(swapped.nmi, s.nmi, 1e-13);
        assert_true(s.clustering_error <= s.error_rate);
    }
}

/* Slow twin: the best over every injection of the rows into the columns (rows <= cols). */
static uint64_t best_injection(const uint64_t *gain, int rows, int cols, int row, unsigned used) {
    uint64_t best = 0;
    if (row == rows)
        return 0;
    for (int j = 0; j < cols; j++) {
        if (used & 1u << j)
            continue;
        uint64_t sum = gain[row * cols + j] + best_injection(gain, rows, cols, row + 1, used | 1u << j);
        best = sum > best ? sum : best;
    }
    return best;
}

TEST(matching_is_the_best_of_all) {
    seg_random random = seg_random_seeded(6, 0);
    for (int round = 0; round < 400; round++) {
        uint64_t gain[36], turned[36], best, best_turned, sum = 0, range = round % 3 ? 20 : (uint64_t)1 << 38;
        int32_t match[6], match_turned[6];
        int rows = 1 + (int)seg_random_below(&random, 6),
            cols = rows + (int)seg_random_below(&random, 7 - (uint64_t)rows);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                gain[i * cols + j] = seg_random_below(&random, range);
                turned[j * rows + i] = gain[i * cols + j];
            }
        assert_ok(&ctx, seg_matching_best(&ctx, gain, (size_t)rows, (size_t)cols, match, &best));
        assert_ok(&ctx, seg_matching_best(&ctx, turned, (size_t)cols, (size_t)rows, match_turned, &best_turned));
        assert_true(best == best_injection(gain, rows, cols, 0, 0));
        assert_true(best_turned == best);
        unsigned used = 0;
        for (int i = 0; i < rows; i++) { /* the match is one-to-one and has that sum */
            assert_in_range(match[i], 0, cols - 1);
            assert_false(used & 1u << match[i]);
            used |= 1u << match[i];
            sum += gain[i * cols + match[i]];
        }
        assert_true(sum == best);
        int matched = 0;
        for (int j = 0; j < cols; j++)
            matched += match_turned[j] >= 0;
        assert_int_equal(matched, rows);
    }
}

TEST(masks_and_any_number_of_threads) {
    const int width = 1031, height = 517;
    const size_t pixels = (size_t)width * (size_t)height;
    seg_mask a = {.width = width, .height = height}, b = a;
    seg_contingency one, four, listed;
    int *la = test_malloc(pixels * sizeof *la), *lb = test_malloc(pixels * sizeof *lb);
    a.label = test_malloc(pixels);
    b.label = test_malloc(pixels);
    seg_random random = seg_random_seeded(7, 0);
    for (size_t i = 0; i < pixels; i++) {
        a.label[i] = (uint8_t)(i / 977 % 5);
        b.label[i] = (uint8_t)(i / 1300 % 3 == 2 ? SEG_VOID : i / 1300 % 3 + (seg_random_below(&random, 50) == 0));
        la[i] = a.label[i];
        lb[i] = b.label[i] == SEG_VOID ? -1 : b.label[i];
    }
    a.label[0] = 255; /* void in the prediction is a label like others */
    la[0] = 255;
    b.label[0] = 1;
    lb[0] = 1;
    ctx.threads = 1;
    assert_ok(&ctx, seg_contingency_masks(&ctx, &a, &b, &one));
    ctx.threads = 4;
    assert_ok(&ctx, seg_contingency_masks(&ctx, &a, &b, &four));
    assert_ok(&ctx, seg_contingency_count(&ctx, la, lb, pixels, &listed));
    assert_int_equal(one.rows, 256);
    assert_int_equal(one.rows, listed.rows);
    assert_int_equal(one.cols, listed.cols);
    assert_int_equal(one.total, listed.total);
    assert_memory_equal(one.count, four.count, (size_t)one.rows * (size_t)one.cols * sizeof *one.count);
    assert_memory_equal(one.count, listed.count, (size_t)one.rows * (size_t)one.cols * sizeof *one.count);
    seg_contingency_free(&one);
    seg_contingency_free(&four);
    seg_contingency_free(&listed);
    b.height--;
    assert_fails(&ctx, seg_contingency_masks(&ctx, &a, &b, &one), SEG_ERR_INPUT, "1031 x 517");
    assert_says(&ctx, "1031 x 516");
    b.height++;
    memset(b.label, SEG_VOID, pixels);
    assert_int_equal(seg_contingency_masks(&ctx, &a, &b, &one), SEG_ERR_INPUT);
    assert_null(one.count);
    test_free(a.label);
    test_free(b.label);
    test_free(la);
    test_free(lb);
}

TEST(refusals) {
    SCOPED(seg_contingency) table;
    const int good[] = {0, 1}, negative[] = {-1, 1}, large[] = {0, 65536}, limit[] = {65535, 65535},
              nothing[] = {-1, -1};
    assert_int_equal(seg_contingency_count(&ctx, negative, good, 2, &table), SEG_ERR_USAGE);
    assert_int_equal(seg_contingency_count(&ctx, large, good, 2, &table), SEG_ERR_USAGE);
    assert_int_equal(seg_contingency_count(&ctx, good, large, 2, &table), SEG_ERR_USAGE);
    assert_int_equal(seg_contingency_count(&ctx, good, nothing, 2, &table), SEG_ERR_USAGE);
    assert_int_equal(seg_contingency_count(&ctx, good, good, 0, &table), SEG_ERR_USAGE);
    assert_fails(&ctx, seg_contingency_count(&ctx, limit, limit, 2, &table), SEG_ERR_MEMORY, "renumber");
    assert_null(table.count);
    assert_ok(&ctx, seg_contingency_count(&ctx, limit, good, 2, &table));
    assert_int_equal(table.rows, 65536);
    seg_contingency_free(NULL);
}
