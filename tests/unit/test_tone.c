/* Light: which images become brighter or lose a colour cast, and how. */
#include "check.h"

#include "image/raster.h"

enum { W = 256, H = 20, SAMPLES = 3 * W * H };

static uint8_t sample[SAMPLES];
static uint16_t deep[SAMPLES];

/* A slope from black to white, to a power, in either depth. */
static seg_image slope(double power, int depth) {
    for (int i = 0; i < SAMPLES; i++) {
        const double v = pow(i / 3 % W / (W - 1.0), power);
        sample[i] = (uint8_t)lround(255 * v);
        deep[i] = (uint16_t)lround(65535 * v);
    }
    return (seg_image){.width = W, .height = H, .depth = depth, .data = depth == 8 ? (void *)sample : deep};
}

static seg_image relight(const seg_image *image) {
    seg_image out;
    assert_ok(&ctx, seg_image_relight(&ctx, image, &out));
    return out;
}

/* The mean of the values as they count. */
static double mean_of(const uint8_t *value) {
    double sum = 0, all = 0;
    uint32_t count[256] = {0};
    for (int i = 0; i < SAMPLES; i++)
        count[value[i]]++;
    for (int v = 0; v < 256; v++) {
        sum += v * sqrt(count[v]);
        all += 255 * sqrt(count[v]);
    }
    return sum / all;
}

TEST(bright_images_stay) {
    for (int depth = 8; depth <= 16; depth += 8)
        for (double power = 0.25; power <= 1; power *= 2) {
            const seg_image image = slope(power, depth);
            SCOPED(seg_image) bright = relight(&image);
            assert_null(bright.data);
        }
}

/* Black stays black and white white, what was brighter stays brighter, and the mean becomes that of images that are
 * not dark, unless that takes too much. */
TEST(dark_images_become_brighter) {
    for (int power = 2; power <= 8; power *= 2) {
        const seg_image image = slope(power, 8);
        SCOPED(seg_image) eight = relight(&image);
        const uint8_t *v = eight.data;
        assert_int_equal(v[0], 0);
        assert_int_equal(v[SAMPLES - 1], 255);
        for (int x = 1; x < W; x++)
            assert_true(v[3 * x] >= v[3 * x - 3] && v[3 * x] >= sample[3 * x]);
        if (power < 8)
            assert_near(mean_of(v), 0.4, 0.02);
        const seg_image wide = slope(power, 16);
        SCOPED(seg_image) sixteen = relight(&wide);
        assert_int_equal(sixteen.depth, 8);
        for (int i = 0; power == 2 && i < SAMPLES; i++)
            assert_near(((const uint8_t *)sixteen.data)[i], v[i], 6);
    }
}

/* An image that is hardly dark hardly changes: no threshold shows. */
TEST(begins_without_a_step) {
    double power = 1;
    seg_image image = slope(power, 8);
    while (mean_of(sample) >= 0.4)
        image = slope(power += 1.0 / 256, 8);
    SCOPED(seg_image) bright = relight(&image);
    for (int i = 0; i < SAMPLES; i++)
        assert_near(((const uint8_t *)bright.data)[i], sample[i], 2);
}

/* Light of any colour becomes nearly white, but little light of one colour does not: there, noise would be seen. */
TEST(casts_nearly_vanish) {
    static const double light[3] = {1, 0.5, 0.1};
    for (int depth = 8; depth <= 16; depth += 8) {
        const seg_image image = slope(0.5, depth);
        for (int i = 0; i < SAMPLES; i++) {
            sample[i] = (uint8_t)lround(light[i % 3] * sample[i]);
            deep[i] = (uint16_t)lround(light[i % 3] * deep[i]);
        }
        SCOPED(seg_image) white = relight(&image);
        const uint8_t *v = white.data;
        for (int i = 0; i < SAMPLES; i += 3) {
            assert_true(i % (3 * W) == 0 || v[i] >= v[i - 3]);
            assert_near(v[i + 1], 0.85 * v[i], 12);
            assert_true(v[i + 2] <= 0.6 * v[i] + 2 && v[i + 2] >= 0.35 * v[i] - 2);
        }
    }
}

/* A channel that is hardly darker than the others hardly changes. */
TEST(casts_begin_without_a_step) {
    for (int percent = 80; percent <= 100; percent += 5) {
        const seg_image image = slope(0.5, 8);
        for (int i = 2; i < SAMPLES; i += 3)
            sample[i] = (uint8_t)(sample[i] * percent / 100);
        SCOPED(seg_image) white = relight(&image);
        assert_true(!white.data == (percent > 85));
        for (int i = 0; white.data && i < SAMPLES; i++)
            assert_near(((const uint8_t *)white.data)[i], i % 3 == 2 ? sample[i] * fmax(85.0 / percent, 1) : sample[i],
                        3);
    }
}

/* Black alone, and a single pixel. */
TEST(least_images) {
    seg_image image = slope(1, 8);
    memset(sample, 0, sizeof sample);
    SCOPED(seg_image) black = relight(&image);
    assert_memory_equal(black.data, sample, SAMPLES);
    image.width = image.height = 1;
    sample[0] = 90;
    SCOPED(seg_image) one = relight(&image);
    assert_true(((const uint8_t *)one.data)[0] > 90 && ((const uint8_t *)one.data)[1] == 0);
}
