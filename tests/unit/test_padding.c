/* Areas of one colour at the frame: one label each, that of most of their border; nothing else changes. */
#include "toy.h"

#include "masks/photo_passes.h"

enum { WIDTH = 40, HEIGHT = 30, PIXELS = WIDTH * HEIGHT, LEFT = 10, RIGHT = 30 };

/* A textured picture between columns LEFT and RIGHT, black on both sides. In the mask label 1 has all but the columns
 * from `border` to RIGHT + 4, so that either black area is cut or the left one is not. */
typedef struct scene {
    int depth, marked, noisy, mirrored, border;
} scene;

static void draw(const scene *s, uint16_t *deep, uint8_t *data, uint8_t *marks, uint8_t *label) {
    memset(marks, 0, PIXELS);
    for (int p = 0; p < PIXELS; p++) {
        const int y = p / WIDTH, x = s->mirrored ? WIDTH - 1 - p % WIDTH : p % WIDTH;
        const int picture = x >= LEFT && x < RIGHT;
        const int value = picture ? 4 + 6 * (x < WIDTH / 2 ? x - LEFT : RIGHT - 1 - x) + (7 * x + 13 * y) % 4 : 0;
        for (int c = 0; c < 3; c++) {
            data[3 * p + c] = (uint8_t)value;
            deep[3 * p + c] = (uint16_t)(257 * value + (s->noisy && c == 1 ? (x + y) % 2 : 0));
        }
        data[3 * p + 2] = (uint8_t)(data[3 * p + 2] + (s->noisy ? (x + y) % 2 : 0));
        label[p] = x >= s->border && x < RIGHT + 4 ? 0 : 1;
        marks[p] = s->marked && x == 0 && y == 3 ? 1 : 0;
    }
}

static size_t settle(const scene *s, int width, int height, uint8_t *before, uint8_t *label) {
    static uint8_t data[3 * PIXELS], marks[PIXELS];
    static uint16_t deep[3 * PIXELS];
    const seg_image photo = {
        .width = width, .height = height, .depth = s->depth, .data = s->depth == 8 ? (void *)data : (void *)deep};
    seg_pixel_scribbles scribbles = {.label = marks};
    size_t changed = 77, again = 77, different = 0;
    for (int l = 0; l < 256; l++)
        scribbles.column[l] = (int16_t)(l == 1 || l == 2 ? l - 1 : -1);
    draw(s, deep, data, marks, label);
    memcpy(before, label, PIXELS);
    assert_ok(&ctx, seg_padding_settle(&ctx, &photo, &scribbles, label, &changed));
    for (int p = 0; p < PIXELS; p++)
        different += label[p] != before[p];
    assert_int_equal(changed, different);
    assert_ok(&ctx, seg_padding_settle(&ctx, &photo, &scribbles, label, &again));
    assert_int_equal(again, 0);
    return changed;
}

/* Label 0 begins within the left area, or within the picture: the areas follow what is beside them. */
TEST(areas_get_one_label) {
    static uint8_t before[PIXELS], label[PIXELS];
    for (int i = 0; i < 8; i++) {
        const scene s = {.depth = i & 1 ? 16 : 8, .mirrored = i >> 1 & 1, .border = i >> 2 ? LEFT + 5 : LEFT - 3};
        const int left = s.border > LEFT; /* the label beside the left area */
        const size_t expected = (size_t)HEIGHT * (size_t)(WIDTH - RIGHT - 4 + (left ? 0 : s.border));
        assert_int_equal(settle(&s, WIDTH, HEIGHT, before, label), expected);
        for (int p = 0; p < PIXELS; p++) {
            const int x = s.mirrored ? WIDTH - 1 - p % WIDTH : p % WIDTH;
            assert_int_equal(label[p], x < LEFT ? left : x >= RIGHT ? 0 : before[p]);
        }
    }
}

/* A stroke in one area keeps it, and the other of the same colour; an area of one label keeps this, whatever is beside
 * it; the least difference of one sample keeps both. */
TEST(others_stay) {
    static uint8_t before[PIXELS], label[PIXELS];
    const scene marked = {.depth = 8, .marked = 1, .border = LEFT - 3}, whole = {.depth = 8, .border = LEFT};
    assert_int_equal(settle(&marked, WIDTH, HEIGHT, before, label), 0);
    assert_int_equal(settle(&whole, WIDTH, HEIGHT, before, label), HEIGHT * (WIDTH - RIGHT - 4));
    assert_int_equal(label[0], 1);
    for (int depth = 8; depth <= 16; depth += 8) {
        const scene noisy = {.depth = depth, .noisy = 1, .border = LEFT - 3};
        assert_int_equal(settle(&noisy, WIDTH, HEIGHT, before, label), 0);
    }
}

