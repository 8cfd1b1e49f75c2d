/* overlay: tints and outlines where they belong, nothing else changed. */
#include "check.h"

#include "image/shown.h"

BEFORE_EACH {
    ctx.threads = 2;
}

static seg_image plain(int width, int height, int grey) {
    seg_image photo = {.width = width, .height = height, .depth = 8};
    photo.data = malloc((size_t)(width * height * 3));
    memset(photo.data, grey, (size_t)(width * height * 3));
    return photo;
}

static const uint8_t *at(const seg_image *image, int x, int y) {
    return (const uint8_t *)image->data + 3 * (y * image->width + x);
}

static void assert_grey(const seg_image *image, int x, int y, int grey) {
    const uint8_t expected[3] = {(uint8_t)grey, (uint8_t)grey, (uint8_t)grey};
    assert_memory_equal(at(image, x, y), expected, 3);
}

TEST(default_style) {
    seg_overlay_style style = SEG_OVERLAY_STYLE_DEFAULT;
    assert_near(style.alpha, 0.4, 0);
    assert_int_equal(style.outline, SEG_OUTLINE_AUTO);
}

/* Two pixels where they have always been enough, as wide a part of larger images, and never more than are drawn. */
TEST(outlines_grow_with_the_image) {
    assert_int_equal(seg_outline_width(1, 1), 2);
    assert_int_equal(seg_outline_width(600, 500), 2);
    assert_int_equal(seg_outline_width(1200, 1000), 4);
    assert_int_equal(seg_outline_width(5800, 4000), 18);
    assert_int_equal(seg_outline_width(4000, 5800), 18);
    assert_int_equal(seg_outline_width(16384, 16384), 32);
    seg_overlay_style style = {0, SEG_OUTLINE_AUTO}, same = {0, 4};
    SCOPED(seg_image) photo = plain(1200, 1000, 100), out, other;
    SCOPED(seg_mask) mask = new_mask(&ctx, 1200, 1000);
    for (int i = 0; i < 1200 * 1000; i++)
        mask.label[i] = (uint8_t)(1 + (i % 1200 > i / 1200));
    assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &out));
    assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &same, &other));
    assert_memory_equal(out.data, other.data, (size_t)1200 * 1000 * 3);
}

TEST(regions_are_tinted) {
    seg_image photo = plain(8, 3, 100), out;
    SCOPED(seg_mask) mask = new_mask(&ctx, 8, 3);
    for (int i = 0; i < 24; i++)
        mask.label[i] = (uint8_t[]){0, 0, 1, 1, 2, 2, 255, 254}[i % 8];
    memset(mask.colour, 77, sizeof mask.colour);
    uint8_t colour[256][3];
    const double alphas[] = {0, 0.25, 0.4, 1};
    for (int a = 0; a < 8; a++) { /* each with the mask's own colours and with the default ones */
        seg_overlay_style style = {alphas[a / 2], 0, a % 2 ? SEG_PALETTE_OKABE_ITO : SEG_PALETTE_MASK};
        seg_mask_default_colours(colour);
        if (a % 2 == 0)
            memset(colour, 77, sizeof colour);
        assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &out));
        assert_int_equal(out.depth, 8);
        assert_int_equal(out.width, 8);
        for (int y = 0; y < 3; y++) {
            assert_grey(&out, 0, y, 100);
            assert_grey(&out, 6, y, 100); /* void */
            for (int x = 0; x < 8; x++) {
                int label = mask.label[8 * y + x];
                for (int c = 0; c < 3 && label != 0 && label != SEG_VOID; c++)
                    assert_near(at(&out, x, y)[c], 100 + alphas[a / 2] * (colour[label][c] - 100), 0.5 + 0.4);
            }
        }
        seg_image_free(&out);
    }
    seg_image_free(&photo);
}

/* Dark beside light along the border of two regions, in any width; none between unmarked and void. */
TEST(outlines_have_their_width) {
    for (int outline = 0; outline <= 32; outline++)
        for (int across = 0; across < 2; across++) {
            SCOPED(seg_image) photo = plain(80, 80, 100), out;
            seg_overlay_style style = {0, outline};
            SCOPED(seg_mask) mask = new_mask(&ctx, 80, 80);
            for (int i = 0; i < 80 * 80; i++)
                mask.label[i] = (across ? i / 80 : i % 80) < 40 ? 3 : 5;
            assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &out));
            for (int i = 0; i < 80; i++) {
                int x = across ? 33 : i, y = across ? i : 33, expected = 100;
                if (i < 40 && i >= 40 - (outline + 1) / 2)
                    expected = outline == 1 ? 255 : 0; /* one pixel: what differs more from 100 */
                if (i >= 40 && i < 40 + outline / 2)
                    expected = 255;
                if (outline == 1 && i == 39)
                    assert_true(at(&out, x, y)[0] == 255);
                assert_grey(&out, x, y, expected);
            }
            seg_image_free(&out);
            for (int i = 0; i < 80 * 80; i++)
                mask.label[i] = i % 80 < 40 ? 0 : SEG_VOID;
            assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &out));
            assert_memory_equal(out.data, photo.data, 80 * 80 * 3);
        }
}

