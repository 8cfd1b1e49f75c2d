/* marks, truths, label maps: every kind of file, every refusal. */
#include "check.h"

#include "base/random.h"
#include "image/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

static seg_context ctx;
static char warnings[8192], infos[8192];

static void remember(void *user, seg_log_level level, const char *line) {
    (void)user;
    char *to = level == SEG_LOG_WARNING ? warnings : infos;
    if (strlen(to) + strlen(line) + 2 < sizeof warnings)
        strcat(strcat(to, line), "\n");
}

static int start(void **state) {
    (void)state;
    seg_context_init(&ctx);
    ctx.threads = 2;
    ctx.log = remember;
    warnings[0] = infos[0] = 0;
    return 0;
}

#define assert_says(text)                                                                                              \
    do {                                                                                                               \
        if (!strstr(ctx.message, text))                                                                                \
            fail_msg("'%s' does not say '%s'", ctx.message, text);                                                     \
    } while (0)

/* A raster of zeros. */
static seg_raster make(int width, int height, seg_raster_kind kind, int bits) {
    seg_raster r = {.width = width, .height = height, .kind = kind, .bits = bits};
    r.channels = kind == SEG_RASTER_RGB ? 3 : 1;
    size_t samples = (size_t)width * (size_t)height * (size_t)r.channels;
    if (bits > 8)
        r.sample16 = calloc(samples, 2);
    else
        r.sample8 = calloc(samples, 1);
    return r;
}

static void set_rgb(seg_raster *r, int x, int y, uint32_t colour) {
    for (int c = 0; c < 3; c++)
        r->sample8[3 * (y * r->width + x) + c] = (uint8_t)seg_colour_channel(colour, c);
}

static uint32_t get_rgb(const seg_raster *r, int x, int y) {
    return seg_raster_colour(r, (size_t)(y * r->width + x));
}

static void rectangle(seg_raster *r, int x0, int y0, int width, int height, uint32_t colour) {
    for (int y = y0; y < y0 + height; y++)
        for (int x = x0; x < x0 + width; x++) {
            if (r->channels == 3)
                set_rgb(r, x, y, colour);
            else if (r->sample8)
                r->sample8[y * r->width + x] = (uint8_t)colour;
            else
                r->sample16[y * r->width + x] = (uint16_t)colour;
        }
}

static int levels = 255;  /* of a brush's coverage */
static int mix_light = 0; /* a program that mixes light instead of sRGB values */

static double mix(double under, double over, double a) {
    return mix_light ? pow((1 - a) * pow(under, 2.2) + a * pow(over, 2.2), 1 / 2.2) : (1 - a) * under + a * over;
}

/* A round brush with a soft edge of about `soft` pixels, dragged from one point to another. */
static void soft_stroke(seg_raster *r, double x0, double y0, double x1, double y1, double radius, double soft,
                        uint32_t colour) {
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            double dx = x1 - x0, dy = y1 - y0, t = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy);
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double a = (radius - hypot(x - x0 - t * dx, y - y0 - t * dy)) / soft + 0.5;
            a = round(levels * (a < 0 ? 0 : a > 1 ? 1 : a)) / levels;
            uint32_t under = get_rgb(r, x, y), mixed = 0;
            for (int c = 0; c < 3; c++)
                mixed =
                    mixed << 8 | (uint32_t)lround(mix(seg_colour_channel(under, c), seg_colour_channel(colour, c), a));
            set_rgb(r, x, y, mixed);
        }
}

/* Something like a photograph: smooth colours, an edge, noise. */
static seg_raster photograph(int width, int height) {
    seg_raster r = make(width, height, SEG_RASTER_RGB, 8);
    seg_random random;
    seg_random_seed(&random, 4, 0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double base[3] = {90 + 60 * sin(x / 17.0), 110 + 50 * cos(y / 23.0), x > width / 2 ? 60 : 150};
            uint32_t colour = 0;
            for (int c = 0; c < 3; c++)
                colour = colour << 8 | (uint32_t)(base[c] + (double)seg_random_below(&random, 12));
            set_rgb(&r, x, y, colour);
        }
    return r;
}

static seg_raster copy_of(const seg_raster *r) {
    seg_raster copy = *r;
    size_t samples = (size_t)r->width * (size_t)r->height * (size_t)r->channels;
    copy.sample8 = malloc(samples);
    memcpy(copy.sample8, r->sample8, samples);
    return copy;
}

