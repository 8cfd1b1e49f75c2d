/* TIFF of every kind of sample that is read: whole numbers of 1 to 32 bits, with a sign or without, and floats, in
 * strips and tiles, by pixels and by planes, in every compression, with opacity, as inks, white at zero. */
#include "check.h"

#include "image/raster.h"

#include <tiffio.h>

#define PATH SEGMENT_BINARY_DIR "/samples.tif"
enum { W = 37, H = 21, TILE = 16 };

BEFORE_EACH {
    ctx.threads = 1;
    check_listen(&ctx);
}

typedef struct page {
    int bits, format, samples, photometric, planar, tiled, compression, extra; /* extra: kind of the last sample, -1 */
    const char *mode;
    double (*value)(int x, int y, int s);
} page;

/* --- Values. --- */

static unsigned noise(int x, int y, int s) {
    uint32_t v = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ ((uint32_t)s * 83492791u + 77u);
    v ^= v >> 13;
    v *= 0x5bd1e995u;
    return v ^ v >> 15;
}
static double any(int x, int y, int s) {
    return noise(x, y, s);
}

/* Whole numbers in strips, pixel by pixel and as they are; grey, or RGB of three samples and more. */
static page page_of(int bits, int samples) {
    return (page){.bits = bits,
                  .format = SAMPLEFORMAT_UINT,
                  .samples = samples,
                  .photometric = samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB,
                  .planar = PLANARCONFIG_CONTIG,
                  .compression = COMPRESSION_NONE,
                  .extra = -1,
                  .value = any};
}

static void put(uint8_t *row, size_t i, const page *p, double value) {
    if (p->bits == 64) { /* is refused */
        memset(row + i * 8, 1, 8);
    } else if (p->bits == 32 && p->format == SAMPLEFORMAT_IEEEFP) {
        ((float *)(void *)row)[i] = (float)value;
    } else if (p->bits == 32) {
        ((uint32_t *)(void *)row)[i] = (uint32_t)(int64_t)value;
    } else if (p->bits == 16) {
        ((uint16_t *)(void *)row)[i] = (uint16_t)(int64_t)value;
    } else if (p->bits == 8) {
        row[i] = (uint8_t)(int64_t)value;
    } else {
        for (int b = 0; b < p->bits; b++) {
            const size_t at = i * (size_t)p->bits + (size_t)b;
            row[at / 8] |= (uint8_t)(((int64_t)value >> (p->bits - 1 - b) & 1) << (7 - at % 8));
        }
    }
}

/* The value that is stored: whole numbers are cut to their bits. */
static double stored(const page *p, int x, int y, int s) {
    const double v = p->value(x, y, s);
    return p->value == any ? (double)((uint64_t)v & (p->bits < 32 ? (1ull << p->bits) - 1 : UINT32_MAX)) : v;
}

/* @return NULL where libtiff lacks the compression */
static TIFF *begin(const page *p) {
    TIFF *tiff = TIFFOpen(PATH, p->mode ? p->mode : "w");
    assert_non_null(tiff);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, W);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, H);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, p->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, p->samples);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, p->format);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, p->photometric);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, p->planar);
    if (TIFFSetField(tiff, TIFFTAG_COMPRESSION, p->compression))
        return tiff;
    TIFFClose(tiff);
    return NULL;
}

