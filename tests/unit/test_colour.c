/* Colour profiles: images of Display P3 whose pixels were computed elsewhere become the sRGB ones; grey profiles; what
 * has no profile, one of sRGB, of inks or a damaged one stays as it is. */
#include "picture_files.h"

#include "image/colour.h"
#include "image/labels.h"

static seg_image read_image(const char *kind, const char *name) {
    seg_image image;
    check_listen(&ctx);
    assert_ok(&ctx, seg_image_read(&ctx, picture_path(kind, name), &image));
    return image;
}

/* Every pixel is that of sRGB, `scale` times as large, to within `most` steps of 8 bits; before conversion some are at
 * least 30 steps away. */
static void check_converted(const char *kind, const char *name, int scale, double most) {
    double worst = 0, before = 0;
    SCOPED(seg_image) image = read_image(kind, name);
    SCOPED(seg_raster) raster = read_picture(kind, name);
    assert_int_equal(image.width, WIDTH * scale);
    assert_int_equal(image.height, HEIGHT * scale);
    for (int i = 0; i < image.width * image.height * 3; i++) {
        const int x = i / 3 % image.width / scale, y = i / 3 / image.width / scale;
        const double wanted = made_sample(x, y, i % 3);
        const double is = image.depth == 8 ? ((uint8_t *)image.data)[i] : ((uint16_t *)image.data)[i] / 257.;
        const double was = image.depth == 8 ? raster.sample8[i] : raster.sample16[i] / 257.;
        worst = fmax(worst, fabs(is - wanted));
        before = fmax(before, fabs(was - wanted));
    }
    if (worst > most || before < 30)
        fail_msg("%s/%s: %g off, %g before", kind, name, worst, before);
}

TEST(display_p3) {
#ifdef SEG_LIBRARY_LCMS2
    check_converted("png", "p3", 1, 7); /* a step of P3 is several of sRGB where one channel is dark */
    check_converted("png", "p3-16", 1, 0.2);
    check_converted("png", "cicp", 1, 7);
    check_converted("vips", "tiff-p3", 1, 7);
    check_converted("jpeg", "p3", 8, 24); /* and what JPEG loses */
#ifdef SEG_LIBRARY_WEBP
    check_converted("vips", "webp-p3", 1, 7);
#endif
#ifdef SEG_LIBRARY_HEIF
    check_converted("vips", "heif-p3", 8, 24);
#endif
#ifdef SEG_LIBRARY_JXL
    check_converted("vips", "jxl-p3", 1, 7);
#endif
#else
    seg_image image = read_image("png", "p3");
    assert_non_null(strstr(check_warnings, "liblcms2-dev"));
    seg_image_free(&image);
#endif
}

#ifdef SEG_LIBRARY_LCMS2
/* What the profile in that file makes of an image whose samples are 0, 1, 2 ... of 8 bits. */
static void convert_ramp(const char *profile, int grey, uint8_t sample[768]) {
    AUTOFREE unsigned char *bytes;
    size_t size;
    SCOPED(seg_raster) raster = {.width = 16, .height = 16, .kind = SEG_RASTER_RGB, .channels = 3, .bits = 8};
    seg_image image = {.width = 16, .height = 16, .depth = 8, .grey = grey, .data = sample};
    for (int i = 0; i < 768; i++)
        sample[i] = (uint8_t)(grey ? i / 3 : (i * 7) & 255);
    check_listen(&ctx);
    assert_ok(&ctx, seg_file_read(&ctx, picture_path("icc", profile), &bytes, &size));
    assert_ok(&ctx, seg_raster_keep_profile(&ctx, "made.png", bytes, size, &raster));
    assert_ok(&ctx, seg_image_to_srgb(&ctx, "made.png", &raster, &image));
}