/* The raster after a trip through JPEG. */
static seg_raster through_jpeg(const seg_raster *r, int quality) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = (JDIMENSION)r->width;
    jpeg.image_height = (JDIMENSION)r->height;
    jpeg.input_components = r->channels;
    jpeg.in_color_space = r->channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = r->sample8 + (size_t)jpeg.next_scanline * (size_t)(r->width * r->channels);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    seg_raster out;
    assert_ok(&ctx, seg_raster_decode(&ctx, bytes, size, "t.jpg", &out));
    free(bytes);
    return out;
}

static size_t count_label(const seg_mask *mask, int label) {
    size_t count = 0;
    for (int i = 0; i < mask->width * mask->height; i++)
        count += mask->label[i] == label;
    return count;
}

static void assert_colour(const seg_mask *mask, int label, int r, int g, int b) {
    const uint8_t expected[3] = {(uint8_t)r, (uint8_t)g, (uint8_t)b};
    assert_memory_equal(mask->colour[label], expected, 3);
}

/* --- marks by value --------------------------------------------------------------------------------------------- */

static void palette_index_is_the_label(void **state) {
    (void)state;
    seg_raster r = make(8, 4, SEG_RASTER_PALETTE, 8);
    seg_mask m;
    seg_marks_kind kind;
    const uint8_t palette[6][3] = {{0, 0, 0}, {255, 0, 0}, {0, 0, 255}, {9, 9, 9}, {1, 2, 3}, {0, 255, 0}};
    memcpy(r.palette, palette, sizeof palette);
    r.palette_count = 256;
    rectangle(&r, 0, 0, 3, 1, 2);
    rectangle(&r, 0, 1, 2, 1, 5);
    rectangle(&r, 0, 2, 4, 1, 255);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_PALETTE);
    assert_int_equal(m.labels, 5); /* numbers are kept */
    assert_int_equal(count_label(&m, 2), 3);
    assert_int_equal(count_label(&m, 5), 2);
    assert_int_equal(count_label(&m, 0), 27);
    assert_colour(&m, 5, 0, 255, 0);
    assert_non_null(strstr(warnings, "4 pixels of palette index 255"));
    assert_non_null(strstr(infos, "the index is the label; 2 labels: 2: 3 pixels, 5: 2 pixels"));
    seg_mask_free(&m);
    /* a palette that shows both labels alike is not used */
    memset(r.palette, 0, sizeof r.palette);
    memset(r.palette[0], 7, 3);
    uint8_t colours[256][3];
    seg_mask_default_colours(colours);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL));
    assert_memory_equal(m.colour, colours, sizeof colours);
    seg_mask_free(&m);
    memset(r.sample8, 0, 32);
    r.sample8[3] = 255;
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("nothing is marked");
    assert_null(m.label);
    seg_raster_free(&r);
}

static void grey_value_is_the_label(void **state) {
    (void)state;
    seg_raster r = make(8, 4, SEG_RASTER_GREY, 8);
    seg_mask m;
    seg_marks_kind kind;
    rectangle(&r, 0, 0, 3, 1, 3);
    rectangle(&r, 0, 1, 2, 1, 200);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_GREY);
    assert_int_equal(m.labels, 200);
    assert_int_equal(count_label(&m, 3), 3);
    assert_int_equal(count_label(&m, 200), 2);
    assert_non_null(strstr(infos, "the value is the label; 2 labels: 3: 3 pixels, 200: 2 pixels"));
    seg_mask_free(&m);
    r.sample8[31] = 255;
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("grey with the value 255");
    memset(r.sample8, 0, 32); /* 0 and 255 only: one label */
    rectangle(&r, 2, 2, 3, 1, 255);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL));
    assert_int_equal(m.labels, 1);
    assert_int_equal(count_label(&m, 1), 3);
    seg_mask_free(&m);
    memset(r.sample8, 0, 32);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("nothing is marked");
    seg_raster_free(&r);

    r = make(8, 4, SEG_RASTER_GREY, 16);
    rectangle(&r, 0, 0, 2, 2, 1);
    rectangle(&r, 4, 0, 2, 2, 2);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL));
    assert_int_equal(m.labels, 2);
    seg_mask_free(&m);
    rectangle(&r, 4, 0, 2, 2, 300);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("the value 300");
    rectangle(&r, 0, 0, 8, 2, 65535);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL));
    assert_int_equal(m.labels, 1);
    seg_mask_free(&m);
    seg_raster_free(&r);

    r = make(8, 4, SEG_RASTER_GREY, 2); /* values are not scaled */
    rectangle(&r, 0, 0, 2, 2, 3);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL));
    assert_int_equal(m.labels, 3);
    seg_mask_free(&m);
    seg_raster_free(&r);

    r = make(64, 1, SEG_RASTER_GREY, 8); /* 50 values: no guess */
    for (int x = 0; x < 50; x++)
        r.sample8[x] = (uint8_t)(3 * x);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    seg_raster_free(&r);

    r = make(8, 4, SEG_RASTER_PALETTE, 8); /* a grey BMP: palette of greys in order */
    for (int i = 0; i < 256; i++)
        memset(r.palette[i], i, 3);
    r.palette_count = 256;
    rectangle(&r, 0, 0, 2, 2, 255);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.bmp", NULL, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_GREY);
    assert_int_equal(count_label(&m, 1), 4);
    seg_mask_free(&m);
    seg_raster_free(&r);
}