static int write_page(const page *p) {
    TIFF *tiff = begin(p);
    if (!tiff)
        return 0;
    if (p->extra >= 0)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, (uint16_t[]){(uint16_t)p->extra});
    const int planes = p->planar == PLANARCONFIG_SEPARATE ? p->samples : 1, count = planes > 1 ? 1 : p->samples;
    const int across = p->tiled ? TILE : W, down = p->tiled ? TILE : 8;
    if (p->tiled) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, TILE);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, TILE);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, down);
    }
    const size_t room = ((size_t)(across * count * p->bits) + 7) / 8;
    AUTOFREE uint8_t *block = malloc(room * (size_t)down);
    for (int plane = 0; plane < planes; plane++)
        for (int top = 0; top < H; top += down)
            for (int left = 0; left < W; left += across) {
                const int rows = p->tiled || H - top >= down ? down : H - top;
                memset(block, 0, room * (size_t)down);
                for (int y = 0; y < rows && top + y < H; y++)
                    for (int x = 0; x < across && left + x < W; x++)
                        for (int s = 0; s < count; s++)
                            put(block + (size_t)y * room, (size_t)(x * count + s), p,
                                stored(p, left + x, top + y, plane + s));
                const uint32_t number = p->tiled
                                            ? TIFFComputeTile(tiff, (uint32_t)left, (uint32_t)top, 0, (uint16_t)plane)
                                            : TIFFComputeStrip(tiff, (uint32_t)top, (uint16_t)plane);
                const tmsize_t size = (tmsize_t)room * rows;
                assert_true((p->tiled ? TIFFWriteEncodedTile(tiff, number, block, size)
                                      : TIFFWriteEncodedStrip(tiff, number, block, size)) == size);
            }
    TIFFClose(tiff);
    return 1;
}

/* Read the page; every sample is what `expected` makes of the stored value, at `bits`. */
static void check(const page *p, int bits, double (*expected)(const page *p, double value)) {
    SCOPED(seg_raster) r;
    assert_ok(&ctx, seg_raster_read(&ctx, PATH, &r));
    assert_int_equal(r.width, W);
    assert_int_equal(r.height, H);
    assert_int_equal(r.bits, bits);
    assert_int_equal(r.kind, p->samples == 3 ? SEG_RASTER_RGB : SEG_RASTER_GREY);
    for (int i = 0; i < W * H * r.channels; i++) {
        const int x = i / r.channels % W, y = i / r.channels / W, s = i % r.channels;
        const double want = expected(p, stored(p, x, y, s)), got = r.sample8 ? r.sample8[i] : r.sample16[i];
        if (got != want)
            fail_msg("%d bits, format %d, photometric %d, planar %d, tiled %d, compression %d, %s: (%d,%d,%d) is %g, "
                     "not %g",
                     p->bits, p->format, p->photometric, p->planar, p->tiled, p->compression, p->mode ? p->mode : "w",
                     x, y, s, got, want);
    }
}

static double same(const page *p, double value) {
    (void)p;
    return value;
}
static double inverse(const page *p, double value) {
    return (1 << p->bits) - 1 - value;
}
TEST(whole_numbers_of_every_width) {
    static const int bits[] = {1, 2, 4, 8, 16};
    static const char *const modes[] = {"wl", "wb", "w8"}; /* both byte orders, BigTIFF */
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
        for (int samples = 1; samples <= 3; samples += 2)
            for (int planar = PLANARCONFIG_CONTIG;
                 planar <= (bits[b] < 8 ? PLANARCONFIG_CONTIG : PLANARCONFIG_SEPARATE); planar++)
                for (int tiled = 0; tiled < 2; tiled++)
                    for (int mode = 0; mode < 3; mode++) {
                        if ((samples > 1 && bits[b] < 8) || (tiled && planar == PLANARCONFIG_SEPARATE))
                            continue; /* libvips does not read them */
                        page p = page_of(bits[b], samples);
                        p.planar = planar;
                        p.tiled = tiled;
                        p.mode = modes[mode];
                        write_page(&p);
                        check(&p, bits[b], same);
                    }
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
        page p = page_of(bits[b], 1);
        p.photometric = PHOTOMETRIC_MINISWHITE;
        p.compression = COMPRESSION_LZW;
        write_page(&p);
        check(&p, bits[b], inverse);
    }
}

