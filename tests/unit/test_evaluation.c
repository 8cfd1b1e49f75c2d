/* evaluation: distances against their definition, the simulated user, pairs from truths, scores against a scorer that
 * counts pair by pair, records of results, processes of their own. */
#include "check.h"

#include "evaluation/runner/child.h"
#include "evaluation/runner/results.h"
#include "features/grid.h"
#include "masks/distance.h"

#include <ctype.h>

BEFORE_EACH {
    ctx.threads = 2;
}

TEST(distances) {
    seg_random random = seg_random_seeded(5, 0);
    for (int round = 0; round < 30; round++) {
        const int w = 1 + (int)seg_random_below(&random, 17), h = 1 + (int)seg_random_below(&random, 13);
        uint8_t inside[17 * 13];
        double got[17 * 13];
        for (int p = 0; p < w * h; p++)
            inside[p] = seg_random_below(&random, 10) < (uint64_t)(round % 11);
        assert_ok(&ctx, seg_distance_inside(&ctx, inside, w, h, got));
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                double least = inside[y * w + x] ? INFINITY : 0;
                for (int v = -1; v <= h; v++)
                    for (int u = -1; u <= w; u++)
                        if (u < 0 || v < 0 || u >= w || v >= h || !inside[v * w + u])
                            least = fmin(least, (u - x) * (u - x) + (v - y) * (v - y));
                assert_near(got[y * w + x], least, 0);
            }
    }
}

/* Left half 1, right half 2, one column of void between. */
static seg_mask halves(int w, int h) {
    seg_mask mask = new_mask(&ctx, w, h);
    mask.labels = 2;
    for (int p = 0; p < w * h; p++)
        mask.label[p] = p % w < w / 2 ? 1 : p % w == w / 2 ? SEG_VOID : 2;
    return mask;
}

/* A segmenter that follows a script: mask n has label `outside` but where the truth is label 1 and x < wide[n]. */
typedef struct script {
    const seg_mask *truth;
    const int *wide;
    int outside, called, marked[8]; /* marked[n]: pixels marked at call n */
    uint8_t last[41 * 41];          /* what was marked at the last call */
} script;

static seg_status follow(seg_context *on, void *data, const seg_mask *scribbles, seg_mask *mask) {
    script *s = data;
    const int w = s->truth->width, pixels = w * s->truth->height;
    assert_ok(on, seg_mask_create(on, w, s->truth->height, mask));
    mask->labels = 2;
    memcpy(s->last, scribbles->label, (size_t)pixels);
    s->marked[s->called] = 0;
    for (int p = 0; p < pixels; p++) {
        s->marked[s->called] += scribbles->label[p] != 0;
        mask->label[p] = (uint8_t)(s->truth->label[p] == 1 && p % w < s->wide[s->called] ? 1 : s->outside);
    }
    s->called++;
    return SEG_OK;
}

