/* Pieces without a stroke of their label: small maps with known results, random ones against the definition, and the
 * option on an image whose two equal discs have one stroke. */
#include "label_arrays.h"
#include "toy.h"

#include "masks/pieces.h"

enum { MOST = 64 * 64 };

/* All islands go. */
static void remove_all(seg_context *ctx, int width, int height, const uint8_t *mark, uint8_t *label) {
    SCOPED(seg_label_rows) mark_rows;
    const seg_pixel_scribbles scribbles = marks_of(ctx, width, height, mark, &mark_rows);
    static uint8_t before[MOST], rule[256];
    size_t changed = 0, differ = 0;
    memset(rule, SEG_ISLAND_GOES, sizeof rule);
    memcpy(before, label, (size_t)(width * height));
    seg_label_rows rows = rows_of(ctx, width, height, label);
    assert_ok(ctx, seg_islands_settle(ctx, &scribbles, rule, &(seg_island_scores){0}, &rows, &changed));
    read_back(&rows, label);
    for (int p = 0; p < width * height; p++)
        differ += before[p] != label[p];
    assert_int_equal(changed, differ);
}

/* Letters a.. are labels; the same in capitals are pixels with a stroke of it. */
static void check(const char *const *rows, const char *const *wanted) {
    uint8_t label[MOST], marks[MOST];
    const int width = (int)strlen(rows[0]);
    int height = 0;
    for (; rows[height]; height++)
        for (int x = 0; x < width; x++) {
            const int c = rows[height][x], at = height * width + x;
            label[at] = (uint8_t)((c | 32) - 'a');
            marks[at] = c & 32 ? 0 : (uint8_t)(label[at] + 1);
        }
    for (int twice = 0; twice < 2; twice++) {
        remove_all(&ctx, width, height, marks, label);
        for (int at = 0; at < width * height; at++)
            assert_int_equal(label[at] + 'a', wanted[at / width][at % width]);
    }
}

#define CHECK_MAP(rows, wanted)                                                                                        \
    check((const char *const[]){UNPACK rows, NULL}, (const char *const[]){UNPACK wanted, NULL})
#define UNPACK(...) __VA_ARGS__

