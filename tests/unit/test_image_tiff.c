/* TIFF: what libtiff writes is read back, at its depth, upright, the first page. */
#include "check.h"

#include "image/raster.h"
#include "image_in_memory.h"

#include <tiffio.h>

#define PATH SEGMENT_BINARY_DIR "/test.tif"
enum { W = 7, H = 5 };

BEFORE_EACH {
    ctx.threads = 1;
    check_listen(&ctx);
}

static unsigned value(int x, int y, int c, int bits) {
    return (unsigned)(x * 37 + y * 101 + c * 59 + 3) * (bits == 16 ? 241 : 1) & (bits == 16 ? 65535 : 255);
}

/* One page, pixel by pixel. */
static void write_page(TIFF *tiff, int bits, int channels, int photometric, int tiled, int orientation) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, W);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, H);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, tiled ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_LZW);
    if (photometric == PHOTOMETRIC_PALETTE) {
        uint16_t map[3][256];
        for (int i = 0; i < 256; i++)
            for (int c = 0; c < 3; c++)
                map[c][i] = (uint16_t)(257 * ((i * (c + 1)) & 255));
        TIFFSetField(tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    }
    if (tiled) {
        uint8_t tile[16 * 16 * 3] = {0};
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                for (int c = 0; c < 3; c++)
                    tile[(y * 16 + x) * 3 + c] = (uint8_t)value(x, y, c, 8);
        assert_true(TIFFWriteTile(tiff, tile, 0, 0, 0, 0) > 0);
        return;
    }
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
    for (int y = 0; y < H; y++) {
        uint16_t row[W * 3];
        for (int i = 0; i < W * channels; i++) {
            const unsigned v = value(i / channels, y, i % channels, bits);
            if (bits == 16)
                row[i] = (uint16_t)v;
            else
                ((uint8_t *)row)[i] = (uint8_t)v;
        }
        assert_int_equal(TIFFWriteScanline(tiff, row, (uint32_t)y, 0), 1);
    }
}

static TIFF *begin(const char *mode) {
    TIFF *tiff = TIFFOpen(PATH, mode);
    assert_non_null(tiff);
    return tiff;
}

/* The reader's first page, and what it must be. */
TEST(full_depth) {
    static const char *const modes[] = {"wl", "wb", "w8"}; /* both byte orders, BigTIFF */
    for (int mode = 0; mode < 3; mode++)
        for (int bits = 8; bits <= 16; bits += 8)
            for (int channels = 1; channels <= 3; channels += 2) {
                SCOPED(seg_image) image;
                TIFF *tiff = begin(modes[mode]);
                write_page(tiff, bits, channels, channels == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK, 0, 1);
                TIFFClose(tiff);
                check_listen(&ctx);
                assert_ok(&ctx, seg_image_read(&ctx, PATH, &image));
                assert_string_equal(check_warnings, "");
                assert_int_equal(image.depth, bits);
                assert_int_equal(image.width, W);
                assert_int_equal(image.grey, channels == 1);
                for (int i = 0; i < W * H * 3; i++) {
                    const unsigned got = bits == 16 ? ((uint16_t *)image.data)[i] : ((uint8_t *)image.data)[i];
                    assert_int_equal(got, value(i / 3 % W, i / 3 / W, channels == 3 ? i % 3 : 0, bits));
                }
            }
}

/* What test_image_tiff_samples.c does not write. */
TEST(palette) {
    SCOPED(seg_raster) r;
    TIFF *tiff = begin("w");
    write_page(tiff, 8, 1, PHOTOMETRIC_PALETTE, 0, 1);
    TIFFClose(tiff);
    assert_ok(&ctx, seg_raster_read(&ctx, PATH, &r));
    assert_int_equal(r.kind, SEG_RASTER_PALETTE);
    for (int i = 0; i < W * H; i++)
        assert_int_equal(r.sample8[i], value(i % W, i / W, 0, 8));
    assert_int_equal(r.palette[200][1], 400 & 255);
}

/* Where the pixel of the upright picture stands in the file, from the definition of the tag. */
static void stored(int orientation, int x, int y, int *column, int *row) {
    const int across = orientation >= 5;
    const int a = across ? y : x, b = across ? x : y; /* along the file's rows and columns */
    const int flip_a = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const int flip_b = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    *column = flip_a ? W - 1 - a : a;
    *row = flip_b ? H - 1 - b : b;
}

TEST(orientations) {
    for (int orientation = 1; orientation <= 8; orientation++)
        for (int kind = 0; kind < 3; kind++) { /* 8 bits, 16 bits, tiles */
            SCOPED(seg_raster) r;
            TIFF *tiff = begin("w");
            write_page(tiff, kind == 1 ? 16 : 8, 3, PHOTOMETRIC_RGB, kind == 2, orientation);
            TIFFClose(tiff);
            assert_ok(&ctx, seg_raster_read(&ctx, PATH, &r));
            assert_int_equal(r.width, orientation >= 5 ? H : W);
            for (int i = 0; i < W * H * 3; i++) {
                int column, row;
                stored(orientation, i / 3 % r.width, i / 3 / r.width, &column, &row);
                const unsigned got = kind == 1 ? r.sample16[i] : r.sample8[i];
                if (got != value(column, row, i % 3, kind == 1 ? 16 : 8))
                    fail_msg("orientation %d, kind %d: sample %d", orientation, kind, i);
            }
        }
}

