/* Strokes of 5 pixels along lines of 2, and both enlarged: found by either polarity and either label, not where nothing
 * is thin. */
#include "toy.h"

#include "base/base.h"
#include "masks/photo_passes.h"

enum { WIDTH = 96, HEIGHT = 80, PIXELS = WIDTH * HEIGHT };

typedef struct scene {
    int bright, swapped, labels, lines, constant, rim, texture, dots;
} scene;

/* Lines of two pixels at rows 12, 13; 32, 33; 52, 53 and 72, 73, of which three have wide strokes; the ground's strokes
 * lie between them. Noise of four grey levels. */
static int line_at(int y) {
    return y % 20 == 12 || y % 20 == 13;
}

/* Pixels whose label is wrong, also beside the lines, where the smoothed grey lies between. */
static int wrong(const uint8_t *label, int line, int ground) {
    int count = 0;
    for (int p = 0; p < PIXELS; p++)
        count += label[p] != (line_at(p / WIDTH) ? line : ground);
    return count;
}

enum { FEW = PIXELS / 200 }; /* noise under the strokes */

static void draw(const scene *s, uint8_t *data, uint8_t *marks) {
    seg_random random = seg_random_seeded(5, 7);
    for (int p = 0; p < PIXELS; p++) {
        const int y = p / WIDTH, x = p % WIDTH;
        const int noise = s->constant ? 0 : (int)(4 * seg_random_uniform(&random));
        const int line = s->texture ? line_at(y % 5 + 10) && x >= WIDTH / 2 : s->lines && line_at(y);
        const int value = 128 + noise + (line || (s->rim && y < 2) ? (s->bright ? 60 : -60) : 0);
        memset(data + 3 * p, value, 3);
        marks[p] = 0;
        if (x >= 8 && x < (s->dots ? 11 : WIDTH - 8)) {
            if (y % 20 >= 10 && y % 20 < 15 && y < 60)
                marks[p] = s->swapped ? 2 : 1;
            else if (y % 20 >= 1 && y % 20 < 4)
                marks[p] = s->swapped ? 1 : 2;
            else if (s->labels == 3 && y % 20 == 18)
                marks[p] = 3;
        }
        const int own = marks[p] == (s->swapped ? 2 : 1);
        if ((s->labels == 1 && marks[p] == 2) || (s->texture && own == (x < WIDTH / 2)))
            marks[p] = 0;
    }
}

/* Columns: the wide strokes' rows are their label's, all of the right half where the lines are a texture. */
static const uint8_t *mask_so_far(const scene *s) {
    static uint8_t mask[PIXELS];
    for (int p = 0; p < PIXELS; p++) {
        const int y = p / WIDTH, own = s->texture ? p % WIDTH >= WIDTH / 2 : y % 20 >= 10 && y % 20 < 15;
        mask[p] = (uint8_t)(own ? s->swapped : !s->swapped);
    }
    return mask;
}

/* Each byte `times` times in both directions, pixels of `bytes` bytes. */
static void enlarge(const uint8_t *from, size_t bytes, int times, uint8_t *to) {
    for (int y = 0; y < HEIGHT * times; y++)
        for (int x = 0; x < WIDTH * times; x++, to += bytes)
            memcpy(to, from + bytes * (size_t)(y / times * WIDTH + x / times), bytes);
}

/* The labels in the middle of the squares that pixels of the scene have become. */
static void take_middles(const uint8_t *large, int times, uint8_t *label) {
    const size_t width = (size_t)(WIDTH * times);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            label[y * WIDTH + x] = large[(size_t)(y * times + times / 2) * width + (size_t)(x * times + times / 2)];
}

/* Of the scene enlarged `factor * seen` times, of which an image enlarged `seen` times is looked at. label: of the
 * middles of the scene's pixels. */
