/* JPEG: colours, inks, orientations; harmless oddities pass, missing data does not. */
#include "check.h"
#include "image_makers.h"

#include "image/formats/decoders.h"
#include "image_in_memory.h"

#define WIDTH  75 /* more than two tiles of the turning, and no whole number of blocks */
#define HEIGHT 41

static uint8_t samples[WIDTH * HEIGHT * 4];

/* Smooth enough that quality 100 keeps every sample within a few units. */
static void fill_smooth(int channels) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < channels; c++)
                samples[(y * WIDTH + x) * channels + c] = (uint8_t)(c == 0   ? 3 * x + 10
                                                                    : c == 1 ? 5 * y + 20
                                                                    : c == 2 ? 2 * x + 2 * y
                                                                             : 250 - 2 * y - x);
}

static void fill_random(void) {
    seg_random random = seg_random_seeded(5, 0);
    for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = (uint8_t)seg_random_below(&random, 256);
}

static seg_raster decode(const made_file *file) {
    seg_raster raster;
    assert_ok(&ctx, seg_raster_decode(&ctx, file->bytes, file->size, "made.jpg", &raster));
    assert_int_equal(raster.bits, 8);
    assert_int_equal(raster.lossy, 1);
    assert_null(raster.alpha);
    assert_null(raster.sample16);
    return raster;
}

static seg_raster decode_recipe(const jpeg_recipe *recipe) {
    SCOPED(made_file) file = make_jpeg(recipe);
    return decode(&file);
}

/* Decoding must be refused with a sentence that names the file and holds `expected`. */
static void refuse(const made_file *file, const char *expected) {
    seg_image image;
    assert_int_equal(image_read_memory(&ctx, file->bytes, file->size, "made.jpg", &image), SEG_ERR_INPUT);
    assert_null(image.data);
    assert_says(&ctx, "'made.jpg'");
    if (!strstr(ctx.message, expected))
        fail_msg("'%s' lacks '%s'", ctx.message, expected);
}

TEST(grey_and_colour) {
    for (int channels = 1; channels <= 3; channels += 2)
        for (int progressive = 0; progressive < 2; progressive++) {
            fill_smooth(channels);
            jpeg_recipe recipe = JPEG_RECIPE(WIDTH, HEIGHT, channels, samples, .progressive = progressive);
            SCOPED(seg_raster) raster = decode_recipe(&recipe);
            assert_int_equal(raster.width, WIDTH);
            assert_int_equal(raster.height, HEIGHT);
            assert_int_equal(raster.channels, channels);
            assert_int_equal(raster.kind, channels == 1 ? SEG_RASTER_GREY : SEG_RASTER_RGB);
            for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
                assert_near(raster.sample8[i], samples[i], 3);
        }
}

/* The order in which the coefficients are stored does not change a sample, nor do restart markers. */
TEST(codings_agree) {
    fill_random();
    for (int subsample = 0; subsample <= 4; subsample = subsample ? 4 * subsample : 1) {
        jpeg_recipe recipe = JPEG_RECIPE(WIDTH, HEIGHT, 3, samples, .subsample = subsample);
        SCOPED(seg_raster) plain = decode_recipe(&recipe);
        for (int coding = 1; coding < 8; coding++) {
            recipe.progressive = coding & 1;
            recipe.arithmetic = coding >> 1 & 1;
            recipe.restart = coding >> 2;
            SCOPED(seg_raster) other = decode_recipe(&recipe);
            assert_memory_equal(other.sample8, plain.sample8, WIDTH * HEIGHT * 3);
        }
    }
}

TEST(inks_become_light) {
    for (int form = 0; form < 3; form++) { /* CMYK without and with Adobe's marker, YCCK */
        fill_smooth(4);
        jpeg_recipe recipe = JPEG_RECIPE(WIDTH, HEIGHT, 4, samples, .ycck = form == 2, .no_adobe = form == 0);
        SCOPED(seg_raster) raster = decode_recipe(&recipe);
        assert_int_equal(raster.channels, 3);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            for (int c = 0; c < 3; c++) {
                double ink = samples[4 * i + c] / 255.0, black = samples[4 * i + 3] / 255.0;
                double light = form == 0 ? (1 - ink) * (1 - black) : ink * black;
                assert_near(raster.sample8[3 * i + c], 255 * light, 4);
            }
    }
}

/* Where pixel (x, y) of a w x h file belongs, from the words of the EXIF standard: what row 0 and column 0 are. */
static void upright_place(int orientation, int w, int h, int x, int y, int *X, int *Y) {
    const int right = w - 1 - x, below = h - 1 - y;
    const int places[9][2] = {{0, 0}, {x, y},     {right, y},     {right, below}, {x, below},
                              {y, x}, {below, x}, {below, right}, {y, right}};
    *X = places[orientation][0];
    *Y = places[orientation][1];
}

