/* An object and its background from the first strokes: strokes of one label alone, and `object` with two. */
#include "pipeline/option_fields.h"
#include "scene.h"

#include <segment/session.h>

#include <math.h>

enum { WIDTH = 150, HEIGHT = 110, PIXELS = WIDTH * HEIGHT };

static int disc(int x, int y, int width, int height) {
    (void)width;
    (void)height;
    return (x - 70) * (x - 70) + (y - 50) * (y - 50) < 700 ? 1 : 2;
}

/* Touches the frame below. */
static int post(int x, int y, int width, int height) {
    (void)width;
    (void)height;
    return abs(x - 75) < 20 && y > 30 ? 1 : 2;
}

/* 70 % of the image. */
static int large(int x, int y, int width, int height) {
    return x > 12 && x < width - 12 && y > 8 && y < height - 8 ? 1 : 2;
}

static int two_discs(int x, int y, int width, int height) {
    (void)width;
    (void)height;
    return hypot(x - 40, y - 55) < 22 || hypot(x - 112, y - 55) < 22 ? 1 : 2;
}

static int nothing(int x, int y, int width, int height) {
    (void)x;
    (void)y;
    (void)width;
    (void)height;
    return 1;
}

static void dot(scene *s, int x, int y, int radius, int label) {
    for (int p = 0; p < PIXELS; p++)
        if (hypot(p % WIDTH - x, (double)(p / WIDTH) - y) <= radius)
            s->scribbles.label[p] = (uint8_t)label;
    s->scribbles.labels = label > s->scribbles.labels ? label : s->scribbles.labels;
}

/* IoU of label 1 of the truth with `label` of the mask. */
static double iou_of(scene *s, const seg_options *options, int label) {
    seg_result *result = NULL;
    int both = 0, either = 0;
    assert_ok(&s->ctx, seg_segment_photo(&s->ctx, &s->photo, &s->scribbles, NULL, options, &result));
    for (int p = 0; p < PIXELS; p++) {
        const int is = result->mask.label[p] == label, should = s->truth.label[p] == 1;
        both += is && should;
        either += is || should;
    }
    seg_result_free(result);
    return (double)both / either;
}

TEST(one_stroke_finds_the_object) {
    static const struct {
        int (*region)(int, int, int, int);
        int x, y, radius;
        double least;
    } cases[] = {{disc, 70, 50, 0, 0.9}, {disc, 70, 50, 3, 0.9},  {disc, 60, 45, 3, 0.9},
                 {post, 75, 70, 3, 0.9}, {large, 75, 55, 3, 0.9}, {two_discs, 40, 55, 3, 0.45}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int label = 1; label <= 7; label += 6) { /* whatever its number */
            SCOPED(scene) s;
            seg_options options;
            seg_options_default(&options);
            scene_make(WIDTH, HEIGHT, 0, cases[i].region, &s);
            dot(&s, cases[i].x, cases[i].y, cases[i].radius, label);
            const double iou = iou_of(&s, &options, label);
            if (iou < cases[i].least)
                print_error("case %zu, label %d: IoU %g\n", i, label, iou);
            assert_true(iou >= cases[i].least);
            /* The rest has the next number. */
            options.object = 1;
            assert_near(iou_of(&s, &options, label), iou, 0.05);
        }
}

/* Nobody knows what is an object there; the stroke has its label, and nothing else fails. */
TEST(one_stroke_without_an_object) {
    SCOPED(scene) s;
    seg_options options;
    seg_result *result = NULL;
    seg_options_default(&options);
    scene_make(WIDTH, HEIGHT, 0, nothing, &s);
    memset(s.photo.data, 90, 3 * PIXELS);
    dot(&s, 75, 55, 3, 1);
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &result));
    assert_int_equal(result->mask.label[55 * WIDTH + 75], 1);
    assert_int_equal(result->k, 2);
    seg_result_free(result);
    options.k = 1;
    assert_near(iou_of(&s, &options, 1), 1, 0); /* as requested: one region */
}

/* The last label leaves no number for the rest. */
TEST(the_last_label_is_alone) {
    SCOPED(scene) s;
    seg_options options;
    seg_result *result = NULL;
    seg_options_default(&options);
    scene_make(WIDTH, HEIGHT, 0, disc, &s);
    dot(&s, 70, 50, 3, SEG_MAX_LABELS);
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &result));
    assert_int_equal(result->k, 1);
    seg_result_free(result);
}

/* A dot in the object and one beside it. With `object` the frame says which side the rest is on. */
TEST(two_dots_find_it_too) {
    for (int object = 0; object < 2; object++) {
        SCOPED(scene) s;
        seg_options options;
        seg_options_default(&options);
        options.object = object;
        scene_make(WIDTH, HEIGHT, 0, disc, &s);
        dot(&s, 70, 50, 3, 1);
        dot(&s, 130, 20, 3, 2);
        assert_true(iou_of(&s, &options, 1) > 0.9);
    }
}

/* A session's answer is that of a fresh run, and the same with any number of threads. */
TEST(a_session_answers_the_first_stroke) {
    SCOPED(scene) s;
    seg_options options;
    seg_session *session = NULL;
    seg_result *result[2] = {NULL};
    seg_options_default(&options);
    scene_make(WIDTH, HEIGHT, 0, disc, &s);
    dot(&s, 70, 50, 3, 1);
    assert_ok(&s.ctx, seg_session_open(&s.ctx, &s.photo, &options, &session));
    assert_ok(&s.ctx, seg_session_segment(&s.ctx, session, &s.scribbles, NULL, &result[0]));
    s.ctx.threads = 3;
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &result[1]));
    assert_memory_equal(result[0]->mask.label, result[1]->mask.label, PIXELS);
    seg_session_close(session);
    seg_result_free(result[0]);
    seg_result_free(result[1]);
}
