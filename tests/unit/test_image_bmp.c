/* BMP: the headers and depths that programs write, and what is refused. */
#include "check.h"
#include "image_makers.h"

#include "image_in_memory.h"

#define WIDTH  5
#define HEIGHT 3

static uint32_t pixels[WIDTH * HEIGHT];
static uint32_t palette[256];

static void prepare(uint32_t mask) {
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = (0x9E3779B9u * (i + 1)) & mask;
    for (uint32_t i = 0; i < 256; i++)
        palette[i] = 0x85EBCAu * (i + 3) & 0xFFFFFF;
}

static seg_raster decode(const bmp_recipe *recipe) {
    seg_raster raster;
    SCOPED(made_file) file = make_bmp(recipe);
    assert_ok(&ctx, seg_raster_decode(&ctx, file.bytes, file.size, "made.bmp", &raster));
    assert_int_equal(raster.width, WIDTH);
    assert_int_equal(raster.height, HEIGHT);
    assert_int_equal(raster.lossy, 0);
    return raster;
}

static void refuse(const made_file *file, const char *expected) {
    seg_image image;
    assert_int_equal(image_read_memory(&ctx, file->bytes, file->size, "made.bmp", &image), SEG_ERR_INPUT);
    assert_null(image.data);
    assert_says(&ctx, "'made.bmp'");
    if (!strstr(ctx.message, expected))
        fail_msg("'%s' lacks '%s'", ctx.message, expected);
}

static void refuse_recipe(const bmp_recipe *recipe, const char *expected) {
    SCOPED(made_file) file = make_bmp(recipe);
    refuse(&file, expected);
}

static void check_rgb(const seg_raster *raster) {
    assert_int_equal(raster->kind, SEG_RASTER_RGB);
    assert_int_equal(raster->bits, 8);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        for (int c = 0; c < 3; c++)
            assert_int_equal(raster->sample8[3 * i + c], pixels[i] >> (16 - 8 * c) & 255);
}

TEST(true_colour_of_every_header) {
    const int headers[] = {12, 40, 52, 56, 64, 108, 124};
    prepare(0xFFFFFF);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        for (int top_down = 0; top_down < (headers[i] == 12 ? 1 : 2); top_down++)
            for (int gap = 0; gap <= 20; gap += 10) {
                bmp_recipe recipe = BMP_RECIPE(WIDTH, top_down ? -HEIGHT : HEIGHT, 24, headers[i], pixels, .gap = gap);
                SCOPED(seg_raster) raster = decode(&recipe);
                check_rgb(&raster);
                assert_null(raster.alpha);
            }
}

/* The fourth byte is not opacity where it is 0 or 255 everywhere. */
TEST(thirty_two_bits) {
    for (int form = 0; form < 3; form++) {
        prepare(form == 1 ? 0xFFFFFF : 0xFFFFFFFF);
        for (int i = 0; i < WIDTH * HEIGHT && form == 2; i++)
            pixels[i] |= 0xFF000000;
        bmp_recipe recipe = {.width = WIDTH, .height = HEIGHT, .bits = 32, .header = 40, .pixels = pixels};
        SCOPED(seg_raster) raster = decode(&recipe);
        check_rgb(&raster);
        assert_true((raster.alpha != NULL) == (form == 0));
        for (int i = 0; i < WIDTH * HEIGHT && form == 0; i++)
            assert_int_equal(raster.alpha[i], (pixels[i] >> 24) * 257);
    }
}

TEST(colour_masks) {
    prepare(0xFFFFFFFF);
    const uint32_t masks[4] = {0xFF000000, 0x00FF0000, 0x0000FF00, 0x000000FF};
    const int headers[] = {40, 40, 52, 56, 108, 124};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        int compression = i == 0 ? 6 : 3, has_alpha = i == 0 || headers[i] >= 56;
        bmp_recipe recipe = BMP_RECIPE(WIDTH, HEIGHT, 32, headers[i], pixels, .compression = compression);
        memcpy(recipe.mask, masks, sizeof masks);
        SCOPED(seg_raster) raster = decode(&recipe);
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            for (int c = 0; c < 3; c++)
                assert_int_equal(raster.sample8[3 * p + c], pixels[p] >> (24 - 8 * c) & 255);
            if (has_alpha)
                assert_int_equal(raster.alpha[p], (pixels[p] & 255) * 257);
        }
        assert_true((raster.alpha != NULL) == has_alpha);
    }
}

