/* Damaged files: every truncation and many random corruptions of each format either decode or are refused with a
 * sentence that names the file. Run with the sanitizers this also shows that nothing is read or written out of place.
 */
#include "check.h"
#include "image_makers.h"

#include "image_in_memory.h"

#define WIDTH       19
#define HEIGHT      17
#define CORRUPTIONS 700 /* a file */

static uint16_t samples16[WIDTH * HEIGHT * 4];
static uint8_t samples8[WIDTH * HEIGHT * 4];
static uint32_t pixels[WIDTH * HEIGHT];
static volatile unsigned char seen;

static void prepare(unsigned most) {
    for (unsigned i = 0; i < sizeof samples8; i++) {
        samples16[i] = (uint16_t)(i * 7919u % (most + 1));
        samples8[i] = (uint8_t)(i * 31u >> 2);
    }
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = i * 2654435761u & most;
}

/* Decode a copy that ends exactly where its memory does, so that reading on is seen. @return whether it was accepted */
static int survives(const unsigned char *bytes, size_t size) {
    SCOPED(seg_image) image;
    AUTOFREE unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    ctx.threads = 1;
    seg_status status = image_read_memory(&ctx, copy, size, "hostile.dat", &image);
    if (status == SEG_OK) {
        size_t all = (size_t)image.width * (size_t)image.height * 3 * (size_t)(image.depth / 8);
        for (size_t i = 0; i < all; i++)
            seen = ((unsigned char *)image.data)[i]; /* all of it is there */
        (void)seen;
    } else {
        assert_fails(&ctx, status, SEG_ERR_INPUT, "'hostile.dat'");
        assert_null(image.data);
        assert_int_equal(image.width, 0);
    }
    return status == SEG_OK;
}

/* @param spare  bytes at the end that may be missing */
static void attack(made_file file, size_t spare) {
    seg_random random = seg_random_seeded(2024, file.size);
    assert_true(survives(file.bytes, file.size));
    for (size_t size = 0; size < file.size; size++)
        assert_int_equal(survives(file.bytes, size), size + spare >= file.size);
    AUTOFREE unsigned char *copy = malloc(file.size);
    for (int i = 0; i < CORRUPTIONS; i++) {
        memcpy(copy, file.bytes, file.size);
        uint64_t changes = 1 + seg_random_below(&random, 4);
        /* every other time in the first 64 bytes, where the headers are */
        size_t reach = i % 2 && file.size > 64 ? 64 : file.size;
        for (uint64_t c = 0; c < changes; c++) {
            size_t at = (size_t)seg_random_below(&random, reach);
            copy[at] = seg_random_below(&random, 2) ? (unsigned char)seg_random_below(&random, 256)
                                                    : (unsigned char)(copy[at] ^ 1u << seg_random_below(&random, 8));
        }
        survives(copy, file.size);
    }
    made_file_free(&file);
}

TEST(damaged_png) {
    const png_color palette[4] = {{1, 2, 3}, {40, 50, 60}, {70, 80, 90}, {255, 0, 255}};
    const uint8_t opacity[2] = {0, 128};
    prepare(3);
    png_recipe recipe = PNG_RECIPE(WIDTH, HEIGHT, PNG_COLOR_TYPE_PALETTE, 2, samples16, .palette = palette,
                                   .palette_count = 4, .opacity = opacity, .opacity_count = 2);
    attack(make_png(&recipe), 0);
    prepare(65535);
    recipe = (png_recipe)PNG_RECIPE(WIDTH, HEIGHT, PNG_COLOR_TYPE_RGB_ALPHA, 16, samples16, .interlaced = 1);
    attack(make_png(&recipe), 0);
}

static uint32_t crc_of(const unsigned char *bytes, size_t size) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* Corruptions whose check sums are mended, so that they come past the first gate. */
TEST(damaged_png_with_good_check_sums) {
    seg_random random = seg_random_seeded(77, 0);
    for (int kind = 0; kind < 4; kind++) {
        const int types[4] = {PNG_COLOR_TYPE_PALETTE, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_GRAY_ALPHA};
        const png_color palette[2] = {{1, 2, 3}, {40, 50, 60}};
        const uint8_t opacity[2] = {0, 128};
        const png_color_16 key = {.gray = 1, .red = 2, .green = 3, .blue = 4};
        prepare(1);
        png_recipe recipe =
            PNG_RECIPE(WIDTH, HEIGHT, types[kind], kind == 0 ? 1 : 8, samples16, .interlaced = kind & 1);
        if (kind == 0) {
            recipe.palette = palette;
            recipe.palette_count = 2;
            recipe.opacity = opacity;
            recipe.opacity_count = 2;
        } else if (kind < 3) {
            recipe.key = &key;
        }
        SCOPED(made_file) file = make_png(&recipe);
        AUTOFREE unsigned char *copy = malloc(file.size);
        for (int i = 0; i < CORRUPTIONS; i++) {
            memcpy(copy, file.bytes, file.size);
            for (size_t at = 8; at + 12 <= file.size;) { /* chunk by chunk */
                size_t length = (size_t)file.bytes[at + 2] << 8 | file.bytes[at + 3];
                if (length && seg_random_below(&random, 2)) {
                    copy[at + 8 + seg_random_below(&random, length)] ^=
                        (unsigned char)(1u << seg_random_below(&random, 8));
                    uint32_t crc = crc_of(copy + at + 4, length + 4);
                    for (int b = 0; b < 4; b++)
                        copy[at + 8 + length + (size_t)b] = (unsigned char)(crc >> (24 - 8 * b));
                }
                at += 12 + length;
            }
            survives(copy, file.size);
        }
    }
}

TEST(damaged_jpeg) {
    prepare(255);
    jpeg_recipe recipe = JPEG_RECIPE(WIDTH, HEIGHT, 3, samples8, .subsample = 1, .orientation = 6);
    attack(make_jpeg(&recipe), 0);
    recipe = (jpeg_recipe){.width = WIDTH, .height = HEIGHT, .channels = 1, .samples = samples8, .progressive = 1};
    attack(make_jpeg(&recipe), 0);
    recipe =
        (jpeg_recipe){.width = WIDTH, .height = HEIGHT, .channels = 4, .samples = samples8, .ycck = 1, .arithmetic = 1};
    attack(make_jpeg(&recipe), 0);
}

TEST(damaged_bmp) {
    const uint32_t palette[16] = {1, 22, 333, 4444, 55555, 666666, 7777777};
    prepare(0xFFFFFF);
    bmp_recipe recipe = {.width = WIDTH, .height = HEIGHT, .bits = 24, .header = 40, .pixels = pixels};
    attack(make_bmp(&recipe), 3); /* 57 bytes and 3 of padding in the last row */
    prepare(15);
    recipe = (bmp_recipe)BMP_RECIPE(WIDTH, HEIGHT, 4, 40, pixels, .palette = palette, .palette_count = 16);
    attack(make_bmp(&recipe), 2);
    prepare(0xFFFFFF);
    recipe =
        (bmp_recipe)BMP_RECIPE(WIDTH, -HEIGHT, 32, 108, pixels, .compression = 3, .mask = {0xFF, 0xFF00, 0xFF0000});
    attack(make_bmp(&recipe), 0);
}
