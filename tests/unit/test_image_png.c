/* PNG: every kind is read back to the samples that were written, and becomes the image that the standard says. */
#include "check.h"
#include "image_makers.h"

#include "image_in_memory.h"

#define WIDTH  13 /* odd, so that rows end inside a byte and every interlacing pass is ragged */
#define HEIGHT 11

typedef struct kind {
    int type, bits;
} kind;

static const kind kinds[] = {
    {PNG_COLOR_TYPE_GRAY, 1},       {PNG_COLOR_TYPE_GRAY, 2},       {PNG_COLOR_TYPE_GRAY, 4},
    {PNG_COLOR_TYPE_GRAY, 8},       {PNG_COLOR_TYPE_GRAY, 16},      {PNG_COLOR_TYPE_PALETTE, 1},
    {PNG_COLOR_TYPE_PALETTE, 2},    {PNG_COLOR_TYPE_PALETTE, 4},    {PNG_COLOR_TYPE_PALETTE, 8},
    {PNG_COLOR_TYPE_RGB, 8},        {PNG_COLOR_TYPE_RGB, 16},       {PNG_COLOR_TYPE_RGB_ALPHA, 8},
    {PNG_COLOR_TYPE_RGB_ALPHA, 16}, {PNG_COLOR_TYPE_GRAY_ALPHA, 8}, {PNG_COLOR_TYPE_GRAY_ALPHA, 16},
};

static png_color palette[256];
static uint8_t opacity[256];
static uint16_t samples[WIDTH * HEIGHT * 4];

static void prepare(const kind *k, uint64_t seed) {
    seg_random random = seg_random_seeded(seed, 0);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        samples[i] = (uint16_t)seg_random_below(&random, (uint64_t)1 << k->bits);
    for (int i = 0; i < 256; i++) {
        palette[i] = (png_color){(uint8_t)seg_random_below(&random, 256), (uint8_t)seg_random_below(&random, 256),
                                 (uint8_t)seg_random_below(&random, 256)};
        opacity[i] = (uint8_t)seg_random_below(&random, 256);
    }
}

static unsigned sample_of(const seg_raster *raster, size_t i) {
    return raster->bits > 8 ? raster->sample16[i] : raster->sample8[i];
}

/* c over white by real arithmetic. */
static double over_white(double c, double white, double alpha) {
    return c * alpha + white * (1 - alpha);
}

/* transparency: 0 none, 1 a tRNS chunk (palette or key) */
static void check_kind(const kind *k, int interlaced, int transparency) {
    SCOPED(seg_raster) raster;
    SCOPED(seg_image) image;
    prepare(k, (uint64_t)(k->type * 100 + k->bits));
    int channels = png_channels(k->type), has_alpha = k->type & PNG_COLOR_MASK_ALPHA ? 1 : 0,
        kept = channels - has_alpha;
    png_color_16 key = {.gray = samples[5], .red = samples[15], .green = samples[16], .blue = samples[17]};
    png_recipe recipe = PNG_RECIPE(WIDTH, HEIGHT, k->type, k->bits, samples, .interlaced = interlaced);
    int is_palette = k->type == PNG_COLOR_TYPE_PALETTE;
    if (is_palette) {
        recipe.palette = palette;
        recipe.palette_count = 1 << k->bits;
        if (transparency) {
            recipe.opacity = opacity;
            recipe.opacity_count = (1 << k->bits) - 1; /* the last one stays opaque */
        }
    } else if (transparency) {
        recipe.key = &key;
    }
    SCOPED(made_file) file = make_png(&recipe);
    assert_ok(&ctx, seg_raster_decode(&ctx, file.bytes, file.size, "made.png", &raster));
    assert_int_equal(raster.width, WIDTH);
    assert_int_equal(raster.height, HEIGHT);
    assert_int_equal(raster.bits, k->bits);
    assert_int_equal(raster.channels, kept);
    assert_int_equal(raster.kind, is_palette ? SEG_RASTER_PALETTE : kept == 3 ? SEG_RASTER_RGB : SEG_RASTER_GREY);
    assert_int_equal(raster.lossy, 0);
    assert_true((raster.sample16 != NULL) == (k->bits == 16) && (raster.sample8 != NULL) == (k->bits < 16));
    assert_int_equal(raster.palette_count, is_palette ? 1 << k->bits : 0);
    assert_true((raster.alpha != NULL) == (has_alpha || transparency));
    assert_ok(&ctx, seg_image_from_raster(&ctx, &raster, &image));
    assert_int_equal(image.depth, k->bits == 16 ? 16 : 8);
    assert_int_equal(image.grey, kept == 1 && !is_palette);
    double most = (1 << k->bits) - 1, white = k->bits == 16 ? 65535 : 255;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint16_t *from = samples + i * (size_t)channels;
        double alpha = 1;
        for (int c = 0; c < kept; c++)
            assert_int_equal(sample_of(&raster, i * (size_t)kept + (size_t)c), from[c]);
        if (has_alpha)
            alpha = from[kept] / most;
        else if (transparency && is_palette)
            alpha = from[0] < (1 << k->bits) - 1 ? opacity[from[0]] / 255.0 : 1;
        else if (transparency && kept == 1)
            alpha = from[0] != key.gray;
        else if (transparency)
            alpha = from[0] != key.red || from[1] != key.green || from[2] != key.blue;
        if (raster.alpha)
            assert_near(raster.alpha[i], alpha * 65535, 0);
        for (size_t c = 0; c < 3; c++) {
            const uint8_t rgb[3] = {palette[from[0] & 255].red, palette[from[0] & 255].green,
                                    palette[from[0] & 255].blue};
            double value = is_palette ? rgb[c] : from[kept == 3 ? c : 0] / most * white;
            double seen = k->bits == 16 ? ((uint16_t *)image.data)[3 * i + c] : ((uint8_t *)image.data)[3 * i + c];
            assert_near(seen, over_white(value, white, alpha), 0.5 + 1e-9);
        }
    }
    SCOPED(seg_image) direct; /* the short way gives the same */
    assert_ok(&ctx, image_read_memory(&ctx, file.bytes, file.size, "made.png", &direct));
    assert_int_equal(direct.depth, image.depth);
    assert_int_equal(direct.grey, image.grey);
    assert_memory_equal(direct.data, image.data, (size_t)WIDTH * HEIGHT * 3 * (size_t)(image.depth / 8));
}

