/* The whole way of the data on a rendered picture: three noisy regions, a stroke in each. */
#include "scene.h"

enum { WIDTH = 123, HEIGHT = 91, PIXELS = WIDTH * HEIGHT };

/* Of each test. */
static scene given, *const f = &given;
static seg_options options;

static int region(int x, int y, int width, int height) {
    (void)width, (void)height;
    if ((x - 40) * (x - 40) + (y - 45) * (y - 45) < 900)
        return 1;
    return y > 60 ? 2 : 3;
}

BEFORE_EACH {
    static const int colour[4][3] = {{0}, {205, 175, 205}, {148, 196, 117}, {81, 205, 66}};
    seg_random random = seg_random_seeded(8, 8);
    given = scene_make(WIDTH, HEIGHT, 0, region);
    for (int e = 0; e < 3 * PIXELS; e++) /* noisier */
        ((uint8_t *)f->photo.data)[e] =
            (uint8_t)(colour[f->truth.label[e / 3]][e % 3] + 8 * seg_random_normal(&random));
    scene_stroke(f, 30, 45, 51, 45, 1, 1);
    scene_stroke(f, 80, 80, 109, 80, 1, 2);
    scene_stroke(f, 75, 20, 114, 20, 1, 3);
    options = seg_options_default();
}

AFTER_EACH {
    scene_free(f);
}

static double accuracy(const seg_mask *mask) {
    seg_scores scores;
    scene_scores(f, mask, &scores);
    return scores.pairwise_accuracy;
}

/* The forest alone sees a few patches, whose position separates them as well as their colour. */
static double least_accuracy(const seg_result *result, double usual) {
    return strcmp(result->method->name, "forest") == 0 ? 0.85 : usual;
}

/* -1 for the default. TRAGEK gets larger patches: it takes the third power of their number. */
static void choose_method(int m) {
    options.method = m < 0 ? NULL : seg_method_at(m)->name;
    /* Semidefinite programs over all patches: of fewer of them. */
    options.patch = m >= 0 && (strcmp(options.method, "tragek") == 0 || strcmp(options.method, "pcp") == 0) ? 7 : 0;
}

TEST(every_method_segments_it) {
    for (int m = -1; m < 0 || seg_method_at(m); m++) {
        SCOPED_RESULT *result = NULL;
        choose_method(m);
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result));
        double value = accuracy(&result->mask);
        if (!(value >= least_accuracy(result, 0.97)))
            fail_msg("%s: %g", result->method->name, value);
        assert_true(m >= 0 || value >= 0.995);
        assert_int_equal(result->k, 3);
        assert_true(f->ctx.stage_count >= 4);
        for (int p = 0; p < PIXELS; p++) {
            assert_true(result->mask.label[p] >= 1 && result->mask.label[p] <= 3);
            if (f->scribbles.label[p] && m < 0)
                assert_int_equal(result->mask.label[p], f->scribbles.label[p]);
        }
    }
}

TEST(label_numbers_are_kept) {
    SCOPED_RESULT *result = NULL;
    for (int p = 0; p < PIXELS; p++) { /* labels 1, 7, 250 */
        f->scribbles.label[p] = (uint8_t)(f->scribbles.label[p] == 2   ? 7
                                          : f->scribbles.label[p] == 3 ? 250
                                                                       : f->scribbles.label[p]);
        f->truth.label[p] = (uint8_t)(f->truth.label[p] == 2 ? 7 : f->truth.label[p] == 3 ? 250 : f->truth.label[p]);
    }
    f->scribbles.labels = 250;
    f->scribbles.colour[7][0] = 11;
    assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result));
    assert_int_equal(result->k, 3);
    assert_int_equal(result->mask.colour[7][0], 11);
    SCOPED(seg_contingency) table;
    assert_ok(&f->ctx, seg_contingency_masks(&f->ctx, &result->mask, &f->truth, &table));
    seg_scores scores;
    assert_ok(&f->ctx, seg_score(&f->ctx, &table, &scores));
    assert_true(scores.error_rate < 0.01);
}

TEST(regions_without_strokes_are_found_and_numbered_after) {
    for (int m = -1; m < 0 || seg_method_at(m); m++) {
        SCOPED_RESULT *result = NULL;
        int other[4] = {0};
        for (int p = 0; p < PIXELS; p++) /* label 2 is not marked; 3 becomes 5 */
            f->scribbles.label[p] = (uint8_t)(f->scribbles.label[p] == 1 ? 1 : f->scribbles.label[p] >= 3 ? 5 : 0);
        f->scribbles.labels = 5;
        options.k = 3;
        options.method = m < 0 ? NULL : seg_method_at(m)->name;
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result));
        assert_int_equal(result->mask.labels, 6);
        for (int p = 0; p < PIXELS; p++)
            if (f->truth.label[p] == 2)
                other[result->mask.label[p] == 6]++;
        assert_true(accuracy(&result->mask) > least_accuracy(result, 0.95));
        assert_true(other[1] > 10 * other[0]);
    }
}

