/* Patches of small images: their side by the number of pixels, where it stays that of the papers, and what is gained.
 */
#include "scene.h"

#include <segment/session.h>

enum { WIDTH = 150, HEIGHT = 110, PIXELS = WIDTH * HEIGHT };

static int halves(int x, int y, int width, int height) {
    (void)y, (void)height;
    return 2 * x < width ? 1 : 2;
}

/* Bars of six pixels above a base. */
static int comb(int x, int y, int width, int height) {
    return x > 10 && x < width - 10 && ((y > 20 && y < height - 25 && x % 14 < 6) || abs(y - height + 22) < 8) ? 1 : 2;
}

static void bar(scene *s, int left, int top, int right, int bottom, int label) {
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            s->scribbles.label[y * s->photo.width + x] = (uint8_t)label;
    s->scribbles.labels = label > s->scribbles.labels ? label : s->scribbles.labels;
}

static scene marked_halves(int width, int height) {
    scene s = scene_make(width, height, 0, halves);
    bar(&s, width / 8, height / 4, width / 8 + 4, height / 2, 1);
    bar(&s, width - width / 8, height / 4, width - width / 8 + 4, height / 2, 2);
    return s;
}

/* Of a run, without what takes its time and does not matter here. */
static int side_of(scene *s, const seg_mask *scribbles, seg_options options) {
    SCOPED_RESULT *result = NULL;
    options.balance = SEG_BALANCE_OFF;
    options.refine = SEG_REFINE_NONE;
    assert_ok(&s->ctx, seg_segment_photo(&s->ctx, &s->photo, scribbles, NULL, &options, &result));
    return result->grid.side;
}

/* Between sides of 5 and 4 pixels lie 20 * 12,500 pixels, between 4 and 3 12 * 12,500. */
TEST(sides_by_the_number_of_pixels) {
    static const int cases[][3] = {{20, 20, 3}, {499, 300, 3}, {500, 300, 4}, {500, 499, 4}, {500, 500, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(scene) s = marked_halves(cases[i][0], cases[i][1]);
        assert_int_equal(side_of(&s, &s.scribbles, seg_options_default()), cases[i][2]);
    }
}

TEST(sides_that_stay) {
    SCOPED(scene) s = marked_halves(WIDTH, HEIGHT);
    for (int which = 0; which < 6; which++) {
        seg_options options = seg_options_default();
        options.method = which == 0 ? "walk" : NULL;
        options.k = which == 1 ? 2 : 0;
        options.patch = which == 2 ? 5 : 0;
        options.sample_pairs = which == 3 ? 20 : 0;
        options.slices = which == 4 ? 2 : 1;
        options.method = which == 5 ? "enpakl" : options.method;
        assert_int_equal(side_of(&s, which == 1 ? NULL : &s.scribbles, options), 5);
    }
    seg_options options = seg_options_default();
    options.method = "auto";
    assert_int_equal(side_of(&s, &s.scribbles, options), 3);
    options.object = 1;
    assert_int_equal(side_of(&s, &s.scribbles, options), 3);
}

/* Pairs name the patches of seg_patch_layout_of(), with and without strokes; a session answers both kinds in turn. */
TEST(pairs_name_the_patches_of_the_options) {
    const seg_options options = seg_options_default();
    SCOPED(scene) s = marked_halves(WIDTH, HEIGHT);
    const seg_patch_grid grid = seg_patch_layout_of(&options, WIDTH, HEIGHT).grid;
    SCOPED(seg_constraints) pairs = new_constraints(&s.ctx, (size_t)grid.columns * (size_t)grid.rows);
    SCOPED_SESSION *session = NULL;
    uint8_t first[PIXELS];
    assert_int_equal(grid.side, 5);
    const seg_pair apart = {(int32_t)(grid.columns / 2 - 3), (int32_t)(grid.columns / 2 + 3), -1, 1};
    assert_ok(&s.ctx, seg_constraints_add(&s.ctx, &pairs, apart));
    assert_ok(&s.ctx, seg_session_open(&s.ctx, &s.photo, &options, &session));
    SCOPED(seg_constraints) none = new_constraints(&s.ctx, pairs.n);
    for (int turn = 0; turn < 3; turn++) { /* no pairs, one, and none in a list */
        SCOPED_RESULT *result = NULL, *alone = NULL;
        const seg_constraints *given = turn == 0 ? NULL : turn == 1 ? &pairs : &none;
        assert_ok(&s.ctx, seg_session_segment(&s.ctx, session, &s.scribbles, given, &result));
        assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, given, &options, &alone));
        assert_int_equal(result->grid.side, turn == 1 ? 5 : 3);
        assert_memory_equal(result->mask.label, alone->mask.label, PIXELS);
        if (turn == 2)
            assert_memory_equal(result->mask.label, first, PIXELS);
        if (turn == 0)
            memcpy(first, result->mask.label, PIXELS);
        if (turn == 1)
            for (int p = 0; p < PIXELS; p++)
                assert_int_equal(result->mask.label[p], s.truth.label[p]);
    }
}

TEST(narrow_parts_are_found) {
    double iou[2];
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, comb);
    bar(&s, 30, 86, 120, 89, 1);
    bar(&s, 20, 6, 130, 9, 2);
    bar(&s, 64, 30, 67, 70, 2);
    for (int coarse = 0; coarse < 2; coarse++) {
        SCOPED_RESULT *result = NULL;
        seg_options options = seg_options_default();
        int both = 0, either = 0;
        options.patch = coarse ? 5 : 0;
        assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &result));
        for (int p = 0; p < PIXELS; p++) {
            both += result->mask.label[p] == 1 && s.truth.label[p] == 1;
            either += result->mask.label[p] == 1 || s.truth.label[p] == 1;
        }
        iou[coarse] = (double)both / either;
    }
    assert_true(iou[0] > 0.99 && iou[0] > iou[1] + 0.2);
}
