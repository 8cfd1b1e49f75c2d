/* Noise of images: how much is found, and what is left of it and of the image. */
#include "check.h"

#include "image/shown.h"

enum { W = 128, H = 96, SAMPLES = 3 * W * H };

static uint8_t sample[SAMPLES];

/* A slope with noise, and lines every `line` rows. */
static seg_image draw(double noise, int line) {
    seg_random random = seg_random_seeded(3, 3);
    for (int i = 0; i < SAMPLES; i++) {
        const int y = i / 3 / W;
        const double v = 60 + i / 3 % W / 2 + (line && y % line == 0 ? 40 : 0) + noise * seg_random_normal(&random);
        sample[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : lround(v));
    }
    return (seg_image){.width = W, .height = H, .depth = 8, .data = sample};
}

TEST(little_of_the_noise_is_left) {
    for (int noise = 4; noise <= 32; noise *= 2) {
        SCOPED(seg_image) smooth;
        double before = 0, after = 0;
        const seg_image image = draw(noise, 0);
        assert_ok(&ctx, seg_image_smooth_noise(&ctx, &image, &smooth));
        assert_non_null(smooth.data);
        for (int i = 0; i < SAMPLES; i++) {
            before += pow(sample[i] - 60 - i / 3 % W / 2, 2);
            after += pow(((const uint8_t *)smooth.data)[i] - 60 - i / 3 % W / 2, 2);
        }
        assert_true(after < before * (noise < 8 ? 0.3 : 0.1));
    }
}

/* Little noise, lines and steps, a chequered ground, black and white, and images smaller than a tile. */
TEST(no_noise_no_copy) {
    for (int which = 0; which < 7; which++) {
        SCOPED(seg_image) smooth;
        seg_image image = draw(which > 4 ? 20 : which == 0 ? 2 : 0, which == 1 ? 5 : 0);
        for (int i = 0; i < SAMPLES; i++) {
            const int x = i / 3 % W, y = i / 3 / W;
            sample[i] = which == 2 ? (x > 40 ? 200 : 30) : which == 3 ? ((x / 8 + y / 8) % 2 ? 150 : 90) : sample[i];
            if (which == 4)
                sample[i] = x * x + y * y < 5000 || (x + 2 * y) % 17 == 0 ? 255 : 0;
        }
        if (which > 4)
            image = (seg_image){which == 5 ? 1 : 15, which == 5 ? 1 : H, 8, 0, sample, 0, 0};
        assert_ok(&ctx, seg_image_smooth_noise(&ctx, &image, &smooth));
        assert_null(smooth.data);
    }
}

/* Threads and depth do not matter, and a border between rows stays where it is. */
TEST(threads_and_depth) {
    static uint16_t deep[SAMPLES];
    SCOPED(seg_image) one, four, wide;
    const seg_image image = draw(0, 0), same = {W, H, 16, 0, deep, 1000, 1000 + 100 * 255};
    seg_random random = seg_random_seeded(4, 4);
    for (int i = 0; i < SAMPLES; i++) {
        sample[i] = (uint8_t)((i < SAMPLES / 2 ? 60 : 180) + lround(8 * seg_random_normal(&random)));
        deep[i] = (uint16_t)(1000 + 100 * sample[i]);
    }
    ctx.threads = 1;
    assert_ok(&ctx, seg_image_smooth_noise(&ctx, &image, &one));
    ctx.threads = 4;
    assert_ok(&ctx, seg_image_smooth_noise(&ctx, &image, &four));
    assert_ok(&ctx, seg_image_smooth_noise(&ctx, &same, &wide));
    assert_memory_equal(one.data, four.data, SAMPLES);
    assert_memory_equal(one.data, wide.data, SAMPLES);
    for (int below = 0; below < 2; below++) {
        double mean = 0;
        for (int i = 0; i < 3 * W; i++)
            mean += ((const uint8_t *)one.data)[(H / 2 - 1 + below) * 3 * W + i] / (3.0 * W);
        assert_near(mean, below ? 180 : 60, 1);
    }
}
