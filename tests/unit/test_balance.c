/* The balance of two labels' scores: an object whose one stroke is too weak gets its border, by either label, any unit,
 * any order and any number of threads; what is balanced stays. */
#include "toy.h"

#include "masks/object.h"

enum { SIDE = 24, N = SIDE * SIDE, FROM = 8, TO = 16 };

typedef struct scene {
    int swapped, turned, flat, even, threads;
    double unit, elsewhere; /* of the features; of the column that is a position */
} scene;

/* Whether patch (x, y) is the object's: a square of 8 x 8, or the left half. */
static int is_object(const scene *s, int x, int y) {
    return s->even ? x < SIDE / 2 : x >= FROM && x < TO && y >= FROM && y < TO;
}

static double distance2(const seg_object_view *v, int i, int j) {
    const size_t cols = v->features->cols;
    double sum = 0;
    for (size_t c = 0; c < cols; c++)
        if (v->uses[c])
            sum += pow(v->features->at[(size_t)i * cols + c] - v->features->at[(size_t)j * cols + c], 2);
    return sum;
}

static int touch(const seg_object_view *v, int i, int j) {
    const int columns = v->grid->columns;
    return abs(i / columns - j / columns) + abs(i % columns - j % columns) == 1;
}

/* Give the pieces that hold no mark of their label the label around them, ring by ring. @return whether some patch had
 * two to choose from, where object.c takes the first that it meets */
static int slow_islands(const seg_object_view *v, int *first) {
    const int n = v->grid->columns * v->grid->rows;
    int settled[N], met[N], choice = 0;
    for (int i = 0; i < n; i++)
        settled[i] = v->group[i] >= 0;
    for (int islands = 0; islands < 2; islands++) /* first along pieces, then into islands */
        for (int again = 1; again;) {
            again = 0;
            for (int i = 0; i < n; i++) {
                met[i] = 0; /* bits of labels */
                for (int j = 0; j < n && !settled[i]; j++)
                    if (settled[j] && touch(v, i, j) && (islands || first[i] == first[j]))
                        met[i] |= 1 << first[j];
                choice |= met[i] == 3;
            }
            for (int i = 0; i < n; i++)
                if (met[i]) {
                    first[i] = met[i] > 1;
                    again = settled[i] = 1;
                }
        }
    return choice;
}

/* The cut, label 0's share of the image and of its frame at a shift. @return of slow_islands() */
static int slow_trial(const seg_object_view *v, double shift, double scale, double *cut, double *area, double *frame) {
    const int columns = v->grid->columns, rows = v->grid->rows, n = columns * rows;
    int first[N], all = 0;
    for (int i = 0; i < n; i++)
        first[i] =
            v->group[i] >= 0 ? v->group[i] == 0 : log(v->score->at[2 * i] / v->score->at[2 * i + 1]) + shift >= 0;
    const int choice = slow_islands(v, first);
    *cut = *area = *frame = 0;
    for (int i = 0; i < n; i++) {
        const int x = i % columns, y = i / columns; /* the frame of a line is its two ends */
        const int sides =
            (columns > 1 ? (x == 0) + (x == columns - 1) : 0) + (rows > 1 ? (y == 0) + (y == rows - 1) : 0);
        *area += (double)first[i] / n;
        *frame += first[i] * sides;
        all += sides;
        for (int j = 0; j < i; j++)
            if (first[i] != first[j] && touch(v, i, j))
                *cut += exp(-scale * distance2(v, i, j));
    }
    *frame /= all;
    return choice;
}

static double square(double x) {
    return x * x;
}

/* The mean of all shifts, weighed by their costs, as the comment at the head of object.c states it; NAN where
 * slow_islands() had a choice. */
