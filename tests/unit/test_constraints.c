/* constraints: patches from scribbles, pairs from files, drawn pairs, closure and contradictions. */
#include "check.h"

#include "constraints/closed.h"

#include <segment/constraints.h>

BEFORE_EACH {
    ctx.threads = 2;
    check_listen(&ctx);
}

static void add(seg_constraints *c, int i, int j, int sign) {
    assert_ok(&ctx, seg_constraints_add(&ctx, c, (seg_pair){i, j, sign, 1}));
}

TEST(pairs_are_checked) {
    seg_constraints c = new_constraints(&ctx, 5);
    assert_int_equal(c.group[4], -1);
    const seg_pair wrong[] = {{0, 5, 1, 1},         {-1, 2, 1, 1},     {2, 2, 1, 1},         {0, 1, 0, 1},
                              {0, 1, 2, 1},         {0, 1, 1, 0},      {0, 1, 1, -1},        {0, 1, -1, NAN},
                              {0, 1, -1, INFINITY}, {0, 1, 1, 1e-320}, {0, 1, 1, 0.99e-100}, {0, 1, 1, 1.01e100},
                              {0, 1, -1, 1e308}};
    for (size_t p = 0; p < sizeof wrong / sizeof *wrong; p++)
        assert_int_equal(seg_constraints_add(&ctx, &c, wrong[p]), SEG_ERR_USAGE);
    assert_int_equal(c.pairs, 0);
    for (int p = 0; p < 1000; p++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){p % 4, 4, p % 2 ? 1 : -1, p + 1.0}));
    assert_int_equal(c.pairs, 1000);
    assert_near(c.pair[999].weight, 1000, 0);
    assert_near(c.pair[0].weight, 1, 0);
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){0, 1, 1, 1e-100}));
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){0, 1, 1, 1e100}));
    c.pair[0].weight = 1e308; /* whoever fills the array without the function */
    assert_int_equal(seg_constraints_check(&ctx, &c), SEG_ERR_USAGE);
    c.pair[0].weight = 1;
    assert_ok(&ctx, seg_constraints_check(&ctx, &c));
    static const struct {
        int groups, group, fits;
    } numbers[] = {{-1, -1, 0},
                   {0, -1, 1},
                   {0, 0, 0},
                   {0, -2, 0},
                   {3, 2, 1},
                   {3, 3, 0},
                   {3, -2, 0},
                   {SEG_MAX_LABELS, SEG_MAX_LABELS - 1, 1},
                   {SEG_MAX_LABELS + 1, 0, 0}};
    for (size_t i = 0; i < 2 * sizeof numbers / sizeof *numbers; i++) { /* of the first sample, of the last */
        int16_t *at = &c.group[i % 2 ? c.n - 1 : 0];
        c.groups = numbers[i / 2].groups;
        *at = (int16_t)numbers[i / 2].group;
        assert_int_equal(seg_constraints_check(&ctx, &c), numbers[i / 2].fits ? SEG_OK : SEG_ERR_USAGE);
        *at = -1;
    }
    seg_constraints_free(&c);
    assert_null(c.pair);
    seg_constraints_free(NULL);
    assert_int_equal(seg_constraints_create(&ctx, (size_t)1 << 33, &c), SEG_ERR_USAGE);
}