/* Dark photographs are not mistaken for labels 1, 2, 3, nor white ones for white marks. */
static void values_over_dark_and_white_photographs(void **state) {
    (void)state;
    seg_raster dark = photograph(60, 40), labels = make(60, 40, SEG_RASTER_GREY, 8);
    seg_image photo;
    seg_mask m;
    seg_marks_kind kind;
    for (int i = 0; i < 60 * 40 * 3; i++)
        dark.sample8[i] = (uint8_t)(dark.sample8[i] / 24);
    rectangle(&labels, 0, 0, 60, 15, 1);
    rectangle(&labels, 0, 15, 60, 15, 2);
    assert_ok(&ctx, seg_image_from_raster(&ctx, &dark, &photo));
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &labels, "m.png", &photo, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_GREY);
    assert_int_equal(m.labels, 2);
    seg_mask_free(&m);
    seg_image_free(&photo);
    seg_raster_free(&dark);

    seg_raster white = photograph(60, 40);
    rectangle(&white, 0, 0, 60, 30, 0xffffff);
    rectangle(&labels, 0, 0, 60, 40, 0);
    rectangle(&labels, 0, 0, 60, 30, 255);
    assert_ok(&ctx, seg_image_from_raster(&ctx, &white, &photo));
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &labels, "m.png", &photo, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_GREY);
    assert_int_equal(count_label(&m, 1), 1800);
    seg_mask_free(&m);
    seg_image_free(&photo);
    seg_raster_free(&white);
    seg_raster_free(&labels);
}

/* --- marks by colour -------------------------------------------------------------------------------------------- */

static void colours_are_labels_in_their_order(void **state) {
    (void)state;
    seg_raster r = make(20, 10, SEG_RASTER_RGB, 8);
    seg_mask m;
    seg_marks_kind kind;
    rectangle(&r, 0, 0, 4, 1, 0xff0000); /* the largest value comes first in the picture */
    rectangle(&r, 0, 2, 3, 1, 0x0000ff);
    rectangle(&r, 0, 4, 2, 1, 0x00ff00);
    set_rgb(&r, 19, 9, 0x000001); /* one pixel, nearly black: exact files are taken exactly */
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_COLOURS);
    assert_int_equal(m.labels, 4);
    assert_int_equal(m.label[199], 1);
    assert_int_equal(m.label[40], 2);
    assert_int_equal(m.label[80], 3);
    assert_int_equal(m.label[0], 4);
    assert_int_equal(count_label(&m, 0), 190);
    assert_colour(&m, 4, 255, 0, 0);
    assert_colour(&m, 0, 0, 0, 0);
    assert_non_null(strstr(infos, "strokes in flat colours; 4 labels: 1 (0,0,1): 1 pixel, 2 (0,0,255): 3 pixels"));
    assert_string_equal(warnings, "");
    seg_mask_free(&m);
    seg_raster_free(&r);
    r = make(20, 10, SEG_RASTER_RGB, 16);
    r.sample16[0] = 65535;
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL));
    assert_colour(&m, 1, 255, 0, 0);
    seg_mask_free(&m);
    r.sample16[0] = 0;
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("m.png: nothing is marked");
    seg_raster_free(&r);
}