/* IoU by click, from a truth whose object is the left 20 of 41 columns, column 20 void. */
TEST(clicks) {
    enum { SIDE = 41, DISC = 29 };
    SCOPED(seg_mask) truth = halves(SIDE, SIDE);
    seg_mask mask = {0};
    static const int wide[] = {10, 5, 20};
    script s = {&truth, wide, 2, 0, {0}, {0}};
    seg_simulation how = {&truth, 8, 0, follow, &s};
    double curve[8];
    int count;
    assert_ok(&ctx, seg_simulated_user_run(&ctx, &how, &mask, curve, &count));
    assert_int_equal(count, 4); /* then nothing is wrong */
    static const double iou[] = {0, 0.5, 0.25, 1};
    for (int c = 0; c < 4; c++)
        assert_near(curve[c], iou[c], 0);
    assert_int_equal(s.called, 3);
    for (int n = 0; n < 3; n++)
        assert_int_equal(s.marked[n], (n + 2) * DISC);
    seg_mask_free(&mask);
    /* The first click alone is answered; both labels wrong: all is label 2, then all is label 1. */
    s.called = 0;
    how.object_first = 1;
    assert_ok(&ctx, seg_simulated_user_run(&ctx, &how, &mask, curve, &count));
    assert_int_equal(count, 3);
    for (int c = 0; c < 3; c++)
        assert_near(curve[c], iou[c + 1], 0);
    assert_int_equal(s.marked[0], DISC);
    seg_mask_free(&mask);
    s.called = 0;
    s.outside = 1; /* object everywhere: IoU of the halves */
    how.most = 1;
    assert_ok(&ctx, seg_simulated_user_run(&ctx, &how, &mask, curve, &count));
    assert_int_equal(count, 1);
    assert_near(curve[0], 0.5, 0);
    seg_mask_free(&mask);
    /* The next click is at the deepest point of what is falsely the object: column 30 or 31, the row in the middle. */
    s.called = 0;
    how.most = 2;
    assert_ok(&ctx, seg_simulated_user_run(&ctx, &how, &mask, curve, &count));
    assert_int_equal(s.last[9 * SIDE + 9], 1); /* the first in reading order of the equally deep */
    assert_int_equal(s.last[9 * SIDE + 30], 2);
    assert_int_equal(s.last[9 * SIDE + 33], 2);
    assert_int_equal(s.last[9 * SIDE + 34], 0);
    seg_mask_free(&mask);
    /* A region of one pixel gets its click, though another label's disc covers it, and each label has its own. */
    for (int p = 0; p < SIDE * SIDE; p++)
        truth.label[p] = (uint8_t)(p == 9 * SIDE + 9 ? 3 : p == 20 * SIDE + 20 ? SEG_VOID : p % SIDE < 19 ? 1 : 2);
    truth.labels = 3;
    /* The mean over three labels: 18 of 19 columns of label 1, nothing of the others but label 2 whole. */
    s = (script){&truth, (const int[]){41}, 2, 0, {0}, {0}};
    how = (seg_simulation){&truth, 3, 0, follow, &s};
    assert_ok(&ctx, seg_simulated_user_run(&ctx, &how, &mask, curve, &count));
    assert_int_equal(count, 3);
    assert_int_equal(s.last[9 * SIDE + 9], 3);
    assert_near(curve[1], 0, 0);
    const double second = 22.0 * SIDE - 1;
    assert_near(curve[2], (1 + second / (second + 1) + 0) / 3, 1e-15);
    seg_mask_free(&mask);
    /* What cannot be clicked is refused in a sentence. */
    how.most = 2;
    assert_fails(&ctx, seg_simulated_user_run(&ctx, &how, &mask, curve, &count), SEG_ERR_INPUT, "3 labels");
    how.object_first = 1;
    assert_fails(&ctx, seg_simulated_user_run(&ctx, &how, &mask, curve, &count), SEG_ERR_INPUT, "object alone");
    memset(truth.label, 1, SIDE * SIDE);
    assert_fails(&ctx, seg_simulated_user_run(&ctx, &how, &mask, curve, &count), SEG_ERR_INPUT, "1 label;");
}

TEST(pairs_from_truth) {
    SCOPED(seg_mask) truth = halves(52, 40);
    const seg_patch_grid grid = seg_patch_grid_make(52, 40, 5);
    seg_constraints pairs;
    assert_ok(&ctx, seg_truth_pairs(&ctx, &truth, &grid, 20, &pairs));
    assert_int_equal(pairs.groups, 0);
    assert_int_equal(pairs.pairs, 2 * 2 * 20);
    for (size_t p = 0; p < pairs.pairs; p++) {
        int side[2] = {pairs.pair[p].i % grid.columns, pairs.pair[p].j % grid.columns};
        /* Column 5 is pixels 25-29, of which 25 is 1, 26 void, 27-29 are 2: three of five. */
        assert_int_equal((side[0] < 5) == (side[1] < 5), pairs.pair[p].sign > 0);
    }
    seg_constraints_free(&pairs);
    for (int p = 0; p < 52 * 40; p++)
        truth.label[p] = p % 2 ? 1 : 2; /* 26 of 52 columns of each: no patch of 4 x 4 has a majority */
    const seg_patch_grid even = seg_patch_grid_make(52, 40, 4);
    assert_int_equal(seg_truth_pairs(&ctx, &truth, &even, 20, &pairs), SEG_ERR_INPUT);
}

/* Scores of 100 random masks, counted from the definitions pair by pair and label by label, share nothing with the
 * contingency table. */
