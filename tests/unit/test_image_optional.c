/* WebP, GIF, HEIC, AVIF and JPEG XL, as other programs write them; the build may lack the library of each. */
#include "picture_files.h"

#include "image/late_library.h"

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

/* Opacity from 0 above to 255 below. */
static void check_ramp_of_opacity(const seg_raster *raster) {
    const size_t last = (size_t)raster->width * (size_t)raster->height - 1;
    assert_non_null(raster->alpha);
    assert_true(raster->alpha[0] < 16 * 257);
    assert_true(raster->alpha[last] > 239 * 257);
    assert_true(abs(raster->alpha[last / 2] - 32768) < 2048);
}

static void webp(void **state) {
    (void)state;
#ifndef SEG_LIBRARY_WEBP
    refuse_picture("webp", "lossless", SEG_ERR_INPUT, 0, "libwebp-dev");
#else
    seg_raster raster;
    read_picture("webp", "lossless", &raster);
    check_rgb(&raster);
    assert_null(raster.alpha);
    assert_int_equal(raster.lossy, 0);
    seg_raster_free(&raster);
    read_picture("webp", "alpha", &raster);
    check_rgb(&raster);
    check_opacity(&raster);
    seg_raster_free(&raster);
    read_picture("webp", "lossy", &raster);
    assert_int_equal(raster.lossy, 1);
    for (int i = 0; i < 32 * 32; i++) {
        assert_near(raster.sample8[3 * i], 4 * (i % 32), 12);
        assert_near(raster.sample8[3 * i + 1], 4. * (i / 32), 12);
    }
    seg_raster_free(&raster);
    read_picture("webp", "lossy-alpha", &raster);
    check_ramp_of_opacity(&raster);
    seg_raster_free(&raster);
    refuse_picture("webp", "animated", SEG_ERR_INPUT, 0, "animated");
    refuse_picture("webp", "cut-off", SEG_ERR_INPUT, 0, "truncated");
    check_limit("webp", "alpha");
    check_limit("webp", "lossy");
#endif
}

#ifdef SEG_LIBRARY_GIF
static unsigned gif_index(int x, int y) {
    return (unsigned)(x + WIDTH * y) % 6;
}

static void check_gif(const char *name, int width, int height, int left, int top, int transparent) {
    static const uint8_t palette[6][3] = {{0}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 0}, {9, 99, 200}};
    seg_raster raster;
    read_picture("gif", name, &raster);
    assert_int_equal(raster.kind, SEG_RASTER_PALETTE);
    assert_int_equal(raster.width, width);
    assert_int_equal(raster.height, height);
    assert_memory_equal(raster.palette, palette, sizeof palette);
    for (int i = 0; i < width * height; i++) {
        const int x = i % width - left, y = i / width - top, inside = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
        if (inside)
            assert_int_equal(raster.sample8[i], gif_index(x, y));
        if (raster.alpha)
            assert_int_equal(raster.alpha[i], inside && (int)gif_index(x, y) != transparent ? 65535 : 0);
        else
            assert_true(inside && transparent < 0);
    }
    seg_raster_free(&raster);
}
#endif

static void gif(void **state) {
    (void)state;
#ifndef SEG_LIBRARY_GIF
    refuse_picture("gif", "plain", SEG_ERR_INPUT, 0, "libgif-dev");
#else
    check_gif("plain", WIDTH, HEIGHT, 0, 0, -1);
    check_gif("interlaced", WIDTH, HEIGHT, 0, 0, -1);
    check_gif("animated", WIDTH, HEIGHT, 0, 0, -1);
    check_gif("transparent", WIDTH, HEIGHT, 0, 0, 2);
    check_gif("offset", 10, 8, 2, 1, -1);
    check_gif("beyond", 9, 6, 2, 1, -1);
    refuse_picture("gif", "cut-off", SEG_ERR_INPUT, 0, "truncated");
    refuse_picture("gif", "empty", SEG_ERR_INPUT, 0, "without a picture");
    refuse_picture("gif", "no-palette", SEG_ERR_INPUT, 0, "damaged");
    refuse_picture("gif", "vast", SEG_ERR_INPUT, 0, "too large");
    check_limit("gif", "plain");
#endif
}

