/* vectors: tf-idf by hand. */
#include "check.h"

TEST(weights_by_hand) {
    /* Terms of 3 documents: the first in all, the second in two, the third in one, the fourth in none. */
    double at[] = {5, 2, 0, 0, 1, 1, 3, 0, 2, 0, 0, 0}, same[12];
    seg_matrix X = {3, 4, at};
    assert_ok(&ctx, seg_scale(&ctx, SEG_SCALING_TF_IDF, &X));
    const double half = log(1.5), whole = 3 * log(3), norm = sqrt(half * half + whole * whole);
    const double expected[] = {0, 1, 0, 0, 0, half / norm, whole / norm, 0, 0, 0, 0, 0};
    for (int e = 0; e < 12; e++)
        assert_near(at[e], expected[e], 1e-15);
    /* A document times any number is the same document, and no count is too large or small. */
    const double scale[] = {1e150, 7, 1e-150};
    const double counts[] = {5, 2, 0, 0, 1, 1, 3, 0, 2, 0, 0, 0};
    for (int e = 0; e < 12; e++)
        same[e] = scale[e / 4] * counts[e];
    X.at = same;
    assert_ok(&ctx, seg_scale(&ctx, SEG_SCALING_TF_IDF, &X));
    for (int e = 0; e < 12; e++)
        assert_near(same[e], expected[e], 1e-15);
}

TEST(counts_that_cannot_be_weighed) {
    double alike[] = {1, 2, 3, 4}, negative[] = {1, 0, -1, 1}, nan[] = {1, NAN};
    seg_matrix X = {2, 2, alike}, one = {1, 2, alike}, N = {2, 2, negative}, M = {2, 1, nan};
    assert_int_equal(seg_scale(&ctx, SEG_SCALING_TF_IDF, &one), SEG_ERR_INPUT);
    alike[0] = 1;
    alike[1] = 2;
    assert_fails(&ctx, seg_scale(&ctx, SEG_SCALING_TF_IDF, &X), SEG_ERR_INPUT, "all 2 rows or in none");
    assert_fails(&ctx, seg_scale(&ctx, SEG_SCALING_TF_IDF, &N), SEG_ERR_INPUT, "column 1 of row 2 is -1");
    assert_int_equal(seg_scale(&ctx, SEG_SCALING_TF_IDF, &M), SEG_ERR_INPUT);
}