static double slow_shift(const seg_object_view *v, double *object) {
    const int n = v->grid->columns * v->grid->rows;
    double sum = 0, pairs = 0, share[2] = {0}, cut, area, frame, cost[17], least = INFINITY, all = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            sum += touch(v, i, j) ? distance2(v, i, j) : 0;
            pairs += touch(v, i, j);
        }
        if (v->group[i] >= 0)
            share[v->group[i]] += 1.0 / n;
    }
    const double scale = sum > 0 ? 2 / (sum / pairs) : 0;
    slow_trial(v, 0, scale, &cut, &area, &frame);
    const double before = area;
    const double said = log(share[0] / (area + 1e-4) * share[1] / (1 - area + 1e-4)) + 4.3;
    *object = 1 - 2 * frame;
    for (int t = 0; t < 17; t++) { /* 0, -0.2, 0.2, -0.4, ... */
        const double b = 0.2 * (t % 2 ? -(t + 1) / 2 : t / 2);
        if (slow_trial(v, b, scale, &cut, &area, &frame))
            return NAN;
        cost[t] = b * b +
                  0.71 * *object * b *
                      (said > 2.5    ? 2.5
                       : said < -2.5 ? -2.5
                                     : said) +
                  0.95 * log(cut + 0.5) + 0.66 * *object * log((area + 0.03) / (1 - area + 0.03)) +
                  square(before / area / 100) + square((1 - before) / (1 - area) / 100);
        least = fmin(least, cost[t]);
    }
    sum = 0;
    for (int t = 0; t < 17; t++) {
        const double weight = exp((least - cost[t]) / 0.15);
        sum += 0.2 * (t % 2 ? -(t + 1) / 2 : t / 2) * weight;
        all += weight;
    }
    return sum / all;
}

/* One patch in the object's middle is marked, and a line along each side of the image. The log odds fall from the
 * middle with the distance such that they are below 0 in the outer ring of the object. */
static double shift_of(const scene *s, int *wrong, int *wrong_before) {
    static int16_t group[N];
    static int32_t label[N];
    const uint8_t uses[2] = {1, 0};
    const seg_patch_grid grid = seg_patch_grid_make(5 * SIDE, 5 * SIDE, 5);
    double shift = 99, objectness = 0, expected_object;
    ctx.threads = s->threads;
    SCOPED(seg_matrix) X = new_matrix(&ctx, N, 2);
    SCOPED(seg_matrix) score = new_matrix(&ctx, N, 2);
    *wrong = *wrong_before = 0;
    for (int p = 0; p < N; p++) {
        const int row = p / SIDE, y = s->turned ? SIDE - 1 - row : row, x = p % SIDE, object = is_object(s, x, y);
        const int dx = abs(2 * x - (SIDE - 1)), dy = abs(2 * y - (SIDE - 1)), far = dx > dy ? dx : dy; /* 1, 3, ... */
        const double odds = s->even ? (object ? 2 : -2) : 2.5 - 0.42 * far;
        const int frame = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
        const int middle = s->even ? y == SIDE / 2 && (x == 2 || x == SIDE - 3) : far == 1;
        const double p0 = 1 / (1 + exp(s->swapped ? odds : -odds));
        X.at[2 * p] = s->unit * (s->flat ? 0.5 : object);
        X.at[2 * p + 1] = s->elsewhere * (y % 3);
        group[p] = (int16_t)((s->even ? middle : middle || frame) ? s->swapped ^ !object : -1);
        score.at[2 * p] = group[p] >= 0 ? group[p] == 0 : p0;
        score.at[2 * p + 1] = 1 - score.at[2 * p];
        label[p] = score.at[2 * p + 1] > score.at[2 * p];
        *wrong_before += label[p] != (s->swapped ^ !object);
    }
    const seg_object_view view = {&grid, &X, uses, group, 2, &score};
    const double expected = slow_shift(&view, &expected_object);
    assert_ok(&ctx, seg_balance_find(&ctx, &view, &shift, &objectness));
    assert_near(shift, expected, 1e-12);
    assert_near(objectness, expected_object, 1e-12);
    seg_balance_apply(group, shift, &score, label);
    for (int p = 0; p < N; p++) {
        const int y = s->turned ? SIDE - 1 - p / SIDE : p / SIDE;
        *wrong += label[p] != (s->swapped ^ !is_object(s, p % SIDE, y));
        assert_true(fabs(score.at[2 * p] + score.at[2 * p + 1] - 1) < 1e-12);
        if (group[p] >= 0)
            assert_true(score.at[2 * p + (size_t)group[p]] == 1);
    }
    return shift;
}