static seg_thin_evidence settle_at(const scene *s, int seen, int factor, int force, uint8_t *label) {
    static uint8_t data[3 * PIXELS], marks[PIXELS], large[3 * PIXELS * 16], large_marks[PIXELS * 64], mask[PIXELS * 64];
    const int times = seen * factor, width = WIDTH * times, height = HEIGHT * times;
    const seg_image photo = {.width = WIDTH * seen, .height = HEIGHT * seen, .depth = 8, .data = large};
    SEG_RELEASED(seg_label_rows_free) seg_label_rows rows = {0};
    SEG_RELEASED(seg_label_rows_free) seg_label_rows strokes = {0};
    seg_pixel_scribbles scribbles = {.rows = &strokes};
    seg_thin_evidence evidence;
    for (int l = 0; l < 256; l++)
        scribbles.column[l] = (int16_t)(l >= 1 && l <= 3 ? l - 1 : -1);
    draw(s, data, marks);
    enlarge(data, 3, seen, large);
    enlarge(marks, 1, times, large_marks);
    enlarge(mask_so_far(s), 1, times, mask);
    assert_ok(&ctx, seg_label_rows_append(&ctx, width, height, large_marks, &strokes));
    assert_ok(&ctx, seg_label_rows_append(&ctx, width, height, mask, &rows));
    assert_ok(&ctx, seg_thin_settle(&ctx, (seg_photo_copy){&photo, factor}, &scribbles, force, &rows, &evidence));
    assert_int_equal(rows.width, width);
    assert_int_equal(rows.height, height);
    seg_label_rows_paint(&rows, mask);
    take_middles(mask, times, label);
    return evidence;
}

static seg_thin_evidence settle(const scene *s, int force, uint8_t *label) {
    return settle_at(s, 1, 1, force, label);
}

TEST(lines_are_found) {
    static uint8_t label[PIXELS];
    for (int i = 0; i < 4; i++) {
        const scene s = {.bright = i & 1, .swapped = i >> 1, .labels = 2, .lines = 1};
        const seg_thin_evidence evidence = settle(&s, 0, label);
        assert_true(evidence.found);
        assert_int_equal(evidence.column, s.swapped);
        assert_int_equal(evidence.bright, s.bright);
        assert_true(wrong(label, s.swapped, !s.swapped) < FEW);
    }
}

/* In any size, also where a reduced copy is looked at: lines of 2, 4 and 8 pixels by discs of 5, 5 and 9, but not of 6,
 * which the image is too small for. */
TEST(wider_lines_are_found) {
    static const int times[] = {0, 1, 1, 0, 2};
    static uint8_t label[PIXELS];
    for (int seen = 1; seen <= 4; seen++)
        for (int factor = 1; factor <= 2; factor++) {
            const scene s = {.bright = factor & 1, .labels = 2, .lines = 1};
            const seg_thin_evidence evidence = settle_at(&s, seen, factor, 0, label);
            assert_int_equal(evidence.found, times[seen] > 0);
            if (!evidence.found)
                continue;
            assert_int_equal(evidence.times, times[seen]);
            /* A reduced copy may show half a pixel more on each side of the four lines. */
            assert_true(wrong(label, 0, 1) < 2 * FEW + (factor > 1 ? 8 * WIDTH : 0));
        }
}

/* Few dots say nothing of structures wider than the smallest. */
TEST(dots_do_not_show_them) {
    static uint8_t label[PIXELS];
    const scene s = {.labels = 2, .lines = 1, .dots = 1};
    assert_false(settle_at(&s, 4, 1, 0, label).found);
}

/* Two rows along the frame do not make a line: what is beyond is not known. */
TEST(a_rim_is_not) {
    static uint8_t label[PIXELS];
    for (int bright = 0; bright < 2; bright++) {
        const scene s = {.bright = bright, .labels = 2, .lines = 1, .rim = 1};
        const seg_thin_evidence evidence = settle(&s, 0, label);
        assert_true(evidence.found);
        assert_true(wrong(label, 0, 1) < FEW);
        for (int p = 0; p < 2 * WIDTH; p++)
            assert_int_equal(label[p], 1);
        for (int y = 12; y < 60; y += 20) /* lines that end at the frame do so */
            assert_int_equal(label[y * WIDTH], 0);
    }
}

/* A region with lines all over it, of which the strokes mark some, beside a smooth one of the ground's colour. */
TEST(a_texture_is_not) {
    static uint8_t label[PIXELS];
    for (int i = 0; i < 4; i++) {
        const scene s = {.bright = i & 1, .swapped = i >> 1, .labels = 2, .texture = 1};
        const seg_thin_evidence evidence = settle(&s, 0, label);
        assert_false(evidence.found);
        assert_int_equal(evidence.column, s.swapped);
        assert_true(evidence.share > 0.35 && evidence.contrast > 2 &&
                    evidence.alike > 0.9); /* so these would let it pass */
        assert_memory_equal(label, mask_so_far(&s), PIXELS);
    }
}

TEST(nothing_else_is) {
    static const scene scenes[] = {
        {.labels = 2}, {.labels = 2, .constant = 1}, {.labels = 1, .lines = 1}, {.labels = 1}};
    static uint8_t label[PIXELS];
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (int force = 0; force < 2; force++) {
            const seg_thin_evidence evidence = settle(&scenes[i], force, label);
            if (scenes[i].labels == 1)
                assert_int_equal(evidence.column, -1);
            if (!force || scenes[i].labels == 1 || scenes[i].constant)
                assert_false(evidence.found);
            for (int p = 0; !evidence.found && p < PIXELS; p++)
                assert_int_equal(label[p], mask_so_far(&scenes[i])[p]);
        }
}

