/* The session: its bytes are those of a fresh run, whatever came before; what it gives besides the mask. */
#include "scene.h"

#include "pipeline/run.h"

enum { WIDTH = 163, HEIGHT = 121, PIXELS = WIDTH * HEIGHT };

/* A disc on two grounds. */
static int region(int x, int y, int width, int height) {
    if ((x - width / 3) * (x - width / 3) + (y - height / 2) * (y - height / 2) < 900)
        return 1;
    return 3 * y > 2 * height ? 2 : 3;
}

static scene given, *const s = &given;

BEFORE_EACH {
    *s = scene_make(WIDTH, HEIGHT, 0, region);
    scene_stroke(s, 40, 60, 65, 60, 1, 1);
    scene_stroke(s, 100, 105, 140, 108, 1, 2);
    scene_stroke(s, 90, 20, 150, 25, 1, 3);
}

AFTER_EACH {
    scene_free(s);
}

static void assert_fresh(scene *s, seg_session *session, const seg_options *options) {
    SCOPED_RESULT *kept = NULL, *fresh = NULL;
    assert_ok(&s->ctx, seg_session_segment(&s->ctx, session, &s->scribbles, NULL, &kept));
    s->ctx.threads = 3 - s->ctx.threads % 3; /* another number each time: it never matters */
    assert_ok(&s->ctx, seg_segment_photo(&s->ctx, &s->photo, &s->scribbles, NULL, options, &fresh));
    assert_int_equal(kept->k, fresh->k);
    assert_memory_equal(kept->mask.label, fresh->mask.label, PIXELS);
    assert_memory_equal(kept->mask.colour, fresh->mask.colour, sizeof fresh->mask.colour);
    assert_memory_equal(kept->probability, fresh->probability, PIXELS * (size_t)kept->k * sizeof *kept->probability);
    assert_memory_equal(kept->uncertainty, fresh->uncertainty, PIXELS);
    assert_int_equal(kept->ambiguous_count, fresh->ambiguous_count);
}

TEST(strokes_come_and_go_with_the_bytes_of_a_fresh_run) {
    static const char *const method[] = {NULL, "ccskl", "ncut", "kmeans"};
    for (int m = 0; m < 4; m++) {
        seg_options options = seg_options_default();
        SCOPED_SESSION *session = NULL;
        uint8_t first[PIXELS];
        memcpy(first, s->scribbles.label, PIXELS);
        options.method = method[m];
        options.probability = options.uncertainty = 1;
        assert_ok(&s->ctx, seg_session_open(&s->ctx, &s->photo, &options, &session));
        if (m % 2)
            assert_ok(&s->ctx, seg_session_prepare(&s->ctx, session));
        assert_fresh(s, session, &options);
        assert_fresh(s, session, &options); /* the same again */
        if (m == 0) {
            scene_stroke(s, 10, 10, 30, 15, 1, 3);
            assert_fresh(s, session, &options);
            scene_stroke(s, 20, 110, 60, 90, 2, 2);
            scene_stroke(s, 140, 40, 150, 60, 1, 4); /* a new label */
            assert_fresh(s, session, &options);
        }
        memcpy(s->scribbles.label, first, PIXELS); /* taken away */
        assert_fresh(s, session, &options);
    }
}

static void segment_into(seg_session *session, uint8_t *mask, float *probability) {
    SCOPED_RESULT *result = NULL;
    assert_ok(&s->ctx, seg_session_segment(&s->ctx, session, &s->scribbles, NULL, &result));
    memcpy(mask, result->mask.label, PIXELS);
    memcpy(probability, result->probability, 2 * PIXELS * sizeof *probability);
}

/* The first mask, the same strokes again, one stroke more, and that one taken away. The added stroke is right already,
 * so that 110 pixels from it less changes than in a fresh run. */