TEST(pages) {
    SCOPED(seg_image) image;
    TIFF *tiff = begin("w");
    write_page(tiff, 8, 3, PHOTOMETRIC_RGB, 0, 1);
    TIFFWriteDirectory(tiff);
    write_page(tiff, 8, 1, PHOTOMETRIC_MINISBLACK, 0, 1);
    TIFFClose(tiff);
    assert_ok(&ctx, seg_image_read(&ctx, PATH, &image));
    assert_non_null(strstr(check_warnings, "several pages"));
    assert_int_equal(image.grey, 0);
}

static void mark_reduced(TIFF *tiff) {
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
}

/* The image of full resolution is read wherever it is, and the page is said. */
TEST(reduced_images) {
    seg_image image;
    for (int reduced = 0; reduced < 4; reduced++) { /* bits: page 1, page 2 */
        TIFF *tiff = begin("w");
        if (reduced & 1)
            mark_reduced(tiff);
        write_page(tiff, 8, 1, PHOTOMETRIC_MINISBLACK, 0, 1);
        TIFFWriteDirectory(tiff);
        if (reduced & 2)
            mark_reduced(tiff);
        write_page(tiff, 8, 3, PHOTOMETRIC_RGB, 0, 1);
        TIFFClose(tiff);
        check_listen(&ctx);
        const seg_status status = seg_image_read(&ctx, PATH, &image);
        seg_image_header header;
        assert_int_equal(seg_image_header_read(&ctx, PATH, 0, &header), status);
        if (reduced == 3) {
            assert_fails(&ctx, status, SEG_ERR_INPUT, "a reduced image (a preview) only");
            continue;
        }
        assert_ok(&ctx, status);
        assert_int_equal(image.grey, reduced != 1);
        assert_true(reduced == 2 ? check_warned == 0
                                 : strstr(check_warnings, reduced ? "page 1, counted from 0, is used"
                                                                  : "page 0, counted from 0, is used") != NULL);
        seg_image_free(&image);
    }
}

/* By content, not by name. */
TEST(raw_files_are_named) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *said;
    } beginnings[] = {{"II*\0\x10\0\0\0CR\x02\0", 12, "CR2"},
                      {"FUJIFILMCCD-RAW 0201", 20, "RAF"},
                      {"IIRO\x08\0\0\0", 8, "ORF"},
                      {"\0\0\0\x18"
                       "ftypcrx ",
                       12, "CR3"},
                      {"IIU\0\x18\0\0\0", 8, "RW2"}};
    seg_image image;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        assert_fails(&ctx, image_read_memory(&ctx, beginnings[i].bytes, beginnings[i].size, "x.jpg", &image),
                     SEG_ERR_INPUT, beginnings[i].said);
        assert_says(&ctx, "raw converter");
    }
    for (int digital_negative = 0; digital_negative < 2; digital_negative++) {
        TIFF *tiff = begin("w");
        if (digital_negative)
            TIFFSetField(tiff, TIFFTAG_DNGVERSION, "\1\4\0");
        write_page(tiff, 8, 1, digital_negative ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_CFA, 0, 1);
        TIFFClose(tiff);
        assert_fails(&ctx, seg_image_read(&ctx, PATH, &image), SEG_ERR_INPUT, "a camera raw image");
    }
}

/* Cut short or changed at any place, by powers of a factor: an image or a sentence. */
static void check_damaged(int bits, int tiled, int orientation, int factor) {
    AUTOFREE unsigned char *bytes;
    size_t size;
    seg_image image;
    TIFF *tiff = begin("w");
    write_page(tiff, bits, 3, PHOTOMETRIC_RGB, tiled, orientation);
    TIFFClose(tiff);
    assert_ok(&ctx, seg_file_read(&ctx, PATH, &bytes, &size));
    for (size_t length = 4; length < size; length++) {
        AUTOFREE unsigned char *cut = malloc(length);
        memcpy(cut, bytes, length);
        assert_int_not_equal(image_read_memory(&ctx, cut, length, "cut.tif", &image), SEG_OK);
        assert_says(&ctx, "cut.tif");
        assert_null(image.data);
    }
    for (size_t at = 4; at < size; at++)
        for (int change = 1; change < 256; change *= factor) {
            bytes[at] = (unsigned char)(bytes[at] ^ change);
            seg_status status = image_read_memory(&ctx, bytes, size, "bad.tif", &image);
            assert_true(status == SEG_OK || status == SEG_ERR_INPUT || status == SEG_ERR_MEMORY);
            seg_image_free(&image);
            bytes[at] = (unsigned char)(bytes[at] ^ change);
        }
}

TEST(damaged) {
    check_damaged(8, 0, 6, 3);
    check_damaged(16, 0, 1, 243);
    check_damaged(8, 1, 1, 243);
}