static void transparent_pixels_are_unmarked(void **state) {
    (void)state;
    seg_raster r = make(20, 10, SEG_RASTER_RGB, 8);
    seg_mask m;
    rectangle(&r, 0, 0, 20, 10, 0xffffff); /* what lies under full transparency */
    r.alpha = calloc(200, sizeof *r.alpha);
    rectangle(&r, 0, 0, 10, 1, 0xff0000);
    rectangle(&r, 0, 1, 10, 1, 0x00ff00);
    rectangle(&r, 0, 2, 10, 1, 0x000000);
    for (int i = 0; i < 10; i++) {
        r.alpha[i] = 40000;                      /* strokes of any opacity */
        r.alpha[20 + i] = i < 5 ? 30000 : 10000; /* soft edge */
        r.alpha[40 + i] = 40000;                 /* black is unmarked */
    }
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL));
    assert_int_equal(m.labels, 2);
    assert_int_equal(count_label(&m, 1), 5);
    assert_int_equal(count_label(&m, 2), 10);
    assert_int_equal(count_label(&m, 0), 185);
    assert_non_null(strstr(warnings, "10 black pixels are not marks"));
    seg_mask_free(&m);
    memset(r.alpha, 0, 400);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("nothing is marked");
    seg_raster_free(&r);
}

static void white_ground_is_warned_of(void **state) {
    (void)state;
    seg_raster r = make(20, 10, SEG_RASTER_RGB, 8);
    seg_mask m;
    rectangle(&r, 0, 0, 20, 10, 0xffffff);
    rectangle(&r, 0, 0, 4, 1, 0xff0000);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, NULL));
    assert_non_null(strstr(warnings, "the colour (255,255,255) covers most of the picture"));
    seg_mask_free(&m);
    seg_raster_free(&r);
}

/* Thin pencil strokes in darker and lighter tones of one colour, and label numbers used as colours, are no soft edges.
 */
static void tones_are_no_fringes(void **state) {
    (void)state;
    seg_raster r = make(60, 40, SEG_RASTER_RGB, 8);
    seg_mask m;
    seg_marks_kind kind;
    for (int i = 0; i < 3; i++)
        rectangle(&r, 0, 4 * i, 50 - i, 1, 0x400000u * (unsigned)(i + 1));
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_COLOURS);
    assert_int_equal(m.labels, 3);
    seg_mask_free(&m);
    rectangle(&r, 0, 0, 60, 40, 0);
    for (int i = 0; i < 10; i++)
        rectangle(&r, 0, 4 * i, 20 + i, 1, 0x010000u * (unsigned)(i + 1));
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_COLOURS);
    assert_int_equal(m.labels, 10);
    seg_mask_free(&m);
    for (int i = 0; i < 10; i++) /* areas in ten tones of red */
        rectangle(&r, 0, 4 * i, 20 + i, 4, 0x180000u * (unsigned)(i + 1));
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_COLOURS);
    assert_int_equal(m.labels, 10);
    seg_mask_free(&m);
    seg_raster_free(&r);
}

static void soft_strokes_are_snapped(void **state) {
    (void)state;
    for (int many = 0; many < 2; many++) {
        seg_raster r = make(200, 120, SEG_RASTER_RGB, 8);
        seg_mask m;
        seg_marks_kind kind;
        levels = many ? 255 : 16;
        soft_stroke(&r, 20, 20, 180, 40, 5, 1.5, 0xff0000);
        soft_stroke(&r, 20, 60, 180, 100, 5, 1.5, 0x00c8ff);
        levels = 255;
        warnings[0] = 0;
        assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, &kind));
        assert_int_equal(kind, SEG_MARKS_SNAPPED);
        assert_int_equal(m.labels, 2);
        assert_colour(&m, 1, 0, 0xc8, 255);
        assert_colour(&m, 2, 255, 0, 0);
        assert_in_range(count_label(&m, 2), 1400, 1900);
        assert_int_equal(m.label[30 * 200 + 100], 2);
        assert_int_equal(m.label[80 * 200 + 100], 1);
        assert_non_null(strstr(warnings, "soft edges"));
        seg_mask_free(&m);
        seg_raster_free(&r);
    }
}

