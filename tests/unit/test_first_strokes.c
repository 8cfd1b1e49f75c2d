/* An object and its background from the first strokes: strokes of one label alone, `object` with two, and a box. */
#include "scene.h"

#include <segment/session.h>

#ifdef SEG_SANITIZED
#define SKIP_SLOW() skip() /* the net takes seconds for a box: few boxes are left */
#define BOXES       1
#else
#define SKIP_SLOW() (void)0
#define BOXES       3
#endif

enum { WIDTH = 150, HEIGHT = 110, PIXELS = WIDTH * HEIGHT };

static int disc(int x, int y, int width, int height) {
    (void)width, (void)height;
    return (x - 70) * (x - 70) + (y - 50) * (y - 50) < 700 ? 1 : 2;
}

/* Touches the frame below. */
static int post(int x, int y, int width, int height) {
    (void)width, (void)height;
    return abs(x - 75) < 20 && y > 30 ? 1 : 2;
}

/* 70 % of the image. */
static int large(int x, int y, int width, int height) {
    return x > 12 && x < width - 12 && y > 8 && y < height - 8 ? 1 : 2;
}

static int two_discs(int x, int y, int width, int height) {
    (void)width, (void)height;
    return hypot(x - 40, y - 55) < 22 || hypot(x - 112, y - 55) < 22 ? 1 : 2;
}

static int nothing(int x, int y, int width, int height) {
    (void)x, (void)y, (void)width, (void)height;
    return 1;
}

static void dot(scene *s, int x, int y, int radius, int label) {
    for (int p = 0; p < PIXELS; p++)
        if (hypot(p % WIDTH - x, (double)(p / WIDTH) - y) <= radius)
            s->scribbles.label[p] = (uint8_t)label;
    s->scribbles.labels = label > s->scribbles.labels ? label : s->scribbles.labels;
}

static seg_status run(scene *s, const seg_mask *scribbles, const seg_options *options, seg_result **out) {
    return seg_segment_photo(&s->ctx, &s->photo, scribbles, NULL, options, out);
}

/* IoU of label 1 of the truth with `label` of the mask. */
static double iou_of(scene *s, const seg_options *options, int label) {
    SCOPED_RESULT *result = NULL;
    int both = 0, either = 0;
    assert_ok(&s->ctx, run(s, &s->scribbles, options, &result));
    for (int p = 0; p < PIXELS; p++) {
        const int is = result->mask.label[p] == label, should = s->truth.label[p] == 1;
        both += is && should;
        either += is || should;
    }
    return (double)both / either;
}

TEST(one_stroke_finds_the_object) {
    static const struct {
        int (*region)(int, int, int, int);
        int x, y, radius;
        double least;
    } cases[] = {{disc, 70, 50, 0, 0.9},
                 {disc, 60, 45, 3, 0.9},
                 {post, 75, 70, 3, 0.9},
                 {large, 75, 55, 3, 0.9},
                 {two_discs, 40, 55, 3, 0.45}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int label = 1; label <= (i ? 1 : 7); label += 6) { /* whatever its number */
            seg_options options = seg_options_default();
            SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, cases[i].region);
            dot(&s, cases[i].x, cases[i].y, cases[i].radius, label);
            const double iou = iou_of(&s, &options, label);
            if (!(iou >= cases[i].least))
                fail_msg("case %zu, label %d: IoU %g", i, label, iou);
            /* The rest has the next number. */
            options.object = 1;
            assert_near(iou_of(&s, &options, label), cases[i].least < 0.9 ? 0.5 : 1, 1e-4);
        }
}

/* Nobody knows what is an object there; the stroke has its label, and nothing else fails. */
TEST(one_stroke_without_an_object) {
    seg_options options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, nothing);
    memset(s.photo.data, 90, 3 * PIXELS);
    dot(&s, 75, 55, 3, 1);
    assert_ok(&s.ctx, run(&s, &s.scribbles, &options, &result));
    assert_int_equal(result->mask.label[55 * WIDTH + 75], 1);
    assert_int_equal(result->k, 2);
    options.k = 1;
    assert_near(iou_of(&s, &options, 1), 1, 0); /* as requested: one region */
}