TEST(patches_take_the_majority) {
    /* 5 x 4 pixels, patches of 2: 3 x 2 patches, the last column 1 pixel wide. */
    uint8_t label[20] = {1, 2, 0, 255, 3, /**/ 2, 0, 0, 0, 0, /**/ 2, 1, 0, 0, 0, /**/ 0, 0, 1, 0, 3};
    seg_mask scribbles = {.width = 5, .height = 4, .label = label, .labels = 4};
    seg_patch_grid grid = {5, 4, 2, 3, 2};
    const int16_t expected[6] = {1, -1, 2, 0, 0, 2}; /* the tie of 1 and 2 goes to 1 */
    seg_constraints c;
    assert_ok(&ctx, seg_constraints_from_scribbles(&ctx, &scribbles, &grid, &c));
    assert_int_equal(c.n, 6);
    assert_int_equal(c.groups, 4); /* label 4 has no pixel: an empty group */
    assert_memory_equal(c.group, expected, sizeof expected);
    assert_int_equal(c.pairs, 0);
    seg_constraints_free(&c);
    scribbles.labels = 2;
    assert_int_equal(seg_constraints_from_scribbles(&ctx, &scribbles, &grid, &c), SEG_ERR_INPUT);
    assert_null(c.group);
    scribbles.labels = 255;
    assert_int_equal(seg_constraints_from_scribbles(&ctx, &scribbles, &grid, &c), SEG_ERR_INPUT);
    scribbles.labels = 4;
    grid.width = 6;
    assert_fails(&ctx, seg_constraints_from_scribbles(&ctx, &scribbles, &grid, &c), SEG_ERR_INPUT, "5 x 4");
    assert_says(&ctx, "6 x 4");
}

/* Slow twin over random scribbles and patch sizes, with any number of threads. */
TEST(patches_same_as_counting) {
    seg_random random = seg_random_seeded(3, 0);
    for (int round = 0; round < 60; round++) {
        int width = 1 + (int)seg_random_below(&random, 40), height = 1 + (int)seg_random_below(&random, 40);
        int side = 1 + (int)seg_random_below(&random, 9);
        uint8_t label[1600];
        for (int i = 0; i < width * height; i++)
            label[i] = (uint8_t)(seg_random_below(&random, 4) ? 0 : seg_random_below(&random, 4));
        seg_mask scribbles = {.width = width, .height = height, .label = label, .labels = 3};
        seg_patch_grid grid = {width, height, side, (width + side - 1) / side, (height + side - 1) / side};
        SCOPED(seg_constraints) c;
        ctx.threads = 1 + round % 4;
        assert_ok(&ctx, seg_constraints_from_scribbles(&ctx, &scribbles, &grid, &c));
        for (size_t patch = 0; patch < c.n; patch++) {
            int count[4] = {0}, best = 0;
            for (int i = 0; i < width * height; i++)
                if ((size_t)(i / width / side * grid.columns + i % width / side) == patch)
                    count[label[i]]++;
            count[0] = 0;
            for (int l = 1; l < 4; l++)
                best = count[l] > count[best] ? l : best;
            assert_int_equal(c.group[patch], best - 1);
        }
    }
}

static const char *file_with(const char *text, size_t size) {
    static const char path[] = SEGMENT_BINARY_DIR "/constraints_test.csv";
    assert_ok(&ctx, seg_file_write(&ctx, path, text, size));
    return path;
}

static seg_status read_text(const char *text, const seg_patch_grid *grid, seg_constraints *c) {
    return seg_constraints_read(&ctx, file_with(text, strlen(text)), grid, 0, c, NULL);
}

TEST(files_are_read) {
    const seg_patch_grid grid = {10, 10, 5, 2, 2};
    SCOPED(seg_constraints) c = new_constraints(&ctx, 4);
    assert_ok(&ctx, read_text("\xef\xbb\xbf# pairs\r\n\r\n i , j , sign\r\n0,1,1\r\n 2 , 3 ,-1, 2.5e-1\r\n"
                              "0,0,9,9,+1,3\n1,1,2,2,1\n0,9,9,0,-1",
                              &grid, &c));
    assert_int_equal(c.pairs, 4); /* the must-link inside patch 0 is skipped */
    const seg_pair expected[] = {{0, 1, 1, 1}, {2, 3, -1, 0.25}, {0, 3, 1, 3}, {2, 1, -1, 1}};
    for (int p = 0; p < 4; p++) {
        assert_int_equal(c.pair[p].i, expected[p].i);
        assert_int_equal(c.pair[p].j, expected[p].j);
        assert_int_equal(c.pair[p].sign, expected[p].sign);
        assert_near(c.pair[p].weight, expected[p].weight, 0);
    }
    assert_ok(&ctx, read_text("# none\n", NULL, &c));        /* appending nothing */
    assert_ok(&ctx, read_text("3,2,1\r1,2,-1\r", NULL, &c)); /* old line ends */
    assert_int_equal(c.pairs, 6);
}

