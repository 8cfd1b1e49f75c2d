/* ENPAKL from listed pairs with more than two classes: none shares a pole with another, however unevenly the
 * cannot-links are spread. */
#include "toy.h"

#include "kernels/smoother.h"
#include "kernels/sub_kernels.h"
#include "methods/steps.h"

enum { K = 4, EACH = 30, N = K * EACH };

typedef struct uneven {
    seg_matrix X;
    seg_csr W;
    seg_constraints pairs;
} uneven;

/* Must-links within each class; of the cannot-links four fifths lie between classes 0, 1 and 2, 3, so that two poles
 * give the sum of distances its largest value. Classes 0 and 2 lie near each other. */
static void uneven_make(seg_context *ctx, uint64_t seed, uneven *u) {
    static const double middle[K][2] = {{0, 0}, {9, 0}, {1.8, 1.8}, {9, 9}};
    seg_random random = seg_random_seeded(seed, 3);
    u->X = new_matrix(ctx, N, 2);
    for (size_t i = 0; i < N; i++)
        for (size_t t = 0; t < 2; t++)
            u->X.at[2 * i + t] = middle[i % K][t] + seg_random_normal(&random);
    u->W = toy_knn(ctx, &u->X, 10);
    u->pairs = new_constraints(ctx, N);
    for (int p = 0; p < 160; p++) {
        const int a = (int)seg_random_below(&random, EACH), b = (int)seg_random_below(&random, EACH);
        const int c = (int)seg_random_below(&random, K);
        if (p < 60 && a != b)
            assert_ok(ctx, seg_constraints_add(ctx, &u->pairs, (seg_pair){K * a + c, K * b + c, 1, 1}));
        else if (p >= 60 && p % 5)
            assert_ok(ctx, seg_constraints_add(ctx, &u->pairs,
                                               (seg_pair){K * a + (p % 2 ? 0 : 2), K * b + (p % 2 ? 1 : 3), -1, 1}));
        else if (p >= 60)
            assert_ok(ctx, seg_constraints_add(ctx, &u->pairs,
                                               (seg_pair){K * a + (p % 2 ? 0 : 1), K * b + (p % 2 ? 2 : 3), -1, 1}));
    }
}

static void uneven_free(uneven *u) {
    seg_matrix_free(&u->X);
    seg_csr_free(&u->W);
    seg_constraints_free(&u->pairs);
}

static size_t run(seg_context *ctx, const uneven *u, const char *parameter, seg_clustering *out) {
    const seg_problem given = toy_problem(K, &u->X, &u->W, &u->pairs, 3);
    seg_kept kept;
    *out = toy_cluster(ctx, "enpakl", parameter, &given);
    seg_kept_count(NULL, NULL, &u->pairs, out, &kept);
    return kept.broken_must_links + kept.broken_cannot_links;
}

/* Cannot-links whose ends the kernel over all samples has nearly at one place. */
static size_t merged(seg_context *ctx, const uneven *u, int each) {
    enum { RANK = 12 };
    SCOPED(seg_links) links;
    SCOPED(seg_csr) S;
    int32_t member[N];
    AUTOFREE double *V = calloc(N * RANK, sizeof *V);
    seg_subkernel_result result;
    size_t count = 0;
    for (int i = 0; i < N; i++)
        member[i] = i;
    assert_ok(ctx, seg_links_create(ctx, &u->pairs, member, N, &links));
    assert_ok(ctx, seg_smoother_create(ctx, &u->X, 20, 0.15, 0, &S));
    const seg_subkernel_problem problem = {&links, &S, 1, 0.05, each};
    seg_subkernel_start(ctx->seed, 5, &links, RANK, V);
    assert_ok(ctx, seg_subkernel_descend(ctx, &problem, RANK, (seg_limits){200, 1e-5}, V, &result));
    for (size_t p = 0; p < u->pairs.pairs; p++) {
        double inner = 0;
        for (int c = 0; c < RANK; c++)
            inner += V[u->pairs.pair[p].i * RANK + c] * V[u->pairs.pair[p].j * RANK + c];
        count += u->pairs.pair[p].sign < 0 && inner > 0.5;
    }
    return count;
}

