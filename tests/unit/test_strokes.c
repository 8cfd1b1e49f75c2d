/* scribbles: strokes that are soft, JPEG-compressed or painted on the image. */
#include "rasters.h"

TEST(soft_strokes_are_snapped) {
    for (int many = 0; many < 2; many++) {
        SCOPED(seg_raster) r = make(200, 120, SEG_RASTER_RGB, 8);
        levels = many ? 255 : 16;
        soft_stroke(&r, 20, 20, 180, 40, 5, 1.5, 0xff0000);
        soft_stroke(&r, 20, 60, 180, 100, 5, 1.5, 0x00c8ff);
        levels = 255;
        check_listen(&ctx);
        SCOPED(seg_mask) m = read_as(&r, NULL, SEG_SCRIBBLES_SNAPPED, 2);
        assert_colour(&m, 1, 0, 0xc8, 255);
        assert_colour(&m, 2, 255, 0, 0);
        assert_in_range(count_label(&m, 2), 1400, 1900);
        assert_int_equal(m.label[30 * 200 + 100], 2);
        assert_int_equal(m.label[80 * 200 + 100], 1);
        assert_non_null(strstr(check_warnings, "soft edges"));
    }
}

TEST(thin_soft_strokes_are_snapped) {
    for (int radius = 0; radius < 4; radius++)
        for (int light = 0; light < 2; light++) {
            SCOPED(seg_raster) r = make(200, 120, SEG_RASTER_RGB, 8);
            mix_light = light;
            soft_stroke(&r, 20, 20, 180, 20, radius + 0.75, 1, 0xff0000); /* level: two tones at most */
            soft_stroke(&r, 20, 60, 180, 60, radius + 0.75, 1, 0x00c8ff);
            mix_light = 0;
            SCOPED(seg_mask) m = read_as(&r, NULL, SEG_SCRIBBLES_SNAPPED, 2);
            assert_int_equal(m.label[20 * 200 + 100], 2);
            assert_int_equal(m.label[60 * 200 + 100], 1);
            assert_in_range(count_label(&m, 1), 140 * (1 + 2 * (size_t)radius), 200 * (1 + 2 * (size_t)radius));
        }
}

TEST(no_stroke_is_lost_in_silence) {
    SCOPED(seg_raster) r = make(300, 120, SEG_RASTER_RGB, 8);
    soft_stroke(&r, 20, 30, 280, 60, 14, 1.5, 0xff0000);
    rectangle(&r, 100, 100, 10, 1, 0x00ff00); /* less than a 500th */
    seg_mask m = read_as(&r, NULL, SEG_SCRIBBLES_SNAPPED, 1);
    size_t labelled = count_label(&m, 1);
    assert_non_null(strstr(check_warnings, "10 painted pixels away from all clear strokes"));
    seg_mask_free(&m);
    for (int i = 0; i < 30; i++) /* every pixel another colour */
        rectangle(&r, 100 + 5 * i, 110, 5, 1,
                  0x404040u | (unsigned)(i * 37 % 256) << 16 | (unsigned)(i * 91 % 256) << 8 |
                      (unsigned)(i * 53 % 256));
    assert_true(labelled / 50 < 160);
    assert_fails(&ctx, read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "no clear stroke colour");
    assert_null(m.label);
}

