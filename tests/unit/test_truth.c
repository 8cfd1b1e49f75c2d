/* truths and label maps: every kind of file, every refusal. */
#include "rasters.h"

TEST(maps_fix_the_numbers) {
    SCOPED(seg_raster) r = make(20, 10, SEG_RASTER_RGB, 8);
    seg_mask m;
    seg_labelmap map;
    static const char text[] = "\xef\xbb\xbf# label:color_rgb:parts:actions\r\nbackground:0,0,0::\r\n\r\n"
                               "sky:255,0,0::\r\n grass : 0 , 128 ,0\r\n:1,2,3:leg,arm:run\nz\xc3\xa9:9,9,9";
    assert_ok(&ctx, seg_labelmap_parse(&ctx, text, sizeof text - 1, "map.txt", &map));
    assert_int_equal(map.count, 4);
    assert_string_equal(map.name[0], "sky");
    assert_string_equal(map.name[1], "grass");
    assert_string_equal(map.name[2], "");
    assert_string_equal(map.name[3], "z\xc3\xa9");
    assert_int_equal(map.colour[1][1], 128);
    rectangle(&r, 0, 0, 5, 1, 0x008000);
    rectangle(&r, 0, 1, 3, 1, 0xff0000);
    assert_ok(&ctx, read_raster(&r, "m.png", NULL, &map, &m, NULL));
    assert_int_equal(m.labels, 2);
    assert_int_equal(m.label[0], 2);
    assert_int_equal(m.label[20], 1);
    assert_colour(&m, 4, 9, 9, 9);
    seg_mask_free(&m);
    set_rgb(&r, 19, 9, 0xff0100);
    assert_fails(&ctx, read_raster(&r, "m.png", NULL, &map, &m, NULL), SEG_ERR_INPUT,
                 "(255,1,0) of 1 pixels is not in the label map; its nearest entry is 'sky' (255,0,0)");
}

TEST(wrong_maps_are_refused) {
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"a:1,2\n", "map:1: not of the form"},
        {"# c\na;1,2,3\n", "map:2: not of the form"},
        {"a:1,2,256\n", "map:1"},
        {"a:1,2,99999999999999999999\n", "map:1"},
        {"a:-1,2,3\n", "map:1"},
        {"a:1,2,3x\n", "map:1"},
        {"a:1,2,3,4\n", "map:1"},
        {"a:1.0,2,3\n", "map:1"},
        {"a:,,\n", "map:1"},
        {"a:1,2,3\nb:1,2,3\n", "map:2: the colour 1,2,3 is that of label 1"},
        {"", "no label"},
        {"# nothing\nbackground:0,0,0\n", "no label"},
        {"0123456789012345678901234567890123456789012345678901234567890123:1,2,3\n", "longer than 63 bytes"},
    };
    seg_labelmap map;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(&ctx, seg_labelmap_parse(&ctx, wrong[i].text, strlen(wrong[i].text), "map", &map), SEG_ERR_INPUT,
                     wrong[i].says);
        assert_int_equal(map.count, 0);
    }
    char many[255 * 16] = "";
    for (int i = 1; i <= 255; i++)
        sprintf(many + strlen(many), "l%d:%d,1,1\n", i, i);
    assert_fails(&ctx, seg_labelmap_parse(&ctx, many, strlen(many), "map", &map), SEG_ERR_INPUT,
                 "map:255: more than 254 labels");
    assert_int_equal(seg_labelmap_parse(&ctx, "a\0b:1,2,3", 9, "map", &map), SEG_ERR_INPUT);
    assert_int_equal(seg_labelmap_read(&ctx, SEGMENT_BINARY_DIR "/no such map", &map), SEG_ERR_IO);
}

/* --- truths ----------------------------------------------------------------------------------------------------- */

/* Read a one-row truth of the given values and compare. */
static void truth_is(seg_raster_kind kind, int bits, const unsigned *value, const int *expected, int n, int labels) {
    SCOPED(seg_raster) r = make(n, 1, kind, bits);
    SCOPED(seg_mask) m;
    for (int i = 0; i < n; i++)
        rectangle(&r, i, 0, 1, 1, value[i]);
    assert_ok(&ctx, seg_truth_from_raster(&ctx, &r, "t.png", &m));
    for (int i = 0; i < n; i++)
        assert_int_equal(m.label[i], expected[i]);
    assert_int_equal(m.labels, labels);
}

static void truth_refused(seg_raster_kind kind, int bits, const unsigned *value, int n, const char *says) {
    SCOPED(seg_raster) r = make(n, 1, kind, bits);
    seg_mask m;
    for (int i = 0; i < n; i++)
        rectangle(&r, i, 0, 1, 1, value[i]);
    assert_fails(&ctx, seg_truth_from_raster(&ctx, &r, "t.png", &m), SEG_ERR_INPUT, says);
    assert_null(m.label);
}