TEST(wrong_lines_are_refused) {
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"0,1,1\n0,4,1\n", "csv:2: field 2: the sample 4 is outside 0..3"},
        {"0,1\n", "csv:1: 2 fields"},
        {"0,1,1,1,1,1,1\n", "csv:1: more than 6 fields"},
        {"# c\n\n0,1,2\n", "csv:3: the sign '2'"},
        {"0,1,1x\n", "sign '1x'"},
        {"#:samples 5\n", "csv:1: the pairs are of 5"},
        {"0,1,1\n  #:samples many\n", "csv:2: '#:samples many'"},
        {"#:samples 99999999999999999999\n", "csv:1"},
        {"0,1,\n", "sign ''"},
        {"0x1,1,1\n", "field 1, '0x1'"},
        {"-1,1,1\n", "field 1, '-1'"},
        {"1.0,2,1\n", "field 1, '1.0'"},
        {"99999999999999999999,1,1\n", "is not a whole number"},
        {"0,1,1,nan\n", "the weight 'nan'"},
        {"0,1,1,inf\n", "the weight 'inf'"},
        {"0,1,1,0x3\n", "the weight '0x3'"},
        {"0,1,1,1e999\n", "the weight '1e999'"},
        {"0,1,1,1e308\n", "the weight '1e308' is not a number from 1e-100 to 1e+100"},
        {"0,1,1,1e-320\n", "the weight '1e-320'"},
        {"0,1,1,0\n", "the weight '0'"},
        {"0,1,1,-2\n", "the weight '-2'"},
        {"0,1,1,1.5.2\n", "the weight '1.5.2'"},
        {"0,1,1,\n", "the weight ''"},
        {"0,1,1 garbage\n", "the sign '1 garbage'"},
        {"i,j,sign\ni,j,sign\n", "csv:2: field 1, 'i'"},
        {"i,j,sign\n0,1,1\ni,j,sign\n", "csv:3: field 1, 'i'"},
        {"0,1,1\ni,j,sign\n", "csv:2"},
        {"2,2,1\n", "paired with itself"},
        {"0,0,1,1,-1\n", "both pixels lie in one patch"},
        {"0,0,10,1,-1\n", "field 3: the column 10 is outside 0..9"},
        {"0,0,1,10,1,1\n", "field 4: the row 10 is outside 0..9"},
    };
    const seg_patch_grid grid = {10, 10, 5, 2, 2};
    SCOPED(seg_constraints) c = new_constraints(&ctx, 4);
    add(&c, 0, 1, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(&ctx, read_text(wrong[i].text, &grid, &c), SEG_ERR_INPUT, wrong[i].says);
        assert_int_equal(c.pairs, 1); /* nothing of a bad file is kept */
    }
    assert_fails(&ctx, read_text("0,0,9,9,1\n", NULL, &c), SEG_ERR_INPUT, "no image");
    assert_int_equal(seg_constraints_read(&ctx, SEGMENT_BINARY_DIR "/no such file", NULL, 0, &c, NULL), SEG_ERR_IO);
    assert_int_equal(seg_constraints_read(&ctx, SEGMENT_BINARY_DIR "/no such file", NULL, 2, &c, NULL), SEG_ERR_USAGE);
    const seg_patch_grid other = {10, 10, 2, 5, 5};
    assert_int_equal(read_text("", &other, &c), SEG_ERR_USAGE);
    /* NUL bytes, and a line of a million digits */
    assert_int_equal(seg_constraints_read(&ctx, file_with("0,1\0,1\n", 7), NULL, 0, &c, NULL), SEG_ERR_INPUT);
    char *huge = test_malloc(1000001);
    memset(huge, '7', 1000000);
    huge[1000000] = 0;
    assert_int_equal(read_text(huge, NULL, &c), SEG_ERR_INPUT);
    assert_true(strlen(ctx.message) < 300);
    memset(huge, ',', 1000000);
    assert_int_equal(read_text(huge, NULL, &c), SEG_ERR_INPUT);
    test_free(huge);
}

