/* Pieces without a stroke of their label: small maps with known results, random ones against the definition, and the
 * option on an image whose two equal discs have one stroke. */
#include "toy.h"

#include "base/random.h"
#include "masks/specks.h"

#include <segment/options.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 * 64 };

/* Letters a.. are labels; the same in capitals are pixels with a stroke of it. */
static void check(const char *const *rows, const char *const *wanted) {
    seg_context ctx;
    uint8_t label[MOST], marks[MOST];
    seg_pixel_scribbles scribbles = {marks, {-1}};
    const int width = (int)strlen(rows[0]);
    int height = 0;
    seg_context_init(&ctx);
    for (int l = 0; l < 255; l++)
        scribbles.column[l + 1] = (int16_t)l;
    for (; rows[height]; height++)
        for (int x = 0; x < width; x++) {
            const int c = rows[height][x], at = height * width + x;
            label[at] = (uint8_t)((c | 32) - 'a');
            marks[at] = c & 32 ? 0 : (uint8_t)(label[at] + 1);
        }
    for (int twice = 0; twice < 2; twice++) {
        assert_ok(&ctx, seg_islands_remove(&ctx, width, height, &scribbles, label));
        for (int at = 0; at < width * height; at++)
            assert_int_equal(label[at] + 'a', wanted[at / width][at % width]);
    }
    seg_context_end(&ctx);
}

#define CHECK_MAP(rows, wanted)                                                                                        \
    check((const char *const[]){UNPACK rows, NULL}, (const char *const[]){UNPACK wanted, NULL})
#define UNPACK(...) __VA_ARGS__

static void known_maps(void **state) {
    (void)state;
    /* One pixel, and no strokes at all: nothing to judge by. */
    CHECK_MAP(("a"), ("a"));
    CHECK_MAP(("A"), ("a"));
    CHECK_MAP(("aba", "bab"), ("aba", "bab"));
    /* One island; corners do not connect. */
    CHECK_MAP(("Abba", "bbbB"), ("abbb", "bbbb"));
    CHECK_MAP(("Abb", "bab", "bbB"), ("abb", "bbb", "bbb"));
    /* A label without strokes keeps its pieces, also where all others have theirs. */
    CHECK_MAP(("Aacac", "aaaaa", "cbbbB"), ("aacac", "aaaaa", "cbbbb"));
    /* An island in an island follows it. */
    CHECK_MAP(("AaaaaaaB", "abbbbbab", "abaaabab", "abbbbbab", "aaaaaaab"),
              ("aaaaaaab", "aaaaaaab", "aaaaaaab", "aaaaaaab", "aaaaaaab"));
    /* Two islands side by side do not swap; each joins the larger part of its settled border. */
    CHECK_MAP(("Ccccccc", "cabAcBc", "ccccccc"), ("ccccccc", "cccacbc", "ccccccc"));
    /* Equal borders: the smaller label. */
    CHECK_MAP(("Aaccbb", "aaccbB", "aaabbb", "Cabbbb"), ("aaaabb", "aaaabb", "aaabbb", "cabbbb"));
    /* On one row: b has no stroke, then both have one and their islands join from both ends. */
    CHECK_MAP(("Ababab"), ("abbbbb"));
    CHECK_MAP(("AbabaB"), ("aaabbb"));
}

/* Every piece of a label that has a piece with its stroke has one itself, and what had one is as before. */
static void random_maps(void **state) {
    enum { SIDE = 24, PIXELS = SIDE * SIDE, LABELS = 4 };
    static uint8_t label[PIXELS], before[PIXELS], marks[PIXELS];
    static int piece[PIXELS], stack[PIXELS];
    seg_context ctx;
    seg_random random;
    seg_pixel_scribbles scribbles = {marks, {-1, 0, 1, 2, 3}};
    (void)state;
    seg_context_init(&ctx);
    seg_random_seed(&random, 5, 5);
    for (int round = 0; round < 60; round++) {
        int had[LABELS] = {0};
        for (int p = 0; p < PIXELS; p++) {
            label[p] = before[p] = (uint8_t)(LABELS * seg_random_uniform(&random));
            marks[p] = seg_random_uniform(&random) < 0.01 * round / 60 && label[p] < LABELS - 1 ? label[p] + 1 : 0;
            had[label[p]] |= marks[p] != 0;
        }
        assert_ok(&ctx, seg_islands_remove(&ctx, SIDE, SIDE, &scribbles, label));
        memset(piece, 0, sizeof piece);
        for (int start = 0; start < PIXELS; start++) {
            int top = 0, marked = 0;
            if (piece[start])
                continue;
            piece[stack[top++] = start] = 1;
            while (top) {
                const int p = stack[--top], x = p % SIDE, y = p / SIDE;
                const int next[4] = {x > 0 ? p - 1 : p, x + 1 < SIDE ? p + 1 : p, y > 0 ? p - SIDE : p,
                                     y + 1 < SIDE ? p + SIDE : p};
                marked |= marks[p] == label[p] + 1;
                for (int n = 0; n < 4; n++)
                    if (!piece[next[n]] && label[next[n]] == label[p])
                        piece[stack[top++] = next[n]] = 1;
            }
            assert_true(marked || !had[label[start]]);
        }
        for (int p = 0; p < PIXELS; p++)
            assert_true(label[p] == before[p] || (had[before[p]] && !marks[p]));
    }
    seg_context_end(&ctx);
}

/* Two equal discs on one ground, a stroke in the first only. */
static void the_option_removes_the_other_disc(void **state) {
    enum { WIDTH = 120, HEIGHT = 60 };
    static uint8_t data[3 * WIDTH * HEIGHT];
    const seg_image photo = {WIDTH, HEIGHT, 8, 0, data};
    seg_context ctx;
    seg_random random;
    seg_mask scribbles;
    seg_options options;
    (void)state;
    seg_context_init(&ctx);
    seg_random_seed(&random, 3, 3);
    assert_ok(&ctx, seg_mask_create(&ctx, WIDTH, HEIGHT, &scribbles));
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        const int x = p % WIDTH, y = p / WIDTH - 30, disc = (x % 60 - 30) * (x % 60 - 30) + y * y < 400;
        for (int c = 0; c < 3; c++)
            data[3 * p + c] = (uint8_t)((disc ? 200 - 60 * c : 40 + 50 * c) + 6 * seg_random_normal(&random));
        scribbles.label[p] = (uint8_t)(y == 0 && x > 20 && x < 40 ? 1 : y == -28 ? 2 : 0);
    }
    scribbles.labels = 2;
    for (int remove = 0; remove < 2; remove++)
        for (int refine = 0; refine < 2; refine++) {
            seg_result *result = NULL;
            seg_options_default(&options);
            assert_int_equal(options.remove_islands, 0);
            assert_ok(&ctx, seg_options_set(&ctx, &options, "islands", remove ? "remove" : "keep"));
            assert_ok(&ctx, seg_options_set(&ctx, &options, "refine", refine ? "fast" : "none"));
            assert_ok(&ctx, seg_segment_photo(&ctx, &photo, &scribbles, NULL, &options, &result));
            assert_int_equal(result->mask.label[30 * WIDTH + 30], 1);
            assert_int_equal(result->mask.label[30 * WIDTH + 90], remove ? 2 : 1);
            assert_int_equal(result->regions, 2);
            seg_result_free(result);
        }
    seg_mask_free(&scribbles);
    seg_context_end(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_maps),
        cmocka_unit_test(random_maps),
        cmocka_unit_test(the_option_removes_the_other_disc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
