/* Smoothed borders against a vote counted around each pixel, and known shapes. */
#include "check.h"

#include "base/random.h"
#include "masks/smooth_borders.h"

#include <stdlib.h>
#include <string.h>

TEST(same_as_counting) {
    seg_random random;
    seg_random_seed(&random, 8, 0);
    for (int round = 0; round < 20; round++) {
        const int width = 1 + (int)seg_random_below(&random, 60), height = 1 + (int)seg_random_below(&random, 140);
        const int radius = 1 + (int)seg_random_below(&random, round % 4 ? 4 : SEG_MAX_SMOOTH);
        const size_t pixels = (size_t)width * (size_t)height;
        uint8_t *before = malloc(pixels), *label = malloc(pixels), *again = malloc(pixels), *marks = calloc(pixels, 1);
        seg_pixel_scribbles scribbles = {.label = round % 3 ? marks : NULL};
        for (int l = 0; l < 256; l++)
            scribbles.column[l] = (int16_t)(l == 7 ? 0 : -1);
        for (size_t p = 0; p < pixels; p++) {
            before[p] =
                (uint8_t)(seg_random_below(&random, 9) == 0 ? seg_random_below(&random, 254)
                                                            : (p % (size_t)width) / 14 + p / (size_t)width / 20);
            marks[p] = seg_random_below(&random, 5) == 0 ? 7 : 0;
        }
        memcpy(label, before, pixels);
        memcpy(again, before, pixels);
        ctx.threads = 1;
        assert_ok(&ctx, seg_borders_smooth(&ctx, width, height, &scribbles, radius, label));
        ctx.threads = 4;
        assert_ok(&ctx, seg_borders_smooth(&ctx, width, height, &scribbles, radius, again));
        assert_memory_equal(label, again, pixels);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int count[256] = {0}, best = before[y * width + x];
                for (int v = y > 17 ? y - 17 : 0; v < height && v <= y + 17; v++)
                    for (int u = x > 17 ? x - 17 : 0; u < width && u <= x + 17; u++)
                        count[before[v * width + u]] += hypot(u - x, v - y) <= radius + 0.5;
                for (int l = 0; l < 256; l++)
                    best = count[l] > count[best] ? l : best;
                const int is_marked = scribbles.label && marks[y * width + x] == 7;
                assert_int_equal(label[y * width + x], is_marked ? before[y * width + x] : best);
            }
        free(before);
        free(label);
        free(again);
        free(marks);
    }
}

/* Straight borders and large discs stay, teeth and specks go, nothing happens at radius 0. */
TEST(known_shapes) {
    static uint8_t label[100 * 80], before[100 * 80];
    const seg_pixel_scribbles none = {0};
    for (int i = 0; i < 100 * 80; i++)
        before[i] = label[i] = i % 100 < 40;
    assert_ok(&ctx, seg_borders_smooth(&ctx, 100, 80, &none, 3, label));
    assert_memory_equal(label, before, sizeof label);
    for (int y = 8; y < 76; y += 8) /* teeth */
        label[y * 100 + 40] = label[y * 100 + 41] = 1;
    label[20 * 100 + 80] = 1; /* a speck */
    assert_ok(&ctx, seg_borders_smooth(&ctx, 100, 80, &none, 0, label));
    assert_int_equal(label[20 * 100 + 80], 1);
    assert_ok(&ctx, seg_borders_smooth(&ctx, 100, 80, &none, 3, label));
    assert_memory_equal(label, before, sizeof label);
    int changed = 0;
    for (int i = 0; i < 100 * 80; i++)
        before[i] = label[i] = hypot(i % 100 - 50, (int)(i / 100) - 40) < 30;
    assert_ok(&ctx, seg_borders_smooth(&ctx, 100, 80, &none, 2, label));
    for (int i = 0; i < 100 * 80; i++)
        changed += label[i] != before[i];
    assert_true(changed < 20);
}