TEST(every_compression) {
    static const int compressions[] = {COMPRESSION_NONE,          COMPRESSION_LZW,     COMPRESSION_PACKBITS,
                                       COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE, COMPRESSION_LZMA,
                                       COMPRESSION_ZSTD,          COMPRESSION_LERC};
    int tried = 0;
    for (size_t c = 0; c < sizeof compressions / sizeof *compressions; c++) {
        if (!TIFFIsCODECConfigured((uint16_t)compressions[c]))
            continue;
        for (int bits = 8; bits <= 16; bits += 8)
            for (int tiled = 0; tiled < 2; tiled++) {
                page p = page_of(bits, 3);
                p.tiled = tiled;
                p.compression = compressions[c];
                p.mode = tiled ? "wb" : "wl";
                if (write_page(&p)) {
                    check(&p, bits, same);
                    tried++;
                }
            }
    }
    assert_true(tried >= 20);
    static const int fax[] = {COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4, COMPRESSION_CCITTRLE};
    for (int c = 0; c < 3; c++) {
        page p = page_of(1, 1);
        p.photometric = PHOTOMETRIC_MINISWHITE;
        p.compression = fax[c];
        write_page(&p);
        check(&p, 1, inverse);
    }
}

/* Opacity multiplied in or not, in grey and RGB, 8 and 16 bits; samples that mean nothing are left out. */
TEST(opacity) {
    for (int bits = 8; bits <= 16; bits += 8)
        for (int samples = 2; samples <= 4; samples += 2)
            for (int planar = PLANARCONFIG_CONTIG; planar <= PLANARCONFIG_SEPARATE; planar++)
                for (int extra = EXTRASAMPLE_UNSPECIFIED; extra <= EXTRASAMPLE_UNASSALPHA; extra++) {
                    page p = page_of(bits, samples);
                    p.planar = planar;
                    p.compression = COMPRESSION_LZW;
                    p.extra = extra;
                    const double most = (1 << bits) - 1;
                    SCOPED(seg_raster) r;
                    write_page(&p);
                    if (samples == 2 && planar == PLANARCONFIG_SEPARATE) { /* libvips mixes them up */
                        assert_fails(&ctx, seg_raster_read(&ctx, PATH, &r), SEG_ERR_INPUT, "channels apart");
                        continue;
                    }
                    assert_ok(&ctx, seg_raster_read(&ctx, PATH, &r));
                    assert_int_equal(r.channels, samples - 1);
                    assert_int_equal(r.alpha != NULL, extra != EXTRASAMPLE_UNSPECIFIED);
                    for (int i = 0; i < W * H * r.channels; i++) {
                        const int pixel = i / r.channels, x = pixel % W, y = pixel / W;
                        const double v = stored(&p, x, y, i % r.channels), a = stored(&p, x, y, samples - 1);
                        const double got = r.sample8 ? r.sample8[i] : r.sample16[i];
                        if (extra != EXTRASAMPLE_UNSPECIFIED)
                            assert_int_equal(r.alpha[pixel], bits == 16 ? a : a * 257);
                        if (extra != EXTRASAMPLE_ASSOCALPHA)
                            assert_true(got == v);
                        else if (a > 0)
                            assert_true(fabs(got - fmin(most, v * most / a)) <= 0.5 + 1e-9);
                    }
                }
}

/* Inks leave of the light what neither they nor black take. */
TEST(inks) {
    for (int bits = 8; bits <= 16; bits += 8)
        for (int planar = PLANARCONFIG_CONTIG; planar <= PLANARCONFIG_SEPARATE; planar++) {
            page p = page_of(bits, 4);
            p.photometric = PHOTOMETRIC_SEPARATED;
            p.planar = planar;
            p.compression = COMPRESSION_LZW;
            const double most = (1 << bits) - 1;
            SCOPED(seg_raster) r;
            write_page(&p);
            assert_ok(&ctx, seg_raster_read(&ctx, PATH, &r));
            assert_int_equal(r.channels, 3);
            for (int i = 0; i < W * H * 3; i++) {
                const int x = i / 3 % W, y = i / 3 / W;
                const double light = (most - stored(&p, x, y, i % 3)) * (most - stored(&p, x, y, 3)) / most;
                assert_true(fabs((bits == 8 ? r.sample8[i] : r.sample16[i]) - light) < 1);
            }
        }
}