TEST(known_maps) {
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
TEST(random_maps) {
    enum { SIDE = 24, PIXELS = SIDE * SIDE, LABELS = 4 };
    static uint8_t label[PIXELS], before[PIXELS], marks[PIXELS];
    static int piece[PIXELS], stack[PIXELS];
    seg_random random = seg_random_seeded(5, 5);
    for (int round = 0; round < 60; round++) {
        int had[LABELS] = {0};
        for (int p = 0; p < PIXELS; p++) {
            label[p] = before[p] = (uint8_t)(LABELS * seg_random_uniform(&random));
            marks[p] = seg_random_uniform(&random) < 0.01 * round / 60 && label[p] < LABELS - 1 ? label[p] + 1 : 0;
            had[label[p]] |= marks[p] != 0;
        }
        remove_all(&ctx, SIDE, SIDE, marks, label);
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
}

/* Two islands of label 0 in label 1: the scores speak for the upper one, for the lower as they say; rules of their own
 * label and of the other. The same with the labels exchanged, and with a shift of the scores, which decides nothing. */
TEST(support_decides) {
    enum { SIDE = 6, PIXELS = SIDE * SIDE };
    static const char *const map = "Aabbaa"
                                   "aabbaa"
                                   "bbbbbb"
                                   "bbbbbb"
                                   "aabbbb"
                                   "aabbbB";
    static const struct {
        double island; /* score of label 0 in its patches */
        uint8_t rule[2];
        int stays;
    } cases[] = {
        {0.96, {SEG_ISLAND_IS_JUDGED, SEG_ISLAND_IS_JUDGED}, 1},
        {0.90, {SEG_ISLAND_IS_JUDGED, SEG_ISLAND_IS_JUDGED}, 0},
        {0.5, {SEG_ISLAND_IS_JUDGED, SEG_ISLAND_STAYS}, 0},
        {0.0, {SEG_ISLAND_STAYS, SEG_ISLAND_IS_JUDGED}, 1},
        {1.0, {SEG_ISLAND_GOES, SEG_ISLAND_STAYS}, 0},
        {0.96, {SEG_ISLAND_IS_JUDGED, SEG_ISLAND_GOES}, 1},
        {1.0, {SEG_ISLAND_IS_JUDGED, SEG_ISLAND_GOES}, 1},
    };
    const seg_patch_grid grid = seg_patch_grid_make(SIDE, SIDE, 2);
    for (size_t i = 0; i < 6 * sizeof cases / sizeof *cases; i++) {
        const int exchanged = i % 2, upper_goes = cases[i / 6].rule[0] == SEG_ISLAND_GOES, stays = cases[i / 6].stays;
        const double shift = 2 * (double)(i / 2 % 3) - 2;
        uint8_t label[PIXELS], marks[PIXELS], rule[256];
        size_t changed = 99;
        SCOPED(seg_matrix) score = new_matrix(&ctx, 9, 2);
        for (int p = 0; p < 9; p++) {
            const double given = p == 0 ? 1 : p == 2 ? 0.99 : p == 6 ? cases[i / 6].island : 0.01;
            const double first = exchanged ? 1 - given : given, factor = exp(shift);
            score.at[2 * p] = factor * first / (factor * first + 1 - first);
            score.at[2 * p + 1] = 1 - score.at[2 * p];
        }
        for (int p = 0; p < PIXELS; p++) {
            label[p] = (uint8_t)(((map[p] | 32) == 'b') ^ exchanged);
            marks[p] = map[p] & 32 ? 0 : (uint8_t)(label[p] + 1);
        }
        rule[exchanged] = cases[i / 6].rule[0];
        rule[!exchanged] = cases[i / 6].rule[1];
        seg_label_rows rows = rows_of(&ctx, SIDE, SIDE, label);
        const seg_island_scores scores = {&grid, &score, NULL, shift};
        SCOPED(seg_label_rows) mark_rows;
        const seg_pixel_scribbles scribbles = marks_of(&ctx, SIDE, SIDE, marks, &mark_rows);
        assert_ok(&ctx, seg_islands_settle(&ctx, &scribbles, rule, &scores, &rows, &changed));
        read_back(&rows, label);
        assert_int_equal(changed, 4 * upper_goes + 4 * !stays);
        assert_int_equal(label[SIDE - 1] ^ exchanged, upper_goes);
        assert_int_equal(label[4 * SIDE] ^ exchanged, !stays);
        assert_int_equal(label[0], exchanged);
    }
}

/* A stroke of the background in a hole of the object: what surrounds the object, and has low support, is background
 * too where the frame is known to show it. A piece that does not reach the frame is judged in any case. */
TEST(background_at_the_frame_needs_no_stroke) {
    enum { SIDE = 8, PIXELS = SIDE * SIDE };
    static const char *const map = "bbbbbbbb"
                                   "baaaaaab"
                                   "baaBBaab"
                                   "baaBBaab"
                                   "baaaaaab"
                                   "baabbaab"
                                   "baAaaaab"
                                   "bbbbbbbb";
    const seg_patch_grid grid = seg_patch_grid_make(SIDE, SIDE, 2);
    SCOPED(seg_matrix) score = new_matrix(&ctx, 16, 2);
    for (int p = 0; p < 32; p++)
        score.at[p] = 0.5;
    for (int ground = 0; ground < 2; ground++) {
        static const uint8_t rule[256] = {SEG_ISLAND_GOES, SEG_ISLAND_IS_JUDGED};
        uint8_t label[PIXELS], marks[PIXELS];
        size_t changed = 99;
        for (int p = 0; p < PIXELS; p++) {
            label[p] = (map[p] | 32) == 'b';
            marks[p] = map[p] & 32 ? 0 : (uint8_t)(label[p] + 1);
        }
        seg_label_rows rows = rows_of(&ctx, SIDE, SIDE, label);
        const seg_island_scores scores = {.grid = &grid, .score = &score, .frame_is_ground = ground};
        SCOPED(seg_label_rows) mark_rows;
        const seg_pixel_scribbles scribbles = marks_of(&ctx, SIDE, SIDE, marks, &mark_rows);
        assert_ok(&ctx, seg_islands_settle(&ctx, &scribbles, rule, &scores, &rows, &changed));
        read_back(&rows, label);
        assert_int_equal(changed, ground ? 2 : 30);
        assert_int_equal(label[0], ground);
        assert_int_equal(label[2 * SIDE + 3], 1);
        assert_int_equal(label[5 * SIDE + 3], 0);
    }
}

TEST(labels_by_name) {
    static const struct {
        const char *given, *read; /* read: NULL where the text is refused */
    } cases[] = {{"remove:1", "remove:1"},
                 {"remove:3,1,3", "remove:1,3"},
                 {"Remove:255,8,7", "remove:7,8,255"},
                 {"remove:ALL", "remove:all"},
                 {"Keep", "keep"},
                 {"remove", "remove"},
                 {"auto", "auto"},
                 {"keep:1", NULL},
                 {"1", NULL},
                 {"", NULL},
                 {"remove:", NULL},
                 {"remove:0", NULL},
                 {"remove:256", NULL},
                 {"remove:1,", NULL},
                 {"remove:,1", NULL},
                 {"remove:1 2", NULL},
                 {"remove:-1", NULL},
                 {"remove:1,all", NULL},
                 {"remove:18446744073709551617", NULL}};
    seg_options options;
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        options = seg_options_default();
        assert_ok(&ctx, seg_options_set(&ctx, &options, "islands", "remove:9"));
        const seg_status status = seg_options_set(&ctx, &options, "islands", cases[i].given);
        assert_int_equal(status, cases[i].read ? SEG_OK : SEG_ERR_USAGE);
        assert_ok(&ctx, seg_options_get(&ctx, &options, "islands", text, sizeof text));
        assert_string_equal(text, cases[i].read ? cases[i].read : "remove:9");
    }
    options = seg_options_default();
    assert_ok(&ctx, seg_options_get(&ctx, &options, "islands", text, sizeof text));
    assert_string_equal(text, "auto");
}

/* Islands of two labels in a third, listed by size, support and room. */
TEST(islands_are_listed) {
    enum { SIDE = 8, PIXELS = SIDE * SIDE };
    static const char *const map = "Aacccccc"
                                   "aaccccbb"
                                   "ccccccbb"
                                   "ccaacccc"
                                   "ccaacccB"
                                   "cccccccc"
                                   "aacccccc"
                                   "cccccccC";
    static const struct {
        double support;
        size_t least;
        int room, count;
        char first; /* label of the first, around which is always c */
        int left, top, right, bottom, pixels;
    } cases[] = {{10, 1, 8, 3, 'b', 6, 1, 8, 3, 4}, {10, 3, 8, 2, 'b', 6, 1, 8, 3, 4},
                 {10, 4, 8, 2, 'b', 6, 1, 8, 3, 4}, {10, 5, 8, 0, 0, 0, 0, 0, 0, 0},
                 {10, 1, 1, 1, 'b', 6, 1, 8, 3, 4}, {10, 1, 0, 0, 0, 0, 0, 0, 0, 0},
                 {0, 1, 8, 1, 'b', 6, 1, 8, 3, 4},  {-9, 1, 8, 0, 0, 0, 0, 0, 0, 0}};
    uint8_t label[PIXELS], marks[PIXELS];
    const seg_patch_grid grid = seg_patch_grid_make(SIDE, SIDE, 2);
    SCOPED(seg_matrix) score = new_matrix(&ctx, 16, 3);
    for (int p = 0; p < PIXELS; p++) {
        label[p] = (uint8_t)((map[p] | 32) - 'a');
        marks[p] = map[p] & 32 ? 0 : (uint8_t)(label[p] + 1);
    }
    SCOPED(seg_label_rows) mark_rows;
    const seg_pixel_scribbles scribbles = marks_of(&ctx, SIDE, SIDE, marks, &mark_rows);
    for (size_t p = 0; p < 16; p++) { /* scores speak for every island of a, none of b */
        score.at[3 * p] = 0.5;
        score.at[3 * p + 1] = 0.1;
        score.at[3 * p + 2] = 0.4;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t covered[16] = {0};
        seg_island found[8];
        int patches = 0;
        seg_island_list list = {cases[i].support, cases[i].least, found, cases[i].room, 99, covered};
        SCOPED(seg_label_rows) rows = rows_of(&ctx, SIDE, SIDE, label);
        assert_ok(&ctx, seg_islands_list(&ctx, &scribbles, &(seg_island_scores){&grid, &score, NULL}, &rows, &list));
        const int count = list.count;
        assert_int_equal(count, cases[i].count);
        for (int p = 0; p < 16; p++)
            patches += covered[p];
        assert_true((patches > 0) == (count > 0 || cases[i].room == 0));
        if (count == 0)
            continue;
        assert_int_equal(found[0].label, cases[i].first - 'a');
        assert_int_equal(found[0].around, 2);
        assert_int_equal(found[0].pixels, cases[i].pixels);
        assert_true(found[0].left == cases[i].left && found[0].right == cases[i].right);
        assert_true(found[0].top == cases[i].top && found[0].bottom == cases[i].bottom);
    }
}

/* Two discs on one ground, the second of a colour between the first's and the ground's. */
static void draw_discs(double mix, uint64_t noise, int width, int height, uint8_t *data) {
    seg_random random = seg_random_seeded(3, noise);
    for (int p = 0; p < width * height; p++) {
        const int x = p % width, y = p / width - 30, disc = (x % 60 - 30) * (x % 60 - 30) + y * y < 400;
        const double object = !disc ? 0 : x < 60 ? 1 : mix;
        for (int c = 0; c < 3; c++)
            data[3 * p + c] =
                (uint8_t)(object * (200 - 60 * c) + (1 - object) * (40 + 50 * c) + 6 * seg_random_normal(&random));
    }
}

/* What is said of the second disc where islands are kept: that it is one where it would go by evidence, and nothing
 * else. Where islands are judged no word of any. */
TEST(what_evidence_would_remove_is_named) {
    enum { WIDTH = 120, HEIGHT = 60 };
    static uint8_t data[3 * WIDTH * HEIGHT];
    const seg_image photo = {WIDTH, HEIGHT, 8, 0, data};
    int named = 0, stays = 0;
    SCOPED(seg_mask) scribbles = new_mask(&ctx, WIDTH, HEIGHT);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        const int x = p % WIDTH, y = p / WIDTH - 30;
        scribbles.label[p] = (uint8_t)(abs(y) <= 6 && x > 18 && x < 42 ? 1 : abs(y) == 28 ? 2 : 0);
    }
    scribbles.labels = 2;
    for (int step = 0; step < 22; step++) {    /* twice eleven mixtures, each time with other noise */
        seg_result *result[2] = {NULL};        /* kept, judged */
        int islands[2] = {0}, pixels[2] = {0}; /* pixels: of the first disc's label in the second's half */
        double share = 0;
        draw_discs(0.1 * (step % 11), (uint64_t)(3 + step / 11), WIDTH, HEIGHT, data);
        for (int judged = 0; judged < 2; judged++) {
            seg_options options = seg_options_default();
            options.chromaticity = SEG_CHROMATICITY_OFF; /* the steps between the colours are those of L, a and b */
            options.balance = SEG_BALANCE_OFF;           /* nor is a net asked */
            options.islands.usual = judged ? SEG_ISLANDS_AUTO : SEG_ISLANDS_KEEP;
            assert_ok(&ctx, seg_segment_photo(&ctx, &photo, &scribbles, NULL, &options, &result[judged]));
            for (int i = 0; i < result[judged]->ambiguous_count; i++) {
                const seg_ambiguous_region *d = &result[judged]->ambiguous[i];
                assert_true(i == 0 || d->share <= d[-1].share);
                if (!result[judged]->ambiguous_island[i])
                    continue;
                islands[judged]++;
                share += d->share;
                assert_int_equal(d->label, 1);
                assert_int_equal(d->runner_up, 2);
                assert_true(d->left > 60 && d->right < WIDTH && d->top >= 5 && d->bottom <= 55);
                assert_true(d->share < 0.25); /* the disc has 0.175 */
            }
            for (int p = 0; p < WIDTH * HEIGHT; p++)
                pixels[judged] += p % WIDTH >= 60 && result[judged]->mask.label[p] == 1;
        }
        const double goes = (double)(pixels[0] - pixels[1]) / (WIDTH * HEIGHT);
        assert_true(fabs(share - goes) < 0.01); /* what is named is what would go, but for the smallest */
        assert_int_equal(islands[1], 0);
        named += islands[0] > 0;
        stays += pixels[1] > 1000;
        seg_result_free(result[0]);
        seg_result_free(result[1]);
    }
    assert_true(named > 0 && stays > 0);
}

