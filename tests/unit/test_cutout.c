/* Opacities of cut-outs. */
#include "check.h"

enum { WIDTH = 60, HEIGHT = 40, PIXELS = WIDTH * HEIGHT };
static const uint8_t columns[] = {1, 2, 3};
static float score[3 * PIXELS];
static uint8_t alpha[PIXELS], hard[PIXELS];

/* Columns of pixels: label 1 up to x 19, 2 up to 39, then 3. */
static seg_mask three(void) {
    seg_mask mask = new_mask(&ctx, WIDTH, HEIGHT);
    for (int i = 0; i < PIXELS; i++)
        mask.label[i] = (uint8_t)(1 + i % WIDTH / 20);
    return mask;
}

/* 1 and 2 are the more undecided the nearer their border is; 3 is certain. */
static void soft_scores(void) {
    for (int i = 0; i < PIXELS; i++) {
        const double x = i % WIDTH, to_two = x < 20 - 8 ? 0 : x > 20 + 8 ? 1 : (x - 12) / 16;
        score[3 * i] = (float)(x >= 40 ? 0 : 1 - to_two);
        score[3 * i + 1] = (float)(x >= 40 ? 0 : to_two);
        score[3 * i + 2] = (float)(x >= 40 ? 1 : 0);
    }
}

TEST(borders_are_soft_where_scores_are) {
    const uint8_t one[32] = {1 << 1}, both[32] = {1 << 1 | 1 << 2}, none[32] = {0},
                  all[32] = {1 << 1 | 1 << 2 | 1 << 3};
    const seg_region_scores scores = {score, columns, 3};
    SCOPED(seg_mask) mask = three();
    soft_scores();
    assert_ok(&ctx, seg_cutout_alpha(&ctx, &mask, &scores, one, alpha));
    for (int x = 0; x < WIDTH; x++) {
        const int a = alpha[20 * WIDTH + x];
        assert_true(x == 0 || a <= alpha[20 * WIDTH + x - 1]); /* it only falls */
        assert_true(x < 20 ? a >= 128 : a <= 127);             /* as the mask has it */
        if (x < 20 - 5)
            assert_int_equal(a, 255);
        if (x > 20 + 4)
            assert_int_equal(a, 0);
    }
    assert_true(alpha[20 * WIDTH + 18] < 250 && alpha[20 * WIDTH + 21] > 5); /* and soft it is */
    /* The border of two labels that are both cut out is none, and where scores are certain it is hard. */
    assert_ok(&ctx, seg_cutout_alpha(&ctx, &mask, &scores, both, alpha));
    for (int i = 0; i < PIXELS; i++)
        assert_int_equal(alpha[i], i % WIDTH < 40 ? 255 : 0);
    assert_ok(&ctx, seg_cutout_alpha(&ctx, &mask, &scores, none, alpha));
    assert_ok(&ctx, seg_cutout_alpha(&ctx, &mask, &scores, all, hard));
    for (int i = 0; i < PIXELS; i++)
        assert_true(alpha[i] == 0 && hard[i] == 255);
}

/* Whatever the scores say, the mask decides on which half an opacity is, and far from borders which end. Distances by
 * looking around each pixel. */
TEST(the_mask_decides) {
    seg_random random = seg_random_seeded(3, 0);
    const uint8_t labels[32] = {1 << 1 | 1 << 3};
    const seg_region_scores scores = {score, columns, 3};
    SCOPED(seg_mask) mask = three();
    for (int i = 0; i < PIXELS; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        mask.label[i] = (uint8_t)(x * y % 97 == 5 ? 0 : x < 9 ? SEG_VOID : 1 + (x / 13 + y / 11) % 3);
        for (int c = 0; c < 3; c++)
            score[3 * i + c] = (float)seg_random_uniform(&random) * (float)(seg_random_below(&random, 4) > 0);
    }
    assert_ok(&ctx, seg_cutout_alpha(&ctx, &mask, &scores, labels, alpha));
    assert_ok(&ctx, seg_cutout_alpha(&ctx, &mask, NULL, labels, hard));
    int soft = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int i = y * WIDTH + x, in = mask.label[i] == 1 || mask.label[i] == 3;
            double nearest = 100;
            assert_int_equal(hard[i], in ? 255 : 0);
            assert_true(in ? alpha[i] >= 128 : alpha[i] <= 127);
            for (int v = 0; v < HEIGHT; v++)
                for (int u = 0; u < WIDTH; u++)
                    if (hard[v * WIDTH + u] != hard[i])
                        nearest = fmin(nearest, hypot(u - x, v - y));
            if (nearest > 5.2) /* the chamfer metric is within 8 % of Euclid's */
                assert_int_equal(alpha[i], hard[i]);
            soft += alpha[i] != hard[i];
        }
    assert_true(soft > 100);
}
