/* Groups from listed pairs: known answers on separated clouds, must-links kept, order and numbering without effect. */
#include "check.h"

#include "base/random.h"
#include "methods/linked_groups.h"

#include <segment/methods.h>

#include <stdlib.h>
#include <string.h>

static seg_context ctx;

enum { N = 240, K = 3, PAIRS = 15 };

static int start(void **state) {
    (void)state;
    seg_context_init(&ctx);
    ctx.threads = 2;
    return 0;
}

typedef struct setting {
    seg_matrix X;
    seg_csr W;
    seg_constraints pairs;
    seg_problem problem;
} setting;

/* Sample i is of class i % 3, in one of two clouds of its class: without pairs nobody knows which clouds belong
 * together. */
static setting make(int reversed) {
    setting s = {0};
    seg_constraints classes;
    seg_random random;
    seg_random_seed(&random, 3, 0);
    assert_ok(&ctx, seg_matrix_create(&ctx, N, 2, &s.X));
    for (int i = 0; i < N; i++) {
        const int cloud = i % 3 + 3 * ((i / 3) % 2);
        s.X.at[2 * i] = 8 * cos(cloud * 1.0472) + 0.6 * seg_random_normal(&random);
        s.X.at[2 * i + 1] = 8 * sin(cloud * 1.0472) + 0.6 * seg_random_normal(&random);
    }
    assert_ok(&ctx, seg_graph_build(&ctx, &s.X, NULL,
                                    &(seg_graph_spec){.kind = SEG_GRAPH_KNN, .neighbours = 10, .sigma_scale = 1.5},
                                    &s.W, NULL));
    assert_ok(&ctx, seg_constraints_create(&ctx, N, &classes));
    classes.groups = K;
    for (int i = 0; i < N; i++)
        classes.group[i] = (int16_t)(i % 3);
    assert_ok(&ctx, seg_constraints_sample(&ctx, &classes, PAIRS, &s.pairs));
    seg_constraints_free(&classes);
    for (size_t p = 0; reversed && p < s.pairs.pairs / 2; p++) {
        const seg_pair swap = s.pairs.pair[p];
        s.pairs.pair[p] = s.pairs.pair[s.pairs.pairs - 1 - p];
        s.pairs.pair[s.pairs.pairs - 1 - p] = swap;
    }
    s.problem = (seg_problem){.n = N, .k = K, .restarts = 3};
    return s;
}

static void aim(setting *s) {
    s->problem.features = &s->X;
    s->problem.affinity = &s->W;
    s->problem.constraints = &s->pairs;
}

static void release(setting *s) {
    seg_matrix_free(&s->X);
    seg_csr_free(&s->W);
    seg_constraints_free(&s->pairs);
}

static void finds_classes(void **state) {
    (void)state;
    setting s = make(0);
    aim(&s);
    seg_constraints groups;
    int named[3] = {-1, -1, -1}, wrong = 0;
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &groups));
    assert_int_equal(groups.groups, K);
    assert_int_equal(groups.pairs, 0);
    uint8_t linked[N] = {0};
    for (size_t p = 0; p < s.pairs.pairs; p++) {
        const seg_pair *pair = &s.pairs.pair[p];
        linked[pair->i] = linked[pair->j] = 1;
        if (pair->sign > 0) /* never broken */
            assert_int_equal(groups.group[pair->i], groups.group[pair->j]);
    }
    for (int i = 0; i < N; i++) {
        assert_int_equal(groups.group[i] >= 0, linked[i]);
        if (!linked[i])
            continue;
        if (named[i % 3] < 0)
            named[i % 3] = groups.group[i];
        wrong += groups.group[i] != named[i % 3];
    }
    assert_int_equal(wrong, 0);
    assert_true(named[0] != named[1] && named[1] != named[2] && named[0] != named[2]);
    seg_constraints_free(&groups);

    static const char *const methods[] = {"enpakl", "auto"};
    for (int m = 0; m < 2; m++) {
        seg_clustering found;
        assert_ok(&ctx, seg_cluster(&ctx, seg_method_find(methods[m]), NULL, &s.problem, &found));
        for (int i = 0; i < N; i++)
            assert_int_equal(found.label[i], found.label[i % 3]);
        assert_true(found.label[0] != found.label[1] && found.label[1] != found.label[2]);
        seg_clustering_free(&found);
    }
    release(&s);
}