/* JPEG in TIFF: libtiff's colours, within what JPEG loses. */
TEST(jpeg_inside) {
    for (int ycbcr = 0; ycbcr < 2; ycbcr++) {
        uint8_t row[W * 3];
        SCOPED(seg_raster) r;
        page p = page_of(8, 3);
        p.photometric = ycbcr ? PHOTOMETRIC_YCBCR : PHOTOMETRIC_RGB;
        p.compression = COMPRESSION_JPEG;
        TIFF *tiff = begin(&p);
        TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, 98);
        if (ycbcr)
            TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 16);
        for (int y = 0; y < H; y++) {
            for (int x = 0; x < W; x++) {
                row[3 * x] = (uint8_t)(5 * x);
                row[3 * x + 1] = (uint8_t)(9 * y);
                row[3 * x + 2] = 120;
            }
            assert_int_equal(TIFFWriteScanline(tiff, row, (uint32_t)y, 0), 1);
        }
        TIFFClose(tiff);
        assert_ok(&ctx, seg_raster_read(&ctx, PATH, &r));
        assert_int_equal(r.lossy, 1);
        for (int i = 0; i < W * H; i++) {
            assert_true(abs(r.sample8[3 * i] - 5 * (i % W)) < 16);
            assert_true(abs(r.sample8[3 * i + 1] - 9 * (i / W)) < 16);
            assert_true(abs(r.sample8[3 * i + 2] - 120) < 16);
        }
    }
}

/* One sample that is said to be an opacity: it is the grey. */
TEST(opacity_without_colour) {
    SCOPED(seg_raster) r;
    page p = page_of(8, 1);
    p.extra = EXTRASAMPLE_ASSOCALPHA;
    write_page(&p);
    if (seg_raster_read(&ctx, PATH, &r) == SEG_OK) {
        assert_null(r.alpha);
        assert_int_equal(r.sample8[5], stored(&p, 5, 0, 0));
    }
}

/* Numbers that 16 bits cannot hold. */
static double signs(int x, int y, int s) {
    return 3 * (x - 10) + y + s;
}
static double part = 0.25;
static double parts(int x, int y, int s) {
    return part * signs(x, y, s);
}
static double large(int x, int y, int s) {
    return signs(x, y, s) + 70000;
}
static double whole(int x, int y, int s) {
    return signs(x, y, s) + 30;
}
static double ends[2]; /* become 0 and 65535 */
static double stretched(const page *p, double value) {
    (void)p;
    return floor(65535 / (ends[1] - ends[0]) * (value - ends[0]) + 0.5);
}

/* From the least to the largest of the page; whole numbers from 0 to 65535 keep their value. */
TEST(numbers_with_a_sign_of_32_bits_and_floats_are_stretched) {
    static const struct {
        int bits, format;
        double (*value)(int x, int y, int s);
    } kinds[] = {{8, SAMPLEFORMAT_INT, signs},     {16, SAMPLEFORMAT_INT, signs},   {32, SAMPLEFORMAT_INT, signs},
                 {32, SAMPLEFORMAT_IEEEFP, signs}, {32, SAMPLEFORMAT_UINT, large},  {32, SAMPLEFORMAT_IEEEFP, parts},
                 {32, SAMPLEFORMAT_IEEEFP, large}, {16, SAMPLEFORMAT_INT, whole},   {32, SAMPLEFORMAT_INT, whole},
                 {32, SAMPLEFORMAT_UINT, whole},   {32, SAMPLEFORMAT_IEEEFP, whole}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int form = 0; form < 6; form++) {
            const int samples = form % 2 ? 3 : 1;
            page p = page_of(kinds[k].bits, samples);
            p.format = kinds[k].format;
            p.tiled = form / 2 == 1;
            p.value = kinds[k].value;
            if (form / 2 == 2) {
                p.compression = COMPRESSION_ADOBE_DEFLATE;
                p.mode = "wb";
            }
            write_page(&p);
            ends[0] = p.value(0, 0, 0);
            ends[1] = p.value(W - 1, H - 1, samples - 1);
            check(&p, 16, p.value == whole ? same : stretched);
        }
}