TEST(no_strokes_need_k) {
    SCOPED_RESULT *result = NULL;
    assert_fails(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, NULL, NULL, &options, &result), SEG_ERR_USAGE, "set k");
    options.k = 3;
    assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, NULL, NULL, &options, &result));
    assert_string_equal(result->method->name, "ncut");
    assert_true(accuracy(&result->mask) > 0.9);
}

TEST(sampled_pairs_do_nearly_as_well) {
    SCOPED_RESULT *result = NULL;
    options.sample_pairs = 30;
    assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result));
    assert_true(result->pairs > 30 && result->pairs <= 180);
    assert_true(accuracy(&result->mask) > 0.95);
}

TEST(listed_pairs_count) {
    SCOPED_RESULT *result = NULL;
    seg_patch_grid grid = seg_patch_grid_make(WIDTH, HEIGHT, 5);
    size_t corner = seg_patch_of_pixel(&grid, WIDTH - 1, 0);
    seg_pair pair = {(int32_t)seg_patch_of_pixel(&grid, 40, 45), (int32_t)corner, 1, 1};
    SCOPED(seg_constraints) pairs = new_constraints(&f->ctx, (size_t)(grid.columns * grid.rows));
    assert_ok(&f->ctx,
              seg_constraints_add(&f->ctx, &pairs, pair)); /* the sky's corner belongs to the disc, says this pair */
    assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, &pairs, &options, &result));
    seg_result_free(result);
    seg_pair against = {(int32_t)seg_patch_of_pixel(&grid, 100, 20), (int32_t)corner, 1, 1};
    assert_ok(&f->ctx, seg_constraints_add(&f->ctx, &pairs, against));
    assert_int_equal(seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, &pairs, &options, &result),
                     SEG_ERR_CONTRADICTION);
    options.contradictions = SEG_CONTRADICTIONS_DROP;
    assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, &pairs, &options, &result));
}

TEST(same_bytes_for_any_threads) {
    for (int m = 0; seg_method_at(m); m++) {
        SCOPED_RESULT *one = NULL, *other = NULL;
        choose_method(m);
        options.features.weight[SEG_FEATURE_TEXTURE] = 0.5;
        f->ctx.threads = 1;
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &one));
        f->ctx.threads = 3;
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &other));
        assert_memory_equal(one->mask.label, other->mask.label, PIXELS);
    }
}

static int cancel_at(void *user, double done, const char *stage) {
    (void)stage;
    return done >= *(double *)user;
}

TEST(progress_may_cancel) {
    seg_result *result = NULL;
    double at[] = {0, 0.1, 0.3, 0.75, 1};
    f->ctx.progress = cancel_at;
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        f->ctx.progress_user = &at[i];
        assert_int_equal(seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result),
                         SEG_ERR_CANCELLED);
        assert_null(result);
    }
}

TEST(defaults_set_every_word) {
    seg_options a, b;
    memset(&a, 0xAA, sizeof a);
    memset(&b, 0x55, sizeof b);
    a = seg_options_default();
    b = seg_options_default();
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(seg_options_check(NULL, &a), SEG_OK);
}

TEST(every_option_is_checked) {
    seg_options o;
#define REFUSED(change, word)                                                                                          \
    do {                                                                                                               \
        o = seg_options_default();                                                                                     \
        change;                                                                                                        \
        assert_int_equal(seg_options_check(&f->ctx, &o), SEG_ERR_USAGE);                                               \
        assert_non_null(strstr(f->ctx.message, word));                                                                 \
    } while (0)
    REFUSED(o.islands.usual = (seg_islands)3, "islands");
    REFUSED(o.k = -1, "regions is");
    REFUSED(o.k = 255, "regions is");
    REFUSED(o.method = "magic", "magic");
    REFUSED(o.params_set = 1, "method");
    REFUSED(o.patch = -1, "patch");
    REFUSED(o.patch = 65, "patch");
    REFUSED(memset(&o.features, 0, sizeof o.features), "features");
    REFUSED(o.features.weight[0] = -1, "features");
    REFUSED(o.features.weight[0] = NAN, "features");
    REFUSED(o.graph.kind = 0, "graph");
    REFUSED(o.graph.neighbours = 0, "knn");
    REFUSED(o.graph.sigma = -1, "sigma");
    REFUSED(o.graph.sigma = NAN, "sigma");
    REFUSED(o.graph.sigma_scale = 0, "sigma_scale");
    REFUSED(o.sample_pairs = -1, "pairs");
    REFUSED(o.contradictions = 7, "contradictions");
    REFUSED(o.restarts = 0, "restarts");
    REFUSED(o.refine = 9, "refine");
}