/* Scribbles of 1 and 2 that are also tried as other labels; 3 regions, one label, none, and strokes in three. */
static void two_regions_have_an_object(seg_context *ctx, const seg_image *photo, const seg_mask *scribbles) {
    static const struct {
        int first, second, third, k; /* labels, 0: not marked */
        const char *said;            /* NULL: it is done */
    } cases[] = {{1, 2, 0, 0, NULL},
                 {1, 2, 0, 2, NULL},
                 {3, 7, 0, 0, NULL},
                 {7, 3, 0, 0, NULL},
                 {1, 2, 0, 3, "2 labels and 3 regions"},
                 {1, 2, 3, 0, "3 labels and 3 regions"},
                 {1, 0, 0, 1, "1 label and 1 region"},
                 {0, 0, 0, 2, "0 labels and 2 regions"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t pixels = (size_t)photo->width * (size_t)photo->height;
        const int object = cases[i].first < cases[i].second ? cases[i].first : cases[i].second;
        seg_options options = seg_options_default();
        SCOPED_RESULT *result = NULL;
        options.islands.usual = SEG_ISLANDS_KEEP;
        options.k = cases[i].k;
        assert_ok(ctx, seg_options_set(ctx, &options, "object", ""));
        SCOPED(seg_mask) own = new_mask(ctx, photo->width, photo->height);
        for (size_t p = 0; p < pixels; p++)
            own.label[p] = (uint8_t)(scribbles->label[p] == 1   ? cases[i].first
                                     : scribbles->label[p] == 2 ? cases[i].second
                                                                : 0);
        if (cases[i].third)
            own.label[58 * photo->width + 3] = (uint8_t)cases[i].third;
        own.labels = 7;
        const seg_status status = seg_segment_photo(ctx, photo, cases[i].first ? &own : NULL, NULL, &options, &result);
        assert_int_equal(status, cases[i].said ? SEG_ERR_USAGE : SEG_OK);
        if (cases[i].said)
            assert_says(ctx, cases[i].said);
        else /* the smaller label's second disc goes; where that label is the ground, nothing does */
            assert_int_equal(result->mask.label[30 * photo->width + 90],
                             object == cases[i].first ? cases[i].second : cases[i].first);
    }
}

/* Two equal discs on one ground, a stroke in the first only. */
TEST(the_option_removes_the_other_disc) {
    enum { WIDTH = 120, HEIGHT = 60 };
    static uint8_t data[3 * WIDTH * HEIGHT];
    const seg_image photo = {WIDTH, HEIGHT, 8, 0, data};
    seg_options options;
    seg_random random = seg_random_seeded(3, 3);
    SCOPED(seg_mask) scribbles = new_mask(&ctx, WIDTH, HEIGHT);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        const int x = p % WIDTH, y = p / WIDTH - 30, disc = (x % 60 - 30) * (x % 60 - 30) + y * y < 400;
        for (int c = 0; c < 3; c++)
            data[3 * p + c] = (uint8_t)((disc ? 200 - 60 * c : 40 + 50 * c) + 6 * seg_random_normal(&random));
        scribbles.label[p] = (uint8_t)(y == 0 && x > 20 && x < 40 ? 1 : y == -28 ? 2 : 0);
    }
    scribbles.labels = 2;
    /* The same by the label's name; another label's name, of which there is no island; all labels; and by evidence,
     * which a paper's method does without. */
    static const struct {
        const char *name, *value, *method;
        int stays;
    } ways[] = {{"islands", "keep", "auto", 1},       {"islands", "remove", "auto", 0},
                {"islands", "remove:1", "auto", 0},   {"islands", "remove:2,7", "enpakl", 1},
                {"islands", "remove:all", "auto", 0}, {"islands", "auto", "enpakl", 1},
                {"object", "1", "auto", 0},           {"object", "1", "walk", 0}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (int refine = way % 2; refine < 2; refine++) {
            SCOPED_RESULT *result = NULL;
            options = seg_options_default();
            assert_int_equal(options.islands.usual, SEG_ISLANDS_AUTO);
            options.islands.usual = SEG_ISLANDS_KEEP;
            assert_ok(&ctx, seg_options_set(&ctx, &options, "method", ways[way].method));
            assert_ok(&ctx, seg_options_set(&ctx, &options, ways[way].name, ways[way].value));
            assert_ok(&ctx, seg_options_set(&ctx, &options, "refine", refine ? "fast" : "none"));
            assert_ok(&ctx, seg_segment_photo(&ctx, &photo, &scribbles, NULL, &options, &result));
            assert_int_equal(result->mask.label[30 * WIDTH + 30], 1);
            assert_int_equal(result->mask.label[30 * WIDTH + 90], ways[way].stays ? 1 : 2);
            assert_int_equal(result->regions, 2);
        }
    two_regions_have_an_object(&ctx, &photo, &scribbles);
    /* A must-link says that the other disc is of the region: it stays, whatever the rule. Patches of 5: 24 x 12. */
    for (int all = 0; all < 2; all++) {
        SCOPED_RESULT *result = NULL;
        SCOPED(seg_constraints) pairs = new_constraints(&ctx, 24 * 12);
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){6 * 24 + 6, 6 * 24 + 18, 1, 1}));
        options = seg_options_default();
        options.islands.usual = all ? SEG_ISLANDS_REMOVE : SEG_ISLANDS_AUTO;
        assert_ok(&ctx, seg_segment_photo(&ctx, &photo, &scribbles, &pairs, &options, &result));
        assert_int_equal(result->mask.label[30 * WIDTH + 90], 1);
    }
}