#define U(...)  ((const unsigned[]){__VA_ARGS__})
#define I(...)  ((const int[]){__VA_ARGS__})
#define GREY    SEG_RASTER_GREY
#define PALETTE SEG_RASTER_PALETTE
#define RGB     SEG_RASTER_RGB

TEST(truths_by_value) {
    truth_is(PALETTE, 8, U(0, 1, 2, 255), I(255, 1, 2, 255), 4, 2);
    truth_is(PALETTE, 8, U(0, 1, 1, 255), I(2, 1, 1, 255), 4, 2); /* one label left: 0 is a class */
    truth_is(PALETTE, 8, U(0, 0, 255), I(2, 2, 255), 3, 2);       /* as of 0 and 255 where no pixel is 255 */
    truth_is(GREY, 8, U(0, 0, 0), I(2, 2, 2), 3, 2);
    truth_is(GREY, 8, U(0, 7, 3, 255), I(255, 7, 3, 255), 4, 7);
    truth_is(GREY, 8, U(0, 255, 128), I(2, 1, 255), 3, 2);
    truth_is(GREY, 8, U(0, 255, 0), I(2, 1, 2), 3, 2);
    truth_is(GREY, 8, U(255, 128, 255), I(1, 255, 1), 3, 1);
    truth_is(GREY, 8, U(0, 128, 0), I(129, 128, 129), 3, 129);
    truth_is(GREY, 1, U(0, 1, 1), I(2, 1, 1), 3, 2);
    truth_is(GREY, 16, U(0, 1, 254), I(255, 1, 254), 3, 254);
    truth_is(GREY, 16, U(0, 65535, 32896), I(2, 1, 255), 3, 2);
    truth_refused(GREY, 16, U(0, 1, 300), 3, "the value 300");
    truth_refused(GREY, 8, U(0, 254, 0), 3, "renumber them 1 and 2");
    truth_refused(PALETTE, 8, U(255, 255, 255), 3, "void everywhere");

    SCOPED(seg_raster) r = make(3, 1, PALETTE, 8); /* a grey BMP */
    seg_mask m;
    for (int i = 0; i < 256; i++)
        memset(r.palette[i], i, 3);
    r.palette_count = 256;
    r.sample8[1] = 255;
    r.sample8[2] = 128;
    assert_ok(&ctx, seg_truth_from_raster(&ctx, &r, "t.bmp", &m));
    assert_int_equal(m.label[0], 2);
    assert_int_equal(m.label[1], 1);
    assert_int_equal(m.label[2], SEG_VOID);
    seg_mask_free(&m);
    r.alpha = calloc(3, sizeof *r.alpha); /* transparent is void */
    r.alpha[0] = r.alpha[2] = 65535;
    r.sample8[0] = 1;
    r.sample8[2] = 2;
    assert_ok(&ctx, seg_truth_from_raster(&ctx, &r, "t.bmp", &m));
    assert_int_equal(m.label[0], 1);
    assert_int_equal(m.label[1], SEG_VOID);
    seg_mask_free(&m);
    r.lossy = 1;
    assert_fails(&ctx, seg_truth_from_raster(&ctx, &r, "t.jpg", &m), SEG_ERR_INPUT, "JPEG");
}

TEST(truths_by_colour) {
    truth_is(RGB, 8, U(0xff0000, 0x00ff00, 0, 0x808080), I(3, 1, 255, 2), 4, 3);
    truth_is(RGB, 8, U(0x00ff00, 0, 0), I(1, 255, 255), 3, 1);
    truth_is(RGB, 8, U(0x808080, 0, 0), I(1, 255, 255), 3, 1);      /* MSRC: sky and void */
    truth_is(RGB, 8, U(0xffffff, 0, 0x808080), I(1, 2, 255), 3, 2); /* black and white stored as colours */
    truth_refused(RGB, 8, U(0, 0), 2, "void everywhere");
    unsigned colours[300];
    int expected[300];
    for (unsigned i = 0; i < 300; i++) {
        colours[i] = (i + 1) * 0x010101u % 0xffffff;
        expected[i] = (int)i + 1;
    }
    for (unsigned i = 0; i < 300; i++)
        colours[i] = 0x000100 * (i / 100 + 1) + i % 100;
    truth_is(RGB, 8, colours, expected, 254, 254);
    truth_refused(RGB, 8, colours, 255, "more than 254 colours");
    truth_refused(RGB, 8, colours, 300, "more than 254 colours");
}