static void heif(void **state) {
    (void)state;
#ifndef SEG_LIBRARY_HEIF
    refuse_picture("heif", "heic", SEG_ERR_INPUT, 0, "libheif-dev");
    refuse_picture("heif", "avif", SEG_ERR_INPUT, 0, "libheif-dev");
#else
    static const char *const names[] = {"heic", "avif"};
    seg_raster raster;
    for (int i = 0; i < 2; i++) {
        read_picture("heif", names[i], &raster);
        check_ramp(&raster, 8, 4);
        assert_null(raster.alpha);
        assert_int_equal(raster.lossy, 1);
        seg_raster_free(&raster);
    }
    read_picture("heif", "heic-10", &raster);
    check_ramp(&raster, 10, 40); /* colours at half the resolution */
    seg_raster_free(&raster);
    read_picture("heif", "heic-alpha", &raster);
    check_ramp_of_opacity(&raster);
    seg_raster_free(&raster);
    read_picture("heif", "avif-alpha", &raster);
    check_ramp_of_opacity(&raster);
    seg_raster_free(&raster);
    refuse_picture("heif", "cut-off", SEG_ERR_INPUT, 0, "damaged");
    check_limit("heif", "heic-10");
    check_limit("heif", "avif-alpha");
#endif
}

static void jxl(void **state) {
    (void)state;
#ifndef SEG_LIBRARY_JXL
    refuse_picture("jxl", "lossless", SEG_ERR_INPUT, 0, "libjxl-dev");
#else
    seg_raster raster;
    read_picture("jxl", "lossless", &raster);
    check_rgb(&raster);
    assert_int_equal(raster.lossy, 0);
    seg_raster_free(&raster);
    read_picture("jxl", "alpha", &raster);
    check_rgb(&raster);
    check_opacity(&raster);
    seg_raster_free(&raster);
    read_picture("jxl", "grey16", &raster);
    assert_int_equal(raster.kind, SEG_RASTER_GREY);
    assert_int_equal(raster.bits, 16);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(raster.sample16[i], 1800 * i);
    seg_raster_free(&raster);
    read_picture("jxl", "grey", &raster);
    assert_int_equal(raster.channels, 1);
    assert_int_equal(raster.bits, 8);
    seg_raster_free(&raster);
    read_picture("jxl", "lossy", &raster);
    check_ramp(&raster, 8, 24);
    assert_int_equal(raster.lossy, 1);
    seg_raster_free(&raster);
    read_picture("jxl", "jpeg", &raster); /* a JPEG of 7 x 5 that is to be turned clockwise */
    assert_int_equal(raster.width, HEIGHT);
    assert_int_equal(raster.height, WIDTH);
    assert_int_equal(raster.lossy, 1);
    seg_raster_free(&raster);
    read_picture("jxl", "animated", &raster);
    assert_int_equal(raster.width, WIDTH);
    assert_int_equal(raster.sample8[3], 255); /* the second pixel of the first picture is red */
    assert_int_equal(raster.sample8[4], 0);
    seg_raster_free(&raster);
    refuse_picture("jxl", "cut-off", SEG_ERR_INPUT, 0, "truncated");
    refuse_picture("jxl", "begin", SEG_ERR_INPUT, 0, "truncated");
    check_limit("jxl", "lossless");
    check_limit("jxl", "grey16");
#endif
}

/* A library that is not there, and one that lacks a function, end in a sentence that names the remedy. */
static void missing_libraries(void **state) {
    static const char *const names[] = {"strlen", "a_function_that_nobody_has"};
    void *calls[2] = {NULL, NULL};
    const seg_late_library absent = {"libabsent.so.7", "libabsent7", 1, names};
    const seg_late_library old = {"libc.so.6", "libc6", 2, names}, good = {"libc.so.6", "libc6", 1, names};
    seg_context ctx;
    (void)state;
    seg_context_init(&ctx);
    assert_int_equal(seg_late_load(&ctx, &absent, "a.webp", "a WebP image", calls), SEG_ERR_INPUT);
    assert_non_null(strstr(ctx.message, "'a.webp' is a WebP image, and libabsent.so.7"));
    assert_non_null(strstr(ctx.message, "install Debian's libabsent7"));
    assert_int_equal(seg_late_load(&ctx, &old, "a.webp", "a WebP image", calls), SEG_ERR_INPUT);
    assert_non_null(strstr(ctx.message, "no a_function_that_nobody_has"));
    calls[0] = NULL;
    assert_ok(&ctx, seg_late_load(&ctx, &good, "a.webp", "a WebP image", calls));
    assert_non_null(calls[0]);
    seg_context_end(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(webp),
        cmocka_unit_test(gif),
        cmocka_unit_test(heif),
        cmocka_unit_test(jxl),
        cmocka_unit_test(missing_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