TEST(painted_on_the_photograph) {
    SCOPED(seg_raster) plain = image(160, 120), r = copy_of(&plain);
    seg_mask m;
    SCOPED(seg_image) photo = photo_of(&plain);
    assert_fails(&ctx, read_raster(&r, "m.png", &photo, NULL, &m, NULL), SEG_ERR_INPUT, "m.png is the unpainted image");
    rectangle(&r, 10, 10, 30, 3, 0xff0000);
    rectangle(&r, 10, 30, 20, 3, 0x000000); /* black is a colour like others here */
    rectangle(&r, 90, 30, 20, 1, 0x00ff00);
    set_rgb(&r, 0, 0, 0xffffff);
    m = read_as(&r, &photo, SEG_SCRIBBLES_PAINTED, 4);
    assert_int_equal(count_label(&m, 1), 60);
    assert_int_equal(count_label(&m, 2), 20);
    assert_int_equal(count_label(&m, 3), 90);
    assert_int_equal(count_label(&m, 4), 1);
    assert_non_null(strstr(check_infos, "painted on a copy of the image; 4 labels: 1 (0,0,0): 60 pixels"));
    assert_string_equal(check_warnings, "");
    seg_mask_free(&m);
    /* without the image it cannot be understood, and says so */
    assert_int_equal(read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_null(m.label);
    seg_raster_free(&r);

    for (mix_light = 0; mix_light < 2; mix_light++) { /* soft brushes */
        r = copy_of(&plain);
        soft_stroke(&r, 20, 20, 140, 30, 4, 2, 0xff0000);
        soft_stroke(&r, 20, 90, 140, 70, 4, 2, 0x0000ff);
        m = read_as(&r, &photo, SEG_SCRIBBLES_SNAPPED, 2);
        assert_int_equal(m.label[25 * 160 + 80], 2);
        assert_int_equal(m.label[80 * 160 + 80], 1);
        assert_colour(&m, 2, 255, 0, 0);
        assert_in_range(count_label(&m, 2), 700, 1150);
        assert_non_null(strstr(check_warnings, "soft edges"));
        seg_mask_free(&m);
        if (mix_light == 0)
            seg_raster_free(&r);
    }
    mix_light = 0;

    for (int i = 0; i < 160 * 120 * 3; i++) /* another JPEG decoder: unpainted pixels off by a little */
        if (r.sample8[i] == plain.sample8[i])
            r.sample8[i] = (uint8_t)(r.sample8[i] + i % 3);
    m = read_as(&r, &photo, SEG_SCRIBBLES_SNAPPED, 2);
    assert_in_range(count_label(&m, 1) + count_label(&m, 2), 1400, 2300);
    seg_mask_free(&m);
    seg_raster_free(&r);

    r = image(100, 120);
    assert_fails(&ctx, read_raster(&r, "m.png", &photo, NULL, &m, NULL), SEG_ERR_INPUT, "100 x 120");
    assert_says(&ctx, "160 x 120");
}

/* A short translucent stroke has another colour at every pixel of a copy: it is one label, or the file is refused with
 * the colours that were found; never a label per pixel. Dots of clearly different colours stay labels. */
TEST(translucent_strokes_are_not_many_labels) {
    static const uint32_t dots[] = {0xff0000, 0x00ff00, 0x0000ff, 0xffff00, 0xff00ff, 0x00ffff};
    SCOPED(seg_raster) plain = make(60, 40, SEG_RASTER_RGB, 8);
    SCOPED(seg_mask) m;
    for (unsigned y = 0; y < 40; y++) /* smooth: what noise there is tells of soft edges otherwise */
        for (unsigned x = 0; x < 60; x++)
            set_rgb(&plain, (int)x, (int)y, (40 + 3 * x) << 16 | (60 + 2 * x + y) << 8 | (200 - 3 * x));
    SCOPED(seg_image) photo = photo_of(&plain);
    for (int length = 4; length <= 40; length += 4)
        for (int cover = 1; cover <= 3; cover++) {
            SCOPED(seg_raster) r = copy_of(&plain);
            rectangle(&r, 5, 5, 12, 3, 0x0000ff);
            for (int x = 15; x < 15 + length; x++) {
                uint8_t *at = &r.sample8[3 * (20 * 60 + (size_t)x)];
                for (int c = 0; c < 3; c++)
                    at[c] = (uint8_t)((at[c] * (4 - cover) + (c == 0 ? 255 : 0) * cover) / 4);
            }
            const seg_status status = read_raster(&r, "m.png", &photo, NULL, &m, NULL);
            if (status == SEG_OK)
                assert_int_equal(m.labels, 2);
            else
                assert_int_equal(status, SEG_ERR_INPUT);
            seg_mask_free(&m);
        }
    SCOPED(seg_raster) r = copy_of(&plain);
    for (int d = 0; d < 6; d++)
        set_rgb(&r, 9 * d + 5, 30, dots[d]);
    m = read_as(&r, &photo, SEG_SCRIBBLES_PAINTED, 6);
}

TEST(painted_on_other_pictures) {
    SCOPED(seg_raster) rgb = image(80, 60), grey = make(80, 60, SEG_RASTER_GREY, 8), r;
    for (int i = 0; i < 80 * 60; i++)
        grey.sample8[i] = rgb.sample8[3 * i];
    SCOPED(seg_image) photo = photo_of(&grey);
    r = copy_of(&grey);
    rectangle(&r, 5, 5, 20, 3, 255);
    rectangle(&r, 5, 25, 10, 3, 0);
    SCOPED(seg_mask) m = read_as(&r, &photo, SEG_SCRIBBLES_PAINTED, 2);
    assert_int_equal(count_label(&m, 1), 30);
    assert_int_equal(count_label(&m, 2), 60);
    seg_mask_free(&m);
    for (int i = 0; i < 256; i++) /* the same as a palette picture */
        memset(r.palette[i], i, 3);
    r.palette_count = 256;
    r.kind = SEG_RASTER_PALETTE;
    m = read_as(&r, &photo, SEG_SCRIBBLES_PAINTED, 2);
    seg_mask_free(&m);
    seg_image_free(&photo);
    seg_raster_free(&r);

    SCOPED(seg_raster) deep = make(80, 60, SEG_RASTER_RGB, 16);
    for (int i = 0; i < 80 * 60 * 3; i++)
        deep.sample16[i] = (uint16_t)(rgb.sample8[i] * 257 + i % 50);
    photo = photo_of(&deep);
    r = copy_of(&rgb); /* 8-bit copy of a 16-bit image */
    rectangle(&r, 5, 5, 20, 3, 0xff00ff);
    m = read_as(&r, &photo, SEG_SCRIBBLES_PAINTED, 1);
    assert_int_equal(count_label(&m, 1), 60);
    seg_mask_free(&m);
    seg_image_free(&photo);

    rectangle(&rgb, 0, 0, 40, 60, 0x3366cc); /* a drawing of two colours */
    rectangle(&rgb, 40, 0, 40, 60, 0xffffff);
    photo = photo_of(&rgb);
    rectangle(&rgb, 5, 5, 20, 3, 0xff0000);
    rectangle(&rgb, 45, 5, 20, 3, 0x00ff00);
    m = read_as(&rgb, &photo, SEG_SCRIBBLES_PAINTED, 2);
    assert_int_equal(count_label(&m, 0), 80 * 60 - 120);
}

TEST(jpeg_strokes) {
    SCOPED(seg_raster) plain = image(320, 240), strokes = make(320, 240, SEG_RASTER_RGB, 8), r;
    soft_stroke(&strokes, 20, 40, 300, 80, 8, 1, 0xff0000);
    soft_stroke(&strokes, 20, 200, 300, 160, 8, 1, 0xffff00);
    r = through_jpeg(&strokes, 85);
    assert_true(r.lossy);
    seg_mask m = read_as(&r, NULL, SEG_SCRIBBLES_SNAPPED, 2);
    assert_int_equal(m.label[60 * 320 + 160], 1);
    assert_int_equal(m.label[180 * 320 + 160], 2);
    assert_in_range(count_label(&m, 1), 3500, 5300);
    assert_non_null(strstr(check_warnings, "JPEG"));
    seg_mask_free(&m);
    seg_raster_free(&r);

    r = through_jpeg(&plain, 90); /* the image is a JPEG itself, its painted copy one more */
    SCOPED(seg_image) photo = photo_of(&r);
    soft_stroke(&r, 20, 40, 300, 80, 8, 1, 0xff0000);
    soft_stroke(&r, 20, 200, 300, 160, 8, 1, 0x00ff00);
    SCOPED(seg_raster) again = through_jpeg(&r, 90);
    m = read_as(&again, &photo, SEG_SCRIBBLES_SNAPPED, 2);
    assert_int_equal(m.label[60 * 320 + 160], 2);
    assert_int_equal(m.label[180 * 320 + 160], 1);
    assert_in_range(count_label(&m, 1), 3300, 5300);
    size_t far = 0; /* nothing far from the strokes is marked */
    for (int x = 0; x < 320; x++)
        for (int y = 100; y < 140; y++)
            far += m.label[y * 320 + x] != 0;
    assert_int_equal(far, 0);
    seg_mask_free(&m);
    /* label map: colours nearly as in the map are taken for those */
    seg_labelmap map = {.count = 3, .colour = {{250, 5, 5}, {0, 0, 255}, {5, 250, 0}}, .name = {"a", "b", "c"}};
    assert_ok(&ctx, read_raster(&again, "m.jpg", &photo, &map, &m, NULL));
    assert_int_equal(m.label[60 * 320 + 160], 1);
    assert_int_equal(m.label[180 * 320 + 160], 3);
    assert_int_equal(m.labels, 3);
    seg_mask_free(&m);
    map.count = 2;
    assert_fails(&ctx, read_raster(&again, "m.jpg", &photo, &map, &m, NULL), SEG_ERR_INPUT, "nearest entry");
    /* the untouched JPEG */
    seg_raster_free(&r);
    r = through_jpeg(&plain, 90);
    assert_fails(&ctx, read_raster(&r, "m.jpg", &photo, NULL, &m, NULL), SEG_ERR_INPUT, "unpainted image");
    seg_raster_free(&r);

    rectangle(&strokes, 0, 0, 320, 240, 0); /* JPEG may have made two colours of one: no guess */
    rectangle(&strokes, 20, 20, 100, 20, 0xc80000);
    rectangle(&strokes, 20, 80, 100, 20, 0xfa0000);
    r = through_jpeg(&strokes, 90);
    assert_fails(&ctx, read_raster(&r, "m.jpg", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "too much alike for a JPEG");
    seg_raster_free(&r);
    rectangle(&strokes, 0, 0, 320, 240, 0); /* pencil lines do not survive JPEG */
    for (int i = 0; i < 10; i++)
        soft_stroke(&strokes, 20, 20 * i + 10, 300, 20 * i + 15, 0.5, 1, i % 2 ? 0xff0000 : 0x0000ff);
    r = through_jpeg(&strokes, 60);
    assert_fails(&ctx, read_raster(&r, "m.jpg", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "JPEG");
    assert_null(m.label);
}

TEST(photographs_are_no_strokes) {
    SCOPED(seg_raster) plain = image(200, 150), other = image(200, 150);
    seg_mask m;
    for (int i = 0; i < 200 * 150 * 3; i++)
        other.sample8[i] = (uint8_t)(255 - other.sample8[i]);
    SCOPED(seg_image) photo = photo_of(&plain);
    assert_fails(&ctx, read_raster(&other, "m.png", &photo, NULL, &m, NULL), SEG_ERR_INPUT,
                 "neither a copy of the image nor strokes");
    SCOPED(seg_raster) r = through_jpeg(&other, 90);
    assert_fails(&ctx, read_raster(&r, "m.jpg", &photo, NULL, &m, NULL), SEG_ERR_INPUT,
                 "neither a copy of the image nor strokes");
    assert_null(m.label);
    rectangle(&other, 0, 0, 200, 150, 0); /* 400 colours of 4 x 4 pixels: more than there are labels */
    for (int i = 0; i < 400; i++)
        rectangle(&other, i % 40 * 5, i / 40 * 5, 4, 4,
                  0x102030u + 0x000500u * (unsigned)(i % 40) + 0x140000u * (unsigned)(i / 40));
    assert_fails(&ctx, read_raster(&other, "m.png", &photo, NULL, &m, NULL), SEG_ERR_INPUT,
                 "the colours found are"); /* and what to do: a label map */
}

TEST(any_raster_has_an_answer) {
    int accepted = 0, refused = 0;
    seg_random random = seg_random_seeded(8, 0);
    for (int round = 0; round < 500; round++) {
        const seg_raster_kind kind = (seg_raster_kind)(1 + seg_random_below(&random, 3));
        const int bits = kind == SEG_RASTER_PALETTE ? 8 : (int[]){1, 4, 8, 16}[seg_random_below(&random, 4)];
        const int width = 1 + (int)seg_random_below(&random, 30), height = 1 + (int)seg_random_below(&random, 30);
        SCOPED(seg_raster) r = make(width, height, kind, bits);
        SCOPED(seg_raster) under = image(r.width, r.height);
        SCOPED(seg_mask) m, again, truth;
        const size_t pixels = (size_t)(r.width * r.height), samples = pixels * (size_t)r.channels;
        const uint64_t values = 1 + seg_random_below(&random, seg_random_below(&random, 2) ? 4 : 1u << bits);
        uint32_t value = 0;
        for (size_t i = 0; i < samples; i++) {
            if (seg_random_below(&random, 3) == 0)
                value = (uint32_t)seg_random_below(&random, values > 1u << bits ? 1u << bits : values);
            if (r.sample8)
                r.sample8[i] = (uint8_t)value;
            else
                r.sample16[i] = (uint16_t)value;
            if (bits == 8 && kind == SEG_RASTER_RGB && round % 3 == 0 && seg_random_below(&random, 4))
                r.sample8[i] = under.sample8[i];
        }
        r.lossy = bits == 8 && kind != SEG_RASTER_PALETTE && round % 5 == 0;
        if (round % 4 == 0) {
            r.alpha = malloc(pixels * sizeof *r.alpha);
            for (size_t i = 0; i < pixels; i++)
                r.alpha[i] = (uint16_t)seg_random_bits(&random);
        }
        r.palette_count = kind == SEG_RASTER_PALETTE ? (int)seg_random_below(&random, 257) : 0;
        for (int i = 0; i < r.palette_count; i++)
            for (int c = 0; c < 3; c++)
                r.palette[i][c] = (uint8_t)seg_random_bits(&random);
        SCOPED(seg_image) photo = photo_of(&under);
        const seg_image *given = round % 2 ? &photo : NULL;
        ctx.threads = 1;
        seg_status status = read_raster(&r, "m", given, NULL, &m, NULL);
        ctx.threads = 3;
        assert_int_equal(read_raster(&r, "m", given, NULL, &again, NULL), status);
        if (status == SEG_OK) {
            assert_memory_equal(m.label, again.label, pixels);
            int largest = 0;
            for (size_t i = 0; i < pixels; i++)
                largest = m.label[i] > largest ? m.label[i] : largest;
            assert_true(largest >= 1 && largest <= m.labels && m.labels <= SEG_MAX_LABELS);
            accepted++;
        } else {
            assert_int_equal(status, SEG_ERR_INPUT);
            assert_true(strlen(ctx.message) > 10);
            assert_null(m.label);
            refused++;
        }
        status = seg_truth_from_raster(&ctx, &r, "t", &truth);
        assert_true(status == SEG_OK || status == SEG_ERR_INPUT);
        for (size_t i = 0; i < pixels && status == SEG_OK; i++)
            assert_true(truth.label[i] == SEG_VOID || (truth.label[i] >= 1 && truth.label[i] <= truth.labels));
    }
    assert_true(accepted > 100 && refused > 100);
}