TEST(every_kind_is_read_exactly) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int interlaced = 0; interlaced < 2; interlaced++)
            for (int transparency = 0; transparency < (kinds[i].type & PNG_COLOR_MASK_ALPHA ? 1 : 2); transparency++)
                check_kind(&kinds[i], interlaced, transparency);
}

TEST(full_opacity_is_dropped) {
    SCOPED(seg_raster) raster;
    uint16_t opaque[4 * 4];
    for (int i = 0; i < 16; i++)
        opaque[i] = i % 4 == 3 ? 255 : (uint16_t)i;
    png_recipe recipe = {.width = 2, .height = 2, .type = PNG_COLOR_TYPE_RGB_ALPHA, .bits = 8, .samples = opaque};
    SCOPED(made_file) file = make_png(&recipe);
    assert_ok(&ctx, seg_raster_decode(&ctx, file.bytes, file.size, "opaque.png", &raster));
    assert_null(raster.alpha);
}

TEST(palette_of_greys_is_a_grey_photograph) {
    SCOPED(seg_image) image;
    const png_color greys[2] = {{7, 7, 7}, {200, 200, 200}};
    const uint16_t index[4] = {0, 1, 1, 0};
    png_recipe recipe = PNG_RECIPE(2, 2, PNG_COLOR_TYPE_PALETTE, 1, index, .palette = greys, .palette_count = 2);
    SCOPED(made_file) file = make_png(&recipe);
    assert_ok(&ctx, image_read_memory(&ctx, file.bytes, file.size, "greys.png", &image));
    assert_int_equal(image.grey, 1);
    const uint8_t expected[12] = {7, 7, 7, 200, 200, 200, 200, 200, 200, 7, 7, 7};
    assert_memory_equal(image.data, expected, 12);
}

TEST(index_beyond_the_palette_is_black) {
    SCOPED(seg_raster) raster;
    const png_color two[2] = {{1, 2, 3}, {4, 5, 6}};
    const uint16_t index[4] = {0, 1, 3, 0};
    png_recipe recipe = PNG_RECIPE(2, 2, PNG_COLOR_TYPE_PALETTE, 2, index, .palette = two, .palette_count = 2);
    SCOPED(made_file) file = make_png(&recipe);
    check_listen(&ctx);
    assert_ok(&ctx, seg_raster_decode(&ctx, file.bytes, file.size, "short.png", &raster));
    assert_int_equal(check_warned, 1);
    assert_non_null(strstr(check_warnings, "short.png"));
    assert_string_equal(check_infos, "");
    assert_int_equal(raster.sample8[2], 3);
    assert_int_equal(raster.palette_count, 4);
    assert_int_equal(raster.palette[3][0] | raster.palette[3][1] | raster.palette[3][2], 0);
}

