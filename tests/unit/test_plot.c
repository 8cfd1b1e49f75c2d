/* plot: every kind of panel into every format; the same bytes twice; values land where the axes say. */
#include "check.h"

#include "evaluation/figures/plot.h"
#include "evaluation/figures/plot_draw.h"
#include "image/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double x[] = {10, 20, 30, 40, 50};
static const double a[] = {0.30, 0.22, 0.15, 0.11, 0.10}, a_low[] = {0.26, 0.19, 0.12, 0.09, 0.08},
                    a_high[] = {0.35, 0.25, 0.19, 0.14, 0.12};
static const double b[] = {0.33, 0.31, 0.27, 0.24, 0.23};
static const char *const names[] = {"k-means", "spectral learning", "kernel learning"};

/* One panel of each kind. */
static seg_figure sample(void) {
    static double matrix[900 * 2], spread[40], log_y[] = {0.01, 0.1, 1, 30, 1000};
    static unsigned char rgb[20 * 30 * 3];
    for (int i = 0; i < 1800; i++)
        matrix[i] = sin(0.002 * i * (i % 7));
    for (int i = 0; i < 40; i++)
        spread[i] = 0.4 + 0.01 * i + (i == 39 ? 0.6 : 0);
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (unsigned char)(i * 7);
    static const seg_series lines[] = {{"learned", 5, x, a, a_low, a_high, 0, 0, 0},
                                       {"band", 5, x, b, a_high, a, 1, 0, 1},
                                       {"compared", 5, x, b, NULL, NULL, 0, 1, 6}};
    static const seg_series dots[] = {{"learned", 5, x, log_y, NULL, NULL, 0, 0, 0}};
    static const seg_series bars[] = {{"first", 3, NULL, a, a_low, a_high, 0, 0, 2},
                                      {"second", 3, NULL, b, NULL, NULL, 0, 0, 3}};
    static const seg_series boxes[] = {{NULL, 40, NULL, spread, NULL, NULL, 0, 0, 0},
                                       {NULL, 5, NULL, a, NULL, NULL, 0, 0, 1},
                                       {NULL, 5, NULL, b, NULL, NULL, 0, 0, 2}};
    static const seg_panel panels[] = {
        {.kind = SEG_PANEL_LINES,
         .title = "lines",
         .series = lines,
         .series_count = 3,
         .x = {.label = "constraints"},
         .y = {.label = "clustering error"},
         .caption = "means and intervals"},
        {.kind = SEG_PANEL_SCATTER,
         .title = "scatter",
         .series = dots,
         .series_count = 1,
         .x = {.label = "constraints"},
         .y = {.label = "seconds", .logarithmic = 1}},
        {.kind = SEG_PANEL_BARS,
         .title = "bars",
         .series = bars,
         .series_count = 2,
         .x = {.category = names, .categories = 3}},
        {.kind = SEG_PANEL_BOXES,
         .title = "boxes",
         .series = boxes,
         .series_count = 3,
         .x = {.category = names, .categories = 3}},
        {.kind = SEG_PANEL_MATRIX,
         .title = "matrix",
         .value = matrix,
         .rows = 900,
         .cols = 2,
         .colours = SEG_COLOURS_DIVERGING,
         .low = -1,
         .high = 1,
         .caption = "one line\nand a second"},
        {.kind = SEG_PANEL_PICTURE, .title = "picture", .rgb = rgb, .rows = 20, .cols = 30},
    };
    return (seg_figure){.title = "every kind", .panel = panels, .panel_count = 6};
}

static void read_bytes(const char *path, unsigned char **bytes, size_t *size) {
    assert_ok(&ctx, seg_file_read(&ctx, path, bytes, size));
    unlink(path);
}

TEST(formats_and_bytes) {
    static const char *const file[] = {"plot_test.svg", "plot_test.pdf", "plot_test.png"};
    static const char *const begins[] = {"<?xml", "%PDF-", "\x89PNG"};
    const seg_figure figure = sample();
    unsigned char *first[3], *second;
    size_t size[3], again;
    assert_ok(&ctx, seg_figure_write_all(&ctx, &figure, ".", "plot_test"));
    for (int f = 0; f < 3; f++) {
        read_bytes(file[f], &first[f], &size[f]);
        assert_true(size[f] > 3000);
        assert_memory_equal(first[f], begins[f], strlen(begins[f]));
    }
    for (int f = 1; f < 3; f++) { /* SVG numbers its images over the process; cli/test_experiment.sh compares runs */
        assert_ok(&ctx, seg_figure_write(&ctx, &figure, file[f]));
        read_bytes(file[f], &second, &again);
        assert_int_equal(again, size[f]);
        assert_memory_equal(first[f], second, again);
        free(second);
    }
    for (int f = 0; f < 3; f++)
        free(first[f]);
}

TEST(refused) {
    seg_figure figure = sample();
    assert_int_equal(seg_figure_write(&ctx, &figure, "plot.eps"), SEG_ERR_USAGE);
    assert_int_equal(seg_figure_write(&ctx, &figure, "no/such/folder/plot.svg"), SEG_ERR_IO);
    figure.panel_count = 0;
    assert_int_equal(seg_figure_write(&ctx, &figure, "plot.svg"), SEG_ERR_USAGE);
    struct stat about;
    assert_int_not_equal(stat("plot.svg", &about), 0);
}

