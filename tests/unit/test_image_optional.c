/* WebP, GIF, HEIC, AVIF, JPEG XL and JPEG 2000, as other programs write them, read by libvips. */
#include "picture_files.h"

#include "image/formats/decoders.h"

/* Of images that lose a little: within `most` of what was put in, 48 x 32 (x 5, y 7, 3x + 2y). */
static void check_ramp(const seg_raster *raster, int bits, int most) {
    int worst = 0;
    assert_int_equal(raster->width, 48);
    assert_int_equal(raster->height, 32);
    assert_int_equal(raster->bits, bits);
    assert_int_equal(raster->kind, SEG_RASTER_RGB);
    for (int i = 0; i < 48 * 32 * 3; i++) {
        const int x = i / 3 % 48, y = i / 3 / 48;
        const int wanted = i % 3 == 0 ? 5 * x : i % 3 == 1 ? 7 * y : (3 * x + 2 * y) % 256;
        const int found = bits > 8 ? raster->sample16[i] * 255 / ((1 << bits) - 1) : raster->sample8[i];
        worst = abs(found - wanted) > worst ? abs(found - wanted) : worst;
    }
    if (worst > most)
        fail_msg("a sample is %d off", worst);
}

static void next_picture(seg_raster *raster, const char *name) {
    seg_raster_free(raster);
    *raster = read_picture("vips", name);
}

/* Opacity from 0 above to 255 below. */
static void check_ramp_of_opacity(const seg_raster *raster) {
    const size_t last = (size_t)raster->width * (size_t)raster->height - 1;
    assert_non_null(raster->alpha);
    assert_true(raster->alpha[0] < 16 * 257);
    assert_true(raster->alpha[last] > 239 * 257);
    assert_true(abs(raster->alpha[last / 2] - 32768) < 2048);
}

TEST(webp) {
    SCOPED(seg_raster) raster = read_picture("vips", "webp-lossless");
    check_rgb(&raster);
    assert_null(raster.alpha);
    assert_int_equal(raster.lossy, 0);
    next_picture(&raster, "webp-alpha");
    check_rgb(&raster);
    check_opacity(&raster);
    next_picture(&raster, "webp-lossy");
    assert_int_equal(raster.lossy, 1);
    for (int i = 0; i < 32 * 32; i++) {
        assert_near(raster.sample8[3 * i], 4 * (i % 32), 12);
        assert_near(raster.sample8[3 * i + 1], 4. * (i / 32), 12);
    }
    next_picture(&raster, "webp-lossy-alpha");
    check_ramp_of_opacity(&raster);
    next_picture(&raster, "webp-animated"); /* its first picture */
    check_rgb(&raster);
    refuse_picture("vips", "webp-cut-off", SEG_ERR_INPUT, 0, "damaged");
    check_limit("vips", "webp-alpha");
    check_limit("vips", "webp-lossy");
}

static unsigned gif_index(int x, int y) {
    return (unsigned)(x + WIDTH * y) % 6;
}

/* Outside the picture and where it is transparent the index is 0. */
static void check_gif(const char *name, int width, int height, int left, int top, int transparent) {
    static const uint8_t palette[6][3] = {{0}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 0}, {9, 99, 200}};
    SCOPED(seg_raster) raster = read_picture("vips", name);
    assert_int_equal(raster.kind, SEG_RASTER_PALETTE);
    assert_int_equal(raster.width, width);
    assert_int_equal(raster.height, height);
    assert_memory_equal(raster.palette, palette, sizeof palette);
    assert_int_equal(raster.alpha != NULL, transparent >= 0);
    for (int i = 0; i < width * height; i++) {
        const int x = i % width - left, y = i / width - top, inside = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
        const int seen = inside && (int)gif_index(x, y) != transparent;
        assert_int_equal(raster.sample8[i], seen ? gif_index(x, y) : 0);
        if (raster.alpha)
            assert_int_equal(raster.alpha[i], seen ? 65535 : 0);
    }
}

TEST(gif) {
    check_gif("gif-plain", WIDTH, HEIGHT, 0, 0, -1);
    check_gif("gif-interlaced", WIDTH, HEIGHT, 0, 0, -1);
    check_gif("gif-transparent", WIDTH, HEIGHT, 0, 0, 2);
    check_gif("gif-offset", 10, 8, 2, 1, -1);
    check_gif("gif-beyond", 9, 6, 2, 1, -1);
    refuse_picture("vips", "gif-cut-off", SEG_ERR_INPUT, 0, "damaged");
    refuse_picture("vips", "gif-empty", SEG_ERR_INPUT, 0, "damaged");
    SCOPED(seg_raster) raster = read_picture("vips", "gif-animated"); /* its second picture has a palette of its own */
    assert_int_equal(raster.kind, SEG_RASTER_RGB);
    assert_int_equal(raster.sample8[3], 255);
    assert_int_equal(raster.sample8[4], 0);
    check_limit("vips", "gif-plain");
}

