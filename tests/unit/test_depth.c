/* 16-bit images: what is only in their low bits counts as it does at 8 bits. */
#include "check.h"

#include "features/spec.h"
#include "image_in_memory.h"
#include "scribbles/scribbles.h"

#include "image_makers.h"

enum { W = 90, H = 60, SAMPLES = W * H * 3 };

/* A disc on a ground, of other colours, with noise: 0..255, both ends of which occur. */
static int is_disc(int p) {
    const int x = p % W - 40, y = p / W - 30;
    return x * x + y * y < 400;
}

BEFORE_EACH {
    ctx.threads = 1;
}

static void draw(double difference, double noise, uint16_t *sample) {
    seg_random random = seg_random_seeded(5, 5);
    for (int i = 0; i < SAMPLES; i++) {
        const double v = 100 + (is_disc(i / 3) ? difference : 0) * (1 + i % 3) / 3 + noise * seg_random_normal(&random);
        sample[i] = (uint16_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
    sample[0] = 0;
    sample[SAMPLES - 1] = 255;
}

static seg_image read_as_png(const uint16_t *sample, int bits) {
    seg_image out;
    const png_recipe recipe = {.width = W, .height = H, .type = PNG_COLOR_TYPE_RGB, .bits = bits, .samples = sample};
    SCOPED(made_file) file = make_png(&recipe);
    assert_ok(&ctx, image_read_memory(&ctx, file.bytes, file.size, "photo.png", &out));
    return out;
}

static void mark(seg_mask *scribbles) {
    *scribbles = new_mask(&ctx, W, H);
    for (int x = 35; x < 45; x++)
        scribbles->label[30 * W + x] = 1;
    for (int x = 5; x < 85; x++)
        scribbles->label[4 * W + x] = scribbles->label[55 * W + x] = 2;
    scribbles->labels = 2;
}

static seg_result *segment(const seg_image *photo, const char *method, int refine, const char *features) {
    seg_result *out;
    seg_options options = seg_options_default();
    SCOPED(seg_mask) scribbles;
    mark(&scribbles);
    options.method = method;
    options.refine = (seg_refine)refine;
    if (features)
        assert_ok(&ctx, seg_feature_spec_parse(&ctx, features, &options.features));
    assert_ok(&ctx, seg_segment_photo(&ctx, photo, &scribbles, NULL, &options, &out));
    return out;
}

TEST(low_bits_count_as_high_ones) {
    static const struct {
        const char *method;
        int refine;
        const char *features;
    } ways[] = {
        {"auto", 1, NULL}, {"auto", 0, NULL}, {"kmeans", 0, NULL}, {"enpakl", 1, "histogram,lab-histogram,texture"}};
    static const int scale[][2] = {{1, 0}, {1, 30000}, {16, 0}, {64, 7}, {257, 0}}; /* times, plus */
    static uint16_t sample[SAMPLES], deep[SAMPLES];
    draw(60, 12, sample);
    SCOPED(seg_image) twin = read_as_png(sample, 8);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        SCOPED_RESULT *expected = segment(&twin, ways[w].method, ways[w].refine, ways[w].features);
        for (size_t s = 0; s < sizeof scale / sizeof *scale; s++) {
            SCOPED(seg_image) a, b;
            seg_overlay_style style = SEG_OVERLAY_STYLE_DEFAULT;
            for (int i = 0; i < SAMPLES; i++)
                deep[i] = (uint16_t)(sample[i] * scale[s][0] + scale[s][1]);
            SCOPED(seg_image) photo = read_as_png(deep, 16);
            assert_int_equal(photo.low, scale[s][0] == 257 ? 0 : scale[s][1]);
            assert_int_equal(photo.high, scale[s][0] == 257 ? 0 : 255 * scale[s][0] + scale[s][1]);
            SCOPED_RESULT *got = segment(&photo, ways[w].method, ways[w].refine, ways[w].features);
            assert_memory_equal(got->mask.label, expected->mask.label, W * H);
            assert_ok(&ctx, seg_overlay_draw(&ctx, &twin, &expected->mask, &style, &a));
            assert_ok(&ctx, seg_overlay_draw(&ctx, &photo, &got->mask, &style, &b));
            assert_memory_equal(a.data, b.data, SAMPLES);
        }
    }
}

/* Two regions 40 of 65535 apart, which are one value at 8 bits. */
TEST(forty_of_65535_are_told_apart) {
    static uint16_t sample[SAMPLES];
    int wrong = 0;
    draw(40, 6, sample);
    sample[0] = sample[SAMPLES - 1] = 100;
    for (int i = 0; i < SAMPLES; i++)
        sample[i] = (uint16_t)(sample[i] + 30000);
    SCOPED(seg_image) photo = read_as_png(sample, 16);
    SCOPED_RESULT *got = segment(&photo, "auto", 1, NULL);
    for (int p = 0; p < W * H; p++)
        wrong += got->mask.label[p] != (is_disc(p) ? 1 : 2);
    assert_true(wrong < W * H / 50);
}

/* Strokes painted on a copy at 16 bits of an image of few bits, or on what 8 bits show of it, which is black. */
TEST(strokes_on_a_copy_of_few_bits) {
    static uint16_t sample[SAMPLES], copy[SAMPLES];
    draw(60, 12, sample);
    SCOPED(seg_image) photo = read_as_png(sample, 16);
    for (int bits = 8; bits <= 16; bits += 8) {
        const png_recipe recipe = {.width = W, .height = H, .type = PNG_COLOR_TYPE_RGB, .bits = bits, .samples = copy};
        SCOPED(seg_raster) raster;
        SCOPED(seg_mask) scribbles;
        seg_scribbles_about about;
        for (int i = 0; i < SAMPLES; i++)
            copy[i] = bits == 16 ? sample[i] : (uint16_t)((sample[i] + 128u) / 257u);
        for (int x = 30; x < 50; x++)
            copy[3 * (30 * W + x)] = (uint16_t)((1u << bits) - 1), copy[3 * (30 * W + x) + 1] = 0,
                               copy[3 * (30 * W + x) + 2] = 0;
        SCOPED(made_file) file = make_png(&recipe);
        assert_ok(&ctx, seg_raster_decode(&ctx, file.bytes, file.size, "copy.png", &raster));
        assert_ok(&ctx, seg_scribbles_from_raster(
                            &(seg_scribbles_job){&ctx, "copy.png", &photo, NULL, &scribbles, &about}, &raster));
        assert_int_equal(scribbles.labels, 1);
        for (int p = 0; p < W * H; p++)
            assert_int_equal(scribbles.label[p], p / W == 30 && p % W >= 30 && p % W < 50);
    }
}