/* Upright, opacities too; of an animation the first picture. */
TEST(orientation_and_animation) {
    enum { ACROSS = 5, DOWN = 3 };
    uint16_t sample[ACROSS * DOWN * 4];
    for (int i = 0; i < ACROSS * DOWN * 4; i++)
        sample[i] = (uint16_t)(i * 17 + 3);
    for (int bits = 8; bits <= 16; bits += 8)
        for (int orientation = 0; orientation <= 9; orientation++) {
            const png_recipe recipe = PNG_RECIPE(ACROSS, DOWN, PNG_COLOR_TYPE_RGB_ALPHA, bits, sample,
                                                 .orientation = orientation, .animated = 1);
            const int turned = orientation >= 5 && orientation <= 8;
            SCOPED(made_file) file = make_png(&recipe);
            SCOPED(seg_raster) r;
            assert_ok(&ctx, seg_raster_decode(&ctx, file.bytes, file.size, "turned.png", &r));
            assert_int_equal(r.width, turned ? DOWN : ACROSS);
            for (int y = 0; y < r.height; y++)
                for (int x = 0; x < r.width; x++) {
                    /* The definition: which row and column of the file stand at the top and at the left. */
                    const int along = turned ? y : x, beside = turned ? x : y;
                    const int from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
                    const int from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
                    const int column = from_right ? ACROSS - 1 - along : along;
                    const int row = from_below ? DOWN - 1 - beside : beside;
                    for (int c = 0; c < 4; c++) {
                        const unsigned want = sample[(row * ACROSS + column) * 4 + c] & ((1u << bits) - 1);
                        const int at = y * r.width + x;
                        if (c == 3)
                            assert_int_equal(r.alpha[at], bits == 8 ? want * 257 : want);
                        else
                            assert_int_equal(bits == 8 ? r.sample8[3 * at + c] : r.sample16[3 * at + c], want);
                    }
                }
        }
}

/* A chunk of the standard: length, name, data, CRC. */
static void put_chunk(made_file *file, const char *name, const unsigned char *data, size_t size) {
    unsigned char head[8], tail[4];
    exif_put(head, (unsigned)size, 4, 1);
    memcpy(head + 4, name, 4);
    uint32_t crc = 0xFFFFFFFFu;
    made_append(file, head, 8);
    made_append(file, data, size);
    for (size_t i = file->size - size - 4; i < file->size; i++) {
        crc ^= file->bytes[i];
        for (int b = 0; b < 8; b++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    exif_put(tail, ~crc, 4, 1);
    made_append(file, tail, 4);
}

/* A file that promises width x height pixels and holds a few bytes. */
static seg_status decode_promise(seg_context *ctx, uint32_t width, uint32_t height) {
    SCOPED(made_file) file = {0};
    seg_image image;
    unsigned char head[13] = {[8] = 8, PNG_COLOR_TYPE_RGB};
    exif_put(head, width, 4, 1);
    exif_put(head + 4, height, 4, 1);
    made_append(&file, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(&file, "IHDR", head, 13);
    put_chunk(&file, "IDAT", head, 5);
    put_chunk(&file, "IEND", head, 0);
    seg_status status = image_read_memory(ctx, file.bytes, file.size, "bomb.png", &image);
    assert_null(image.data);
    return status;
}

TEST(promises_are_not_believed) {
    assert_fails(&ctx, decode_promise(&ctx, 65536, 1), SEG_ERR_INPUT, "too large");
    assert_says(&ctx, "bomb.png");
    assert_fails(&ctx, decode_promise(&ctx, 0x7FFFFFFF, 0x7FFFFFFF), SEG_ERR_INPUT, "too large");
    assert_fails(&ctx, decode_promise(&ctx, 16385, 16384), SEG_ERR_INPUT, "too large");
    assert_fails(&ctx, decode_promise(&ctx, 16384, 16384), SEG_ERR_INPUT, "truncated");
    /* An EXIF chunk of 1.7 GB, and no more bytes: no memory is taken for it. */
    unsigned char head[13] = {0, 0, 0, 1, 0, 0, 0, 1, 8, PNG_COLOR_TYPE_RGB};
    made_file file = {0};
    seg_image image;
    made_append(&file, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(&file, "IHDR", head, 13);
    made_append(&file,
                "\x66\0\0\x1a"
                "eXIfMM\0*",
                12);
    assert_int_equal(image_read_memory(&ctx, file.bytes, file.size, "exif.png", &image), SEG_ERR_INPUT);
    made_file_free(&file);
    assert_fails(&ctx, decode_promise(&ctx, 0, 5), SEG_ERR_INPUT, "damaged");
}

TEST(damage_is_named) {
    seg_image image;
    prepare(&kinds[3], 1);
    png_recipe recipe = PNG_RECIPE(WIDTH, HEIGHT, PNG_COLOR_TYPE_GRAY, 8, samples, .without_end = 1);
    SCOPED(made_file) file = make_png(&recipe);
    assert_fails(&ctx, image_read_memory(&ctx, file.bytes, file.size, "cut.png", &image), SEG_ERR_INPUT,
                 "'cut.png' is a truncated PNG");
    made_file_free(&file);
    recipe.without_end = 0;
    const png_color_16 key = {.gray = 7};
    recipe.key = &key;
    file = make_png(&recipe);
    for (size_t i = 8; i + 4 < file.size; i++) /* spoil the CRC of tRNS: dropping it would change the image */
        if (memcmp(file.bytes + i, "tRNS", 4) == 0)
            file.bytes[i + 6] ^= 1;
    assert_fails(&ctx, image_read_memory(&ctx, file.bytes, file.size, "bent.png", &image), SEG_ERR_INPUT,
                 "'bent.png' is a damaged PNG (tRNS");
}
