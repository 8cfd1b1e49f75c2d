/* Numberings of a graph's nodes: permutations that keep what is near together, and copies in them. */
#include "check.h"

#include "base/base.h"
#include "base/random.h"
#include "graph/spectrum/numbering.h"
#include "linalg/sparse.h"

#include <segment/graph.h>

#include <stdlib.h>
#include <string.h>

static void check_permutation(size_t n, const int32_t *order) {
    AUTOFREE char *seen = calloc(n, 1);
    for (size_t k = 0; k < n; k++) {
        assert_in_range(order[k], 0, n - 1);
        assert_int_equal(seen[order[k]]++, 0);
    }
}

/* Groups of 700 nodes, node i in group i % groups, whose places differ in the second column; the third knows them too,
 * but is not to be read. */
TEST(groups_come_together) {
    enum { groups = 9, each = 700, n = groups * each, cols = 3 };
    AUTOFREE double *X = malloc(n * cols * sizeof *X), *unit = malloc(n * sizeof *unit);
    int32_t *order[3];
    seg_random random;
    seg_random_seed(&random, 3, 0);
    for (size_t i = 0; i < n; i++) {
        unit[i] = 0.5 + seg_random_uniform(&random);
        X[i * cols] = unit[i] * seg_random_uniform(&random) * 0.5;
        X[i * cols + 1] = unit[i] * ((double)(i % groups) + 0.1 * seg_random_uniform(&random));
        X[i * cols + 2] = 100 * seg_random_uniform(&random);
    }
    for (int run = 0; run < 3; run++) {
        ctx.threads = run + 1;
        order[run] = malloc(n * sizeof *order[run]);
        assert_ok(&ctx, seg_numbering_by_columns(&ctx, &(seg_matrix){n, cols, X, NULL}, 2, unit, order[run]));
        check_permutation(n, order[run]);
        assert_memory_equal(order[0], order[run], n * sizeof *order[run]);
    }
    for (size_t k = 1; k < n; k++) /* one group after the other */
        assert_true(order[0][k] % groups == order[0][k - 1] % groups ? 1 : k % each == 0);
    for (int run = 0; run < 3; run++)
        free(order[run]);
}

/* Nodes in one place keep their order, as do few nodes; one node; far ones; and what is not a number. */
TEST(places_of_all_kinds) {
    enum { most = 3000 };
    static const size_t sizes[] = {1, 2, 500, 501, most};
    AUTOFREE double *X = malloc(most * sizeof *X), *unit = malloc(most * sizeof *unit);
    AUTOFREE int32_t *order = malloc(most * sizeof *order);
    for (size_t i = 0; i < most; i++)
        unit[i] = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s];
        for (int kind = 0; kind < 3; kind++) {
            for (size_t i = 0; i < n; i++) /* the same; each half as far as the last: as deep as it goes; no numbers */
                X[i] = kind == 0 ? 0.1 : kind == 1 ? ldexp(1, -(int)(i % 120)) : NAN;
            assert_ok(&ctx, seg_numbering_by_columns(&ctx, &(seg_matrix){n, 1, X, NULL}, 1, unit, order));
            check_permutation(n, order);
            for (size_t k = 0; k < n && (kind != 1 || n <= 500); k++)
                assert_int_equal(order[k], k);
        }
    }
}

/* Every entry of a copy is the given one's. */
TEST(a_copy_is_the_graph) {
    enum { n = 5000, entries = 3 * n };
    SCOPED(seg_csr) S;
    seg_numbering copy;
    seg_components components = {.n = n, .count = 7, .of = malloc(n * sizeof *components.of)};
    components.root = malloc(n * sizeof *components.root);
    int32_t *order;
    size_t at = 0;
    ctx.threads = 3;
    order = seg_alloc(&ctx, n, sizeof *order);
    assert_non_null(order);
    assert_ok(&ctx, seg_csr_create(&ctx, n, n, entries, &S));
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; e < i % 5; e++, at++) { /* some rows are empty */
            S.column[at] = (int32_t)((i * 7 + e * 11) % n);
            S.value[at] = (double)(i * n + (size_t)S.column[at]);
        }
        S.start[i + 1] = at;
        order[i] = (int32_t)(i * 1009 % n);
        components.of[i] = (int32_t)(i % 7);
        components.root[i] = (double)i;
    }
    assert_ok(&ctx, seg_numbering_create(&ctx, &S, &components, order, &copy));
    assert_int_equal(copy.S.start[n], S.start[n]);
    assert_int_equal(copy.components.count, 7);
    for (size_t k = 0; k < n; k++) {
        const size_t i = (size_t)copy.order[k], first = copy.S.start[k];
        assert_int_equal(i, k * 1009 % n);
        assert_int_equal(copy.S.start[k + 1] - first, i % 5);
        assert_int_equal(copy.components.of[k], i % 7);
        assert_true(copy.components.root[k] == (double)i);
        for (size_t e = 0; e < i % 5; e++) {
            assert_true(copy.S.value[first + e] == S.value[S.start[i] + e]);
            assert_int_equal(copy.order[copy.S.column[first + e]], S.column[S.start[i] + e]);
        }
    }
    seg_numbering_free(&copy);
    seg_numbering_free(&copy); /* twice */
    free(components.of);
    free(components.root);
}

static int cancel(void *user, double share, const char *stage) {
    (void)user;
    (void)stage;
    (void)share;
    return 1;
}

TEST(limits_and_requests_to_stop) {
    enum { n = 200000 };
    SCOPED(seg_csr) S;
    seg_numbering copy;
    seg_components components = {.n = n, .count = 1};
    AUTOFREE double *X = malloc(n * sizeof *X);
    int32_t *order;
    order = seg_alloc(&ctx, n, sizeof *order);
    assert_non_null(order);
    for (size_t i = 0; i < n; i++) {
        X[i] = 1 + (double)i;
        order[i] = (int32_t)i;
    }
    assert_ok(&ctx, seg_csr_create(&ctx, n, n, 0, &S));
    ctx.progress = cancel;
    assert_int_equal(seg_numbering_by_columns(&ctx, &(seg_matrix){n, 1, X, NULL}, 1, X, order), SEG_ERR_CANCELLED);
    ctx.progress = NULL;
    ctx.max_memory = seg_memory_held() + 1000;
    assert_int_equal(seg_numbering_by_columns(&ctx, &(seg_matrix){n, 1, X, NULL}, 1, X, order), SEG_ERR_MEMORY);
    assert_int_equal(seg_numbering_create(&ctx, &S, &components, order, &copy), SEG_ERR_MEMORY); /* frees order */
    assert_null(copy.order);
    assert_int_equal(ctx.over_limit, 1);
}
