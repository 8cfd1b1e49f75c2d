/* How far an object reaches: distances against their definition; odds fall where the background's strokes are left
 * behind, by either label, any order and any scale of the image; nowhere else. */
#include "toy.h"

#include "masks/distance.h"
#include "masks/object.h"

enum { WIDE = 40, HIGH = 20, N = WIDE * HIGH };

TEST(distances_to_marks) {
    seg_random random = seg_random_seeded(5, 0);
    for (int round = 0; round < 30; round++) {
        const int w = 1 + (int)seg_random_below(&random, 17), h = 1 + (int)seg_random_below(&random, 13);
        uint8_t marked[17 * 13];
        double got[17 * 13];
        for (int p = 0; p < w * h; p++)
            marked[p] = seg_random_below(&random, 100) < (uint64_t)(round * round);
        marked[seg_random_below(&random, (uint64_t)(w * h))] = 1;
        assert_ok(&ctx, seg_distance_to(&ctx, marked, w, h, got));
        for (int p = 0; p < w * h; p++) {
            double least = INFINITY;
            for (int q = 0; q < w * h; q++)
                if (marked[q])
                    least = fmin(least, (q % w - p % w) * (q % w - p % w) + (q / w - p / w) * (q / w - p / w));
            assert_near(got[p], least, 0);
        }
    }
}

/* Log odds of the object in the strip of patches, before 0.6 wherever nothing is marked. The object has one mark, at x
 * = 4; the background `count` marks at distances 4 and, the last, `last` from it. `turned`: from right to left. */
static size_t strip(double *odds, int own, double object, int count, int last, int turned) {
    static int16_t group[N];
    static int32_t label[N];
    const seg_patch_grid grid = seg_patch_grid_make(5 * WIDE, 5 * HIGH, 5);
    size_t lowered = 99;
    SCOPED(seg_matrix) score = new_matrix(&ctx, N, 2);
    for (int p = 0; p < N; p++) {
        const int y = p / WIDE, x = turned ? WIDE - 1 - p % WIDE : p % WIDE;
        const int mark = y == 10 && x == 4                         ? own
                         : y == 10 && x == 4 + last                ? 1 - own
                         : x == 4 && y == 14 && count > 1          ? 1 - own
                         : x == 0 && y >= 10 && y < 10 + count - 2 ? 1 - own
                                                                   : -1;
        group[p] = (int16_t)mark;
        score.at[2 * p + own] = mark >= 0 ? mark == own : 1 / (1 + exp(-0.6));
        score.at[2 * p + 1 - own] = 1 - score.at[2 * p + own];
        label[p] = score.at[2 * p + 1] > score.at[2 * p];
    }
    assert_ok(&ctx,
              seg_extent_apply(&ctx, &(seg_extent){&grid, group, own ? -object : object}, &score, label, &lowered));
    for (int p = 0; p < N; p++) {
        const double *s = score.at + 2 * p;
        const int at = p / WIDE * WIDE + (turned ? WIDE - 1 - p % WIDE : p % WIDE);
        odds[at] = log(s[own]) - log(s[1 - own]);
        assert_true(fabs(s[0] + s[1] - 1) < 1e-12);
        assert_int_equal(label[p], s[1] > s[0]);
        if (group[p] >= 0)
            assert_true(s[group[p]] == 1);
    }
    return lowered;
}

/* count: marks of the background. */
static double expected(int p, double object, double reach, int count) {
    const double d = hypot(p % WIDE - 4, (double)(p / WIDE) - 10);
    return 0.6 - object * (1 - 1.0 / count) * fmin(1.5, 2 * fmax(0, d / reach - 1.25));
}

TEST(odds_fall_beyond_the_strokes) {
    static double odds[N], other[N];
    for (int i = 0; i < 3; i++) { /* one mark of the background 8 from the object's, two at 4 and 8, three at 4, 4, 8 */
        const int count = 1 + i;
        const double reach = count == 1 ? 8 : 4; /* nine tenths of two or three are one or two */
        size_t beyond = 0;
        const size_t lowered = strip(odds, 0, 1, count, 8, 0);
        for (int p = 0; p < N; p++) {
            if (fabs(odds[p]) < 30) /* not marked */
                assert_near(odds[p], expected(p, 1, reach, count), 1e-12);
            beyond += odds[p] < 0.6 - 1e-9 && odds[p] > -30;
        }
        assert_int_equal(lowered, beyond);
        assert_true(odds[10 * WIDE + 39] < (count == 1 ? 0.61 : 0) && odds[10 * WIDE + 6] > 0);
        assert_true((lowered > 0) == (count > 1)); /* one mark says nothing of the extent */
        for (int k = 0; k < 2; k++) {
            assert_int_equal(strip(other, k == 0, 1, count, 8, k == 1), lowered);
            for (int p = 0; p < N; p++)
                assert_true(fabs(odds[p]) > 30 || fabs(odds[p] - other[p]) < 1e-12);
        }
    }
    /* half an object: half of it; none: nothing; marks far away: nothing */
    strip(odds, 0, 0.5, 2, 8, 0);
    for (int p = 0; p < N; p++)
        assert_true(fabs(odds[p]) > 30 || fabs(odds[p] - expected(p, 0.5, 4, 2)) < 1e-12);
    strip(odds, 0, 0, 2, 8, 0);
    for (int p = 0; p < N; p++)
        assert_true(fabs(odds[p]) > 30 || fabs(odds[p] - 0.6) < 1e-12);
    assert_int_equal(strip(odds, 0, 1, 1, 35, 0), 0);
}