TEST(independent_scorer) {
    seg_random random = seg_random_seeded(11, 0);
    for (int round = 0; round < 100; round++) {
        enum { SIDE = 16, N = SIDE * SIDE };
        const int labels = 2 + (int)seg_random_below(&random, 4), blur = (int)seg_random_below(&random, 8);
        SCOPED(seg_mask) truth = new_mask(&ctx, SIDE, SIDE);
        SCOPED(seg_mask) mask = new_mask(&ctx, SIDE, SIDE);
        for (int p = 0; p < N; p++) {
            truth.label[p] = (uint8_t)(1 + p * labels / N);
            mask.label[p] = seg_random_below(&random, 8) < (uint64_t)blur ? (uint8_t)(1 + seg_random_below(&random, 6))
                                                                          : truth.label[p];
            if (seg_random_below(&random, 20) == 0)
                truth.label[p] = SEG_VOID;
        }
        truth.labels = labels;
        mask.labels = 6;
        double agree = 0, pairs = 0, dice = 0;
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++)
                if (truth.label[i] != SEG_VOID && truth.label[j] != SEG_VOID) {
                    pairs++;
                    agree += (truth.label[i] == truth.label[j]) == (mask.label[i] == mask.label[j]);
                }
        for (int l = 1; l <= labels; l++) {
            double both = 0, one = 0;
            for (int p = 0; p < N; p++)
                if (truth.label[p] != SEG_VOID) {
                    both += truth.label[p] == l && mask.label[p] == l;
                    one += (truth.label[p] == l) + (mask.label[p] == l);
                }
            dice += 2 * both / one / labels;
        }
        SCOPED(seg_contingency) table;
        seg_scores scores;
        assert_ok(&ctx, seg_contingency_masks(&ctx, &mask, &truth, &table));
        assert_ok(&ctx, seg_score(&ctx, &table, &scores));
        assert_near(scores.pairwise_accuracy, agree / pairs, 1e-12);
        assert_near(scores.mean_dice, dice, 1e-12);
    }
}

/* An image of two plain halves: any method finds them, whatever the labels are called. */
static seg_sample two_halves(void) {
    enum { SIDE_W = 60, SIDE_H = 40 };
    seg_sample sample = {0};
    sample.photo = (seg_image){SIDE_W, SIDE_H, 8, 0, calloc(SIDE_W * SIDE_H, 3)};
    sample.truth = new_mask(&ctx, SIDE_W, SIDE_H);
    sample.truth.labels = 9;
    for (int p = 0; p < SIDE_W * SIDE_H; p++) {
        const int right = p % SIDE_W >= SIDE_W / 2, noise = p * 7919 % 23;
        uint8_t *rgb = (uint8_t *)sample.photo.data + 3 * p;
        rgb[0] = (uint8_t)(right ? 200 - noise : 40 + noise);
        rgb[1] = (uint8_t)(80 + noise);
        rgb[2] = (uint8_t)(right ? 50 : 190);
        sample.truth.label[p] = right ? 4 : 9;
    }
    return sample;
}

TEST(attempts) {
    SCOPED(seg_sample) sample = two_halves();
    static const char *const names[] = {"kmeans", "enpakl", "auto", "enpakl:lambda=0.5:rank=6"};
    for (seg_source source = SEG_SOURCE_PAIRS; source <= SEG_SOURCE_CLICKS; source++) {
        const seg_plan protocol = {.source = source, .pairs = 10, .clicks = 2};
        seg_task task;
        seg_mask mask;
        assert_ok(&ctx, seg_task_begin(&ctx, &protocol, &sample, &task));
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            seg_compared compared;
            seg_attempt attempt;
            assert_ok(&ctx, seg_compared_parse(&ctx, names[n], &compared));
            assert_ok(&ctx, seg_attempt_make(&ctx, &task, &compared, &attempt, &mask));
            assert_true(attempt.scores.pairwise_accuracy > 0.97);
            assert_true(attempt.scores.mean_dice > 0.97); /* regions got the truth's numbers */
            assert_int_equal(mask.label[0], 9);
            assert_int_equal(mask.label[59], 4);
            assert_int_equal(attempt.curve_count, source == SEG_SOURCE_CLICKS ? 2 : 0);
            free(attempt.curve);
            seg_mask_free(&mask);
        }
        seg_task_end(&task);
    }
    /* The data set has no strokes. */
    seg_task task;
    assert_int_equal(seg_task_begin(&ctx, &(seg_plan){.source = SEG_SOURCE_SCRIBBLES}, &sample, &task), SEG_ERR_INPUT);
    seg_compared compared;
    assert_int_equal(seg_compared_parse(&ctx, "nonsense", &compared), SEG_ERR_USAGE);
    assert_int_equal(seg_compared_parse(&ctx, "", &compared), SEG_ERR_USAGE);
    assert_int_equal(seg_compared_parse(&ctx, "enpakl:lambda", &compared), SEG_ERR_USAGE);
    assert_int_equal(seg_compared_parse(&ctx, "auto:lambda=1", &compared), SEG_ERR_USAGE);
    assert_null(strstr(ctx.message, "no parameters")); /* it has some, though not this */
}