/* By its bounds, each of which is needed. */
TEST(each_bound_counts) {
    const seg_thin_evidence evident = {.column = 0, .share = 0.5, .contrast = 3, .alike = 1, .focus = 4};
    const seg_thin_evidence lacking[] = {
        {.column = -1, .share = 0.5, .contrast = 3, .alike = 1, .focus = 4},
        {.column = 0, .share = 0.28, .contrast = 3, .alike = 1, .focus = 4},
        {.column = 0, .share = 0.5, .contrast = 1.4, .alike = 1, .focus = 4},
        {.column = 0, .share = 0.5, .contrast = 3, .alike = 0.7, .focus = 4},
        {.column = 0, .share = 0.5, .contrast = 3, .alike = 1, .focus = 1},
    };
    assert_true(seg_thin_is_evident(&evident));
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        assert_false(seg_thin_is_evident(&lacking[i]));
}

/* The option: found by itself, switched off, and without effect on three labels, other methods and blocks; the mask is
 * the same with 16 bits per sample. */
TEST(the_option) {
    static const struct {
        const char *thin, *method, *refine;
        int labels, found;
    } cases[] = {{"auto", "auto", "fast", 2, 1}, {"off", "auto", "fast", 2, 0}, {"on", "auto", "fast", 2, 1},
                 {"auto", "walk", "fast", 2, 0}, {"on", "walk", "fast", 2, 1},  {"on", "auto", "none", 2, 0},
                 {"on", "auto", "fast", 3, 0},   {"auto", "auto", "fast", 3, 0}};
    static uint8_t data[3 * PIXELS];
    static uint16_t deep[3 * PIXELS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int depth = 8; depth <= (i ? 8 : 16); depth += 8) {
            const scene s = {.labels = cases[i].labels, .lines = 1};
            const seg_image photo = {.width = WIDTH,
                                     .height = HEIGHT,
                                     .depth = depth,
                                     .data = depth == 8 ? (void *)data : (void *)deep,
                                     .high = 65535};
            seg_options options = seg_options_default();
            SCOPED_RESULT *result = NULL;
            SCOPED(seg_mask) scribbles = new_mask(&ctx, WIDTH, HEIGHT);
            draw(&s, data, scribbles.label);
            scribbles.labels = s.labels;
            for (int p = 0; p < 3 * PIXELS; p++)
                deep[p] = (uint16_t)(257 * data[p]);
            options.probability = 1;
            assert_ok(&ctx, seg_options_set(&ctx, &options, "thin", cases[i].thin));
            assert_ok(&ctx, seg_options_set(&ctx, &options, "method", cases[i].method));
            assert_ok(&ctx, seg_options_set(&ctx, &options, "refine", cases[i].refine));
            assert_ok(&ctx, seg_segment_photo(&ctx, &photo, &scribbles, NULL, &options, &result));
            for (int p = 0; p < PIXELS; p++) {
                if (cases[i].found) {
                    const int c = result->mask.label[p] - 1;
                    assert_true(result->probability[2 * p + c] >= result->probability[2 * p + !c]);
                }
            }
            assert_int_equal(wrong(result->mask.label, 1, 2) < FEW, cases[i].found);
        }
}

/* Above 2^20 pixels the copy that the features are made from is looked at. */
TEST(large_images) {
    enum { TIMES = 12, LARGE = PIXELS * TIMES * TIMES };
    static uint8_t data[3 * PIXELS], marks[PIXELS], large[3 * LARGE], label[PIXELS];
    const scene s = {.labels = 2, .lines = 1};
    const seg_image photo = {.width = WIDTH * TIMES, .height = HEIGHT * TIMES, .depth = 8, .data = large};
    const seg_options options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    SCOPED(seg_mask) scribbles = new_mask(&ctx, photo.width, photo.height);
    draw(&s, data, marks);
    enlarge(data, 3, TIMES, large);
    enlarge(marks, 1, TIMES, scribbles.label);
    scribbles.labels = 2;
    assert_ok(&ctx, seg_segment_photo(&ctx, &photo, &scribbles, NULL, &options, &result));
    assert_true(result->decided[SEG_DECIDED_THIN].on);
    take_middles(result->mask.label, TIMES, label);
    assert_true(wrong(label, 1, 2) < 2 * FEW);
}