TEST(border_is_found) {
    const scene plain = {.unit = 1, .threads = 1};
    int wrong, before;
    const double shift = shift_of(&plain, &wrong, &before);
    assert_int_equal(before, 28); /* the outer ring */
    assert_int_equal(wrong, 0);
    assert_true(shift > 0);
    for (int i = 0; i < 6; i++) {
        scene s = plain;
        s.swapped = i == 0;
        s.turned = i == 1;
        s.unit = i == 2 ? 1e90 : i == 3 ? 1e-90 : 1;
        s.elsewhere = i == 4 ? 1e3 : 0;
        s.threads = i == 5 ? 3 : 1;
        assert_near(shift_of(&s, &wrong, &before), s.swapped ? -shift : shift, 1e-5);
        assert_int_equal(before, 28);
        assert_int_equal(wrong, 0);
    }
}

/* Two halves with a mark each; an image without any contrast. */
TEST(nothing_to_balance) {
    scene s = {.unit = 1, .threads = 1, .even = 1};
    int wrong, before;
    assert_true(shift_of(&s, &wrong, &before) == 0);
    assert_int_equal(wrong, 0);
    s.flat = 1;
    assert_true(shift_of(&s, &wrong, &before) == 0);
    s.even = 0;
    assert_true(shift_of(&s, &wrong, &before) < -0.3); /* as the slow twin has it */
}

/* Whether a patch is the comb's: a spine with eight teeth. */
static int in_comb(int p) {
    const int y = p / SIDE, x = p % SIDE;
    return x >= 4 && x < 20 && y >= 4 && y < 20 && (x == 4 || y % 2 == 0);
}

/* A comb on a ground that looks like it, both hardly marked. The ground all but belongs to it, and would give it a
 * shorter border: but an object does not grow for nothing, whichever label it has. */
TEST(object_stays_small) {
    static int16_t group[N];
    static int32_t label[N];
    const uint8_t uses = 1;
    const seg_patch_grid grid = seg_patch_grid_make(5 * SIDE, 5 * SIDE, 5);
    for (int own = 0; own < 2; own++) {
        double shift = 99, object = 0;
        SCOPED(seg_matrix) X = new_matrix(&ctx, N, 1);
        SCOPED(seg_matrix) score = new_matrix(&ctx, N, 2);
        for (int p = 0; p < N; p++) {
            const int y = p / SIDE, x = p % SIDE;
            const int sides = (x == 0 || x == SIDE - 1) + (y == 0 || y == SIDE - 1);
            const double odds = in_comb(p) ? 3 : sides ? -3 : -0.5;
            X.at[p] = 0.5;
            group[p] = (int16_t)(sides == 2 ? 1 - own : x == 4 && y >= 10 && y < 14 ? own : -1);
            score.at[2 * p + own] = group[p] >= 0 ? group[p] == own : 1 / (1 + exp(-odds));
            score.at[2 * p + 1 - own] = 1 - score.at[2 * p + own];
            label[p] = score.at[2 * p + 1] > score.at[2 * p];
        }
        const seg_object_view view = {&grid, &X, &uses, group, 2, &score};
        assert_ok(&ctx, seg_balance_find(&ctx, &view, &shift, &object));
        assert_true(own ? shift <= 0 : shift >= 0);
        seg_balance_apply(group, shift, &score, label);
        for (int p = 0; p < N; p++)
            assert_int_equal(label[p], in_comb(p) ? own : 1 - own);
    }
}

/* Two patches, both marked; a row of three. */
TEST(least_images) {
    for (int n = 2; n <= 3; n++) {
        const seg_patch_grid grid = seg_patch_grid_make(5 * n, 5, 5);
        const uint8_t uses = 1;
        double x[3] = {0, 0, 1}, given[6] = {1, 0, 0.4, 0.6, 0, 1}, shift = 99, object = 0, expected;
        int16_t group[3] = {0, -1, 1};
        int32_t label[3] = {0, 1, 1};
        seg_matrix X = {.rows = (size_t)n, .cols = 1, .at = x}, score = {.rows = (size_t)n, .cols = 2, .at = given};
        if (n == 2)
            group[1] = 1;
        const seg_object_view view = {&grid, &X, &uses, group, 2, &score};
        assert_ok(&ctx, seg_balance_find(&ctx, &view, &shift, &object));
        assert_near(shift, slow_shift(&view, &expected), 1e-12);
        assert_near(object, expected, 1e-12);
        seg_balance_apply(group, shift, &score, label);
        assert_int_equal(label[0], 0);
        assert_int_equal(label[n - 1], 1);
    }
}