TEST(masks_that_are_no_channel) {
    prepare(0xFFFFFFFF);
    static const uint32_t odd[] = {0, 0x00F0F000, 0x3FF00000, 0xFFFFFFFF, 0x7C00, 0x0FF0};
    for (size_t o = 0; o < sizeof odd / sizeof *odd; o++)
        for (int c = 0; c < 4; c++) {
            bmp_recipe recipe = BMP_RECIPE(WIDTH, HEIGHT, 32, 108, pixels, .compression = 3,
                                           .mask = {0xFF000000, 0xFF0000, 0xFF00, 0xFF});
            recipe.mask[c] = odd[o];
            if (c < 3 || odd[o])
                refuse_recipe(&recipe, "colour masks");
        }
    for (int masked = 0; masked < 2; masked++) {
        bmp_recipe narrow =
            BMP_RECIPE(WIDTH, HEIGHT, 16, 108, pixels, .compression = masked ? 3 : 0, .mask = {0xF800, 0x7E0, 0x1F, 0});
        refuse_recipe(&narrow, "24 or 32 bits");
    }
}

TEST(palettes_keep_their_indices) {
    const int depths[] = {1, 4, 8};
    const int headers[] = {12, 40, 124};
    for (int d = 0; d < 3; d++)
        for (int h = 0; h < 3; h++) {
            int entries = 1 << depths[d];
            prepare((uint32_t)entries - 1);
            bmp_recipe recipe =
                BMP_RECIPE(WIDTH, HEIGHT, depths[d], headers[h], pixels, .palette = palette, .palette_count = entries);
            SCOPED(seg_raster) raster = decode(&recipe);
            assert_int_equal(raster.kind, SEG_RASTER_PALETTE);
            assert_int_equal(raster.bits, depths[d]);
            assert_int_equal(raster.palette_count, entries);
            for (int i = 0; i < WIDTH * HEIGHT; i++)
                assert_int_equal(raster.sample8[i], pixels[i]);
            for (int i = 0; i < entries; i++)
                for (int c = 0; c < 3; c++)
                    assert_int_equal(raster.palette[i][c], palette[i] >> (16 - 8 * c) & 255);
        }
}

TEST(short_palette_and_grey_ramp) {
    prepare(3);
    pixels[0] = 9; /* beyond the five entries: black, not whatever lies behind them */
    bmp_recipe recipe = BMP_RECIPE(WIDTH, HEIGHT, 8, 40, pixels, .palette = palette, .palette_count = 8, .listed = 5);
    SCOPED(seg_raster) raster = decode(&recipe);
    assert_int_equal(raster.palette_count, 10);
    assert_int_equal(raster.sample8[0], 9);
    assert_int_equal(raster.palette[9][0] | raster.palette[9][1] | raster.palette[9][2], 0);
    assert_int_equal(raster.palette[5][0] | raster.palette[5][1] | raster.palette[5][2], 0);
    seg_raster_free(&raster);
    for (uint32_t i = 0; i < 256; i++)
        palette[i] = i * 0x010101;
    recipe.palette_count = 256;
    recipe.listed = 0;
    raster = decode(&recipe);
    assert_int_equal(raster.kind, SEG_RASTER_GREY);
    assert_int_equal(raster.palette_count, 0);
    assert_int_equal(raster.sample8[0], 9);
}

TEST(what_is_not_read_is_named) {
    prepare(1);
    bmp_recipe recipe =
        BMP_RECIPE(WIDTH, HEIGHT, 8, 40, pixels, .compression = 1, .palette = palette, .palette_count = 2);
    refuse_recipe(&recipe, "run-length");
    recipe.compression = 4;
    refuse_recipe(&recipe, "compression");
    recipe.compression = 3;
    refuse_recipe(&recipe, "masks");
    recipe.compression = 0;
    recipe.palette_count = 0;
    refuse_recipe(&recipe, "no palette");
    recipe = (bmp_recipe){.width = 4, .height = 3, .bits = 24, .header = 40, .pixels = pixels};
    SCOPED(made_file) file = make_bmp(&recipe);
    file.bytes[20] = 2; /* width 131076 */
    refuse(&file, "too large");
    file.bytes[20] = 0;
    memset(file.bytes + 18, 0, 4);
    refuse(&file, "damaged");
    memcpy(file.bytes + 18, "\4\0\0\0\0\0\0\x80", 8); /* height -2^31 */
    refuse(&file, "too large");
    memcpy(file.bytes + 18, "\4\0\0\0\3\0\0\0", 8);
    file.bytes[10] = 20; /* pixels within the header */
    refuse(&file, "overlap");
    file.bytes[10] = 55;
    refuse(&file, "truncated");
}

TEST(padding_of_the_last_row_may_miss) {
    SCOPED(seg_raster) raster;
    prepare(0xFFFFFF);
    const bmp_recipe recipe = {.width = WIDTH, .height = HEIGHT, .bits = 24, .header = 40, .pixels = pixels};
    SCOPED(made_file) file = make_bmp(&recipe); /* 15 + 1 bytes per row */
    file.size--;
    assert_ok(&ctx, seg_raster_decode(&ctx, file.bytes, file.size, "made.bmp", &raster));
    check_rgb(&raster);
    file.size--;
    refuse(&file, "truncated");
}