/* Pages together have the ends of all, except channels of which one would keep too few numbers. */
TEST(slices_of_floats_compare_and_most_channels_do) {
    for (int apart = 0; apart < 3; apart++) {
        page p = page_of(32, 1);
        p.format = SAMPLEFORMAT_IEEEFP;
        p.mode = "w";
        SCOPED(seg_raster) r;
        const char *name = PATH "[0-2]";
        part = apart < 2 ? 0.25 : 0.01;
        for (int i = 0; i < 3; i++, p.mode = "a") {
            p.value = i == 0 ? signs : i == 1 ? parts : whole;
            write_page(&p);
        }
        assert_ok(&ctx, apart ? seg_stack_read(&ctx, &(seg_stack_files){name, NULL, 3, 1}, &r)
                              : seg_raster_read(&ctx, name, &r));
        for (int i = 0; i < 3 * W * H; i++) {
            double (*const value)(int, int, int) = i < W * H ? signs : i < 2 * W * H ? parts : whole;
            const int own = apart == 2;
            ends[0] = own && value == whole ? 0 : own ? value(0, 0, 0) : signs(0, 0, 0);
            ends[1] = own && value == whole ? 65535 : (own ? value : whole)(W - 1, H - 1, 0);
            assert_float_equal(r.sample16[i], stretched(&p, value(i % W, i / W % H, 0)), 1);
        }
    }
    part = 0.25;
}

/* What libvips cannot read, or takes for something else, is refused by name. */
TEST(other_samples_are_refused) {
    static const struct {
        int bits, format, photometric, samples;
        const char *said;
    } kinds[] = {{12, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK, 1, "samples of 12 bits"},
                 {4, SAMPLEFORMAT_UINT, PHOTOMETRIC_RGB, 3, "samples of 4 bits"},
                 {64, SAMPLEFORMAT_IEEEFP, PHOTOMETRIC_MINISBLACK, 1, "floating-point numbers of 64 bits"},
                 {16, SAMPLEFORMAT_IEEEFP, PHOTOMETRIC_MINISBLACK, 1, "floating-point numbers of 16 bits"},
                 {16, SAMPLEFORMAT_INT, PHOTOMETRIC_SEPARATED, 4, "grey and RGB TIFF files without opacity only"},
                 {8, SAMPLEFORMAT_UINT, PHOTOMETRIC_YCBCR, 3, "YCbCr"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        seg_raster r;
        page p = page_of(kinds[k].bits, kinds[k].samples);
        p.format = kinds[k].format;
        p.photometric = kinds[k].photometric;
        write_page(&p);
        assert_int_equal(seg_raster_read(&ctx, PATH, &r), SEG_ERR_INPUT);
        if (!strstr(ctx.message, kinds[k].said))
            fail_msg("'%s' lacks '%s'", ctx.message, kinds[k].said);
    }
}

TEST(unknown_compression_is_named) {
    seg_raster r;
    AUTOFREE unsigned char *bytes;
    size_t size;
    page p = page_of(8, 1);
    p.mode = "wl";
    write_page(&p);
    assert_ok(&ctx, seg_file_read(&ctx, PATH, &bytes, &size));
    static const unsigned char tag[] = {3, 1, 3, 0, 1, 0, 0, 0, 1, 0}; /* compression, one short, 1 */
    for (size_t at = 0; at + sizeof tag < size; at++)
        if (memcmp(bytes + at, tag, sizeof tag) == 0) {
            bytes[at + 8] = 34712 & 255; /* JPEG 2000 */
            bytes[at + 9] = 34712 >> 8;
        }
    assert_fails(&ctx, seg_raster_decode(&ctx, bytes, size, "j2k.tif", &r), SEG_ERR_INPUT, "34712");
}