static seg_constraints grouped(int groups, const int16_t *group, size_t n) {
    seg_constraints out = new_constraints(&ctx, n);
    memcpy(out.group, group, n * sizeof *group);
    out.groups = groups;
    return out;
}

static int compare_pairs(const void *a, const void *b) {
    return memcmp(a, b, 2 * sizeof(int32_t));
}

/* Every drawn pair is right, none comes twice, and there are as many as there can be. */
TEST(drawn_pairs) {
    seg_random random = seg_random_seeded(9, 0);
    for (int round = 0; round < 300; round++) {
        int16_t group[40];
        size_t n = 1 + seg_random_below(&random, 40), size[5] = {0}, per = seg_random_below(&random, 30), members = 0;
        int groups = (int)seg_random_below(&random, 6);
        for (size_t i = 0; i < n; i++) {
            group[i] = (int16_t)((int)seg_random_below(&random, (uint64_t)groups + 1) - 1);
            if (group[i] >= 0) {
                size[group[i]]++;
                members++;
            }
        }
        SCOPED(seg_constraints) a, b;
        SCOPED(seg_constraints) g = grouped(groups, group, n);
        ctx.seed = (uint64_t)round;
        assert_ok(&ctx, seg_constraints_sample(&ctx, &g, per, &a));
        assert_ok(&ctx, seg_constraints_sample(&ctx, &g, per, &b));
        assert_int_equal(a.pairs, b.pairs);
        assert_int_equal(a.groups, 0);
        assert_int_equal(a.n, n);
        size_t must[5] = {0}, cannot[5] = {0};
        for (size_t p = 0; p < a.pairs; p++) {
            seg_pair pair = a.pair[p];
            assert_memory_equal(&pair, &b.pair[p], 2 * sizeof(int32_t));
            assert_true(pair.i < pair.j && pair.i >= 0 && (size_t)pair.j < n);
            assert_true(group[pair.i] >= 0 && group[pair.j] >= 0);
            assert_int_equal(pair.sign, group[pair.i] == group[pair.j] ? 1 : -1);
            assert_near(pair.weight, 1, 0);
            if (pair.sign > 0)
                must[group[pair.i]]++;
            else {
                cannot[group[pair.i]]++;
                cannot[group[pair.j]]++;
            }
        }
        for (int k = 0; k < groups; k++) {
            size_t musts = size[k] * (size[k] > 0 ? size[k] - 1 : 0) / 2, cannots = size[k] * (members - size[k]);
            assert_int_equal(must[k], per < musts ? per : musts);
            assert_true(cannot[k] >= (per < cannots ? per : cannots));
        }
        if (a.pairs)
            qsort(a.pair, a.pairs, sizeof *a.pair, compare_pairs);
        for (size_t p = 1; p < a.pairs; p++)
            assert_true(compare_pairs(&a.pair[p - 1], &a.pair[p]) != 0);
    }
}