static void painted_on_the_photograph(void **state) {
    (void)state;
    seg_raster plain = photograph(160, 120), r = copy_of(&plain);
    seg_image photo;
    seg_mask m;
    seg_marks_kind kind;
    assert_ok(&ctx, seg_image_from_raster(&ctx, &plain, &photo));
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", &photo, NULL, &m, &kind), SEG_ERR_INPUT);
    assert_says("m.png is the unpainted photograph");
    rectangle(&r, 10, 10, 30, 3, 0xff0000);
    rectangle(&r, 10, 30, 20, 3, 0x000000); /* black is a colour like others here */
    rectangle(&r, 90, 30, 20, 1, 0x00ff00);
    set_rgb(&r, 0, 0, 0xffffff);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", &photo, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_PAINTED);
    assert_int_equal(m.labels, 4);
    assert_int_equal(count_label(&m, 1), 60);
    assert_int_equal(count_label(&m, 2), 20);
    assert_int_equal(count_label(&m, 3), 90);
    assert_int_equal(count_label(&m, 4), 1);
    assert_non_null(strstr(infos, "painted on a copy of the photograph; 4 labels: 1 (0,0,0): 60 pixels"));
    assert_string_equal(warnings, "");
    seg_mask_free(&m);
    /* without the photograph it cannot be understood, and says so */
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, NULL, &m, &kind), SEG_ERR_INPUT);
    assert_null(m.label);
    seg_raster_free(&r);

    for (mix_light = 0; mix_light < 2; mix_light++) { /* soft brushes */
        r = copy_of(&plain);
        soft_stroke(&r, 20, 20, 140, 30, 4, 2, 0xff0000);
        soft_stroke(&r, 20, 90, 140, 70, 4, 2, 0x0000ff);
        assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", &photo, NULL, &m, &kind));
        assert_int_equal(kind, SEG_MARKS_SNAPPED);
        assert_int_equal(m.labels, 2);
        assert_int_equal(m.label[25 * 160 + 80], 2);
        assert_int_equal(m.label[80 * 160 + 80], 1);
        assert_colour(&m, 2, 255, 0, 0);
        assert_in_range(count_label(&m, 2), 700, 1150);
        assert_non_null(strstr(warnings, "soft edges"));
        seg_mask_free(&m);
        if (mix_light == 0)
            seg_raster_free(&r);
    }
    mix_light = 0;

    for (int i = 0; i < 160 * 120 * 3; i++) /* another JPEG decoder: unpainted pixels off by a little */
        if (r.sample8[i] == plain.sample8[i])
            r.sample8[i] = (uint8_t)(r.sample8[i] + i % 3);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", &photo, NULL, &m, &kind));
    assert_int_equal(m.labels, 2);
    assert_in_range(count_label(&m, 1) + count_label(&m, 2), 1400, 2300);
    seg_mask_free(&m);
    seg_raster_free(&r);

    r = photograph(100, 120);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", &photo, NULL, &m, &kind), SEG_ERR_INPUT);
    assert_says("100 x 120");
    assert_says("160 x 120");
    seg_raster_free(&r);
    seg_image_free(&photo);
    seg_raster_free(&plain);
}

/* Grey photographs, 16-bit ones, flat drawings and palette pictures can be painted on too. */
static void painted_on_other_pictures(void **state) {
    (void)state;
    seg_raster rgb = photograph(80, 60), grey = make(80, 60, SEG_RASTER_GREY, 8), r;
    seg_image photo;
    seg_mask m;
    seg_marks_kind kind;
    for (int i = 0; i < 80 * 60; i++)
        grey.sample8[i] = rgb.sample8[3 * i];
    assert_ok(&ctx, seg_image_from_raster(&ctx, &grey, &photo));
    r = copy_of(&grey);
    rectangle(&r, 5, 5, 20, 3, 255);
    rectangle(&r, 5, 25, 10, 3, 0);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", &photo, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_PAINTED);
    assert_int_equal(count_label(&m, 1), 30);
    assert_int_equal(count_label(&m, 2), 60);
    seg_mask_free(&m);
    for (int i = 0; i < 256; i++) /* the same as a palette picture */
        memset(r.palette[i], i, 3);
    r.palette_count = 256;
    r.kind = SEG_RASTER_PALETTE;
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", &photo, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_PAINTED);
    assert_int_equal(m.labels, 2);
    seg_mask_free(&m);
    seg_image_free(&photo);
    seg_raster_free(&r);
    seg_raster_free(&grey);

    seg_raster deep = make(80, 60, SEG_RASTER_RGB, 16);
    for (int i = 0; i < 80 * 60 * 3; i++)
        deep.sample16[i] = (uint16_t)(rgb.sample8[i] * 257 + i % 50);
    assert_ok(&ctx, seg_image_from_raster(&ctx, &deep, &photo));
    r = copy_of(&rgb); /* 8-bit copy of a 16-bit photograph */
    rectangle(&r, 5, 5, 20, 3, 0xff00ff);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", &photo, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_PAINTED);
    assert_int_equal(count_label(&m, 1), 60);
    seg_mask_free(&m);
    seg_image_free(&photo);
    seg_raster_free(&r);
    seg_raster_free(&deep);

    rectangle(&rgb, 0, 0, 40, 60, 0x3366cc); /* a drawing of two colours */
    rectangle(&rgb, 40, 0, 40, 60, 0xffffff);
    assert_ok(&ctx, seg_image_from_raster(&ctx, &rgb, &photo));
    rectangle(&rgb, 5, 5, 20, 3, 0xff0000);
    rectangle(&rgb, 45, 5, 20, 3, 0x00ff00);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &rgb, "m.png", &photo, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_PAINTED);
    assert_int_equal(m.labels, 2);
    assert_int_equal(count_label(&m, 0), 80 * 60 - 120);
    seg_mask_free(&m);
    seg_image_free(&photo);
    seg_raster_free(&rgb);
}

