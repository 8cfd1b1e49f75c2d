/* Images and masks of pixels in memory: the same as of files, whatever the layout; everything else is refused. */
#include "check.h"

#include "image/raster.h"
#include "image_in_memory.h"
#include "image_makers.h"
#include "pipeline/option_fields.h"

#include <float.h>

enum { W = 7, H = 5 };

BEFORE_ALL {
    ctx.threads = 2;
}

static void assert_same_image(const seg_image *a, const seg_image *b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->grey, b->grey);
    assert_int_equal(a->low, b->low);
    assert_int_equal(a->high, b->high);
    assert_memory_equal(a->data, b->data, 3 * (size_t)a->width * (size_t)a->height * (size_t)a->depth / 8);
}

/* The samples of a recipe as a caller stores them: `bytes` a sample, rows `stride` bytes apart (at least a row's),
 * bottom up where it is negative. *top is the first sample of the top row. */
static unsigned char *lay_out(const uint16_t *samples, int width, int height, int channels, int bytes, ptrdiff_t stride,
                              unsigned char **top) {
    const size_t apart = (size_t)(stride < 0 ? -stride : stride);
    unsigned char *block = malloc(apart * (size_t)height + 1);
    memset(block, 0xEE, apart * (size_t)height + 1);
    *top = block + 1 + (stride < 0 ? apart * (size_t)(height - 1) : 0); /* an odd address */
    for (int y = 0; y < height; y++)
        for (int i = 0; i < width * channels; i++) {
            const uint16_t value = samples[y * width * channels + i];
            unsigned char *to = *top + y * stride + (ptrdiff_t)i * bytes;
            if (bytes == 1)
                *to = (uint8_t)value;
            else
                memcpy(to, &value, 2);
        }
    return block;
}

/* Grey, RGB and RGBA of 8 and 16 bits, a narrow range among them: as of a PNG file, for every stride. */
TEST(as_of_a_file) {
    static const int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    static const int channels[] = {1, 3, 4};
    for (int kind = 0; kind < 3; kind++)
        for (int bits = 8; bits <= 16; bits += 8)
            for (int narrow = 0; narrow <= (bits == 16 && kind < 2); narrow++)
                for (int size = 0; size < 2; size++) {
                    const int width = size ? W : 1, height = size ? H : 1, bytes = bits / 8;
                    const int row = width * channels[kind] * bytes;
                    const ptrdiff_t strides[] = {row, row + 1, row + 64, -row, -row - 3};
                    uint16_t samples[4 * W * H];
                    seg_image file, made;
                    for (unsigned i = 0; i < 4 * W * H; i++)
                        samples[i] = (uint16_t)((i * 40503u + 77u) & (narrow ? 4095u : (1u << bits) - 1));
                    const png_recipe recipe = PNG_RECIPE(width, height, types[kind], bits, samples);
                    SCOPED(made_file) png = make_png(&recipe);
                    assert_ok(&ctx, image_read_memory(&ctx, png.bytes, png.size, "file", &file));
                    assert_int_equal(file.low < file.high, narrow && (size || kind));
                    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
                        unsigned char *top;
                        unsigned char *block = lay_out(samples, width, height, channels[kind], bytes, strides[s], &top);
                        assert_ok(&ctx, seg_image_create(&ctx,
                                                         &(seg_pixels){top, width, height, channels[kind],
                                                                       bits == 8 ? SEG_SAMPLE_U8 : SEG_SAMPLE_U16,
                                                                       strides[s] == row ? 0 : strides[s]},
                                                         &made));
                        memset(block, 0, 1 + (size_t)(strides[s] < 0 ? -strides[s] : strides[s]) * (size_t)height);
                        free(block); /* copied: the caller's memory is not needed */
                        assert_same_image(&made, &file);
                        seg_image_free(&made);
                    }
                    seg_image_free(&file);
                }
}

