/* Opacities of cut-outs, and legends. */
#include "check.h"

#include "base/random.h"
#include "image/mask.h"
#include "masks/overlay_colours.h"

#include <segment/segment.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 60, HEIGHT = 40, PIXELS = WIDTH * HEIGHT };
static const uint8_t columns[] = {1, 2, 3};
static float score[3 * PIXELS];
static uint8_t alpha[PIXELS], hard[PIXELS];

/* Columns of pixels: label 1 up to x 19, 2 up to 39, then 3. */
static seg_mask three(void) {
    seg_mask mask;
    assert_ok(&ctx, seg_mask_create(&ctx, WIDTH, HEIGHT, &mask));
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
    seg_random random;
    seg_random_seed(&random, 3, 0);
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

/* --- Legends. --- */

static seg_image grey(int width, int height) {
    seg_image image = {.width = width, .height = height, .depth = 8, .data = malloc((size_t)(3 * width * height))};
    memset(image.data, 90, (size_t)(3 * width * height));
    return image;
}

static int count_colour(const seg_image *picture, int from_row, const uint8_t colour[3]) {
    int count = 0;
    for (int i = from_row * picture->width; i < picture->width * picture->height; i++)
        count += memcmp((uint8_t *)picture->data + 3 * i, colour, 3) == 0;
    return count;
}

TEST(legends_tell_what_is_there) {
    static seg_labelmap map;
    const uint8_t white[3] = {255, 255, 255};
    seg_overlay_style style = SEG_OVERLAY_STYLE_DEFAULT;
    seg_image picture = grey(400, 100), other = grey(400, 100);
    SCOPED(seg_mask) mask;
    assert_ok(&ctx, seg_mask_create(&ctx, 400, 100, &mask));
    for (int i = 0; i < 400 * 100; i++)
        mask.label[i] = (uint8_t)(i % 3 == 0 ? 0 : i % 3 == 1 ? 4 : 9);
    map.count = 4;
    strcpy(map.name[3], "m\xc3\xbctze");
    assert_ok(&ctx, seg_overlay_add_legend(&ctx, &picture, &mask, &style, &map));
    assert_true(picture.width == 400 && picture.height > 112 && picture.height < 160);
    for (int i = 0; i < 3 * 400 * 100; i++)
        assert_int_equal(((uint8_t *)picture.data)[i], 90);
    for (int l = 1; l <= SEG_MAX_LABELS; l++) {
        const int seen = count_colour(&picture, 100, mask.colour[l]) > 50;
        if (memcmp(mask.colour[l], white, 3) != 0)
            assert_int_equal(seen, l == 4 || l == 9);
    }
    const seg_overlay_style bare = {.legend = 1, .names = &map}; /* neither tint nor outline */
    seg_image drawn;
    assert_ok(&ctx, seg_overlay_draw(&ctx, &other, &mask, &bare, &drawn));
    assert_int_equal(drawn.height, picture.height);
    assert_memory_equal(drawn.data, picture.data, (size_t)(3 * 400 * picture.height));
    seg_image_free(&drawn);
    /* Another name is another legend, and the palette's colours are those of the overlay. */
    assert_ok(&ctx, seg_overlay_add_legend(&ctx, &other, &mask, &style, NULL));
    assert_true(other.height == picture.height);
    assert_memory_not_equal(other.data, picture.data, (size_t)(3 * 400 * picture.height));
    seg_image_free(&other);
    for (int l = 1; l < 255; l++)
        memset(mask.colour[l], 7, 3);
    style.palette = SEG_PALETTE_OKABE_ITO;
    other = grey(400, 100);
    assert_ok(&ctx, seg_overlay_add_legend(&ctx, &other, &mask, &style, &map));
    assert_memory_equal(other.data, picture.data, (size_t)(3 * 400 * picture.height));
    seg_image_free(&other);
    seg_image_free(&picture);
}

/* No label, one on a single pixel, all of them, and long names in narrow pictures. */
TEST(legends_of_any_size) {
    static seg_labelmap map;
    const int sizes[][2] = {{1, 1}, {30, 20}, {400, 300}};
    seg_overlay_style style = SEG_OVERLAY_STYLE_DEFAULT;
    map.count = SEG_MAX_LABELS;
    for (int l = 0; l < SEG_MAX_LABELS; l++)
        memset(map.name[l], 'W', l % 64);
    for (int s = 0; s < 3; s++) {
        SCOPED(seg_image) picture = grey(sizes[s][0], sizes[s][1]);
        SCOPED(seg_mask) mask;
        assert_ok(&ctx, seg_mask_create(&ctx, sizes[s][0], sizes[s][1], &mask));
        assert_ok(&ctx, seg_overlay_add_legend(&ctx, &picture, &mask, &style, &map));
        assert_int_equal(picture.height, sizes[s][1]); /* nothing to tell */
        for (int i = 0; i < sizes[s][0] * sizes[s][1]; i++)
            mask.label[i] = (uint8_t)(1 + i % SEG_MAX_LABELS);
        assert_ok(&ctx, seg_overlay_add_legend(&ctx, &picture, &mask, &style, &map));
        assert_true(picture.height > sizes[s][1]);
        picture.depth = 16;
        assert_int_equal(seg_overlay_add_legend(&ctx, &picture, &mask, &style, &map), SEG_ERR_USAGE);
    }
}
