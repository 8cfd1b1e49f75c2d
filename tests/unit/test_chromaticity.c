/* Chromaticity is what shade leaves of a colour: the same in half the light, nothing for grey, its own columns only; a
 * red object half in shade is found by strokes in the light. */
#include "toy.h"

#include "features/columns.h"
#include "features/spec.h"

enum { W = 120, H = 80, PIXELS = W * H };

static double to_srgb(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

static seg_image image_of(uint16_t *sample) {
    return (seg_image){.width = W, .height = H, .depth = 16, .data = sample, .low = 0, .high = 65535};
}

/* Colours at random, of linear reflectance 0.1 to 0.9, in the given light. */
static void draw_random(double light, int grey, uint16_t *sample) {
    seg_random random = seg_random_seeded(3, 4);
    for (int p = 0; p < PIXELS; p++) {
        double colour[3];
        for (int c = 0; c < 3; c++)
            colour[c] = 0.1 + 0.8 * seg_random_uniform(&random);
        for (int c = 0; c < 3; c++)
            sample[3 * p + c] = (uint16_t)lround(65535 * to_srgb(light * colour[grey ? 0 : c]));
    }
}

static seg_matrix features_of(uint16_t *sample, const char *spec_text, int append) {
    seg_matrix X;
    const seg_image image = image_of(sample);
    const seg_patch_grid grid = seg_patch_grid_make(W, H, 5);
    seg_feature_spec spec;
    assert_ok(&ctx, seg_feature_spec_parse(&ctx, spec_text, &spec));
    assert_ok(&ctx, seg_features_compute(&ctx, &image, &grid, &spec, &X));
    if (append)
        assert_ok(&ctx, seg_chromaticity_append(&ctx, &spec, &X));
    return X;
}

TEST(light_does_not_count) {
    static uint16_t sample[3 * PIXELS];
    double largest = 0;
    draw_random(1, 0, sample);
    SCOPED(seg_matrix) bright = features_of(sample, "mean,position=0.5", 1);
    draw_random(0.5, 0, sample);
    SCOPED(seg_matrix) dark = features_of(sample, "mean,position=0.5", 1);
    assert_int_equal(bright.cols, 7);
    for (size_t i = 0; i < bright.rows; i++) {
        const double *x = bright.at + 7 * i, *y = dark.at + 7 * i;
        assert_true(x[0] - y[0] > 0.1);
        for (int c = 5; c < 7; c++) {
            assert_near(x[c], y[c], 1e-3);
            assert_near(x[c], 0.66 * x[c - 4] / (x[0] + 0.16), 1e-12);
            largest = fmax(largest, fabs(x[c]));
        }
    }
    assert_true(largest > 0.05); /* there is colour to compare */
}

TEST(other_columns_stay) {
    static uint16_t sample[3 * PIXELS];
    draw_random(1, 0, sample);
    SCOPED(seg_matrix) without = features_of(sample, "mean,spread=0.6,position=0.5", 0);
    SCOPED(seg_matrix) with = features_of(sample, "mean,spread=0.6,position=0.5", 1);
    SCOPED(seg_matrix) twice = features_of(sample, "mean=2,spread=0.6,position=0.5", 1);
    assert_int_equal(with.cols, without.cols + 2);
    for (size_t i = 0; i < with.rows; i++) {
        assert_memory_equal(with.at + i * with.cols, without.at + i * without.cols, without.cols * sizeof(double));
        for (size_t c = without.cols; c < with.cols; c++)
            assert_near(twice.at[i * with.cols + c], 2 * with.at[i * with.cols + c], 1e-12);
    }
}

/* Without a mean, and of a grey image, however small its weight. */
TEST(nothing_is_added_without_colour) {
    static uint16_t sample[3 * PIXELS];
    draw_random(1, 0, sample);
    SCOPED(seg_matrix) X = features_of(sample, "position,spread", 1);
    assert_int_equal(X.cols, 5);
    seg_matrix_free(&X);
    draw_random(1, 1, sample);
    X = features_of(sample, "mean=0.001,position", 1);
    assert_int_equal(X.cols, 5);
    seg_matrix_free(&X);
    memset(sample, 0, sizeof sample);
    X = features_of(sample, "mean", 1);
    assert_int_equal(X.cols, 3);
}

/* A red object between columns 30 and 90 on green ground; the lower half lies in deep shade. */
static int is_object(int p) {
    return p % W >= 30 && p % W < 90;
}

static void draw_shade(uint16_t *sample, int grey) {
    static const double colours[2][3] = {{0.30, 0.42, 0.30}, {0.42, 0.30, 0.30}};
    seg_random random = seg_random_seeded(8, 9);
    for (int p = 0; p < PIXELS; p++)
        for (int c = 0; c < 3; c++) {
            const double light = p / W < H / 2 ? 1 : 0.05;
            const double value = light * colours[is_object(p)][grey ? 0 : c] * (1 + 0.1 * seg_random_normal(&random));
            sample[3 * p + c] = grey && c ? sample[3 * p] : (uint16_t)lround(65535 * to_srgb(fmax(value, 0)));
        }
}

static void mark(seg_mask *scribbles) {
    *scribbles = new_mask(&ctx, W, H);
    for (int x = 45; x < 75; x++)
        scribbles->label[12 * W + x] = 1;
    for (int y = 6; y < 34; y++)
        scribbles->label[y * W + 8] = scribbles->label[y * W + 110] = 2;
    scribbles->labels = 2;
}

static void options_of(seg_chromaticity chromaticity, seg_options *o) {
    *o = seg_options_default();
    o->chromaticity = chromaticity;
    o->balance = SEG_BALANCE_OFF; /* which finds the object's shade by itself */
}

static seg_result *segment(uint16_t *sample, const char *method, seg_chromaticity chromaticity, int threads) {
    seg_result *out;
    const seg_image photo = image_of(sample);
    seg_options options;
    SCOPED(seg_mask) scribbles;
    mark(&scribbles);
    options_of(chromaticity, &options);
    options.method = method;
    ctx.threads = threads;
    assert_ok(&ctx, seg_segment_photo(&ctx, &photo, &scribbles, NULL, &options, &out));
    ctx.threads = 0;
    return out;
}

static size_t columns_of(uint16_t *sample, const char *method, seg_chromaticity chromaticity) {
    SCOPED_RESULT *result = segment(sample, method, chromaticity, 1);
    return result->feature_columns;
}

static int wrong_pixels(const seg_result *r) {
    int wrong = 0;
    for (int p = 0; p < PIXELS; p++)
        wrong += r->mask.label[p] != (is_object(p) ? 1 : 2);
    return wrong;
}

TEST(shade_is_crossed) {
    static uint16_t sample[3 * PIXELS];
    draw_shade(sample, 0);
    SCOPED_RESULT *with = segment(sample, NULL, SEG_CHROMATICITY_AUTO, 1);
    SCOPED_RESULT *threads = segment(sample, NULL, SEG_CHROMATICITY_AUTO, 3);
    SCOPED_RESULT *without = segment(sample, NULL, SEG_CHROMATICITY_OFF, 1);
    print_message("wrong with %d, without %d\n", wrong_pixels(with), wrong_pixels(without));
    assert_true(wrong_pixels(with) < PIXELS / 50);
    assert_true(2 * wrong_pixels(with) < wrong_pixels(without));
    assert_memory_equal(with->mask.label, threads->mask.label, PIXELS);
}

TEST(auto_is_the_default_method_with_strokes) {
    static uint16_t sample[3 * PIXELS];
    draw_shade(sample, 0);
    assert_int_equal(columns_of(sample, "auto", SEG_CHROMATICITY_AUTO), 26);
    assert_int_equal(columns_of(sample, "auto", SEG_CHROMATICITY_OFF), 24);
    assert_int_equal(columns_of(sample, "enpakl", SEG_CHROMATICITY_AUTO), 24);
    assert_int_equal(columns_of(sample, "enpakl", SEG_CHROMATICITY_ON), 26);
    draw_shade(sample, 1);
    assert_int_equal(columns_of(sample, "auto", SEG_CHROMATICITY_ON), 24);
}

/* Strokes, none, strokes again: each as if it were the session's first. */
TEST(a_session_follows_its_strokes) {
    static uint16_t sample[3 * PIXELS];
    const seg_image photo = image_of(sample);
    SCOPED_SESSION *session = NULL;
    seg_options options;
    SCOPED(seg_mask) scribbles;
    SCOPED_RESULT *first, *second, *third, *alone;
    draw_shade(sample, 0);
    mark(&scribbles);
    options_of(SEG_CHROMATICITY_AUTO, &options);
    options.k = 2;
    assert_ok(&ctx, seg_session_open(&ctx, &photo, &options, &session));
    assert_ok(&ctx, seg_session_segment(&ctx, session, &scribbles, NULL, &first));
    assert_ok(&ctx, seg_session_segment(&ctx, session, NULL, NULL, &second));
    assert_ok(&ctx, seg_session_segment(&ctx, session, &scribbles, NULL, &third));
    assert_ok(&ctx, seg_segment_photo(&ctx, &photo, NULL, NULL, &options, &alone));
    assert_int_equal(first->feature_columns, 26);
    assert_int_equal(second->feature_columns, 24);
    assert_memory_equal(first->mask.label, third->mask.label, PIXELS);
    assert_memory_equal(second->mask.label, alone->mask.label, PIXELS);
}