/* The last label leaves no number for the rest. */
TEST(the_last_label_is_alone) {
    seg_options options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, disc);
    dot(&s, 70, 50, 3, SEG_MAX_LABELS);
    assert_ok(&s.ctx, run(&s, &s.scribbles, &options, &result));
    assert_int_equal(result->k, 1);
}

/* A dot in the object and one beside it. With `object` the frame says which side the rest is on. */
TEST(two_dots_find_it_too) {
    for (int object = 0; object < 2; object++) {
        seg_options options = seg_options_default();
        options.object = object;
        SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, disc);
        dot(&s, 70, 50, 3, 1);
        dot(&s, 130, 20, 3, 2);
        assert_true(iou_of(&s, &options, 1) > 0.9);
    }
}

/* A chequered object of which one dot shows little, beside one of the background, whose colour half of it resembles. A
 * net sees the whole, whatever label it has; with balance off nobody asks it. */
TEST(either_label_may_be_the_object) {
    double iou[2][2];
    for (int which = 0; which < 4; which++) {
        const int own = 1 + which % 2;
        seg_options options = seg_options_default();
        options.patch = 5; /* smaller ones need no net */
        options.balance = which < 2 ? SEG_BALANCE_AUTO : SEG_BALANCE_OFF;
        SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, large);
        for (int p = 0; p < 3 * PIXELS; p++)
            if (s.truth.label[p / 3] == 1 && (p / 3 % WIDTH / 8 + p / 3 / WIDTH / 8) % 2)
                ((uint8_t *)s.photo.data)[p] = (uint8_t)(((uint8_t *)s.photo.data)[p] * 0.4 + (p % 3 == 1 ? 84 : 39));
        dot(&s, 62, 50, 3, own);
        dot(&s, 146, 5, 3, 3 - own);
        iou[which / 2][which % 2] = iou_of(&s, &options, own);
    }
    assert_true(iou[0][0] > 0.985 && iou[0][0] > iou[1][0] + 0.01);
    assert_near(iou[0][0], iou[0][1], 0);
}

/* Of a patch below the first a stroke has one row of three, or two; without `object` one is enough. */
TEST(a_patch_that_is_hardly_touched) {
    for (int which = 0; which < 4; which++) {
        seg_options options = seg_options_default();
        SCOPED_RESULT *result = NULL;
        SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, disc);
        options.object = which % 2;
        options.patch = which % 2 ? 0 : 3;
        s.scribbles.labels = 1;
        for (int y = 48; y < 52 + which / 2; y++)
            memset(s.scribbles.label + (size_t)(y * WIDTH + 69), 1, 3);
        assert_ok(&s.ctx, run(&s, &s.scribbles, &options, &result));
        assert_true(result->grid.side == 3 && result->marked_patches == (which == 1 ? 1 : 2));
    }
}

/* A session's answer, as often as it is asked, is that of a fresh run by another number of threads. */
static void assert_same_bytes(scene *s, seg_session *session, int times, const seg_mask *scribbles,
                              const seg_options *options) {
    SCOPED_RESULT *fresh = NULL;
    const int threads = s->ctx.threads;
    s->ctx.threads = 3;
    assert_ok(&s->ctx, run(s, scribbles, options, &fresh));
    s->ctx.threads = threads;
    assert_int_equal(fresh->k, 2);
    for (int i = 0; i < times; i++) {
        SCOPED_RESULT *result = NULL;
        assert_ok(&s->ctx, seg_session_segment(&s->ctx, session, scribbles, NULL, &result));
        assert_memory_equal(fresh->mask.label, result->mask.label, PIXELS);
    }
}

TEST(a_session_answers_the_first_stroke) {
    seg_options options = seg_options_default();
    SCOPED_SESSION *session = NULL;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, disc);
    dot(&s, 70, 50, 3, 1);
    assert_ok(&s.ctx, seg_session_open(&s.ctx, &s.photo, &options, &session));
    assert_same_bytes(&s, session, 2, &s.scribbles, &options);
}

static int at_corner(int x, int y, int width, int height) {
    (void)width, (void)height;
    return x < 60 && y < 50 ? 1 : 2;
}