TEST(sizes_must_agree) {
    SCOPED_RESULT *result = NULL;
    SCOPED(seg_mask) small = new_mask(&f->ctx, 10, 10);
    assert_int_equal(seg_segment_photo(&f->ctx, &f->photo, &small, NULL, &options, &result), SEG_ERR_INPUT);
    memset(f->scribbles.label, 0, PIXELS);
    assert_fails(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result), SEG_ERR_INPUT,
                 "nothing is marked");
    scene_stroke(f, 5, 5, 19, 5, 1, 1); /* one label and one region: everything is it */
    options.k = 1;
    assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result));
    for (int p = 0; p < PIXELS; p++)
        assert_int_equal(result->mask.label[p], 1);
}

/* A single pixel with a single mark; and an image beyond 0.6 megapixels, whose patches grow. */
TEST(one_pixel_and_many) {
    enum { WIDE = 1700, HIGH = 1300 };
    uint8_t dot[3] = {9, 9, 9}, *data = malloc(3 * WIDE * HIGH);
    seg_image photo = {1, 1, 8, 0, dot}, large = {WIDE, HIGH, 8, 0, data};
    SCOPED_RESULT *result = NULL;
    size_t wrong = 0;
    SCOPED(seg_mask) scribbles = new_mask(&f->ctx, 1, 1);
    scribbles.label[0] = 3;
    scribbles.labels = 3;
    assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &photo, &scribbles, NULL, &options, &result));
    assert_int_equal(result->mask.label[0], 3);
    seg_result_free(result);
    seg_mask_free(&scribbles);
    assert_ok(&f->ctx, seg_mask_create(&f->ctx, WIDE, HIGH, &scribbles));
    for (int p = 0; p < WIDE * HIGH; p++) {
        int right = p % WIDE > 701 + p / WIDE / 3;
        data[3 * p] = right ? 200 : 90;
        data[3 * p + 1] = (uint8_t)(100 + p % 5);
        data[3 * p + 2] = right ? 60 : 150;
        if (p / WIDE == 650 && (p % WIDE < 300 || p % WIDE > 1400))
            scribbles.label[p] = (uint8_t)(1 + right);
    }
    scribbles.labels = 2;
    assert_int_equal(seg_patch_layout_of(&options, WIDE, HIGH).grid.side, 10);
    assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &large, &scribbles, NULL, &options, &result));
    assert_int_equal(result->grid.side, 10);
    for (int p = 0; p < WIDE * HIGH; p++)
        wrong += result->mask.label[p] != 1 + (p % WIDE > 701 + p / WIDE / 3);
    assert_true(wrong < HIGH); /* not a pixel a row */
    free(data);
}

/* Pictures smaller than a patch, a single pixel, everything marked. */
TEST(tiny_pictures_work) {
    uint8_t data[3 * 4] = {255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255};
    for (int width = 1; width <= 2; width++) {
        seg_image photo = {width, 2, 8, 0, data};
        SCOPED_RESULT *result = NULL;
        SCOPED(seg_mask) scribbles = new_mask(&f->ctx, width, 2);
        for (int p = 0; p < 2 * width; p++)
            scribbles.label[p] = (uint8_t)(1 + p % width);
        scribbles.labels = width;
        options.patch = 1;
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &photo, &scribbles, NULL, &options, &result));
        assert_memory_equal(result->mask.label, scribbles.label, (size_t)(2 * width));
    }
}

/* Strokes of two labels, pixel beside pixel, within single patches: each marked pixel keeps its label. */
TEST(marked_pixels_keep_their_labels) {
    for (int x = 30; x < 52; x++)
        f->scribbles.label[46 * WIDTH + x] = f->scribbles.label[45 * WIDTH + x] = (uint8_t)(1 + x % 3);
    options.probability = 1;
    for (int refine = SEG_REFINE_NONE; refine <= SEG_REFINE_FAST; refine++) {
        SCOPED_RESULT *result = NULL;
        size_t marked = 0;
        options.refine = (seg_refine)refine;
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result));
        for (int p = 0; p < PIXELS; p++)
            if (f->scribbles.label[p]) {
                assert_int_equal(result->mask.label[p], f->scribbles.label[p]);
                for (int c = 0; c < 3; c++)
                    assert_near(result->probability[3 * p + c], c + 1 == f->scribbles.label[p], 0);
                marked++;
            }
        assert_true(marked > 100);
    }
}

