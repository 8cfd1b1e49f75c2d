/* plot: every kind of panel as well-formed SVG; values land where the axes say. */
#include "check.h"

#include "evaluation/figures/plot.h"
#include "image/raster.h"

#include <sys/stat.h>

static const double x[] = {10, 20, 30, 40, 50};
static const double a[] = {0.30, 0.22, 0.15, 0.11, 0.10}, a_low[] = {0.26, 0.19, 0.12, 0.09, 0.08},
                    a_high[] = {0.35, 0.25, 0.19, 0.14, 0.12};
static const double b[] = {0.33, 0.31, 0.27, 0.24, 0.23};
static const char *const names[] = {"k-means", "spectral learning", "kernel learning"};

/* The figure as text, to be freed. */
static char *draw(const seg_figure *figure) {
    unsigned char *bytes;
    size_t size;
    assert_ok(&ctx, seg_figure_write(&ctx, figure, ".", "plot_test"));
    assert_ok(&ctx, seg_file_read(&ctx, "plot_test.svg", &bytes, &size)); /* ended by 0 */
    unlink("plot_test.svg");
    return (char *)bytes;
}

static int count(const char *text, const char *part) {
    int found = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        found++;
    return found;
}

/* One panel of each kind: what was given is there, once. */
TEST(every_kind) {
    static double log_y[] = {0.01, 0.1, 1, NAN, 1000};
    static const seg_series lines[] = {{"learned", 5, x, a, a_low, a_high, 0, 0},
                                       {"compared & <so>", 5, x, b, NULL, NULL, 1, 6}};
    static const seg_series powers[] = {{"learned", 5, x, log_y, NULL, NULL, 0, 0}};
    static const seg_series bars[] = {{"first", 3, NULL, a, a_low, a_high, 0, 2},
                                      {"second", 3, NULL, b, NULL, NULL, 0, 3}};
    static const seg_panel panels[] = {
        {.title = "lines",
         .series = lines,
         .series_count = 2,
         .x = {.label = "constraints"},
         .y = {.label = "clustering error"}},
        {.title = "powers",
         .series = powers,
         .series_count = 1,
         .x = {.label = "constraints"},
         .y = {.label = "seconds", .logarithmic = 1}},
        {.title = "bars", .series = bars, .series_count = 2, .x = {.category = names, .categories = 3}},
    };
    const seg_figure figure = {.title = "every kind", .note = "a note", .panel = panels, .panel_count = 3};
    AUTOFREE char *first = draw(&figure), *second = draw(&figure);
    assert_string_equal(first, second);
    assert_memory_equal(first, "<svg", 4);
    assert_int_equal(count(first, "<"), count(first, ">"));
    assert_int_equal(count(first, ">learned<"), 1); /* of two panels */
    assert_int_equal(count(first, ">compared &amp; &lt;so&gt;<"), 1);
    assert_int_equal(count(first, ">constraints<"), 2);
    assert_int_equal(count(first, "spectral learning"), 1);
    assert_int_equal(count(first, "rotate(-34"), 3); /* the categories are long */
    assert_int_equal(count(first, ">a note<"), 1);
    assert_int_equal(count(first, "fill=\"#0072b2\"/>"), 5 + 4 + 1);  /* markers but that of the gap; a key */
    assert_int_equal(count(first, "stroke-opacity=\"0.75\""), 5 + 3); /* error bars */
    assert_int_equal(count(first, "nan"), 0);
}

TEST(refused) {
    const seg_series series = {"s", 5, x, a, NULL, NULL, 0, 0};
    const seg_panel panel = {.series = &series, .series_count = 1};
    const seg_figure figure = {.panel = &panel, .panel_count = 1};
    assert_int_equal(seg_figure_write(&ctx, &figure, "no/such/folder", "plot"), SEG_ERR_IO);
    struct stat about;
    assert_int_not_equal(stat("plot.svg", &about), 0);
}

TEST(round_ticks) {
    seg_plot_scale scale = {.from = 0, .to = 1};
    seg_plot_ticks(&scale);
    assert_int_equal(scale.ticks, 6);
    assert_string_equal(scale.text[1], "0.2");
    assert_near(scale.tick[5], 1, 1e-12);
    scale = (seg_plot_scale){.from = 9, .to = 131};
    seg_plot_ticks(&scale);
    assert_int_equal(scale.ticks, 6);
    assert_string_equal(scale.text[0], "20");
    scale = (seg_plot_scale){.from = -3, .to = 4, .logarithmic = 1};
    seg_plot_ticks(&scale);
    assert_int_equal(scale.ticks, 8);
    assert_string_equal(scale.text[0], "0.001");
    assert_string_equal(scale.text[3], "1");
    for (double span = 1e-7; span < 1e9; span *= 3.7) { /* a few ticks for any range, in order and inside */
        scale = (seg_plot_scale){.from = 0.3 * span, .to = 1.3 * span};
        seg_plot_ticks(&scale);
        assert_true(scale.ticks >= 3 && scale.ticks <= 11);
        for (int t = 0; t < scale.ticks; t++)
            assert_true(scale.tick[t] > 0.3 * span - 1e-9 * span && scale.tick[t] < 1.3 * span + 1e-9 * span &&
                        (t == 0 || scale.tick[t] > scale.tick[t - 1]));
    }
}

/* The axes reach from the least value to the most, and a margin beyond; a bar is as high as its value. */
TEST(values_on_the_page) {
    const double y[] = {2, 4}, powers[] = {1, 100};
    seg_series series = {"s", 2, x, y, NULL, NULL, 0, 0};
    seg_panel panel = {.series = &series, .series_count = 1};
    seg_frame frame = {.left = 50, .top = 20, .width = 200, .height = 100};
    seg_plot_scales(&panel, &frame);
    assert_near(seg_plot_y(&frame, 3), 70, 1e-9);
    assert_near(seg_plot_y(&frame, 2), 20 + 100 * 1.06 / 1.12, 1e-9);
    assert_near(seg_plot_x(&frame, 15), 150, 1e-9); /* the middle of 10..20 */
    series.y = powers;
    panel.y.logarithmic = 1;
    seg_plot_scales(&panel, &frame);
    assert_near(seg_plot_y(&frame, 10), 70, 1e-9);
    const double one[] = {1};
    series = (seg_series){NULL, 1, NULL, one, NULL, NULL, 0, 0};
    panel = (seg_panel){.series = &series, .series_count = 1, .x = {.category = names, .categories = 1}};
    AUTOFREE char *svg = draw(&(seg_figure){.panel = &panel, .panel_count = 1});
    /* 0.8 of the area's width, of its height all but the margin above. */
    assert_non_null(strstr(svg, "width=\"152.00\" height=\"132.08\" fill=\"#0072b2\""));
}