/* An image of one colour, of one pixel, of one row and column, an area off the frame, one that is too small, and one
 * whose border both labels have as much of. */
TEST(edges_of_the_rule) {
    static uint8_t data[3 * PIXELS], label[PIXELS];
    static const int sides[][2] = {{WIDTH, HEIGHT}, {1, 1}, {PIXELS, 1}, {1, PIXELS}};
    const seg_pixel_scribbles scribbles = {.label = NULL};
    size_t changed = 77;
    memset(data, 9, sizeof data);
    for (int p = 0; p < PIXELS; p++)
        label[p] = (uint8_t)(p & 1);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const seg_image plain = {.width = sides[i][0], .height = sides[i][1], .depth = 8, .data = data};
        assert_ok(&ctx, seg_padding_settle(&ctx, &plain, &scribbles, label, &changed));
        assert_int_equal(changed, 0);
    }
    const seg_image photo = {.width = WIDTH, .height = HEIGHT, .depth = 8, .data = data};
    for (int kind = 0; kind < 4; kind++) {
        /* 12 pixels are one percent. Off the frame; 11 at it; 12 at it; 21, half of whose border has label 1. */
        const int left = kind == 0 ? 5 : 0, wide = kind == 0 ? 6 : kind == 1 ? 11 : kind == 2 ? 12 : 21;
        const int top = kind == 0 ? 5 : 0, high = kind == 0 ? 6 : 1;
        for (int p = 0; p < PIXELS; p++) {
            const int x = p % WIDTH, y = p / WIDTH;
            const int inside = x >= left && x < left + wide && y >= top && y < top + high;
            data[3 * p] = (uint8_t)(inside ? 9 : 20 + p % 7 + 10 * (y % 2));
            label[p] = (uint8_t)(inside ? x & 1 : kind == 3 && y == 1 && x < 11);
        }
        assert_ok(&ctx, seg_padding_settle(&ctx, &photo, &scribbles, label, &changed));
        assert_int_equal(changed, kind < 2 ? 0 : kind == 2 ? 6 : 10);
        assert_int_equal(label[0], 0);
        assert_int_equal(label[1], kind == 1);
    }
}

/* In a mask: settled by default, not where islands are kept, nor for another method; probabilities agree. */
TEST(in_a_mask) {
    static uint8_t data[3 * PIXELS], label[PIXELS], marks[PIXELS];
    static uint16_t deep[3 * PIXELS];
    const scene s = {.depth = 8, .border = LEFT};
    const seg_image photo = {.width = WIDTH, .height = HEIGHT, .depth = 8, .data = data};
    static const char *const cases[][2] = {{"auto", "auto"}, {"keep", "auto"}, {"auto", "walk"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        seg_options options = seg_options_default();
        SCOPED_RESULT *result = NULL;
        draw(&s, deep, data, marks, label);
        SCOPED(seg_mask) scribbles = new_mask(&ctx, WIDTH, HEIGHT);
        for (int y = 0; y < HEIGHT; y++) /* the object's stroke above, the other below: walks cut the black in two */
            for (int x = LEFT; x < RIGHT; x++)
                scribbles.label[y * WIDTH + x] = y >= 2 && y < 12 ? 1 : y >= 20 && y < 28 ? 2 : 0;
        scribbles.labels = 2;
        options.probability = 1;
        options.patch = 2;
        assert_ok(&ctx, seg_options_set(&ctx, &options, "balance", "off"));
        assert_ok(&ctx, seg_options_set(&ctx, &options, "islands", cases[i][0]));
        assert_ok(&ctx, seg_options_set(&ctx, &options, "method", cases[i][1]));
        assert_ok(&ctx, seg_segment_photo(&ctx, &photo, &scribbles, NULL, &options, &result));
        int cut = 0;
        for (int p = 0; p < PIXELS; p++) {
            const int c = result->mask.label[p] - 1;
            cut += p % WIDTH < LEFT && result->mask.label[p] != result->mask.label[0];
            if (i == 0)
                assert_true(result->probability[2 * p + c] >= result->probability[2 * p + !c]);
        }
        assert_int_equal(cut > 0, i > 0);
    }
}
