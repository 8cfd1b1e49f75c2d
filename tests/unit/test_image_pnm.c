/* PNM in bytes: the three kinds, numbers of bits, and what is refused. */
#include "picture_files.h"

TEST(colours) {
    static const char *const names[] = {"p6", "two"};
    SCOPED(seg_raster) raster;
    for (int i = 0; i < 2; i++) {
        raster = read_picture("pnm", names[i]);
        check_rgb(&raster);
        assert_null(raster.alpha);
        assert_int_equal(raster.lossy, 0);
        seg_raster_free(&raster);
    }
    raster = read_picture("pnm", "p6-16");
    assert_int_equal(raster.bits, 16);
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        assert_int_equal(raster.sample16[i], 257 * made_sample(i / 3 % WIDTH, i / 3 / WIDTH, i % 3));
}

TEST(greys_and_bitmaps) {
    static const char *const names[] = {"p5", "p5-16", "p4"};
    static const int bits[] = {8, 12, 1};
    for (int i = 0; i < 3; i++) {
        SCOPED(seg_raster) raster = read_picture("pnm", names[i]);
        assert_int_equal(raster.kind, SEG_RASTER_GREY);
        assert_int_equal(raster.bits, bits[i]);
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const int x = p % WIDTH, y = p / WIDTH;
            const unsigned value = made_sample(x, y, 0);
            assert_int_equal(i == 1 ? raster.sample16[p] : raster.sample8[p],
                             i == 0   ? value
                             : i == 1 ? 16 * value
                                      : (x * y + x) % 3 != 0); /* 1 is black in the file */
        }
    }
}

static seg_status decode(const char *bytes, size_t size, seg_raster *raster) {
    return seg_raster_decode(&ctx, bytes, size, "made.pnm", raster);
}

TEST(comments_and_few_bits) {
    SCOPED(seg_raster) raster;
    assert_ok(&ctx, decode("P5\n# 9 9 9\n1 1\n7\n\5", 18, &raster));
    assert_int_equal(raster.sample8[0], 5);
    assert_int_equal(raster.bits, 3);
    seg_raster_free(&raster);
    assert_ok(&ctx, decode("P5 1 1 1\n\1", 10, &raster));
    assert_int_equal(raster.sample8[0], 1);
    assert_int_equal(raster.bits, 1);
}

TEST(every_cut_is_refused) {
    static const char *const names[] = {"p4", "p5", "p6", "p6-16"};
    for (int i = 0; i < 4; i++) {
        AUTOFREE unsigned char *bytes;
        size_t size;
        seg_raster raster;
        assert_ok(&ctx, seg_file_read(&ctx, picture_path("pnm", names[i]), &bytes, &size));
        for (size_t cut = 0; cut < size; cut++)
            assert_int_equal(seg_raster_decode(&ctx, bytes, cut, "cut.pnm", &raster), SEG_ERR_INPUT);
    }
}

TEST(refused) {
    SCOPED(seg_raster) raster;
    refuse_picture("pnm", "cut-off", SEG_ERR_INPUT, 0, "truncated");
    refuse_picture("pnm", "huge", SEG_ERR_INPUT, 0, "truncated");
    refuse_picture("pnm", "zero", SEG_ERR_INPUT, 0, "0 x 0");
    refuse_picture("pnm", "overflow", SEG_ERR_INPUT, 0, "too large");
    assert_fails(&ctx, decode("P5 1 1 100\n\1", 12, &raster), SEG_ERR_INPUT, "largest sample is 100");
    assert_fails(&ctx, decode("P5 1 1 65536\n\0\0", 15, &raster), SEG_ERR_INPUT, "65536");
    assert_fails(&ctx, decode("P5 70000 1 255\n", 15, &raster), SEG_ERR_INPUT, "too large");
    assert_fails(&ctx, decode("P2 1 1 255\n7", 12, &raster), SEG_ERR_INPUT, "text file"); /* in digits */
}

TEST(limits) {
    check_limit("pnm", "p6");
    check_limit("pnm", "p5-16");
    check_limit("pnm", "p4");
}