/* On black, white and grey images some pixel of the outline differs from all around it. */
TEST(outlines_show_on_any_ground) {
    for (int grey = 0; grey < 256; grey += 15)
        for (int outline = 1; outline <= 3; outline++) {
            SCOPED(seg_image) photo = plain(20, 20, grey), out;
            seg_overlay_style style = {0, outline};
            int most = 0;
            SCOPED(seg_mask) mask = new_mask(&ctx, 20, 20);
            for (int i = 0; i < 400; i++)
                mask.label[i] = i % 20 < 10 ? 1 : 2;
            assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &out));
            for (int x = 0; x < 20; x++)
                most = abs(at(&out, x, 7)[0] - grey) > most ? abs(at(&out, x, 7)[0] - grey) : most;
            assert_true(most >= 120);
        }
}

/* Slow twin on random masks, and the same bytes for any number of threads. */
TEST(same_as_looking_around_each_pixel) {
    seg_random random = seg_random_seeded(2, 0);
    for (int round = 0; round < 40; round++) {
        int width = 1 + (int)seg_random_below(&random, 50), height = 1 + (int)seg_random_below(&random, 150);
        int outline = 2 + (int)seg_random_below(&random, 9);
        seg_overlay_style style = {0, outline};
        SCOPED(seg_image) photo = plain(width, height, 100), out, other;
        SCOPED(seg_mask) mask = new_mask(&ctx, width, height);
        for (int i = 0; i < width * height; i++)
            mask.label[i] = (uint8_t)(seg_random_below(&random, 60) == 0 ? 255 * seg_random_below(&random, 2)
                                                                         : 1 + (i % width > i / width / 2));
        ctx.threads = 1;
        assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &out));
        ctx.threads = 4;
        assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &other));
        assert_memory_equal(out.data, other.data, (size_t)(width * height * 3));
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int own = mask.label[y * width + x] % 255, dark = 0, light = 0;
                for (int v = y - 5; v <= y + 5; v++)
                    for (int u = x - 5; u <= x + 5; u++) {
                        if (u < 0 || v < 0 || u >= width || v >= height)
                            continue;
                        int far = abs(u - x) > abs(v - y) ? abs(u - x) : abs(v - y);
                        int label = mask.label[v * width + u] % 255;
                        dark |= far <= (outline + 1) / 2 && label > own;
                        light |= far <= outline / 2 && label < own;
                    }
                assert_grey(&out, x, y, !mask.label[y * width + x] ? 100 : dark ? 0 : light ? 255 : 100);
            }
    }
}

TEST(deep_photographs_become_8_bit) {
    uint16_t samples[6] = {65535, 32768, 0, 128, 129, 257};
    seg_image photo = {.width = 2, .height = 1, .depth = 16, .data = samples}, out;
    const uint8_t expected[6] = {255, 128, 0, 0, 1, 1};
    seg_overlay_style style = {1, 32};
    SCOPED(seg_mask) mask = new_mask(&ctx, 2, 1);
    assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &out));
    assert_memory_equal(out.data, expected, 6);
    seg_image_free(&out);
}

TEST(refusals) {
    seg_image photo = plain(4, 3, 0), out;
    seg_overlay_style style = {0.4, 2};
    SCOPED(seg_mask) mask = new_mask(&ctx, 3, 4);
    assert_fails(&ctx, seg_overlay_draw(&ctx, &photo, &mask, &style, &out), SEG_ERR_INPUT, "3 x 4");
    assert_says(&ctx, "4 x 3");
    seg_mask_free(&mask);
    mask = new_mask(&ctx, 4, 3);
    const seg_overlay_style wrong[] = {{-0.1, 2}, {1.1, 2},  {NAN, 2},
                                       {0.4, -2}, {0.4, 33}, {0.4, 2, (seg_overlay_palette)2}};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(seg_overlay_draw(&ctx, &photo, &mask, &wrong[i], &out), SEG_ERR_USAGE);
        assert_null(out.data);
    }
    seg_image_free(&photo);
}