/* Every method of the registry takes each of its parameters, the default one too, whatever the case of its name. */
TEST(parameters_of_methods) {
    const seg_method *method;
    for (int i = 0; (method = seg_method_at(i)) != NULL; i++)
        for (int p = 0; p < method->param_count; p++) {
            char text[160];
            seg_compared compared;
            const seg_param *param = &method->param[p];
            if (param->choice)
                snprintf(text, sizeof text, "%c%s:%s=%s", toupper(method->name[0]), method->name + 1, param->name,
                         param->choice[(int)param->initial]);
            else
                snprintf(text, sizeof text, "%c%s:%s=%.17g", toupper(method->name[0]), method->name + 1, param->name,
                         param->initial);
            assert_ok(&ctx, seg_compared_parse(&ctx, text, &compared));
            assert_string_equal(compared.method, method->name);
            assert_int_equal(compared.params_set, 1);
            assert_memory_equal(compared.label, method->name, strlen(method->name));
        }
}

TEST(records) {
    double curve[] = {0.1, 1.0 / 3};
    seg_attempt attempt[2] = {{.scores = {.pairwise_accuracy = 0.1 + 0.2, .nmi = 1e-17, .scored = 12345},
                               .seconds = 0.25,
                               .memory = 1234567,
                               .curve_count = 2,
                               .curve = curve},
                              {.status = SEG_ERR_NUMERIC, .message = "a \"sentence\"\nwith \xff bytes"}};
    seg_item_result result = {.outcome = SEG_ITEM_SCORED, .width = 3, .height = 4, .k = 2, .marked = 7};
    result.attempt = attempt;
    result.attempts = 2;
    AUTOFREE char *text = seg_item_result_text(&result);
    assert_non_null(text);
    assert_null(strpbrk(text, "\n\t"));
    seg_item_result back;
    assert_ok(&ctx, seg_item_result_parse(&ctx, text, &back));
    assert_int_equal(back.attempts, 2);
    assert_true(back.attempt[0].scores.pairwise_accuracy == 0.1 + 0.2); /* to the last bit */
    assert_true(back.attempt[0].scores.nmi == 1e-17);
    assert_true(back.attempt[0].curve[1] == 1.0 / 3);
    assert_int_equal(back.attempt[1].status, SEG_ERR_NUMERIC);
    assert_string_equal(back.attempt[1].message, "a \"sentence\"\nwith \xff bytes");
    AUTOFREE char *again = seg_item_result_text(&back);
    back.attempt[1].message[0] = 0;
    assert_non_null(again);
    seg_item_result_free(&back);
    static const char *const damaged[] = {"", "{}", "nonsense", "{\"outcome\":\"scored\"}"};
    for (size_t d = 0; d < sizeof damaged / sizeof *damaged; d++)
        assert_int_equal(seg_item_result_parse(&ctx, damaged[d], &back), SEG_ERR_INPUT);
    text[strlen(text) / 2] = 0;
    assert_int_equal(seg_item_result_parse(&ctx, text, &back), SEG_ERR_INPUT);
}

static char *talk(void *user) {
    const char *what = user;
    if (strcmp(what, "crash") == 0)
        abort();
    if (strcmp(what, "nothing") == 0)
        return NULL;
    char *text = calloc(300001, 1);
    memset(text, *what, 300000);
    return text;
}

TEST(children) {
    static char says[][8] = {"crash", "nothing", "a", "b"};
    seg_child child[4];
    int ended = 0;
    for (int c = 0; c < 4; c++)
        assert_ok(&ctx, seg_child_start(&ctx, talk, says[c], &child[c]));
    while (ended < 4) {
        const int c = seg_child_wait(child, 4, 100);
        if (c < 0)
            continue;
        ended++;
        const seg_status status = seg_child_end(&ctx, &child[c]);
        assert_int_equal(status, c == 0 ? SEG_ERR_NUMERIC : c == 1 ? SEG_ERR_MEMORY : SEG_OK);
        if (c > 1) {
            assert_int_equal(strlen(child[c].text), 300000);
            assert_int_equal(child[c].text[299999], *says[c]);
            assert_true(child[c].memory > 300000);
        }
        seg_child_free(&child[c]);
    }
    /* One that is not waited for is ended. */
    assert_ok(&ctx, seg_child_start(&ctx, talk, says[2], &child[0]));
    seg_child_free(&child[0]);
}