/* The smallest box around label 1 of the truth, and `beyond` pixels more at each side. */
static seg_box box_of(const scene *s, int beyond) {
    int left = WIDTH, right = 0, top = HEIGHT, bottom = 0;
    for (int p = 0; p < PIXELS; p++)
        if (s->truth.label[p] == 1) {
            left = p % WIDTH < left ? p % WIDTH : left;
            right = p % WIDTH > right ? p % WIDTH : right;
            top = p / WIDTH < top ? p / WIDTH : top;
            bottom = p / WIDTH;
        }
    left = left > beyond ? left - beyond : 0;
    top = top > beyond ? top - beyond : 0;
    right = right + beyond < WIDTH ? right + beyond : WIDTH - 1;
    bottom = bottom + beyond < HEIGHT ? bottom + beyond : HEIGHT - 1;
    return (seg_box){left, top, right - left + 1, bottom - top + 1};
}

TEST(a_box_finds_the_object) {
    SKIP_SLOW();
    static const struct {
        int (*region)(int, int, int, int);
        int beyond;
    } cases[] = {{disc, 1}, {post, 11}, {large, 1}, {two_discs, 11}, {at_corner, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        seg_options options = seg_options_default();
        SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, cases[i].region);
        options.box = box_of(&s, cases[i].beyond);
        const double iou = iou_of(&s, &options, 1);
        if (!(iou >= 0.9))
            fail_msg("case %zu: IoU %g", i, iou);
    }
}

/* No pixel outside of the box is the object's but those of its strokes; strokes keep their labels, whatever these are.
 */
TEST(strokes_and_a_box) {
    seg_options options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, disc);
    options.box = (seg_box){40, 20, 62, 62};
    dot(&s, 20, 100, 2, 4);
    dot(&s, 80, 50, 3, 9);
    assert_ok(&s.ctx, run(&s, &s.scribbles, &options, &result));
    for (int p = 0; p < PIXELS; p++) {
        const int x = p % WIDTH, y = p / WIDTH, inside = x >= 40 && x < 102 && y >= 20 && y < 82;
        if (s.scribbles.label[p])
            assert_int_equal(result->mask.label[p], s.scribbles.label[p]);
        else if (!inside)
            assert_int_equal(result->mask.label[p], 9);
    }
}

/* Label 2 alone is the background's: it corrects what the box took for the object, and nothing far away. */
TEST(a_stroke_of_the_background_in_a_box) {
    SKIP_SLOW();
    seg_options options = seg_options_default();
    seg_result *result[2];
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, two_discs);
    options.box = (seg_box){12, 27, 128, 56};
    assert_ok(&s.ctx, run(&s, NULL, &options, &result[0]));
    dot(&s, 112, 55, 6, 2);
    assert_ok(&s.ctx, run(&s, &s.scribbles, &options, &result[1]));
    for (int p = 0; p < PIXELS; p++) {
        const double beyond = hypot(p % WIDTH - 40, (double)(p / WIDTH) - 55) - 22; /* the other disc's border */
        assert_true(p % WIDTH >= 76 || fabs(beyond) < 2 || result[0]->mask.label[p] == result[1]->mask.label[p]);
    }
    const uint8_t *middle = result[1]->mask.label + 55 * WIDTH;
    assert_true(middle[40] == 1 && middle[112] == 2);
    seg_result_free(result[0]);
    seg_result_free(result[1]);
}

static int never_back(void *user, double done, const char *stage) {
    double *last = user;
    (void)stage;
    assert_true(done >= last[0]);
    last[0] = done;
    return 0;
}

TEST(progress_of_a_box_does_not_go_back) {
    SKIP_SLOW();
    seg_options options = seg_options_default();
    SCOPED_SESSION *session = NULL;
    SCOPED_RESULT *result = NULL;
    double last = 0;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, disc);
    options.box = box_of(&s, 3);
    assert_ok(&s.ctx, seg_session_open(&s.ctx, &s.photo, &options, &session));
    assert_ok(&s.ctx, seg_session_prepare(&s.ctx, session));
    s.ctx.progress = never_back;
    s.ctx.progress_user = &last;
    assert_ok(&s.ctx, seg_session_segment(&s.ctx, session, NULL, NULL, &result));
    assert_near(last, 1, 1e-12);
}