static void jpeg_strokes(void **state) {
    (void)state;
    seg_raster plain = photograph(320, 240), strokes = make(320, 240, SEG_RASTER_RGB, 8), r;
    seg_image photo;
    seg_mask m;
    seg_marks_kind kind;
    soft_stroke(&strokes, 20, 40, 300, 80, 8, 1, 0xff0000);
    soft_stroke(&strokes, 20, 200, 300, 160, 8, 1, 0xffff00);
    r = through_jpeg(&strokes, 85);
    assert_true(r.lossy);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.jpg", NULL, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_SNAPPED);
    assert_int_equal(m.labels, 2);
    assert_int_equal(m.label[60 * 320 + 160], 1);
    assert_int_equal(m.label[180 * 320 + 160], 2);
    assert_in_range(count_label(&m, 1), 3500, 5300);
    assert_non_null(strstr(warnings, "JPEG"));
    seg_mask_free(&m);
    seg_raster_free(&r);

    r = through_jpeg(&plain, 90); /* the photograph is a JPEG itself, its painted copy one more */
    assert_ok(&ctx, seg_image_from_raster(&ctx, &r, &photo));
    soft_stroke(&r, 20, 40, 300, 80, 8, 1, 0xff0000);
    soft_stroke(&r, 20, 200, 300, 160, 8, 1, 0x00ff00);
    seg_raster again = through_jpeg(&r, 90);
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &again, "m.jpg", &photo, NULL, &m, &kind));
    assert_int_equal(kind, SEG_MARKS_SNAPPED);
    assert_int_equal(m.labels, 2);
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
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &again, "m.jpg", &photo, &map, &m, &kind));
    assert_int_equal(m.label[60 * 320 + 160], 1);
    assert_int_equal(m.label[180 * 320 + 160], 3);
    assert_int_equal(m.labels, 3);
    seg_mask_free(&m);
    map.count = 2;
    assert_int_equal(seg_marks_from_raster(&ctx, &again, "m.jpg", &photo, &map, &m, &kind), SEG_ERR_INPUT);
    assert_says("nearest entry");
    seg_raster_free(&again);
    /* the untouched JPEG */
    seg_raster_free(&r);
    r = through_jpeg(&plain, 90);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.jpg", &photo, NULL, &m, &kind), SEG_ERR_INPUT);
    assert_says("unpainted photograph");
    seg_image_free(&photo);
    seg_raster_free(&r);

    rectangle(&strokes, 0, 0, 320, 240, 0); /* pencil lines do not survive JPEG */
    for (int i = 0; i < 10; i++)
        soft_stroke(&strokes, 20, 20 * i + 10, 300, 20 * i + 15, 0.5, 1, i % 2 ? 0xff0000 : 0x0000ff);
    r = through_jpeg(&strokes, 60);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.jpg", NULL, NULL, &m, &kind), SEG_ERR_INPUT);
    assert_says("JPEG");
    assert_null(m.label);
    seg_raster_free(&r);
    seg_raster_free(&strokes);
    seg_raster_free(&plain);
}

