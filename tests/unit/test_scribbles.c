/* What people do when they scribble: the default must stay good. Each case is a rendered image with its truth. */
#include "scene.h"

static void assert_good(scene *s, const char *what, double most_wrong, double least_dice) {
    seg_options options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    seg_scores scores;
    assert_ok(&s->ctx, seg_segment_photo(&s->ctx, &s->photo, &s->scribbles, NULL, &options, &result));
    scene_scores(s, &result->mask, &scores);
    if (scores.error_rate > most_wrong || scores.mean_dice < least_dice)
        print_error("%s: error %.4f, Dice %.4f\n", what, scores.error_rate, scores.mean_dice);
    assert_true(scores.error_rate <= most_wrong);
    assert_true(scores.mean_dice >= least_dice);
}

/* A disc before sky and ground. */
static int disc(int x, int y, int width, int height) {
    if ((x - width / 2) * (x - width / 2) + (y - height / 2) * (y - height / 2) < height * height / 12)
        return 1;
    return 3 * y > 2 * height ? 2 : 3;
}

static void strokes_on_disc(scene *s, int step) {
    const int w = s->photo.width, h = s->photo.height;
    scene_stroke(s, w / 2 - h / 6, h / 2, w / 2 + h / 6, h / 2 + h / 12, step, 1);
    scene_stroke(s, w / 10, 9 * h / 10, 9 * w / 10, 8 * h / 10, step, 2);
    scene_stroke(s, w / 10, h / 10, 9 * w / 10, h / 6, step, 3);
}

TEST(one_pixel_wide_and_dotted) {
    for (int step = 1; step <= 12; step += 11)
        for (int grey = 0; grey <= 1; grey++) {
            SCOPED(scene) s = scene_make(200, 150, grey, disc);
            strokes_on_disc(&s, step);
            assert_good(&s, grey ? "grey" : "colour", 0.01, 0.98);
        }
}

TEST(a_few_on_the_wrong_label) {
    SCOPED(scene) s = scene_make(200, 150, 0, disc);
    for (int i = 0; i < 5; i++) { /* zigzags, so that a label has some 60 marked patches */
        scene_stroke(&s, 20 + 35 * i, 10, 40 + 35 * i, 30, 1, 3);
        scene_stroke(&s, 20 + 35 * i, 115, 40 + 35 * i, 140, 1, 2);
        scene_stroke(&s, 75, 62 + 6 * i, 125, 65 + 6 * i, 1, 1);
    }
    for (int i = 0; i < 3; i++) { /* about one in twenty */
        scene_stroke(&s, 30 + 50 * i, 40, 34 + 50 * i, 40, 1, 2);
        scene_stroke(&s, 40 + 50 * i, 130, 44 + 50 * i, 130, 1, 1);
        scene_stroke(&s, 90 + 10 * i, 75, 93 + 10 * i, 75, 1, 3);
    }
    assert_good(&s, "wrong labels", 0.04, 0.93);
}

TEST(one_label_of_ten_pixels) {
    SCOPED(scene) s = scene_make(200, 150, 0, disc);
    strokes_on_disc(&s, 1);
    for (int p = 0, left = 10; p < 200 * 150; p++)
        if (s.scribbles.label[p] == 1 && left-- <= 0)
            s.scribbles.label[p] = 0;
    assert_good(&s, "ten pixels", 0.01, 0.98);
}

static int twelve(int x, int y, int width, int height) {
    return 1 + 4 * x / width + 4 * (3 * y / height);
}

TEST(twelve_labels) {
    SCOPED(scene) s = scene_make(240, 180, 0, twelve);
    for (int label = 0; label < 12; label++)
        scene_stroke(&s, 15 + 60 * (label % 4), 20 + 60 * (label / 4), 40 + 60 * (label % 4), 40 + 60 * (label / 4), 1,
                     label + 1);
    assert_good(&s, "twelve labels", 0.02, 0.97);
}

/* One label in two corners that nothing joins. */
static int corners(int x, int y, int width, int height) {
    return (x < width / 4 && y < height / 3) || (x >= 3 * width / 4 && y >= 2 * height / 3) ? 1 : 2;
}

TEST(one_label_in_two_far_corners) {
    SCOPED(scene) s = scene_make(200, 150, 0, corners);
    scene_stroke(&s, 5, 5, 40, 40, 1, 1);
    scene_stroke(&s, 160, 110, 195, 145, 1, 1);
    scene_stroke(&s, 20, 120, 180, 20, 1, 2);
    assert_good(&s, "two corners", 0.01, 0.98);
}

/* A leaning pole of six pixels and a wire of three. */
static int thin(int x, int y, int width, int height) {
    const int pole = x - width / 3 - y / 5;
    (void)height;
    if (pole >= 0 && pole < 6)
        return 1;
    return abs(y - 40 - x / 8) < 2 ? 2 : 3;
}

TEST(thin_structures) {
    SCOPED(scene) s = scene_make(200, 150, 0, thin);
    scene_stroke(&s, 200 / 3 + 3 + 10, 50, 200 / 3 + 3 + 25, 125, 1, 1);
    scene_stroke(&s, 110, 40 + 110 / 8, 180, 40 + 180 / 8, 1, 2);
    scene_stroke(&s, 20, 20, 50, 130, 1, 3);
    scene_stroke(&s, 130, 20, 180, 40, 1, 3);
    scene_stroke(&s, 130, 130, 180, 90, 1, 3);
    assert_good(&s, "thin", 0.03, 0.80);
}

/* An object that the border cuts, marked up to the last pixel. */
static int at_border(int x, int y, int width, int height) {
    (void)width;
    return x * x + (y - height) * (y - height) < height * height / 3 ? 1 : 2;
}

TEST(an_object_at_the_border) {
    SCOPED(scene) s = scene_make(203, 151, 0, at_border); /* patches at the border are cut */
    scene_stroke(&s, 0, 150, 60, 150, 1, 1);
    scene_stroke(&s, 0, 100, 0, 150, 1, 1);
    scene_stroke(&s, 202, 0, 202, 150, 1, 2);
    scene_stroke(&s, 0, 0, 202, 0, 1, 2);
    assert_good(&s, "at the border", 0.01, 0.98);
}
