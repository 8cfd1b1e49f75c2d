/* scribbles: exact files of every kind, and every refusal of them. */
#include "rasters.h"

#include "image/mask.h"

/* --- scribbles by value --- */

TEST(palette_index_is_the_label) {
    SCOPED(seg_raster) r = make(8, 4, SEG_RASTER_PALETTE, 8);
    const uint8_t palette[6][3] = {{0, 0, 0}, {255, 0, 0}, {0, 0, 255}, {9, 9, 9}, {1, 2, 3}, {0, 255, 0}};
    memcpy(r.palette, palette, sizeof palette);
    r.palette_count = 256;
    rectangle(&r, 0, 0, 3, 1, 2);
    rectangle(&r, 0, 1, 2, 1, 5);
    rectangle(&r, 0, 2, 4, 1, 255);
    seg_mask m = read_as(&r, NULL, SEG_SCRIBBLES_PALETTE, 5); /* numbers are kept */
    assert_int_equal(count_label(&m, 2), 3);
    assert_int_equal(count_label(&m, 5), 2);
    assert_int_equal(count_label(&m, 0), 27);
    assert_colour(&m, 5, 0, 255, 0);
    assert_non_null(strstr(check_warnings, "4 pixels of palette index 255"));
    assert_non_null(strstr(check_infos, "the index is the label; 2 labels: 2: 3 pixels, 5: 2 pixels"));
    seg_mask_free(&m);
    /* a palette that shows both labels alike is not used */
    memset(r.palette, 0, sizeof r.palette);
    memset(r.palette[0], 7, 3);
    uint8_t colours[256][3];
    seg_mask_default_colours(colours);
    m = read_as(&r, NULL, SEG_SCRIBBLES_PALETTE, 5);
    assert_memory_equal(m.colour, colours, sizeof colours);
    seg_mask_free(&m);
    memset(r.sample8, 0, 32);
    r.sample8[3] = 255;
    assert_fails(&ctx, read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "nothing is marked");
    assert_null(m.label);
}

