/* PNM: the seven kinds, numbers of bits, and what is refused. */
#include "picture_files.h"

static void decode(const char *bytes, size_t size, seg_raster *raster) {
    assert_ok(&ctx, seg_raster_decode(&ctx, bytes, size, "made.pnm", raster));
}

static void refuse(const char *bytes, size_t size, const char *expected) {
    seg_raster raster;
    assert_int_equal(seg_raster_decode(&ctx, bytes, size, "made.pnm", &raster), SEG_ERR_INPUT);
    assert_null(raster.sample8);
    if (!strstr(ctx.message, "'made.pnm'") || !strstr(ctx.message, expected))
        fail_msg("'%s' lacks '%s'", ctx.message, expected);
}

TEST(colours) {
    static const char *const names[] = {"p3", "p6", "two"};
    seg_raster raster;
    for (int i = 0; i < 3; i++) {
        read_picture("pnm", names[i], &raster);
        check_rgb(&raster);
        assert_null(raster.alpha);
        assert_int_equal(raster.lossy, 0);
        seg_raster_free(&raster);
    }
    read_picture("pnm", "p7", &raster);
    check_rgb(&raster);
    check_opacity(&raster);
    seg_raster_free(&raster);
    read_picture("pnm", "p6-16", &raster);
    assert_int_equal(raster.bits, 16);
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        assert_int_equal(raster.sample16[i], 257 * made_sample(i / 3 % WIDTH, i / 3 / WIDTH, i % 3));
    seg_raster_free(&raster);
}

TEST(greys) {
    static const char *const names[] = {"p2", "p5", "p5-16"};
    seg_raster raster;
    for (int i = 0; i < 3; i++) {
        read_picture("pnm", names[i], &raster);
        assert_int_equal(raster.kind, SEG_RASTER_GREY);
        assert_int_equal(raster.bits, i < 2 ? 8 : 12);
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const unsigned value = made_sample(p % WIDTH, p / WIDTH, 0);
            assert_int_equal(i < 2 ? raster.sample8[p] : raster.sample16[p], i < 2 ? value : 16 * value);
        }
        seg_raster_free(&raster);
    }
    read_picture("pnm", "p2-100", &raster); /* 0, 50 and 100 of 100 */
    assert_int_equal(raster.bits, 8);
    assert_memory_equal(raster.sample8, "\x00\x80\xFF", 3);
    seg_raster_free(&raster);
    read_picture("pnm", "p7-grey-alpha", &raster); /* one bit, opaque and not */
    assert_int_equal(raster.bits, 1);
    assert_memory_equal(raster.sample8, "\1\1", 2);
    assert_int_equal(raster.alpha[0], 65535);
    assert_int_equal(raster.alpha[1], 0);
    seg_raster_free(&raster);
}

TEST(bitmaps) {
    static const char *const names[] = {"p1", "p4"};
    seg_raster raster;
    for (int i = 0; i < 2; i++) {
        read_picture("pnm", names[i], &raster);
        assert_int_equal(raster.bits, 1);
        for (int p = 0; p < WIDTH * HEIGHT; p++) { /* 1 is black */
            const int x = p % WIDTH, y = p / WIDTH;
            assert_int_equal(raster.sample8[p], (x * y + x) % 3 != 0);
        }
        seg_raster_free(&raster);
    }
}

/* Netpbm allows comments anywhere before the pixels, and of bits without spaces. */
TEST(odd_headers) {
    seg_raster raster;
    decode("P1#c\n#2 9\n2#x\n1\n#\n10", 22, &raster);
    assert_int_equal(raster.width, 2);
    assert_memory_equal(raster.sample8, "\0\1", 2);
    seg_raster_free(&raster);
    decode("P5 1 1 255\n#", 12, &raster); /* a byte of the pixels, not a comment */
    assert_int_equal(raster.sample8[0], '#');
    seg_raster_free(&raster);
    decode("P2 1 1 7 7", 10, &raster); /* the end follows the last digit */
    assert_int_equal(raster.sample8[0], 7);
    assert_int_equal(raster.bits, 3);
    seg_raster_free(&raster);
    decode("P5 1 1 256 \1\0", 13, &raster); /* two bytes from 256 on */
    assert_int_equal(raster.sample16[0], 65535);
    seg_raster_free(&raster);
}

TEST(every_cut_is_refused) {
    static const char *const names[] = {"p1", "p2", "p3", "p4", "p5", "p6", "p6-16", "p7"};
    for (int i = 0; i < 8; i++) {
        AUTOFREE unsigned char *bytes;
        size_t size;
        SCOPED(seg_raster) raster;
        assert_ok(&ctx, seg_file_read(&ctx, picture_path("pnm", names[i]), &bytes, &size));
        while (size > 0 && bytes[size - 1] == '\n' && i < 3) /* an end of line is not missed, nor a digit of a number */
            size--;
        for (size_t cut = 0; cut < size - (i == 1 || i == 2 ? 3 : 0); cut++)
            assert_int_equal(seg_raster_decode(&ctx, bytes, cut, "cut.pnm", &raster), SEG_ERR_INPUT);
        assert_ok(&ctx, seg_raster_decode(&ctx, bytes, size, "whole.pnm", &raster));
    }
}

TEST(refused) {
    refuse_picture("pnm", "cut-off", SEG_ERR_INPUT, 0, "truncated");
    refuse_picture("pnm", "cut-off-digits", SEG_ERR_INPUT, 0, "truncated");
    refuse_picture("pnm", "huge", SEG_ERR_INPUT, 0, "truncated");
    refuse_picture("pnm", "zero", SEG_ERR_INPUT, 0, "0 x 0");
    refuse_picture("pnm", "overflow", SEG_ERR_INPUT, 0, "too large");
    refuse_picture("pnm", "too-large", SEG_ERR_INPUT, 0, "larger than the largest");
    refuse_picture("pnm", "letter", SEG_ERR_INPUT, 0, "whole number");
    refuse_picture("pnm", "no-depth", SEG_ERR_INPUT, 0, "missing");
    refuse_picture("pnm", "depth-five", SEG_ERR_INPUT, 0, "per pixel");
    refuse("P5 1 1 0\n\0", 10, "65535");
    refuse("P5 1 1 65536\n\0\0", 15, "65535");
    refuse("P1 1 1 2", 8, "larger than the largest");
    refuse("P5 70000 1 255\n", 15, "too large");
    refuse("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n123", 70, "kind of pixels");
}

TEST(limits) {
    check_limit("pnm", "p6");
    check_limit("pnm", "p5-16");
    check_limit("pnm", "p1");
    check_limit("pnm", "p7");
}