/* All pairs come out equally often. */
TEST(drawing_is_uniform) {
    const int16_t group[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, -1};
    int must[10][10] = {{0}}, cannot[10][10] = {{0}};
    seg_constraints a;
    SCOPED(seg_constraints) g = grouped(2, group, 10);
    for (uint64_t seed = 0; seed < 6000; seed++) {
        ctx.seed = seed;
        assert_ok(&ctx, seg_constraints_sample(&ctx, &g, 1, &a));
        assert_int_equal(a.pairs, 4);
        must[a.pair[0].i][a.pair[0].j]++;
        cannot[a.pair[2].i][a.pair[2].j]++;
        seg_constraints_free(&a);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = i + 1; j < 6; j++)
            assert_near(must[i][j], 6000.0 / 15, 100); /* 5 standard deviations */
        for (int j = 6; j < 9; j++)
            assert_near(cannot[i][j], 6000.0 / 18, 95);
    }
    seg_constraints_free(&g);
    /* a group number out of range, in a struct filled by hand */
    g = new_constraints(&ctx, 2);
    g.group[1] = 3;
    g.groups = 2;
    assert_int_equal(seg_constraints_sample(&ctx, &g, 1, &a), SEG_ERR_USAGE);
    assert_null(a.group);
}

TEST(closure_of_pairs_and_groups) {
    const int16_t group[] = {-1, 2, -1, 0, -1, 0, -1, -1, -1, -1};
    const int32_t component[] = {0, 1, 0, 2, 0, 2, 3, -1, 2, 4};
    const int32_t cannot[] = {0, 2, 1, 2, 3, 4};
    SCOPED(seg_closure) closure;
    SCOPED(seg_constraints) c = grouped(3, group, 10); /* group 1 is empty */
    add(&c, 4, 2, 1);
    add(&c, 2, 0, 1);
    add(&c, 8, 5, 1);
    add(&c, 3, 4, -1);
    add(&c, 0, 8, -1); /* the same two components */
    add(&c, 9, 6, -1);
    assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure));
    assert_int_equal(closure.n, 10);
    assert_int_equal(closure.components, 5);
    assert_memory_equal(closure.component, component, sizeof component);
    assert_int_equal(closure.cannots, 3);
    assert_memory_equal(closure.cannot, cannot, sizeof cannot);
    seg_closure_free(&closure);
    assert_null(closure.component);
    seg_closure_free(NULL);
    seg_constraints_free(&c);
    c = new_constraints(&ctx, 0);
    assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure));
    assert_int_equal(closure.components, 0);
}

static void refuses(seg_constraints *c, const char *says) {
    seg_closure closure;
    size_t pairs = c->pairs;
    assert_fails(&ctx, seg_closure_compute(&ctx, c, SEG_CONTRADICTIONS_REFUSE, &closure), SEG_ERR_CONTRADICTION, says);
    assert_says(&ctx, "(contradictions: drop)");
    assert_null(closure.component);
    assert_int_equal(c->pairs, pairs);
}

TEST(contradictions_name_the_pair) {
    SCOPED(seg_constraints) c = new_constraints(&ctx, 50);
    add(&c, 3, 22, -1);
    add(&c, 3, 5, 1);
    add(&c, 5, 6, 1);
    add(&c, 6, 22, 1);
    add(&c, 22, 17, 1);
    add(&c, 17, 3, 1);
    refuses(&c, "at the cannot-link 3 != 22: a chain of must-links joins its ends;");
    seg_constraints_free(&c);

    int16_t group[100];
    memset(group, 0xff, sizeof group);
    group[12] = 0;
    group[30] = 0;
    group[77] = 1;
    c = grouped(2, group, 100);
    add(&c, 30, 41, 1);
    add(&c, 41, 42, 1);
    add(&c, 42, 40, 1);
    add(&c, 77, 40, 1);
    refuses(&c, "at the must-link 77 = 40: it would join the labels 2 and 1;");
    seg_constraints_free(&c);

    c = grouped(2, group, 100); /* two members of a group link without a pair */
    add(&c, 12, 30, -1);
    refuses(&c, "at the cannot-link 12 != 30: both ends have label 1;");
    c.pairs = 0;
    add(&c, 1, 12, 1);
    add(&c, 30, 2, 1);
    add(&c, 1, 2, -1);
    refuses(&c, "at the cannot-link 1 != 2: a chain of must-links joins its ends;");
}