TEST(grey_value_is_the_label) {
    SCOPED(seg_raster) r = make(8, 4, SEG_RASTER_GREY, 8);
    rectangle(&r, 0, 0, 3, 1, 3);
    rectangle(&r, 0, 1, 2, 1, 200);
    SCOPED(seg_mask) m = read_as(&r, NULL, SEG_SCRIBBLES_GREY, 200);
    assert_int_equal(count_label(&m, 3), 3);
    assert_int_equal(count_label(&m, 200), 2);
    assert_non_null(strstr(check_infos, "the value is the label; 2 labels: 3: 3 pixels, 200: 2 pixels"));
    seg_mask_free(&m);
    r.sample8[31] = 255;
    assert_fails(&ctx, read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "grey with the value 255");
    memset(r.sample8, 0, 32); /* 0 and 255 only: one label */
    rectangle(&r, 2, 2, 3, 1, 255);
    m = read_as(&r, NULL, SEG_SCRIBBLES_GREY, 1);
    assert_int_equal(count_label(&m, 1), 3);
    seg_mask_free(&m);
    memset(r.sample8, 0, 32);
    assert_fails(&ctx, read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "nothing is marked");
    seg_raster_free(&r);

    r = make(8, 4, SEG_RASTER_GREY, 16);
    rectangle(&r, 0, 0, 2, 2, 1);
    rectangle(&r, 4, 0, 2, 2, 2);
    m = read_as(&r, NULL, SEG_SCRIBBLES_GREY, 2);
    seg_mask_free(&m);
    rectangle(&r, 4, 0, 2, 2, 300);
    assert_fails(&ctx, read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "the value 300");
    rectangle(&r, 0, 0, 8, 2, 65535);
    m = read_as(&r, NULL, SEG_SCRIBBLES_GREY, 1);
    seg_mask_free(&m);
    seg_raster_free(&r);

    r = make(8, 4, SEG_RASTER_GREY, 2); /* values are not scaled */
    rectangle(&r, 0, 0, 2, 2, 3);
    m = read_as(&r, NULL, SEG_SCRIBBLES_GREY, 3);
    seg_mask_free(&m);
    seg_raster_free(&r);

    r = make(64, 1, SEG_RASTER_GREY, 8); /* 50 values: no guess */
    for (int x = 0; x < 50; x++)
        r.sample8[x] = (uint8_t)(3 * x);
    assert_int_equal(read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    seg_raster_free(&r);

    r = make(8, 4, SEG_RASTER_PALETTE, 8); /* a grey BMP: palette of greys in order */
    for (int i = 0; i < 256; i++)
        memset(r.palette[i], i, 3);
    r.palette_count = 256;
    rectangle(&r, 0, 0, 2, 2, 255);
    m = read_as(&r, NULL, SEG_SCRIBBLES_GREY, 1);
    assert_int_equal(count_label(&m, 1), 4);
}

/* Dark images are not mistaken for labels 1, 2, 3, nor white ones for white scribbles. */
TEST(values_over_dark_and_white_photographs) {
    SCOPED(seg_raster) dark = image(60, 40), labels = make(60, 40, SEG_RASTER_GREY, 8);
    for (int i = 0; i < 60 * 40 * 3; i++)
        dark.sample8[i] = (uint8_t)(dark.sample8[i] / 24);
    rectangle(&labels, 0, 0, 60, 15, 1);
    rectangle(&labels, 0, 15, 60, 15, 2);
    SCOPED(seg_image) photo = photo_of(&dark);
    SCOPED(seg_mask) m = read_as(&labels, &photo, SEG_SCRIBBLES_GREY, 2);
    seg_mask_free(&m);
    seg_image_free(&photo);

    SCOPED(seg_raster) white = image(60, 40);
    rectangle(&white, 0, 0, 60, 30, 0xffffff);
    rectangle(&labels, 0, 0, 60, 40, 0);
    rectangle(&labels, 0, 0, 60, 30, 255);
    photo = photo_of(&white);
    m = read_as(&labels, &photo, SEG_SCRIBBLES_GREY, 1);
    assert_int_equal(count_label(&m, 1), 1800);
}

/* --- scribbles by colour --- */

TEST(colours_are_labels_in_their_order) {
    SCOPED(seg_raster) r = make(20, 10, SEG_RASTER_RGB, 8);
    rectangle(&r, 0, 0, 4, 1, 0xff0000); /* the largest value comes first in the image */
    rectangle(&r, 0, 2, 3, 1, 0x0000ff);
    rectangle(&r, 0, 4, 2, 1, 0x00ff00);
    set_rgb(&r, 19, 9, 0x000001); /* one pixel, nearly black: exact files are taken exactly */
    seg_mask m = read_as(&r, NULL, SEG_SCRIBBLES_COLOURS, 4);
    assert_int_equal(m.label[199], 1);
    assert_int_equal(m.label[40], 2);
    assert_int_equal(m.label[80], 3);
    assert_int_equal(m.label[0], 4);
    assert_int_equal(count_label(&m, 0), 190);
    assert_colour(&m, 4, 255, 0, 0);
    assert_colour(&m, 0, 0, 0, 0);
    assert_non_null(
        strstr(check_infos, "strokes in flat colours; 4 labels: 1 (0,0,1): 1 pixel, 2 (0,0,255): 3 pixels"));
    assert_string_equal(check_warnings, "");
    seg_mask_free(&m);
    seg_raster_free(&r);
    r = make(20, 10, SEG_RASTER_RGB, 16);
    r.sample16[0] = 65535;
    m = read_as(&r, NULL, SEG_SCRIBBLES_COLOURS, 1);
    assert_colour(&m, 1, 255, 0, 0);
    seg_mask_free(&m);
    r.sample16[0] = 0;
    assert_fails(&ctx, read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "m.png: nothing is marked");
}

TEST(transparent_pixels_are_unmarked) {
    SCOPED(seg_raster) r = make(20, 10, SEG_RASTER_RGB, 8);
    rectangle(&r, 0, 0, 20, 10, 0xffffff); /* what lies under full transparency */
    r.alpha = calloc(200, sizeof *r.alpha);
    rectangle(&r, 0, 0, 10, 1, 0xff0000);
    rectangle(&r, 0, 1, 10, 1, 0x00ff00);
    rectangle(&r, 0, 2, 10, 1, 0x000000);
    for (int i = 0; i < 10; i++) {
        r.alpha[i] = 40000;                      /* strokes of any opacity */
        r.alpha[20 + i] = i < 5 ? 30000 : 10000; /* soft edge */
        r.alpha[40 + i] = 40000;                 /* on transparent ground black is a colour like others */
    }
    seg_mask m = read_as(&r, NULL, SEG_SCRIBBLES_COLOURS, 3);
    assert_int_equal(count_label(&m, 1), 10);
    assert_int_equal(count_label(&m, 2), 5);
    assert_int_equal(count_label(&m, 3), 10);
    assert_int_equal(count_label(&m, 0), 175);
    assert_string_equal(check_warnings, "");
    seg_mask_free(&m);
    memset(r.alpha, 0, 400);
    assert_fails(&ctx, read_raster(&r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT, "nothing is marked");
}

TEST(white_ground_is_ground) {
    SCOPED(seg_raster) r = make(20, 10, SEG_RASTER_RGB, 8);
    rectangle(&r, 0, 0, 20, 10, 0xffffff);
    rectangle(&r, 0, 0, 4, 1, 0xff0000);
    SCOPED(seg_mask) m = read_as(&r, NULL, SEG_SCRIBBLES_COLOURS, 1);
    assert_int_equal(count_label(&m, 1), 4);
    assert_string_equal(check_warnings, "");
    seg_mask_free(&m);
    rectangle(&r, 0, 0, 20, 10, 0x3366cc); /* a colour is a label, and that is said */
    rectangle(&r, 0, 0, 4, 10, 0xff0000);
    m = read_as(&r, NULL, SEG_SCRIBBLES_COLOURS, 2);
    assert_non_null(strstr(check_warnings, "marks 100.0 % of the pixels"));
}

/* Thin pencil strokes in darker and lighter tones of one colour, and label numbers used as colours, are not soft edges.
 */
TEST(tones_are_no_fringes) {
    SCOPED(seg_raster) r = make(60, 40, SEG_RASTER_RGB, 8);
    for (int i = 0; i < 3; i++)
        rectangle(&r, 0, 4 * i, 50 - i, 1, 0x400000u * (unsigned)(i + 1));
    SCOPED(seg_mask) m = read_as(&r, NULL, SEG_SCRIBBLES_COLOURS, 3);
    seg_mask_free(&m);
    rectangle(&r, 0, 0, 60, 40, 0);
    for (int i = 0; i < 10; i++)
        rectangle(&r, 0, 4 * i, 20 + i, 1, 0x010000u * (unsigned)(i + 1));
    m = read_as(&r, NULL, SEG_SCRIBBLES_COLOURS, 10);
    seg_mask_free(&m);
    for (int i = 0; i < 10; i++) /* areas in ten tones of red */
        rectangle(&r, 0, 4 * i, 20 + i, 4, 0x180000u * (unsigned)(i + 1));
    m = read_as(&r, NULL, SEG_SCRIBBLES_COLOURS, 10);
}

/* --- files --- */

TEST(files_are_read) {
    const char *path = SEGMENT_BINARY_DIR "/marks_test.png", *map_path = SEGMENT_BINARY_DIR "/marks_test.txt";
    seg_mask m;
    seg_scribbles_about about;
    seg_labelmap map;
    seg_mask mask = new_mask(&ctx, 30, 20);
    memset(mask.label + 40, 1, 60);
    memset(mask.label + 200, 2, 60);
    mask.labels = 2;
    assert_ok(&ctx, seg_mask_write(&ctx, path, &mask, SEG_MASK_PNG));
    assert_ok(&ctx, seg_scribbles_read(&ctx, path, NULL, NULL, &m, &about)); /* our own masks come back */
    assert_int_equal(about.kind, SEG_SCRIBBLES_PALETTE);
    assert_memory_equal(m.label, mask.label, 600);
    assert_memory_equal(m.colour, mask.colour, sizeof mask.colour);
    seg_mask_free(&m);
    assert_ok(&ctx, seg_truth_read(&ctx, path, &m));
    assert_int_equal(m.labels, 2);
    assert_int_equal(m.label[0], SEG_VOID);
    seg_mask_free(&m);
    seg_mask_free(&mask);
    assert_int_equal(seg_scribbles_read(&ctx, SEGMENT_BINARY_DIR "/none.png", NULL, NULL, &m, &about), SEG_ERR_IO);
    assert_int_equal(seg_truth_read(&ctx, SEGMENT_BINARY_DIR "/none.png", &m), SEG_ERR_IO);
    FILE *file = fopen(map_path, "wb");
    assert_non_null(file);
    fputs("a:1,2,3\nb:4,5,6\n", file);
    fclose(file);
    assert_ok(&ctx, seg_labelmap_read(&ctx, map_path, &map));
    assert_int_equal(map.count, 2);
}