TEST(heif) {
    static const char *const names[] = {"heif-heic", "heif-avif"};
    SCOPED(seg_raster) raster = {0};
    for (int i = 0; i < 2; i++) {
        next_picture(&raster, names[i]);
        check_ramp(&raster, 8, 4);
        assert_null(raster.alpha);
        assert_int_equal(raster.lossy, 1);
    }
    next_picture(&raster, "heif-heic-10");
    check_ramp(&raster, 10, 40); /* colours at half the resolution */
    next_picture(&raster, "heif-heic-alpha");
    check_ramp_of_opacity(&raster);
    next_picture(&raster, "heif-avif-alpha");
    check_ramp_of_opacity(&raster);
    refuse_picture("vips", "heif-cut-off", SEG_ERR_INPUT, 0, "damaged");
    check_limit("vips", "heif-heic-10");
    check_limit("vips", "heif-avif-alpha");
}

TEST(jxl) {
    SCOPED(seg_raster) raster = read_picture("vips", "jxl-lossless");
    check_rgb(&raster);
    assert_int_equal(raster.lossy, 1); /* libvips does not tell */
    next_picture(&raster, "jxl-alpha");
    check_rgb(&raster);
    check_opacity(&raster);
    next_picture(&raster, "jxl-grey16");
    assert_int_equal(raster.kind, SEG_RASTER_GREY);
    assert_int_equal(raster.bits, 16);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(raster.sample16[i], 1800 * i);
    next_picture(&raster, "jxl-grey");
    assert_int_equal(raster.channels, 1);
    assert_int_equal(raster.bits, 8);
    next_picture(&raster, "jxl-lossy");
    check_ramp(&raster, 8, 24);
    assert_int_equal(raster.lossy, 1);
    next_picture(&raster, "jxl-jpeg"); /* a JPEG of 7 x 5 that is to be turned clockwise */
    assert_int_equal(raster.width, HEIGHT);
    assert_int_equal(raster.height, WIDTH);
    assert_int_equal(raster.lossy, 1);
    refuse_picture("vips", "jxl-cut-off", SEG_ERR_INPUT, 0, "damaged");
    refuse_picture("vips", "jxl-begin", SEG_ERR_INPUT, 0, "damaged");
    check_limit("vips", "jxl-lossless");
    check_limit("vips", "jxl-grey16");
}

TEST(jp2) {
    SCOPED(seg_raster) raster = read_picture("vips", "jp2-lossless");
    check_rgb(&raster);
    assert_int_equal(raster.lossy, 1); /* libvips does not tell */
    refuse_picture("vips", "jp2-cut-off", SEG_ERR_INPUT, 0, "damaged");
    check_limit("vips", "jp2-lossless");
    assert_string_equal(seg_image_format("\xFF\x4F\xFF\x51", 4), "JPEG 2000");
    assert_null(seg_image_format("no image", 8));
}

/* A library that is not there, and one that lacks a function, end in a sentence that names the remedy. */
TEST(missing_libraries) {
    static const char *const names[] = {"strlen", "a_function_that_nobody_has"};
    void *calls[2] = {NULL, NULL};
    const seg_late_library absent = {"libabsent.so.7", "libabsent7", 1, names};
    const seg_late_library old = {"libc.so.6", "libc6", 2, names}, good = {"libc.so.6", "libc6", 1, names};
    assert_fails(&ctx, seg_late_load(&ctx, &absent, "a.webp", "a WebP image", calls), SEG_ERR_INPUT,
                 "'a.webp' is a WebP image, and libabsent.so.7");
    assert_says(&ctx, "install Debian's libabsent7");
    assert_fails(&ctx, seg_late_load(&ctx, &old, "a.webp", "a WebP image", calls), SEG_ERR_INPUT,
                 "no a_function_that_nobody_has");
    calls[0] = NULL;
    assert_ok(&ctx, seg_late_load(&ctx, &good, "a.webp", "a WebP image", calls));
    assert_non_null(calls[0]);
}