TEST(samples_that_stay) {
    static const char *const names[] = {"srgb", "lab", "cut-off", "grey"};
    uint8_t sample[768];
    for (int n = 0; n < 4; n++) {
        convert_ramp(names[n], 0, sample);
        for (int i = 0; i < 768; i++)
            assert_int_equal(sample[i], (i * 7) & 255);
        assert_int_equal(strstr(check_warnings, "damaged colour profile") != NULL, n == 2);
    }
    convert_ramp("srgb", 1, sample);
    for (int i = 0; i < 768; i++)
        assert_int_equal(sample[i], i / 3);
}

/* A gamma of 1.8 made sRGB's: computed here. A profile of three channels leaves grey grey. */
TEST(greys) {
    uint8_t sample[768];
    convert_ramp("grey", 1, sample);
    for (int i = 0; i < 768; i++) {
        const double light = pow(i / 3 / 255., 1.80078125);
        const double wanted = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
        assert_near(sample[i], 255 * wanted, 1);
    }
    convert_ramp("p3", 1, sample);
    for (int i = 0; i < 768; i++)
        assert_near(sample[i], i / 3, 1);
}

/* A painted copy of a wide-gamut image has its profile, too; of a file of labels the values stay. */
TEST(scribbles) {
    SCOPED(seg_mask) truth;
    SCOPED(seg_raster) raster = read_picture("png", "p3");
    assert_ok(&ctx, seg_raster_to_srgb(&ctx, "p3", &raster));
    SCOPED(seg_image) image = read_image("png", "p3");
    assert_memory_equal(raster.sample8, image.data, WIDTH * HEIGHT * 3);
    seg_raster_free(&raster);
    raster = read_picture("png", "grey-profile");
    assert_ok(&ctx, seg_raster_to_srgb(&ctx, "grey-profile", &raster));
    assert_ok(&ctx, seg_truth_from_raster(&ctx, &raster, "grey-profile", &truth));
    for (int i = 1; i < WIDTH * HEIGHT; i++)
        assert_int_equal(truth.label[i], 7 * i);
}
#endif

/* Five megabytes in five kilobytes: the profile is left out, the image is read. */
TEST(bombs) {
    SCOPED(seg_image) image = read_image("png", "profile-bomb");
    assert_int_equal(image.depth, 16);
    assert_non_null(strstr(check_warnings, "damaged colour profile"));
}

/* The eight orientations of WebP: one file, its number changed. */
TEST(webp_orientation) {
#ifdef SEG_LIBRARY_WEBP
    unsigned char *bytes;
    size_t size;
    assert_ok(&ctx, seg_file_read(&ctx, picture_path("vips", "webp-turned"), &bytes, &size));
    unsigned char *at = memmem(bytes, size, "\x12\1\3\0\1\0\0\0", 8); /* little-endian: orientation, a short, one */
    int big = 0;
    if (!at) {
        at = memmem(bytes, size, "\1\x12\0\3\0\0\0\1", 8);
        big = 1;
    }
    assert_non_null(at);
    for (int turn = 1; turn <= 8; turn++) {
        seg_raster raster, header;
        at[8 + big] = (unsigned char)turn;
        assert_ok(&ctx, seg_raster_decode(&ctx, bytes, size, "turned.webp", &raster));
        assert_ok(&ctx, seg_raster_probe(&ctx, bytes, size, "turned.webp", &header));
        assert_int_equal(raster.width, turn < 5 ? WIDTH : HEIGHT);
        assert_int_equal(header.width, raster.width);
        assert_int_equal(header.height, raster.height);
        for (int y = 0; y < raster.height; y++)
            for (int x = 0; x < raster.width; x++) {
                /* Where the upright pixel is in the file. */
                const int across = turn == 2 || turn == 3 || turn == 7 || turn == 8;
                const int down = turn == 3 || turn == 4 || turn == 6 || turn == 7;
                const int u = turn < 5 ? x : y, v = turn < 5 ? y : x;
                const int file_x = across ? WIDTH - 1 - u : u, file_y = down ? HEIGHT - 1 - v : v;
                for (int c = 0; c < 3; c++)
                    assert_int_equal(raster.sample8[(y * raster.width + x) * 3 + c], made_sample(file_x, file_y, c));
            }
        seg_raster_free(&raster);
    }
    free(bytes);
#endif
}