/* As printed, classes are merged with dozens of broken cannot-links. */
TEST(no_two_classes_share_a_pole) {
    size_t broken = 0, by_each = 0, by_sum = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        SCOPED(uneven) u;
        SCOPED(seg_clustering) found;
        ctx.seed = seed;
        uneven_make(&ctx, seed, &u);
        by_sum += merged(&ctx, &u, 0);
        by_each += merged(&ctx, &u, 1);
        broken += run(&ctx, &u, NULL, &found);
    }
    print_message("merged %zu of about 600, with one sum %zu; broken in the end %zu\n", by_each, by_sum, broken);
    assert_true(broken == 0);
    assert_true(by_sum > 80 && 3 * by_each < 2 * by_sum);
}

/* Four classes with every cannot-link between them once: rows at the corners of a simplex, inner products of -1/3. */
TEST(the_kernel_is_a_simplex) {
    enum { CLASSES = 4, M = 24, RANK = 6 };
    SCOPED(seg_links) links;
    SCOPED(seg_csr) S;
    int32_t member[M];
    double V[M * RANK];
    seg_subkernel_result result;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, CLASSES, M / CLASSES, 3);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, M, CLASSES, M);
    SCOPED(seg_constraints) pairs = toy_list_pairs(&ctx, &groups);
    for (int i = 0; i < M; i++)
        member[i] = i;
    assert_ok(&ctx, seg_links_create(&ctx, &pairs, member, M, &links));
    assert_ok(&ctx, seg_smoother_create(&ctx, &X, 0, 0.2, 0, &S));
    const seg_subkernel_problem problem = {&links, &S, 0.01, 0.05, 1};
    seg_subkernel_start(1, 5, &links, RANK, V);
    assert_ok(&ctx, seg_subkernel_descend(&ctx, &problem, RANK, (seg_limits){5000, 1e-12}, V, &result));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            double inner = 0;
            for (int c = 0; c < RANK; c++)
                inner += V[i * RANK + c] * V[j * RANK + c];
            assert_near(inner, i % CLASSES == j % CLASSES ? 1 : -1.0 / 3, 0.02);
        }
}

TEST(gradient_of_single_pairs) {
    enum { M = 20, RANK = 5 };
    SCOPED(seg_links) links;
    SCOPED(seg_csr) S;
    int32_t member[M];
    double V[M * RANK], G[M * RANK], value;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 2, M / 2, 3);
    SCOPED(seg_constraints) pairs = new_constraints(&ctx, M);
    for (int p = 0; p + 3 < M; p++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){p, p + 1 + p % 3, p % 3 ? -1 : 1, 0.5 + p % 4}));
    for (int i = 0; i < M; i++)
        member[i] = i;
    assert_ok(&ctx, seg_links_create(&ctx, &pairs, member, M, &links));
    assert_ok(&ctx, seg_smoother_create(&ctx, &X, 0, 0.5, 0, &S));
    const seg_subkernel_problem problem = {&links, &S, 0.7, 0.05, 1};
    seg_subkernel_start(1, 5, &links, RANK, V);
    assert_ok(&ctx, seg_subkernel_objective(&ctx, &problem, RANK, V, &value, G));
    for (int e = 0; e < M * RANK; e++) {
        const double h = 1e-6, v = V[e];
        double above, below;
        V[e] = v + h;
        assert_ok(&ctx, seg_subkernel_objective(&ctx, &problem, RANK, V, &above, NULL));
        V[e] = v - h;
        assert_ok(&ctx, seg_subkernel_objective(&ctx, &problem, RANK, V, &below, NULL));
        V[e] = v;
        assert_near((above - below) / (2 * h), G[e], 1e-6 * (1 + fabs(G[e])));
    }
}