/* Floating-point samples are those of 16 bits over 65535. */
TEST(floats_are_sixteen_bits) {
    for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
        float values[4 * W * H];
        uint16_t samples[4 * W * H];
        SCOPED(seg_image) made, whole;
        for (unsigned i = 0; i < 4 * W * H; i++) {
            samples[i] = (uint16_t)(i * 40503u);
            values[i] = (float)samples[i] / 65535.0f;
        }
        samples[0] = 0, values[0] = -0.0f;
        samples[1] = 65535, values[1] = 1.0f;
        samples[2] = 0, values[2] = FLT_MIN;
        assert_ok(&ctx, seg_image_create(&ctx, &(seg_pixels){values, W, H, channels, SEG_SAMPLE_FLOAT, 0}, &made));
        assert_ok(&ctx, seg_image_create(&ctx, &(seg_pixels){samples, W, H, channels, SEG_SAMPLE_U16, 0}, &whole));
        assert_same_image(&made, &whole);
    }
}

TEST(floats_outside_are_refused) {
    const float bad[] = {-0.001f, 1.0001f, 255.0f, NAN, INFINITY, -INFINITY, -FLT_MIN};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        for (int place = 0; place < 4 * W * H; place += 4 * W * H - 1) { /* the first; the last, an opacity */
            float values[4 * W * H] = {0};
            char where[64];
            seg_image made;
            memset(&made, 1, sizeof made);
            values[place] = bad[b];
            assert_int_equal(seg_image_create(&ctx, &(seg_pixels){values, W, H, 4, SEG_SAMPLE_FLOAT, 0}, &made),
                             SEG_ERR_INPUT);
            snprintf(where, sizeof where, "channel %d of pixel (%d, %d)", place % 4, place / 4 % W, place / 4 / W);
            assert_says(&ctx, where);
            assert_null(made.data);
            assert_int_equal(made.width, 0);
        }
}

TEST(unfit_layouts_are_refused) {
    static const struct refused {
        int width, height, channels, type;
        ptrdiff_t stride;
        const char *word;
    } cases[] = {
        {0, 5, 3, SEG_SAMPLE_U8, 0, "0 x 5"},
        {5, 0, 3, SEG_SAMPLE_U8, 0, "5 x 0"},
        {-1, 5, 3, SEG_SAMPLE_U8, 0, "-1 x 5"},
        {65536, 1, 1, SEG_SAMPLE_U8, 0, "65536 x 1"},
        {1, 1048577, 1, SEG_SAMPLE_U8, 0, "1 x 1048577"},
        {65535, 65535, 4, SEG_SAMPLE_FLOAT, 0, "65535 x 65535"},
        {INT32_MAX, INT32_MAX, 4, SEG_SAMPLE_FLOAT, 0, "2147483647 x"},
        {5, 5, 0, SEG_SAMPLE_U8, 0, "not 0"},
        {5, 5, 2, SEG_SAMPLE_U8, 0, "not 2"},
        {5, 5, 5, SEG_SAMPLE_U8, 0, "not 5"},
        {5, 5, -3, SEG_SAMPLE_U8, 0, "not -3"},
        {5, 5, 3, 3, 0, "seg_sample_type"},
        {5, 5, 3, -1, 0, "seg_sample_type"},
        {5, 5, 3, SEG_SAMPLE_U8, 14, "stride of 14"},
        {5, 5, 3, SEG_SAMPLE_U8, -14, "stride of -14"},
        {5, 5, 4, SEG_SAMPLE_U16, 39, "stride of 39"},
        {5, 5, 1, SEG_SAMPLE_FLOAT, 19, "stride of 19"},
        {5, 5, 3, SEG_SAMPLE_U8, PTRDIFF_MAX, "address space"},
        {5, 5, 3, SEG_SAMPLE_U8, PTRDIFF_MIN, "address space"},
    };
    const unsigned char pixel[4] = {0};
    seg_image made;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct refused *r = &cases[c];
        memset(&made, 1, sizeof made);
        assert_fails(&ctx,
                     seg_image_create(
                         &ctx,
                         &(seg_pixels){pixel, r->width, r->height, r->channels, (seg_sample_type)r->type, r->stride},
                         &made),
                     SEG_ERR_USAGE, r->word);
        assert_null(made.data);
    }
    assert_int_equal(seg_image_create(&ctx, &(seg_pixels){NULL, 5, 5, 3, SEG_SAMPLE_U8, 0}, &made), SEG_ERR_USAGE);
}