/* Without strokes, then with one. */
TEST(a_box_gives_the_same_bytes) {
    SKIP_SLOW();
    seg_options options = seg_options_default();
    SCOPED_SESSION *session = NULL;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, disc);
    options.box = box_of(&s, 4);
    assert_ok(&s.ctx, seg_session_open(&s.ctx, &s.photo, &options, &session));
    assert_same_bytes(&s, session, 2, NULL, &options);
    dot(&s, 45, 25, 3, 2);
    assert_same_bytes(&s, session, 1, &s.scribbles, &options);
}

/* One pixel, one colour, and an image that is smaller than a patch. */
TEST(boxes_at_the_edges) {
    seg_options options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, nothing);
    memset(s.photo.data, 90, 3 * PIXELS);
    const seg_box boxes[] = {{149, 109, 1, 1}, {0, 0, 1, 110}, {0, 0, 149, 110}};
    for (size_t i = 0; i < BOXES; i++) {
        options.box = boxes[i];
        assert_ok(&s.ctx, run(&s, NULL, &options, &result));
        const seg_box *b = &boxes[i];
        int in = 0;
        for (int p = 0; p < PIXELS; p++) {
            const int x = p % WIDTH - b->x, y = p / WIDTH - b->y;
            const int inside = x >= 0 && y >= 0 && x < b->width && y < b->height;
            in += result->mask.label[p] == 1;
            assert_true(inside || result->mask.label[p] == 2);
        }
        assert_true(in > 0);
        seg_result_free(result);
    }
    uint8_t few[3 * 9] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 250, 250, 250};
    const seg_image tiny = {3, 3, 8, 0, few, 0, 0};
    options.box = (seg_box){1, 1, 1, 1};
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &tiny, NULL, NULL, &options, &result));
    for (int p = 0; p < 9; p++)
        assert_int_equal(result->mask.label[p], p == 4 ? 1 : 2);
}

TEST(boxes_that_do_not_fit) {
    seg_options options = seg_options_default();
    seg_result *result = NULL;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, disc);
    const seg_box beyond[] = {{100, 50, 51, 10}, {0, 100, 10, 11}, {200, 0, 1, 1}};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        options.box = beyond[i];
        assert_fails(&s.ctx, run(&s, NULL, &options, &result), SEG_ERR_USAGE, "not inside the image of 150 x 110");
        assert_null(result);
    }
    options.box = (seg_box){0, 0, WIDTH, HEIGHT};
    assert_fails(&s.ctx, run(&s, NULL, &options, &result), SEG_ERR_USAGE, "covers the whole image");
    options.box = (seg_box){10, 10, 20, 20};
    const seg_mask small = {.width = WIDTH, .height = HEIGHT - 1, .label = s.scribbles.label};
    assert_fails(&s.ctx, run(&s, &small, &options, &result), SEG_ERR_INPUT, "sizes must agree");
    for (int p = 0; p < PIXELS; p++)
        s.scribbles.label[p] = p % WIDTH < 40 && p / WIDTH < 40 ? 2 : 0;
    assert_fails(&s.ctx, run(&s, &s.scribbles, &options, &result), SEG_ERR_INPUT,
                 "leave nothing of the object in its box");
    memset(s.scribbles.label, 0, PIXELS);
    options.k = 3;
    assert_fails(&s.ctx, run(&s, NULL, &options, &result), SEG_ERR_USAGE, "2 regions, not for 3");
    options.k = 0;
    for (int label = 1; label <= 3; label++)
        dot(&s, 30 * label, 60, 2, label);
    assert_fails(&s.ctx, run(&s, &s.scribbles, &options, &result), SEG_ERR_INPUT, "an object and its background");
    static const char *const wrong[] = {"1,2,3", "1,2,0,5", "1,2,3,4,5", "-1,2,3,4"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(&s.ctx, seg_options_set(&s.ctx, &options, "box", wrong[i]), SEG_ERR_USAGE, "as in 10,20,200,100");
    assert_ok(&s.ctx, seg_options_set(&s.ctx, &options, "box", "1,2,3,4"));
    char text[64];
    assert_ok(&s.ctx, seg_options_get(&s.ctx, &options, "box", text, sizeof text));
    assert_string_equal(text, "1,2,3,4");
}