TEST(with_object_a_session_changes_its_mask_near_added_strokes) {
    static uint8_t first[PIXELS], next[PIXELS];
    static float before[2 * PIXELS], after[2 * PIXELS], fresh[2 * PIXELS];
    static uint8_t strokes[PIXELS];
    seg_options options = seg_options_default();
    SCOPED_SESSION *session, *other;
    double moved = 0, would = 0;
    memset(s->scribbles.label, 0, PIXELS);
    options.probability = options.object = 1;
    scene_stroke(s, 45, 55, 60, 62, 1, 1);
    scene_stroke(s, 5, 10, 12, 14, 1, 2);
    memcpy(strokes, s->scribbles.label, PIXELS);
    assert_ok(&s->ctx, seg_session_open(&s->ctx, &s->photo, &options, &session));
    segment_into(session, first, before);
    segment_into(session, next, after);
    assert_memory_equal(next, first, PIXELS);
    scene_stroke(s, 150, 20, 158, 30, 1, 2);
    segment_into(session, next, after);
    assert_ok(&s->ctx, seg_session_open(&s->ctx, &s->photo, &options, &other));
    segment_into(other, next, fresh);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < 40; x++) {
            const int p = 2 * (y * WIDTH + x);
            moved += fabs((double)after[p] - before[p]);
            would += fabs((double)fresh[p] - before[p]);
        }
    assert_true(would > 0.1);
    assert_true(moved < would / 2);
    memcpy(s->scribbles.label, strokes, PIXELS); /* a stroke is taken away: as a fresh run */
    segment_into(session, next, after);
    assert_memory_equal(next, first, PIXELS);
    assert_memory_equal(after, before, sizeof after);
}

/* An added stroke in the middle of what is wrong gets its label there. The first stroke of a label that the last mask
 * does not have changes the mask as in a fresh run. */
TEST(with_object_an_added_stroke_corrects_and_a_first_one_is_fresh) {
    static uint8_t mask[PIXELS];
    static float probability[2 * PIXELS];
    seg_options options = seg_options_default();
    SCOPED_SESSION *session = NULL;
    memset(s->scribbles.label, 0, PIXELS);
    options.probability = options.object = 1;
    scene_stroke(s, 90, 20, 150, 25, 1, 1); /* the upper ground is the object */
    assert_ok(&s->ctx, seg_session_open(&s->ctx, &s->photo, &options, &session));
    segment_into(session, mask, probability);
    assert_int_equal(mask[22 * WIDTH + 100], 1);
    scene_stroke(s, 40, 60, 65, 60, 1, 1); /* and the disc */
    scene_stroke(s, 100, 105, 140, 108, 1, 2);
    segment_into(session, mask, probability);
    assert_int_equal(mask[60 * WIDTH + 54], 1);
    assert_int_equal(mask[110 * WIDTH + 120], 2);
    assert_int_equal(mask[22 * WIDTH + 100], 1);
}

static int stop_at_the_end(void *user, double done, const char *stage) {
    (void)user;
    return done >= 1 && !strcmp(stage, "mask");
}

/* What counts is the last mask that was given: a run that was cancelled leaves nothing behind. */
TEST(with_object_a_cancelled_run_is_not_remembered) {
    static uint8_t mask[2][PIXELS];
    static float probability[2][2 * PIXELS];
    uint8_t first[PIXELS] = {0};
    seg_options options = seg_options_default();
    memset(s->scribbles.label, 0, PIXELS);
    scene_stroke(s, 45, 55, 60, 62, 1, 1);
    memcpy(first, s->scribbles.label, PIXELS);
    options.probability = options.object = 1;
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        SCOPED_SESSION *session = NULL;
        seg_result *none = NULL;
        memcpy(s->scribbles.label, first, PIXELS);
        assert_ok(&s->ctx, seg_session_open(&s->ctx, &s->photo, &options, &session));
        segment_into(session, mask[cancelled], probability[cancelled]);
        scene_stroke(s, 100, 105, 140, 108, 1, 2);
        if (cancelled) {
            s->ctx.progress = stop_at_the_end;
            assert_int_equal(seg_session_segment(&s->ctx, session, &s->scribbles, NULL, &none), SEG_ERR_CANCELLED);
            s->ctx.progress = NULL;
        }
        scene_stroke(s, 90, 20, 150, 25, 1, 2);
        segment_into(session, mask[cancelled], probability[cancelled]);
    }
    assert_memory_equal(mask[0], mask[1], PIXELS);
    assert_memory_equal(probability[0], probability[1], sizeof probability[0]);
}

static int stop(void *user, double done, const char *stage) {
    (void)done;
    return !strcmp(stage, user);
}

TEST(a_failure_does_no_harm) {
    seg_options options = seg_options_default();
    SCOPED_SESSION *session = NULL;
    seg_result *result = NULL;
    uint8_t first[PIXELS];
    static char stage[] = "graph";
    memcpy(first, s->scribbles.label, PIXELS);
    options.probability = options.uncertainty = 1;
    options.patch = 65;
    assert_int_equal(seg_session_open(&s->ctx, &s->photo, &options, &session), SEG_ERR_USAGE);
    assert_null(session);
    options.patch = 0;
    assert_ok(&s->ctx, seg_session_open(&s->ctx, &s->photo, &options, &session));
    s->ctx.progress = stop;
    s->ctx.progress_user = stage;
    assert_int_equal(seg_session_segment(&s->ctx, session, &s->scribbles, NULL, &result), SEG_ERR_CANCELLED);
    assert_null(result);
    s->ctx.progress = NULL;
    memset(s->scribbles.label, 0, PIXELS);
    assert_int_equal(seg_session_segment(&s->ctx, session, &s->scribbles, NULL, &result), SEG_ERR_INPUT);
    memcpy(s->scribbles.label, first, PIXELS);
    assert_fresh(s, session, &options);
    seg_session_close(NULL);
}