TEST(round_ticks) {
    seg_scale scale = {.from = 0, .to = 1};
    seg_plot_ticks(&scale);
    assert_int_equal(scale.ticks, 6);
    assert_string_equal(scale.text[1], "0.2");
    assert_near(scale.tick[5], 1, 1e-12);
    scale = (seg_scale){.from = 9, .to = 131};
    seg_plot_ticks(&scale);
    assert_int_equal(scale.ticks, 6);
    assert_string_equal(scale.text[0], "20");
    scale = (seg_scale){.from = -3, .to = 4, .logarithmic = 1};
    seg_plot_ticks(&scale);
    assert_int_equal(scale.ticks, 8);
    assert_string_equal(scale.text[0], "0.001");
    assert_string_equal(scale.text[3], "1");
    for (double span = 1e-7; span < 1e9; span *= 3.7) { /* a few ticks for any range, in order and inside */
        scale = (seg_scale){.from = 0.3 * span, .to = 1.3 * span};
        seg_plot_ticks(&scale);
        assert_true(scale.ticks >= 3 && scale.ticks <= 11);
        for (int t = 0; t < scale.ticks; t++)
            assert_true(scale.tick[t] > 0.3 * span - 1e-9 * span && scale.tick[t] < 1.3 * span + 1e-9 * span &&
                        (t == 0 || scale.tick[t] > scale.tick[t - 1]));
    }
}

TEST(values_on_the_page) {
    const double y[] = {2, 4};
    const seg_series series = {"s", 2, x, y, NULL, NULL, 0, 0, 0};
    const seg_panel panel = {.series = &series, .series_count = 1, .y = {.from = 0, .to = 10}};
    seg_frame frame = {.left = 50, .top = 20, .width = 200, .height = 100};
    seg_plot_scales(&panel, &frame);
    assert_near(seg_plot_y(&frame, 0), 120, 1e-12);
    assert_near(seg_plot_y(&frame, 10), 20, 1e-12);
    assert_near(seg_plot_y(&frame, 2), 100, 1e-12);
    assert_near(seg_plot_x(&frame, 15), 150, 1e-9); /* the middle of 10..20 */
    const seg_panel logarithmic = {.series = &series, .series_count = 1, .y = {.from = 1, .to = 100, .logarithmic = 1}};
    seg_plot_scales(&logarithmic, &frame);
    assert_near(seg_plot_y(&frame, 10), 70, 1e-12);
}

/* A filled bar is where it should be: its colour is found in the PNG. */
TEST(colours_in_the_picture) {
    const double one[] = {1};
    static const char *const only[] = {"a"};
    const seg_series series = {NULL, 1, NULL, one, NULL, NULL, 0, 0, 0};
    const seg_panel panel = {
        .kind = SEG_PANEL_BARS, .series = &series, .series_count = 1, .x = {.category = only, .categories = 1}};
    const seg_figure figure = {.panel = &panel, .panel_count = 1};
    SCOPED(seg_raster) raster;
    assert_ok(&ctx, seg_figure_write(&ctx, &figure, "plot_test.png"));
    assert_ok(&ctx, seg_raster_read(&ctx, "plot_test.png", &raster));
    unlink("plot_test.png");
    assert_int_equal(raster.channels, 3);
    size_t blue = 0;
    for (int p = 0; p < raster.width * raster.height; p++) {
        const uint8_t *at = raster.sample8 + 3 * p;
        blue += at[0] < 5 && at[1] > 105 && at[1] < 125 && at[2] > 170 && at[2] < 185;
    }
    /* 0.8 of the area's width, of its height all but the margin above. */
    const double area = 9 * 190 * 140 * 0.8 / 1.06;
    assert_near((double)blue, area, 0.05 * area);
}

/* Height in dots of a figure of two pictures under each other, and the bytes of its PDF. */
static int height_of(const seg_panel *panels, size_t *pdf) {
    const seg_figure figure = {.panel = panels, .panel_count = 2, .columns = 1, .width = 96, .height = 140};
    SCOPED(seg_raster) raster;
    unsigned char *bytes;
    assert_ok(&ctx, seg_figure_write_all(&ctx, &figure, ".", "plot_test"));
    assert_ok(&ctx, seg_raster_read(&ctx, "plot_test.png", &raster));
    read_bytes("plot_test.pdf", &bytes, pdf);
    size_t jpegs = 0;
    for (size_t i = 0; i + 9 < *pdf; i++)
        jpegs += memcmp(bytes + i, "DCTDecode", 9) == 0;
    assert_int_equal(jpegs, 2);
    unlink("plot_test.svg");
    const int height = raster.height;
    free(bytes);
    return height;
}

/* Rows are as high as their pictures, whatever the others' shape; pictures are stored at the size printed. */
TEST(pictures_of_any_shape) {
    unsigned char *rgb = malloc((size_t)3 * 1600 * 1600);
    assert_non_null(rgb);
    for (size_t p = 0; p < 3 * 1600 * 1600; p++)
        rgb[p] = (unsigned char)(p * 2654435761u >> 24); /* noise, which does not compress */
    const seg_panel flat = {.kind = SEG_PANEL_PICTURE, .caption = "flat", .rgb = rgb, .rows = 400, .cols = 1600};
    const seg_panel tall = {.kind = SEG_PANEL_PICTURE, .caption = "tall", .rgb = rgb, .rows = 1600, .cols = 1200};
    const seg_panel narrow = {.kind = SEG_PANEL_PICTURE, .caption = "narrow", .rgb = rgb, .rows = 1600, .cols = 100};
    size_t bytes[4];
    const int both_flat = height_of((seg_panel[]){flat, flat}, &bytes[0]);
    assert_int_equal(height_of((seg_panel[]){flat, tall}, &bytes[1]), both_flat + 3 * (128 - 24));
    assert_int_equal(height_of((seg_panel[]){tall, flat}, &bytes[2]), both_flat + 3 * (128 - 24));
    assert_int_equal(height_of((seg_panel[]){narrow, flat}, &bytes[3]), both_flat + 3 * (140 - 24));
    for (int f = 0; f < 4; f++)
        assert_in_range(bytes[f], 1000, 200000);
    free(rgb);
}