TEST(contradictions_are_dropped) {
    int16_t group[12];
    memset(group, 0xff, sizeof group);
    group[0] = 0;
    group[5] = 1;
    SCOPED(seg_closure) closure;
    SCOPED(seg_constraints) c = grouped(2, group, 12);
    add(&c, 0, 1, 1);
    add(&c, 1, 0, -1); /* dropped */
    add(&c, 1, 2, 1);
    add(&c, 2, 5, 1); /* dropped: the last of the chain 0 = 1 = 2 = 5 */
    add(&c, 6, 5, 1);
    add(&c, 6, 2, -1);
    assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_DROP, &closure));
    assert_int_equal(c.pairs, 4);
    assert_int_equal(c.pair[1].j, 2);
    assert_int_equal(c.pair[2].i, 6);
    assert_int_equal(c.pair[3].sign, -1);
    assert_int_equal(closure.components, 2);
    assert_int_equal(closure.cannots, 1);
    assert_int_equal(check_warned, 2);
    assert_non_null(strstr(check_warnings, "must-link 2 = 5: it would join the labels 1 and 2"));
    assert_non_null(strstr(check_warnings, "cannot-link 1 != 0"));
    seg_closure_free(&closure);
    assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure)); /* none is left */
}

/* Slow twin: reachability by repeated sweeps. */
TEST(closure_same_as_sweeping) {
    seg_random random = seg_random_seeded(11, 0);
    int refused = 0, accepted = 0;
    for (int round = 0; round < 2000; round++) {
        int16_t group[14];
        int root[14], n = 2 + (int)seg_random_below(&random, 13);
        seg_closure closure;
        for (int i = 0; i < n; i++) {
            group[i] = (int16_t)(seg_random_below(&random, 3) ? -1 : (int)seg_random_below(&random, 3));
            root[i] = i;
        }
        SCOPED(seg_constraints) c = grouped(3, group, (size_t)n);
        for (int p = (int)seg_random_below(&random, 9); p > 0; p--) {
            int i = (int)seg_random_below(&random, (uint64_t)n), j = (int)seg_random_below(&random, (uint64_t)n);
            if (i != j)
                add(&c, i, j, seg_random_below(&random, 3) ? 1 : -1);
        }
        for (int sweep = 0; sweep < n; sweep++) {
            for (size_t p = 0; p < c.pairs; p++)
                if (c.pair[p].sign > 0) {
                    int low = root[c.pair[p].i] < root[c.pair[p].j] ? root[c.pair[p].i] : root[c.pair[p].j];
                    root[c.pair[p].i] = root[c.pair[p].j] = low;
                }
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    if (group[i] >= 0 && group[i] == group[j])
                        root[i] = root[j] = root[i] < root[j] ? root[i] : root[j];
        }
        int wrong = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                wrong |= root[i] == root[j] && group[i] >= 0 && group[j] >= 0 && group[i] != group[j];
        for (size_t p = 0; p < c.pairs; p++)
            wrong |= c.pair[p].sign < 0 && root[c.pair[p].i] == root[c.pair[p].j];
        seg_status status = seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure);
        assert_int_equal(status, wrong ? SEG_ERR_CONTRADICTION : SEG_OK);
        refused += wrong;
        accepted += !wrong;
        for (int i = 0; i < n && !wrong; i++)
            for (int j = 0; j < n; j++)
                if (closure.component[i] >= 0 && closure.component[j] >= 0)
                    assert_int_equal(closure.component[i] == closure.component[j], root[i] == root[j]);
        for (size_t p = 1; p < closure.cannots; p++)
            assert_true(closure.cannot[2 * p - 2] < closure.cannot[2 * p] ||
                        (closure.cannot[2 * p - 2] == closure.cannot[2 * p] &&
                         closure.cannot[2 * p - 1] < closure.cannot[2 * p + 1]));
        seg_closure_free(&closure);
        if (wrong) {
            size_t before = c.pairs;
            assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_DROP, &closure));
            assert_true(c.pairs < before);
            seg_closure_free(&closure);
            assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure));
            seg_closure_free(&closure);
        }
    }
    assert_true(refused > 100 && accepted > 100);
}