TEST(probabilities_belong_to_the_mask) {
    for (int refine = SEG_REFINE_NONE; refine <= SEG_REFINE_FAST; refine++) {
        seg_options options = seg_options_default();
        SCOPED_RESULT *result = NULL;
        int other = 0;
        options.probability = options.uncertainty = 1;
        options.refine = (seg_refine)refine;
        assert_ok(&s->ctx, seg_segment_photo(&s->ctx, &s->photo, &s->scribbles, NULL, &options, &result));
        for (int p = 0; p < PIXELS; p++) {
            const float *own = result->probability + (size_t)p * 3;
            int best = 0, second;
            for (int c = 1; c < 3; c++)
                best = own[c] > own[best] ? c : best;
            second = best == 0 ? 1 : 0;
            for (int c = 0; c < 3; c++)
                second = c != best && own[c] > own[second] ? c : second;
            assert_near(own[0] + own[1] + own[2], 1, 1e-5);
            assert_near(result->uncertainty[p], 255 * (1 - (own[best] - own[second])), 0.51);
            other += result->column_label[best] != result->mask.label[p];
        }
        assert_true(other < PIXELS / 500); /* specks */
    }
}

/* Two regions that look the same and lie side by side: without a stroke near the middle nobody can tell. */
static int halves(int x, int y, int width, int height) {
    (void)y, (void)height;
    return x < width / 6 ? 1 : x >= width - width / 6 ? 2 : 3;
}

/* Passes behind the scores change the mask, and what is said of it follows the mask. */
TEST(an_area_has_the_label_of_the_mask) {
    enum { SIDE = 5, ACROSS = 8, ALL = ACROSS * ACROSS };
    const seg_patch_grid grid = seg_patch_grid_make(SIDE * ACROSS, SIDE * ACROSS, SIDE);
    double scores[2 * ALL];
    int16_t group[ALL];
    uint8_t covered[ALL] = {0}, label[SIDE * SIDE * ALL];
    for (int i = 0; i < 2 * ALL; i++)
        scores[i] = i % 2 ? 0.45 : 0.55;
    memset(group, -1, sizeof group);
    for (int seen = 1; seen <= 2; seen++) {
        seg_result out = {.mask = {.width = grid.width, .height = grid.height, .label = label}, .column_label = {1, 2}};
        memset(label, seen, sizeof label);
        assert_ok(&s->ctx,
                  seg_ambiguous_find(&s->ctx, &grid, &(seg_matrix){ALL, 2, scores},
                                     &(seg_constraints){.n = ALL, .groups = 2, .group = group}, covered, &out));
        assert_true(out.ambiguous_count == 1 && out.ambiguous[0].label == seen &&
                    out.ambiguous[0].runner_up == 3 - seen);
    }
}

TEST(an_area_without_strokes_is_named) {
    seg_options options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, halves);
    options.chromaticity = SEG_CHROMATICITY_OFF; /* by which the middle would be like one side */
    options.balance = SEG_BALANCE_OFF;           /* and a net would know an object on the other */
    scene_stroke(&s, 10, 10, 10, 110, 1, 1);
    scene_stroke(&s, WIDTH - 10, 10, WIDTH - 10, 110, 1, 2);
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &result));
    assert_true(result->ambiguous_count >= 1);
    const seg_ambiguous_region *d = &result->ambiguous[0];
    assert_true(d->share > 0.05 && d->share < 0.9);
    assert_true((d->label == 1 && d->runner_up == 2) || (d->label == 2 && d->runner_up == 1));
    assert_true(d->left < WIDTH / 2 && d->right > WIDTH / 2 && d->right <= WIDTH && d->bottom <= HEIGHT);
    for (int i = 1; i < result->ambiguous_count; i++)
        assert_true(result->ambiguous[i].share <= result->ambiguous[i - 1].share);
    seg_result_free(result);
    scene_stroke(&s, WIDTH / 2, 10, WIDTH / 2, 110, 1, 3); /* the stroke that was missing */
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &result));
    assert_int_equal(result->ambiguous_count, 0);
}