/* Noise of any size, unit and number of marks. */
TEST(random_images) {
    enum { SIDES = 7, MOST = SIDES * SIDES };
    const uint8_t uses[2] = {1, 0};
    int compared = 0, shifted = 0;
    seg_random random = seg_random_seeded(6, 6);
    for (int round = 0; round < 600; round++) {
        const int w = 2 + (int)seg_random_below(&random, SIDES - 1), h = 1 + (int)seg_random_below(&random, SIDES);
        const int n = w * h, middle = round % 3 ? w / 2 : 0; /* an object in the middle, or at the side */
        const double unit = round % 2 ? 1 : 1e-3;
        const seg_patch_grid grid = seg_patch_grid_make(5 * w, 5 * h, 5);
        double x[2 * MOST], given[2 * MOST], shift = 99, object = 99, expected_object;
        int16_t group[MOST];
        seg_matrix X = {.rows = (size_t)n, .cols = 2, .at = x}, score = {.rows = (size_t)n, .cols = 2, .at = given};
        for (int p = 0; p < n; p++) {
            const int inside = abs(p % w - middle) <= w / 4 && abs(p / w - h / 2) <= h / 4;
            const double odds =
                (inside ? 1 : -1) * (0.3 + seg_random_uniform(&random)) + seg_random_normal(&random) / 4;
            x[2 * p] = unit * (inside + seg_random_uniform(&random));
            x[2 * p + 1] = seg_random_uniform(&random);
            group[p] = (int16_t)(seg_random_below(&random, 12) ? -1 : !inside);
            given[2 * p] = 1 / (1 + exp(round % 5 ? -odds : odds));
            given[2 * p + 1] = 1 - given[2 * p];
        }
        group[0] = 1;
        group[n - 1] = 0;
        const seg_object_view view = {&grid, &X, uses, group, 2, &score};
        const double expected = slow_shift(&view, &expected_object);
        assert_ok(&ctx, seg_balance_find(&ctx, &view, &shift, &object));
        if (isnan(expected))
            continue;
        assert_near(shift, expected, 1e-12);
        assert_near(object, expected_object, 1e-12);
        compared++;
        shifted += fabs(shift) > 0.05;
    }
    assert_true(compared > 300 && shifted > 100);
}

enum { WIDTH = 160, HEIGHT = 120 };
static uint8_t data[3 * WIDTH * HEIGHT], marks[WIDTH * HEIGHT];

/* What segment makes of `data` and `marks`. */
static seg_result *labelled(int width, int height, int patch, seg_balance balance, const char *method) {
    SCOPED_CONTEXT *ctx = seg_context_create();
    seg_options options = seg_options_default();
    SCOPED_SESSION *session = NULL;
    seg_result *result;
    const seg_image photo = {.width = width, .height = height, .depth = 8, .data = data};
    const seg_mask scribbles = {.width = width, .height = height, .label = marks, .labels = 2};
    options.balance = balance;
    options.method = method;
    options.patch = patch;
    assert_ok(ctx, seg_session_open(ctx, &photo, &options, &session));
    assert_ok(ctx, seg_session_segment(ctx, session, &scribbles, NULL, &result));
    return result;
}

/* Pixels that are wrong in the mask of a disc that fades towards its border, with a dot in its middle. labels: of the
 * disc and of the ground. */
static size_t wrong_of_disc(seg_balance balance, const char *method, int disc, int ground, uint64_t noise) {
    size_t wrong = 0;
    seg_random random = seg_random_seeded(3, noise);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        const double dx = p % WIDTH - 80, dy = (double)(p / WIDTH) - 60, r = sqrt(dx * dx + dy * dy);
        const double value = r < 40 ? 150 - 0.9 * r : 100;
        memset(data + 3 * p, (int)(value + 30 * seg_random_uniform(&random)), 3);
        marks[p] = (uint8_t)(r < 3 ? disc : p / WIDTH == 7 || p % WIDTH == 7 || p % WIDTH == 152 ? ground : 0);
    }
    SCOPED_RESULT *result = labelled(WIDTH, HEIGHT, 5, balance, method);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        const double dx = p % WIDTH - 80, dy = (double)(p / WIDTH) - 60;
        wrong += result->mask.label[p] != (dx * dx + dy * dy < 1600 ? disc : ground);
    }
    return wrong;
}