TEST(all_orientations) {
    fill_random();
    for (int channels = 1; channels <= 3; channels += 2) {
        jpeg_recipe recipe = {.width = WIDTH, .height = HEIGHT, .channels = channels, .samples = samples};
        SCOPED(seg_raster) plain = decode_recipe(&recipe);
        for (int orientation = 1; orientation <= 8; orientation++) {
            recipe.orientation = orientation;
            recipe.big_endian = orientation & 1;
            SCOPED(seg_raster) turned = decode_recipe(&recipe);
            assert_int_equal(turned.width, orientation < 5 ? WIDTH : HEIGHT);
            assert_int_equal(turned.height, orientation < 5 ? HEIGHT : WIDTH);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    int X, Y;
                    upright_place(orientation, WIDTH, HEIGHT, x, y, &X, &Y);
                    for (int c = 0; c < channels; c++)
                        assert_int_equal(turned.sample8[(Y * turned.width + X) * channels + c],
                                         plain.sample8[(y * WIDTH + x) * channels + c]);
                }
        }
        recipe.orientation = 9; /* no such orientation: as stored */
        SCOPED(seg_raster) stored = decode_recipe(&recipe);
        assert_memory_equal(stored.sample8, plain.sample8, (size_t)(WIDTH * HEIGHT * channels));
    }
}

TEST(odd_exif_is_no_orientation) {
    unsigned char exif[32] = "Exif\0\0";
    assert_int_equal(seg_exif_orientation((const unsigned char *)"", 0), 1);
    for (size_t size = 0; size <= sizeof exif; size++)
        assert_int_equal(seg_exif_orientation(exif, size), 1);
    assert_int_equal(seg_exif_orientation((const unsigned char *)"http://ns.adobe.com/xap/1.0/", 28), 1);
}

/* Bytes before the last marker, as some cameras write them, are harmless. */
TEST(stray_bytes_pass) {
    fill_smooth(1);
    jpeg_recipe recipe = {.width = WIDTH, .height = HEIGHT, .channels = 1, .samples = samples};
    SCOPED(made_file) file = make_jpeg(&recipe), odd = {0};
    made_append(&odd, file.bytes, file.size - 2);
    made_append(&odd, "\0\0\0\xFF\xD9", 5);
    SCOPED(seg_raster) plain = decode(&file);
    SCOPED(seg_raster) other = decode(&odd);
    assert_memory_equal(other.sample8, plain.sample8, WIDTH * HEIGHT);
}

TEST(missing_data_is_refused) {
    fill_random();
    for (int progressive = 0; progressive < 2; progressive++) {
        jpeg_recipe recipe = JPEG_RECIPE(WIDTH, HEIGHT, 3, samples, .progressive = progressive);
        SCOPED(made_file) file = make_jpeg(&recipe), cut = {0};
        size_t whole = file.size;
        file.size = whole - 2; /* all pixels, no end marker */
        refuse(&file, "truncated");
        file.size = whole / 2;
        refuse(&file, "truncated");
        made_append(&cut, file.bytes, whole / 2); /* the end marker where pixels should be */
        made_append(&cut, "\xFF\xD9", 2);
        refuse(&cut, "damaged");
    }
}

/* The scan that adds a bit to the DC coefficients is the same however often it comes: no history, no tables. */
TEST(too_many_scans_are_refused) {
    fill_smooth(1);
    jpeg_recipe recipe = {.width = 16, .height = 16, .channels = 1, .samples = samples, .progressive = 1};
    SCOPED(made_file) file = make_jpeg(&recipe), many = {0}, few = {0};
    size_t begin = 0, end;
    const unsigned char *b = file.bytes;
    while (!(b[begin] == 0xFF && b[begin + 1] == 0xDA && b[begin + 7] == 0 && b[begin + 9] >> 4 != 0))
        begin++;
    for (end = begin + 10; b[end] != 0xFF || b[end + 1] == 0; end++)
        ;
    made_append(&many, b, begin);
    made_append(&few, b, begin);
    for (int i = 0; i < 600; i++) {
        made_append(&many, b + begin, end - begin);
        if (i < 300)
            made_append(&few, b + begin, end - begin);
    }
    made_append(&many, b + end, file.size - end);
    made_append(&few, b + end, file.size - end);
    refuse(&many, "more than 500 scans");
    SCOPED(seg_raster) raster = decode(&few);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            assert_near(raster.sample8[16 * y + x], samples[16 * y + x], 3);
}

/* Frame headers changed by hand: a size the few bytes cannot hold, no lines, 12 bits, two components. */
TEST(promises_are_not_believed) {
    fill_smooth(1);
    jpeg_recipe recipe = {.width = 16, .height = 16, .channels = 1, .samples = samples};
    SCOPED(made_file) file = make_jpeg(&recipe);
    size_t frame = 0;
    while (!(file.bytes[frame] == 0xFF && file.bytes[frame + 1] == 0xC0))
        frame++;
    unsigned char *f = file.bytes + frame; /* marker 2, length 2, bits 1, height 2, width 2 */
    f[5] = f[7] = 0x10;                    /* 4112 x 4112 */
    refuse(&file, "truncated");
    f[5] = f[7] = 0xFF; /* 65296 x 65296 */
    f[6] = f[8] = 0x10;
    refuse(&file, "too large");
    f[5] = f[6] = 0;
    refuse(&file, "damaged or unusual");
    f[5] = f[7] = 0;
    f[6] = f[8] = 16;
    f[4] = 12;
    refuse(&file, "damaged or unusual");
    made_file_free(&file);
    recipe.arithmetic = 1;
    file = make_jpeg(&recipe);
    for (frame = 0; !(file.bytes[frame] == 0xFF && file.bytes[frame + 1] == 0xC9); frame++)
        ;
    file.bytes[frame + 5] = file.bytes[frame + 7] = 0x3F; /* 16144 x 16144 */
    refuse(&file, "truncated");
}