/* The order of the pairs and the number of threads change nothing. */
static void invariance(void **state) {
    (void)state;
    seg_constraints first, other;
    setting s = make(0), t = make(1);
    aim(&s);
    aim(&t);
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &first));
    ctx.threads = 1;
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &other));
    assert_memory_equal(first.group, other.group, N * sizeof *first.group);
    seg_constraints_free(&other);
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &t.problem, &other));
    for (int i = 0; i < N; i++) /* groups may be numbered in another order */
        for (int j = 0; j < i; j++)
            assert_int_equal(first.group[i] == first.group[j], other.group[i] == other.group[j]);
    seg_constraints_free(&first);
    seg_constraints_free(&other);
    release(&s);
    release(&t);
}

/* Two samples named and three clusters wanted: no groups, and the methods fall back. */
static void too_few(void **state) {
    (void)state;
    setting s = make(0);
    aim(&s);
    s.pairs.pairs = 1;
    seg_constraints groups;
    seg_clustering found;
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &groups));
    assert_int_equal(groups.groups, 0);
    seg_constraints_free(&groups);
    assert_ok(&ctx, seg_cluster(&ctx, seg_method_find("auto"), NULL, &s.problem, &found));
    seg_clustering_free(&found);
    /* All samples named in one chain of must-links: one neighbourhood cannot make three groups. */
    s.pairs.pairs = 0;
    for (int i = 0; i + 3 < N; i += 3)
        assert_ok(&ctx, seg_constraints_add(&ctx, &s.pairs, (seg_pair){i, i + 3, 1, 1}));
    assert_ok(&ctx, seg_enpakl_groups(&ctx, &s.problem, &groups));
    assert_int_equal(groups.groups, 0);
    seg_constraints_free(&groups);
    release(&s);
}

/* Samples 10 and 11 cannot link; the kernel takes each for one of the other's class, and the graph says so by 4 to 1
 * only: less than a broken link costs. Together they go where they belong. */
static void exchanges_ends(void **state) {
    (void)state;
    enum { COUNT = 12 };
    static const seg_pair listed[] = {{0, 1, 1, 1}, {1, 2, 1, 1}, {2, 3, 1, 1}, {3, 4, 1, 1},  {5, 6, 1, 1},
                                      {6, 7, 1, 1}, {7, 8, 1, 1}, {8, 9, 1, 1}, {0, 5, -1, 1}, {10, 11, -1, 1}};
    seg_matrix Z, full;
    seg_constraints pairs, groups;
    seg_csr W;
    assert_ok(&ctx, seg_matrix_create(&ctx, COUNT, 2, &Z));
    assert_ok(&ctx, seg_matrix_create(&ctx, COUNT, COUNT, &full));
    assert_ok(&ctx, seg_constraints_create(&ctx, COUNT, &pairs));
    assert_ok(&ctx, seg_csr_create(&ctx, COUNT, COUNT, COUNT * COUNT, &W));
    for (size_t p = 0; p < sizeof listed / sizeof *listed; p++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, listed[p]));
    for (int i = 0; i < COUNT; i++) {
        Z.at[2 * i + (i == 10 || (i >= 5 && i < 10))] = 1;
        for (int j = 0; j < 10; j++)
            if (i < 10 && i != j && i / 5 == j / 5)
                full.at[i * COUNT + j] = 1;
            else if (i >= 10)
                full.at[i * COUNT + j] = full.at[j * COUNT + i] = i - 10 == j / 5 ? 0.4 : 0.1;
    }
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++)
            if (full.at[i * COUNT + j] > 0) {
                W.column[W.start[i + 1]] = j;
                W.value[W.start[i + 1]++] = full.at[i * COUNT + j];
            }
        if (i + 1 < COUNT)
            W.start[i + 2] = W.start[i + 1];
    }
    const seg_problem problem = {.n = COUNT, .k = 2, .restarts = 3, .affinity = &W, .constraints = &pairs};
    assert_ok(&ctx, seg_linked_groups(&ctx, &problem, &Z, &groups));
    assert_int_equal(groups.groups, 2);
    assert_int_equal(groups.group[10], groups.group[0]);
    assert_int_equal(groups.group[11], groups.group[5]);
    assert_int_not_equal(groups.group[0], groups.group[5]);
    seg_constraints_free(&groups);
    seg_constraints_free(&pairs);
    seg_matrix_free(&Z);
    seg_matrix_free(&full);
    seg_csr_free(&W);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(finds_classes, start),
        cmocka_unit_test_setup(invariance, start),
        cmocka_unit_test_setup(too_few, start),
        cmocka_unit_test_setup(exchanges_ends, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