TEST(discs_become_whole) {
    size_t off = 0, on = 0;
    for (uint64_t noise = 1; noise <= 8; noise++) {
        off += wrong_of_disc(SEG_BALANCE_OFF, NULL, 1, 2, noise);
        on += wrong_of_disc(SEG_BALANCE_AUTO, NULL, 1, 2, noise);
    }
    print_message("wrong pixels: %zu as the walk has it, %zu balanced\n", off, on);
    assert_true(4 * on < 3 * off);
    assert_int_equal(wrong_of_disc(SEG_BALANCE_AUTO, NULL, 2, 1, 1), wrong_of_disc(SEG_BALANCE_AUTO, NULL, 1, 2, 1));
    assert_int_equal(wrong_of_disc(SEG_BALANCE_AUTO, "walk", 1, 2, 1), wrong_of_disc(SEG_BALANCE_OFF, "walk", 1, 2, 1));
}

/* Share of wrong pixels for two halves, 60 and 180 with noise of 30 either way, a pixel marked at random in each. */
static double wrong_of_halves(uint64_t seed, int width, int height, int patch, int swapped, seg_balance balance) {
    size_t wrong = 0;
    const int n = width * height;
    seg_random random = seg_random_seeded(seed, 5);
    for (int p = 0; p < n; p++)
        for (int c = 0; c < 3; c++)
            data[3 * p + c] = (uint8_t)((p % width < width / 2 ? 60 : 180) + (int)seg_random_below(&random, 61) - 30);
    memset(marks, 0, sizeof marks);
    for (int half = 0; half < 2; half++) {
        const int x = half * (width / 2) + (int)seg_random_below(&random, (uint64_t)width / 2);
        marks[(int)seg_random_below(&random, (uint64_t)height) * width + x] = (uint8_t)(1 + (half ^ swapped));
    }
    SCOPED_RESULT *result = labelled(width, height, patch, balance, NULL);
    for (int p = 0; p < n; p++)
        wrong += result->mask.label[p] != 1 + ((p % width >= width / 2) ^ swapped);
    return (double)wrong / n;
}

/* What the walk has right, two halves or the halves of a line, is right balanced. */
TEST(no_label_takes_all) {
    static const struct { int width, height, patch; } cases[] = {{120, 90, 1}, {120, 90, 5}, {10000, 1, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int right = 0;
        for (uint64_t seed = 0; seed < 4; seed++)
            for (int swapped = 0; swapped < 2; swapped++) {
                const int w = cases[i].width, h = cases[i].height, patch = cases[i].patch;
                if (wrong_of_halves(seed, w, h, patch, swapped, SEG_BALANCE_OFF) > 0.02)
                    continue;
                right++;
                assert_true(wrong_of_halves(seed, w, h, patch, swapped, SEG_BALANCE_AUTO) < 0.02);
            }
        assert_true(right >= 5);
    }
}

static void on_log(void *user, seg_log_level level, const char *line) {
    if (level == SEG_LOG_WARNING && strstr(line, "label 1 has") && strstr(line, "of its strokes"))
        ++*(int *)user;
}

/* A label that is shut in by the other's strokes is named; one that has its half is not. */
TEST(a_lost_label_is_named) {
    static uint8_t data[3 * WIDTH * HEIGHT], marks[WIDTH * HEIGHT];
    for (int shut = 0; shut < 2; shut++) {
        SCOPED_CONTEXT *ctx = seg_context_create();
        seg_options own_options, *options = &own_options;
        *options = seg_options_default();
        SCOPED_RESULT *result = NULL;
        SCOPED_SESSION *session = NULL;
        int said = 0;
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const int dx = abs(p % WIDTH - 40), dy = abs(p / WIDTH - 60), far = dx > dy ? dx : dy;
            memset(data + 3 * p, p % WIDTH < WIDTH / 2 ? 30 : 150, 3);
            marks[p] = (uint8_t)(far < 2 ? 1 : (shut && far < 20) || p % WIDTH > 150 ? 2 : 0);
        }
        const seg_image photo = {.width = WIDTH, .height = HEIGHT, .depth = 8, .data = data};
        const seg_mask scribbles = {.width = WIDTH, .height = HEIGHT, .label = marks, .labels = 2};
        ctx->log = on_log;
        ctx->log_user = &said;
        assert_ok(ctx, seg_session_open(ctx, &photo, options, &session));
        assert_ok(ctx, seg_session_segment(ctx, session, &scribbles, NULL, &result));
        assert_int_equal(said, shut);
    }
}