/* Marks anywhere, by the definition. */
TEST(random_marks) {
    enum { W = 12, H = 9, P = W * H };
    const seg_patch_grid grid = seg_patch_grid_make(5 * W, 5 * H, 5);
    seg_random random = seg_random_seeded(4, 4);
    for (int round = 0; round < 40; round++) {
        const int own = round % 2;
        const double object = (own ? -1 : 1) * (0.1 + 0.9 * seg_random_uniform(&random));
        double given[2 * P], before[P], far[P], reach = 0;
        int16_t group[P];
        int32_t label[P] = {0};
        int background = 0, below = 0;
        size_t lowered = 99, expected_lowered = 0;
        seg_matrix score = {.rows = P, .cols = 2, .at = given};
        for (int p = 0; p < P; p++) {
            const uint64_t kind = seg_random_below(&random, 100);
            group[p] = (int16_t)(p == 0 || kind < 3 ? own : p == P - 1 || kind < 30 ? 1 - own : -1);
            background += group[p] == 1 - own;
            before[p] = 0.1 + 0.8 * seg_random_uniform(&random);
            given[2 * p + own] = before[p];
            given[2 * p + 1 - own] = 1 - before[p];
        }
        for (int p = 0; p < P; p++) {
            far[p] = INFINITY;
            for (int q = 0; q < P; q++)
                if (group[q] == own)
                    far[p] = fmin(far[p], hypot(p % W - q % W, (double)(p / W) - q / W));
        }
        for (int p = 0; p < P; p++) { /* the smallest distance that nine tenths of the background's other marks keep */
            below = 0;
            for (int q = 0; q < P; q++)
                below += group[q] == 1 - own && far[q] <= far[p];
            if (group[p] == 1 - own && below > (int)(0.9 * (background - 1)))
                reach = reach > 0 ? fmin(reach, far[p]) : far[p];
        }
        assert_ok(&ctx, seg_extent_apply(&ctx, &(seg_extent){&grid, group, object}, &score, label, &lowered));
        for (int p = 0; p < P; p++) {
            const double beyond = group[p] >= 0 ? 0 : fmax(0, far[p] / reach - 1.25), *s = given + 2 * p;
            const double strength = fabs(object) * (1 - 1.0 / background);
            const double odds = log(before[p] / (1 - before[p])) - strength * fmin(1.5, 2 * beyond);
            assert_near(log(s[own] / s[1 - own]), odds, 1e-9);
            assert_int_equal(label[p], beyond > 0 && s[1] > s[0]);
            expected_lowered += beyond > 0;
        }
        assert_int_equal(lowered, expected_lowered);
    }
}

/* Two patches, both marked; three in a row. */
TEST(least_images) {
    for (int n = 2; n <= 3; n++) {
        const seg_patch_grid grid = seg_patch_grid_make(5 * n, 5, 5);
        double given[6] = {1, 0, 0, 1, 0.9, 0.1};
        const int16_t group[3] = {0, 1, -1};
        int32_t label[3] = {0, 1, 0};
        size_t lowered = 99;
        seg_matrix score = {.rows = (size_t)n, .cols = 2, .at = given};
        assert_ok(&ctx, seg_extent_apply(&ctx, &(seg_extent){&grid, group, 1}, &score, label, &lowered));
        assert_int_equal(lowered, 0); /* one mark of the background says nothing of the extent */
        assert_true(label[0] == 0 && label[1] == 1 && given[0] == 1 && given[3] == 1);
        if (n == 3)
            assert_near(log(given[4] / given[5]), log(9), 1e-12);
    }
}

enum { WIDTH = 240, HEIGHT = 120 };

/* Pixels of the disc's label beyond x = 150 in the mask of a disc, ringed by strokes of the other label; there and in a
 * bar that leads there from the disc is a brightness that nothing marked has. */
static size_t of_area(seg_balance balance, int disc, int ground, uint64_t seed) {
    static uint8_t data[3 * WIDTH * HEIGHT], marks[WIDTH * HEIGHT];
    SCOPED_CONTEXT *ctx = seg_context_create();
    seg_options own_options, *options = &own_options;
    *options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    SCOPED_SESSION *session = NULL;
    size_t found = 0;
    seg_random random = seg_random_seeded(seed, 11);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        const int x = p % WIDTH, y = p / WIDTH;
        const double r = hypot(x - 50, y - 60);
        const int unknown = (x >= 50 && abs(y - 60) < 10) || (x > 150 && y > 20);
        memset(data + 3 * p, (r < 22 ? 150 : unknown ? 205 : 100) + (int)(30 * seg_random_uniform(&random)), 3);
        marks[p] = (uint8_t)(r < 6 ? disc : fabs(r - 34) < 1.5 && abs(y - 60) > 12 ? ground : 0);
    }
    const seg_image photo = {.width = WIDTH, .height = HEIGHT, .depth = 8, .data = data};
    const seg_mask scribbles = {.width = WIDTH, .height = HEIGHT, .label = marks, .labels = 2};
    options->balance = balance;
    assert_ok(ctx, seg_session_open(ctx, &photo, options, &session));
    assert_ok(ctx, seg_session_segment(ctx, session, &scribbles, NULL, &result));
    for (int p = 0; p < WIDTH * HEIGHT; p++)
        found += p % WIDTH > 150 && result->mask.label[p] == disc;
    return found;
}

TEST(does_not_leak) {
    size_t off = 0, on = 0;
    for (uint64_t seed = 3; seed < 6; seed++) {
        const size_t found = of_area(SEG_BALANCE_AUTO, 1, 2, seed);
        off += of_area(SEG_BALANCE_OFF, 1, 2, seed);
        on += found;
        if (seed == 3)
            assert_int_equal(of_area(SEG_BALANCE_AUTO, 2, 1, seed), found);
    }
    print_message("pixels of the object in an area like nothing marked, three images: %zu, %zu with the extent\n", off,
                  on);
    assert_true(off > 5000);
    assert_true(2 * on < off);
}