TEST(a_limit_on_memory_holds) {
    seg_image made;
    AUTOFREE uint8_t *pixels = calloc(4000, 3000);
    seg_context limited = seg_context_default();
    limited.max_memory = 1;
    assert_int_equal(seg_image_create(&limited, &(seg_pixels){pixels, 4000, 3000, 1, SEG_SAMPLE_U8, 0}, &made),
                     SEG_ERR_MEMORY);
    assert_true(limited.over_limit);
    assert_null(made.data);
    seg_context_end(&limited);
}

TEST(masks_of_labels) {
    const uint8_t label[] = {1, 0, 255, 9, 3, 254, 9, 9, 0, 0, 7, 9};
    seg_mask made;
    assert_ok(&ctx, seg_mask_from_labels(&ctx, label, 3, 3, 4, &made)); /* every fourth is beyond the row */
    assert_memory_equal(made.label, "\1\0\377\3\376\11\0\0\7", 9);
    assert_int_equal(made.labels, 254);
    seg_mask_free(&made);
    assert_ok(&ctx, seg_mask_from_labels(&ctx, label + 8, 3, 3, -4, &made));
    assert_memory_equal(made.label, "\0\0\7\3\376\11\1\0\377", 9);
    seg_mask_free(&made);
    assert_ok(&ctx, seg_mask_from_labels(&ctx, label, 1, 1, 0, &made));
    assert_int_equal(made.labels, 1);
    assert_int_equal(made.colour[1][0], 0xE6);
    seg_mask_free(&made);
    assert_ok(&ctx, seg_mask_from_labels(&ctx, label + 1, 2, 1, 0, &made)); /* nothing and void */
    assert_int_equal(made.labels, 0);
    seg_mask_free(&made);
    assert_int_equal(seg_mask_from_labels(&ctx, NULL, 3, 3, 0, &made), SEG_ERR_USAGE);
    assert_null(made.label);
    assert_int_equal(seg_mask_from_labels(&ctx, label, 3, 3, 2, &made), SEG_ERR_USAGE);
    assert_null(made.label);
    assert_int_equal(seg_mask_from_labels(&ctx, label, 0, 3, 0, &made), SEG_ERR_USAGE);
    assert_int_equal(seg_mask_from_labels(&ctx, label, 65536, 3, 0, &made), SEG_ERR_USAGE);
}

/* From files, and from the same pixels and labels in memory: the same mask to the byte. */
TEST(the_mask_of_the_files) {
    SCOPED(seg_image) file, made;
    SCOPED(seg_mask) scribbles, labels;
    seg_options options = seg_options_default();
    SCOPED_RESULT *of_file = NULL, *of_memory = NULL;
    assert_ok(&ctx, seg_image_read(&ctx, SEGMENT_SOURCE_DIR "/images/chelsea.jpg", &file));
    assert_ok(&ctx, seg_scribbles_read(&ctx, SEGMENT_SOURCE_DIR "/images/chelsea-scribbles.png", &file, NULL,
                                       &scribbles, NULL));
    assert_ok(&ctx, seg_segment_photo(&ctx, &file, &scribbles, NULL, &options, &of_file));
    assert_ok(&ctx,
              seg_image_create(&ctx, &(seg_pixels){file.data, file.width, file.height, 3, SEG_SAMPLE_U8, 0}, &made));
    assert_ok(&ctx, seg_mask_from_labels(&ctx, scribbles.label, file.width, file.height, 0, &labels));
    assert_ok(&ctx, seg_segment_photo(&ctx, &made, &labels, NULL, &options, &of_memory));
    assert_memory_equal(of_memory->mask.label, of_file->mask.label, (size_t)file.width * (size_t)file.height);
}