/* A million samples in two groups: their pairs would never fit. */
TEST(large_groups_cost_their_members) {
    const size_t n = 1000000;
    SCOPED(seg_constraints) a;
    SCOPED(seg_closure) closure;
    SCOPED(seg_constraints) c = new_constraints(&ctx, n);
    c.groups = 2;
    for (size_t i = 0; i < n; i++)
        c.group[i] = (int16_t)(i % 2);
    assert_ok(&ctx, seg_closure_compute(&ctx, &c, SEG_CONTRADICTIONS_REFUSE, &closure));
    assert_int_equal(closure.components, 2);
    assert_int_equal(closure.cannots, 1);
    assert_ok(&ctx, seg_constraints_sample(&ctx, &c, 1000, &a));
    assert_int_equal(a.pairs, 4000);
}

/* A closure that constraints carry is used as it is, equals one computed anew, and is forgotten with the next pair. */
TEST(closures_travel_with_constraints) {
    enum { N = 40 };
    SCOPED(seg_constraints) c;
    seg_random random = seg_random_seeded(7, 1);
    for (int trial = 0; trial < 60; trial++) {
        SCOPED(seg_closure) own, fresh;
        const seg_closure *known, *computed;
        c = new_constraints(&ctx, N);
        c.groups = trial % 3;
        for (size_t i = 0; i < N && c.groups; i++)
            c.group[i] = (int16_t)(seg_random_below(&random, 4) == 0 ? (int)i % c.groups : -1);
        for (int p = 0; p < trial % 20; p++) {
            const int32_t i = (int32_t)seg_random_below(&random, N), step = (int32_t)seg_random_below(&random, N - 1);
            assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){i, (i + 1 + step) % N, p % 3 ? 1 : -1, 1}));
        }
        assert_ok(&ctx, seg_constraints_close(&ctx, &c, SEG_CONTRADICTIONS_DROP));
        assert_non_null(seg_constraints_noted(&c).closure);
        assert_ok(&ctx, seg_closure_of(&ctx, &c, &own, &known));
        assert_ptr_equal(known, seg_constraints_noted(&c).closure);
        SCOPED(seg_constraints) copy = new_constraints(&ctx, N);
        assert_ok(&ctx, seg_constraints_append(&ctx, &c, &copy));
        assert_null(seg_constraints_noted(&copy).closure);
        assert_int_equal(copy.pairs, c.pairs);
        assert_ok(&ctx, seg_closure_of(&ctx, &copy, &fresh, &computed));
        assert_ptr_equal(computed, &fresh);
        assert_int_equal(fresh.components, known->components);
        assert_int_equal(fresh.cannots, known->cannots);
        assert_memory_equal(fresh.component, known->component, N * sizeof *known->component);
        if (known->cannots)
            assert_memory_equal(fresh.cannot, known->cannot, 2 * known->cannots * sizeof *known->cannot);
        assert_ok(&ctx, seg_constraints_close(&ctx, &c, SEG_CONTRADICTIONS_REFUSE)); /* again: nothing to do */
        assert_ptr_equal(known, seg_constraints_noted(&c).closure);
        assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){0, 1, 1, 1}));
        assert_null(seg_constraints_noted(&c).closure);
        seg_constraints_free(&c);
    }
    /* A contradiction leaves nothing behind. */
    c = new_constraints(&ctx, 2);
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){0, 1, 1, 1}));
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){1, 0, -1, 1}));
    assert_int_equal(seg_constraints_close(&ctx, &c, SEG_CONTRADICTIONS_REFUSE), SEG_ERR_CONTRADICTION);
    assert_null(seg_constraints_noted(&c).closure);
}