static void photographs_are_no_strokes(void **state) {
    (void)state;
    seg_raster plain = photograph(200, 150), other = photograph(200, 150), r;
    seg_image photo;
    seg_mask m;
    for (int i = 0; i < 200 * 150 * 3; i++)
        other.sample8[i] = (uint8_t)(255 - other.sample8[i]);
    assert_ok(&ctx, seg_image_from_raster(&ctx, &plain, &photo));
    assert_int_equal(seg_marks_from_raster(&ctx, &other, "m.png", &photo, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("neither a copy of the photograph nor strokes");
    r = through_jpeg(&other, 90);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.jpg", &photo, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("neither a copy of the photograph nor strokes");
    assert_null(m.label);
    seg_raster_free(&r);
    rectangle(&other, 0, 0, 200, 150, 0); /* 400 colours of 4 x 4 pixels: more than there are labels */
    for (int i = 0; i < 400; i++)
        rectangle(&other, i % 40 * 5, i / 40 * 5, 4, 4,
                  0x102030u + 0x000500u * (unsigned)(i % 40) + 0x140000u * (unsigned)(i / 40));
    assert_int_equal(seg_marks_from_raster(&ctx, &other, "m.png", &photo, NULL, &m, NULL), SEG_ERR_INPUT);
    assert_says("more than 254");
    seg_image_free(&photo);
    seg_raster_free(&plain);
    seg_raster_free(&other);
}

static void maps_fix_the_numbers(void **state) {
    (void)state;
    seg_raster r = make(20, 10, SEG_RASTER_RGB, 8);
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
    assert_ok(&ctx, seg_marks_from_raster(&ctx, &r, "m.png", NULL, &map, &m, NULL));
    assert_int_equal(m.labels, 2);
    assert_int_equal(m.label[0], 2);
    assert_int_equal(m.label[20], 1);
    assert_colour(&m, 4, 9, 9, 9);
    seg_mask_free(&m);
    set_rgb(&r, 19, 9, 0xff0100);
    assert_int_equal(seg_marks_from_raster(&ctx, &r, "m.png", NULL, &map, &m, NULL), SEG_ERR_INPUT);
    assert_says("(255,1,0) of 1 pixels is not in the label map; its nearest entry is 'sky' (255,0,0)");
    seg_raster_free(&r);
}

static void wrong_maps_are_refused(void **state) {
    (void)state;
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
        assert_int_equal(seg_labelmap_parse(&ctx, wrong[i].text, strlen(wrong[i].text), "map", &map), SEG_ERR_INPUT);
        assert_says(wrong[i].says);
        assert_int_equal(map.count, 0);
    }
    char many[255 * 16] = "";
    for (int i = 1; i <= 255; i++)
        sprintf(many + strlen(many), "l%d:%d,1,1\n", i, i);
    assert_int_equal(seg_labelmap_parse(&ctx, many, strlen(many), "map", &map), SEG_ERR_INPUT);
    assert_says("map:255: more than 254 labels");
    assert_int_equal(seg_labelmap_parse(&ctx, "a\0b:1,2,3", 9, "map", &map), SEG_ERR_INPUT);
    assert_int_equal(seg_labelmap_read(&ctx, SEGMENT_BINARY_DIR "/no such map", &map), SEG_ERR_IO);
}

/* --- truths ----------------------------------------------------------------------------------------------------- */

/* Read a one-row truth of the given values and compare. */
static void truth_is(seg_raster_kind kind, int bits, const unsigned *value, const int *expected, int n, int labels) {
    seg_raster r = make(n, 1, kind, bits);
    seg_mask m;
    for (int i = 0; i < n; i++)
        rectangle(&r, i, 0, 1, 1, value[i]);
    assert_ok(&ctx, seg_truth_from_raster(&ctx, &r, "t.png", &m));
    for (int i = 0; i < n; i++)
        assert_int_equal(m.label[i], expected[i]);
    assert_int_equal(m.labels, labels);
    seg_mask_free(&m);
    seg_raster_free(&r);
}

static void truth_refused(seg_raster_kind kind, int bits, const unsigned *value, int n, const char *says) {
    seg_raster r = make(n, 1, kind, bits);
    seg_mask m;
    for (int i = 0; i < n; i++)
        rectangle(&r, i, 0, 1, 1, value[i]);
    assert_int_equal(seg_truth_from_raster(&ctx, &r, "t.png", &m), SEG_ERR_INPUT);
    assert_says(says);
    assert_null(m.label);
    seg_raster_free(&r);
}

#define U(...)  ((const unsigned[]){__VA_ARGS__})
#define I(...)  ((const int[]){__VA_ARGS__})
#define GREY    SEG_RASTER_GREY
#define PALETTE SEG_RASTER_PALETTE
#define RGB     SEG_RASTER_RGB

static void truths_by_value(void **state) {
    (void)state;
    truth_is(PALETTE, 8, U(0, 1, 2, 255), I(255, 1, 2, 255), 4, 2);
    truth_is(PALETTE, 8, U(0, 1, 1, 255), I(2, 1, 1, 255), 4, 2); /* one label left: 0 is a class */
    truth_is(PALETTE, 8, U(0, 0, 255), I(1, 1, 255), 3, 1);
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

    seg_raster r = make(3, 1, PALETTE, 8); /* a grey BMP */
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
    assert_int_equal(seg_truth_from_raster(&ctx, &r, "t.jpg", &m), SEG_ERR_INPUT);
    assert_says("JPEG");
    seg_raster_free(&r);
}

static void truths_by_colour(void **state) {
    (void)state;
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

/* --- files ------------------------------------------------------------------------------------------------------ */

static void files_are_read(void **state) {
    (void)state;
    const char *path = SEGMENT_BINARY_DIR "/marks_test.png", *map_path = SEGMENT_BINARY_DIR "/marks_test.txt";
    seg_mask mask, m;
    seg_marks_kind kind;
    seg_labelmap map;
    assert_ok(&ctx, seg_mask_create(&ctx, 30, 20, &mask));
    memset(mask.label + 40, 1, 60);
    memset(mask.label + 200, 2, 60);
    mask.labels = 2;
    assert_ok(&ctx, seg_mask_write_png(&ctx, path, &mask));
    assert_ok(&ctx, seg_marks_read(&ctx, path, NULL, NULL, &m, &kind)); /* our own masks come back */
    assert_int_equal(kind, SEG_MARKS_PALETTE);
    assert_memory_equal(m.label, mask.label, 600);
    assert_memory_equal(m.colour, mask.colour, sizeof mask.colour);
    seg_mask_free(&m);
    assert_ok(&ctx, seg_truth_read(&ctx, path, &m));
    assert_int_equal(m.labels, 2);
    assert_int_equal(m.label[0], SEG_VOID);
    seg_mask_free(&m);
    seg_mask_free(&mask);
    assert_int_equal(seg_marks_read(&ctx, SEGMENT_BINARY_DIR "/none.png", NULL, NULL, &m, &kind), SEG_ERR_IO);
    assert_int_equal(seg_truth_read(&ctx, SEGMENT_BINARY_DIR "/none.png", &m), SEG_ERR_IO);
    FILE *file = fopen(map_path, "wb");
    assert_non_null(file);
    fputs("a:1,2,3\nb:4,5,6\n", file);
    fclose(file);
    assert_ok(&ctx, seg_labelmap_read(&ctx, map_path, &map));
    assert_int_equal(map.count, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(palette_index_is_the_label, start),
        cmocka_unit_test_setup(grey_value_is_the_label, start),
        cmocka_unit_test_setup(values_over_dark_and_white_photographs, start),
        cmocka_unit_test_setup(colours_are_labels_in_their_order, start),
        cmocka_unit_test_setup(transparent_pixels_are_unmarked, start),
        cmocka_unit_test_setup(white_ground_is_warned_of, start),
        cmocka_unit_test_setup(tones_are_no_fringes, start),
        cmocka_unit_test_setup(soft_strokes_are_snapped, start),
        cmocka_unit_test_setup(painted_on_the_photograph, start),
        cmocka_unit_test_setup(painted_on_other_pictures, start),
        cmocka_unit_test_setup(jpeg_strokes, start),
        cmocka_unit_test_setup(photographs_are_no_strokes, start),
        cmocka_unit_test_setup(maps_fix_the_numbers, start),
        cmocka_unit_test_setup(wrong_maps_are_refused, start),
        cmocka_unit_test_setup(truths_by_value, start),
        cmocka_unit_test_setup(truths_by_colour, start),
        cmocka_unit_test_setup(files_are_read, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