/* Two marked pixels on an image of one colour: the largest patches, up to 3 pixels, that part them. */
TEST(patches_are_small_enough_for_the_strokes) {
    static const struct {
        int width, height, first, second, side;
    } cases[] = {{4, 4, 0, 15, 3}, {5, 5, 0, 24, 3},  {2, 1, 0, 1, 1},          {1, 2, 1, 0, 1},
                 {10, 4, 0, 9, 3}, {5, 5, 12, 13, 3}, {100, 60, 1010, 1011, 1}, {100, 60, 1014, 1015, 3},
                 {9, 9, 0, 1, 1},  {3, 2, 0, 5, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int pixels = cases[i].width * cases[i].height;
        AUTOFREE uint8_t *data = calloc((size_t)pixels, 3);
        const seg_image photo = {cases[i].width, cases[i].height, 8, 0, data};
        seg_result *result = NULL, *again = NULL;
        SCOPED_SESSION *session = NULL;
        SCOPED(seg_mask) scribbles = new_mask(&f->ctx, photo.width, photo.height);
        scribbles.label[cases[i].first] = 1;
        scribbles.label[cases[i].second] = 2;
        scribbles.labels = 2;
        options.patch = 0;
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &photo, &scribbles, NULL, &options, &result));
        assert_int_equal(result->grid.side, cases[i].side);
        assert_int_equal(result->mask.label[cases[i].first], 1);
        assert_int_equal(result->mask.label[cases[i].second], 2);
        assert_ok(&f->ctx, seg_session_open(&f->ctx, &photo, &options, &session));
        assert_ok(&f->ctx, seg_session_prepare(&f->ctx, session));
        assert_ok(&f->ctx, seg_session_segment(&f->ctx, session, &scribbles, NULL, &again));
        assert_memory_equal(result->mask.label, again->mask.label, (size_t)pixels);
        seg_result_free(again);
        /* By the plan of the result: the same again. Patches that were asked for stay. */
        again = NULL;
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &photo, &scribbles, NULL, result->options, &again));
        assert_memory_equal(result->mask.label, again->mask.label, (size_t)pixels);
        seg_result_free(again);
        seg_result_free(result);
        options.patch = 3;
        const seg_status status = seg_segment_photo(&f->ctx, &photo, &scribbles, NULL, &options, &again);
        assert_true(cases[i].side == 3 ? status == SEG_OK : status == SEG_ERR_USAGE || status == SEG_ERR_INPUT);
        if (status == SEG_OK)
            seg_result_free(again);
    }
}

/* What `auto` becomes, and why, is in the result; one label fewer than the fixture's three makes an object. */
TEST(decisions_are_told) {
    static const struct {
        int labels;
        const char *option, *value;
        const char *on; /* a character per decision, in their order */
    } cases[] = {{2, "balance", "auto", "10111111"},     {2, "balance", "off", "10001111"},
                 {3, "balance", "auto", "10001000"},     {2, "method", "walk", "00001000"},
                 {2, "chromaticity", "off", "00111111"}, {3, "chromaticity", "on", "10001000"},
                 {2, "refine", "none", "10110001"},      {2, "thin", "off", "10111011"},
                 {2, "islands", "keep", "10111100"},     {2, "islands", "remove", "10111100"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        options = seg_options_default();
        SCOPED_RESULT *result = NULL;
        assert_ok(&f->ctx, seg_options_set(&f->ctx, &options, cases[i].option, cases[i].value));
        for (int p = 0; p < PIXELS; p++)
            if (cases[i].labels == 2 && f->scribbles.label[p] == 3)
                f->scribbles.label[p] = 2;
        assert_ok(&f->ctx, seg_segment_photo(&f->ctx, &f->photo, &f->scribbles, NULL, &options, &result));
        for (int d = 0; d < SEG_DECISIONS; d++) {
            assert_true(result->decided[d].name && result->decided[d].why && result->decided[d].why[0]);
            assert_int_equal(result->decided[d].on, cases[i].on[d] - '0');
        }
        scene_stroke(f, 75, 20, 114, 20, 1, 3);
    }
}
