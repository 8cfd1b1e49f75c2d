/* The last step of CCSKL, CCSR, SSKK and Spectral Learning: the groups that listed pairs form are its seeds. Known
 * answers on an image of patches, where eigenvectors alone fail, and the edges: one class, nothing known, everything
 * known, contradictions, pairs in another order, threads. */
#include "toy.h"

#include "constraints/held_out_pairs.h"
#include "selection/cluster.h"

enum { WIDTH = 30, HEIGHT = 24, N = WIDTH * HEIGHT, K = 3, PAIRS = 50 };

static const char *const names[] = {"ccskl", "ccsr", "sskk", "spectral-learning"};
enum { METHODS = sizeof names / sizeof *names };

/* Twenty regions of 6 x 6 patches; each class has regions of two colours, and one colour is close to another class's.
 */
static int class_of(int i) {
    const int x = i % WIDTH / 6, y = i / WIDTH / 6;
    return (x + 2 * y) % K;
}

static seg_matrix X;
static seg_csr W;
static seg_constraints truth, pairs;
static seg_problem problem;

BEFORE_EACH {
    seg_random random = seg_random_seeded(7, 0);
    X = new_matrix(&ctx, N, 4);
    truth = new_constraints(&ctx, N);
    truth.groups = K;
    for (int i = 0; i < N; i++) {
        const int x = i % WIDTH, y = i / WIDTH, tone = (x / 6 + y / 6) % 2;
        truth.group[i] = (int16_t)class_of(i);
        X.at[4 * i] = 1.5 * class_of(i) + 2.1 * tone + 0.45 * seg_random_normal(&random);
        X.at[4 * i + 1] = 0.5 * seg_random_normal(&random);
        X.at[4 * i + 2] = 0.12 * x;
        X.at[4 * i + 3] = 0.12 * y;
    }
    W = toy_knn(&ctx, &X, 12);
    assert_ok(&ctx, seg_constraints_sample(&ctx, &truth, PAIRS, &pairs));
    problem = (seg_problem){
        .n = N, .k = K, .features = &X, .affinity = &W, .constraints = &pairs, .restarts = 3, .patches = 1};
}

AFTER_EACH {
    seg_matrix_free(&X);
    seg_csr_free(&W);
    seg_constraints_free(&truth);
    seg_constraints_free(&pairs);
}

static seg_clustering run(seg_context *ctx, const char *name, int extras) {
    const seg_method *method = seg_method_find(name);
    seg_clustering found;
    const seg_params params = toy_params(ctx, method, extras ? NULL : "extras=off");
    assert_ok(ctx, seg_cluster_any(ctx, method, &params, &problem, &found));
    return found;
}

/* The share of pairs of samples that are correctly put together or apart. */
static double accuracy(const seg_clustering *found) {
    size_t right = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            right += (found->label[i] == found->label[j]) == (truth.group[i] == truth.group[j]);
    return (double)right / (0.5 * N * (N - 1));
}

static void assert_same(const seg_clustering *a, const seg_clustering *b) {
    assert_memory_equal(a->label, b->label, N * sizeof *a->label);
    assert_memory_equal(a->score.at, b->score.at, N * (size_t)a->k * sizeof *a->score.at);
}

TEST(pairs_carry_what_eigenvectors_cannot) {
    for (int m = 0; m < METHODS; m++) {
        SCOPED(seg_clustering) with = run(&ctx, names[m], 1), without = run(&ctx, names[m], 0);
        seg_judgement broken = {0};
        seg_judge_pairs(&pairs, with.label, &broken);
        if (!(accuracy(&with) >= 0.9 && accuracy(&with) >= accuracy(&without) + 0.05) ||
            broken.must_broken + broken.cannot_broken > 2) {
            print_error("%s: %g with, %g without; %g and %g broken\n", names[m], accuracy(&with), accuracy(&without),
                        broken.must_broken, broken.cannot_broken);
            fail();
        }
    }
}

/* Vectors and graphs are left to the kernel: their pairs are penalties, or terms of a sum, and may be wrong. */
TEST(only_images_have_seeds) {
    problem.patches = 0;
    for (int m = 0; m < METHODS; m++) {
        SCOPED(seg_clustering) with = run(&ctx, names[m], 1), without = run(&ctx, names[m], 0);
        assert_same(&with, &without);
    }
}

TEST(order_and_threads_change_nothing) {
    for (int m = 0; m < METHODS; m++) {
        ctx.threads = 1;
        SCOPED(seg_clustering) one = run(&ctx, names[m], 1);
        ctx.threads = 3;
        SCOPED(seg_clustering) three = run(&ctx, names[m], 1);
        assert_same(&one, &three);
        for (size_t p = 0; p < pairs.pairs / 2; p++) {
            const seg_pair swap = pairs.pair[p];
            pairs.pair[p] = pairs.pair[pairs.pairs - 1 - p];
            pairs.pair[pairs.pairs - 1 - p] = swap;
        }
        SCOPED(seg_clustering) reversed = run(&ctx, names[m], 1);
        assert_memory_equal(one.label, reversed.label, N * sizeof *one.label);
    }
}

/* All samples marked: the labels are the marks. One class: one label. Nothing known: as without the step. */
TEST(everything_known_one_class_and_nothing_known) {
    SCOPED(seg_constraints) none = new_constraints(&ctx, N);
    for (int m = 0; m < METHODS; m++) {
        problem.constraints = &truth;
        SCOPED(seg_clustering) all = run(&ctx, names[m], 1);
        for (int i = 0; i < N; i++)
            assert_int_equal(all.label[i], truth.group[i]);
        problem.constraints = &none;
        SCOPED(seg_clustering) free_of = run(&ctx, names[m], 1), off = run(&ctx, names[m], 0);
        assert_same(&free_of, &off);
        problem.k = 1;
        SCOPED(seg_clustering) single = run(&ctx, names[m], 1);
        for (int i = 0; i < N; i++)
            assert_int_equal(single.label[i], 0);
        problem.k = K;
    }
}

TEST(contradictions_are_refused) {
    const seg_pair *first = &pairs.pair[0];
    assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){first->i, first->j, -first->sign, 1}));
    for (int m = 0; m < METHODS; m++) {
        SCOPED(seg_clustering) found;
        assert_int_equal(seg_cluster(&ctx, seg_method_find(names[m]), NULL, &problem, &found), SEG_ERR_CONTRADICTION);
    }
}

/* Fewer labels than clusters are marked, and must-links alone: no groups for all, and still k clusters. */
TEST(not_all_clusters_have_seeds) {
    for (int m = 0; m < METHODS; m++)
        for (int marked = 0; marked < 2; marked++) {
            size_t size[K] = {0};
            SCOPED(seg_constraints) few = new_constraints(&ctx, N);
            for (int i = 0; marked && i < N; i++)
                few.group[i] = (int16_t)(truth.group[i] < 2 && i % 5 == 0 ? truth.group[i] : -1);
            few.groups = marked ? 2 : 0;
            for (size_t p = 0; !marked && p < pairs.pairs; p++)
                if (pairs.pair[p].sign > 0)
                    assert_ok(&ctx, seg_constraints_add(&ctx, &few, pairs.pair[p]));
            problem.constraints = &few;
            SCOPED(seg_clustering) found = run(&ctx, names[m], 1);
            for (int i = 0; i < N; i++)
                size[found.label[i]]++;
            for (int c = 0; c < K; c++)
                assert_true(size[c] > 0);
        }
}
