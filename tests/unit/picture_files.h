/* Images that other programs wrote, tests/fuzz/corpus/KIND/NAME, and the pixels that are in them. */
#ifndef TESTS_PICTURE_FILES_H
#define TESTS_PICTURE_FILES_H

#include "check.h"

#include "image/raster.h"

#define WIDTH  7
#define HEIGHT 5

/* Channel c of pixel (x, y) of most of them. */
static inline unsigned made_sample(int x, int y, int c) {
    return c == 0   ? (unsigned)(40 * x + 3 * y) % 256
           : c == 1 ? (unsigned)(250 - 30 * x + 4 * y) % 256
                    : 50u * (unsigned)y;
}

static inline unsigned made_opacity(int x) {
    return x < 3 ? 65535 : x < 5 ? 128 * 257 : 0;
}

static inline const char *picture_path(const char *kind, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s/%s", SEGMENT_SOURCE_DIR, kind, name);
    return path;
}

static inline seg_raster read_picture(const char *kind, const char *name) {
    seg_raster made = {0};
    assert_ok(&ctx, seg_raster_read(&ctx, picture_path(kind, name), &made));
    return made;
}

/* The file is refused with that status, in a sentence that has `expected`. */
static inline void refuse_picture(const char *kind, const char *name, seg_status wanted, size_t max_memory,
                                  const char *expected) {
    seg_image image;
    ctx.max_memory = max_memory;
    assert_int_equal(seg_image_read(&ctx, picture_path(kind, name), &image), wanted);
    ctx.max_memory = 0;
    assert_null(image.data);
    if (!strstr(ctx.message, expected) || (wanted == SEG_ERR_INPUT && !strstr(ctx.message, name)))
        fail_msg("%s/%s: '%s' lacks '%s'", kind, name, ctx.message, expected);
}

/* The header tells what the pixels are, and nothing of them is decoded beyond the limit. */
static inline void check_limit(const char *kind, const char *name) {
    seg_image_header header;
    seg_raster raster = read_picture(kind, name);
    assert_ok(&ctx, seg_image_header_read(&ctx, picture_path(kind, name), 0, &header));
    assert_int_equal(header.width, raster.width);
    assert_int_equal(header.height, raster.height);
    assert_int_equal(header.depth, raster.bits > 8 ? 16 : 8);
    seg_raster_free(&raster);
    refuse_picture(kind, name, SEG_ERR_LIMIT, 1, "the limit is");
}

static inline void check_rgb(const seg_raster *raster) {
    assert_int_equal(raster->kind, SEG_RASTER_RGB);
    assert_int_equal(raster->bits, 8);
    assert_int_equal(raster->width, WIDTH);
    assert_int_equal(raster->height, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        assert_int_equal(raster->sample8[i], made_sample(i / 3 % WIDTH, i / 3 / WIDTH, i % 3));
}

static inline void check_opacity(const seg_raster *raster) {
    assert_non_null(raster->alpha);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(raster->alpha[i], made_opacity(i % WIDTH));
}

#endif
