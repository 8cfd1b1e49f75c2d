/* The default method, and ENPAKL by name, where pairs are few or of one kind: judged by what comes out, on vectors, on
 * graphs without features and on what looks like an image, against normalized cuts, which need no pair. */
#include "toy.h"

#include "constraints/held_out_pairs.h"
#include "groups/groups.h"

typedef enum source { VECTORS, GRAPH, IMAGE, SOURCES } source;
static const char *const source_names[] = {"vectors", "graph", "image"};

/* Pairs of the classes, row i in class i % clusters. */
typedef enum kind { MUST, CANNOT, BOTH, CHAIN, STARS, EVERYTHING, KINDS } kind;
static const char *const kind_names[] = {"must-links", "cannot-links", "both", "a chain", "stars", "everything"};

static void add(seg_context *ctx, seg_constraints *out, int i, int j, int sign) {
    assert_ok(ctx, seg_constraints_add(ctx, out, (seg_pair){i, j, sign, 1}));
}

static seg_constraints list_pairs(seg_context *ctx, kind what, size_t n, int clusters, int count) {
    const int size = (int)n;
    seg_random random = seg_random_seeded(5, (uint64_t)what);
    seg_constraints out = new_constraints(ctx, n);
    for (int p = 0; p < count; p++) {
        const int i = (int)seg_random_below(&random, (uint64_t)(size - 2 * clusters));
        if (what == MUST || (what == BOTH && p % 2 == 0))
            add(ctx, &out, i, i + clusters, 1);
        if (what == CANNOT || (what == BOTH && p % 2))
            add(ctx, &out, i, i + 1, -1);
    }
    for (int p = 0; what == CHAIN && p < count; p++) /* one long must-link of the first class, apart from the second */
        add(ctx, &out, p * clusters, p % 2 ? (p + 1) * clusters : (p + 1) * clusters + 1, p % 2 ? 1 : -1);
    for (int p = 1; what == STARS && p <= count; p++) { /* one sample of each of two classes with many others */
        add(ctx, &out, 0, p * clusters, 1);
        add(ctx, &out, 1, p * clusters, -1);
    }
    for (int i = 0; what == EVERYTHING && i < size; i++) {
        if (i + clusters < size)
            add(ctx, &out, i, i + clusters, 1);
        if (i + 1 < size)
            add(ctx, &out, i, i + 1, -1);
    }
    return out;
}

static double error_of(seg_context *ctx, const int32_t *label, size_t n, int clusters) {
    AUTOFREE int32_t *truth = malloc(n * sizeof *truth);
    SCOPED(seg_contingency) met = {0};
    seg_scores scores;
    for (size_t i = 0; i < n; i++)
        truth[i] = (int32_t)(i % (size_t)clusters);
    assert_ok(ctx, seg_contingency_count(ctx, label, truth, n, &met));
    assert_ok(ctx, seg_score(ctx, &met, &scores));
    return scores.clustering_error;
}

static size_t broken(const seg_constraints *constraints, const int32_t *label) {
    seg_judgement judged = {0};
    seg_judge_pairs(constraints, label, &judged);
    return (size_t)(judged.must_broken + judged.cannot_broken);
}

static void no_cluster_is_empty(const seg_clustering *found) {
    size_t size[SEG_MAX_LABELS] = {0};
    for (size_t i = 0; i < found->n; i++)
        size[found->label[i]]++;
    for (int c = 0; c < found->k; c++)
        assert_true(size[c] > 0);
}

static seg_clustering solve(seg_context *ctx, const char *name, source from, const seg_matrix *X, const seg_csr *W,
                            const seg_constraints *constraints, int k) {
    seg_clustering out;
    seg_problem problem = toy_problem(k, X, W, constraints, 5);
    problem.features = from == GRAPH ? NULL : X;
    problem.context = from == IMAGE ? X : NULL;
    assert_ok(ctx, seg_cluster(ctx, seg_method_find(name), NULL, &problem, &out));
    return out;
}

static int known_name(const char *ran) {
    return ran && (seg_method_find(ran) || strcmp(ran, "random-walker") == 0);
}

/* Blobs that lie apart, every kind and number of pairs: nothing may go wrong. */
TEST(blobs_stay_whole) {
    static const int counts[] = {1, 2, 3, 10, 30};
    for (int k = 2; k <= 4; k++) {
        SCOPED(seg_matrix) X = toy_blobs(&ctx, k, 40, 13);
        SCOPED(seg_csr) W = toy_knn(&ctx, &X, 8);
        for (int from = 0; from < SOURCES; from++)
            for (int what = 0; what < KINDS; what++)
                for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                    SCOPED(seg_constraints) pairs = list_pairs(&ctx, (kind)what, X.rows, k, counts[c]);
                    SCOPED(seg_clustering) found = solve(&ctx, "auto", (source)from, &X, &W, &pairs, k);
                    const double error = error_of(&ctx, found.label, X.rows, k);
                    const size_t lost = broken(&pairs, found.label);
                    if (error > 0 || lost > 0 || !known_name(found.ran))
                        fail_msg("%s, k = %d, %s, %d: error %.3f, %zu of %zu pairs broken, by %s", source_names[from],
                                 k, kind_names[what], counts[c], error, lost, pairs.pairs, found.ran);
                    no_cluster_is_empty(&found);
                }
    }
}

/* Blobs that overlap: with one or two pairs, or must-links alone, hardly worse than N-cuts, and the pairs kept. */
TEST(overlap_is_no_worse_than_cuts) {
    static const int counts[] = {1, 2, 6};
    enum { K = 3 };
    SCOPED(seg_matrix) X = toy_blobs(&ctx, K, 80, 17);
    seg_random random = seg_random_seeded(3, 3);
    for (size_t e = 0; e < X.rows * X.cols; e++)
        X.at[e] += 4.5 * seg_random_normal(&random);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 12);
    SCOPED(seg_clustering) cuts = solve(&ctx, "ncut", VECTORS, &X, &W, NULL, K);
    const double unsupervised = error_of(&ctx, cuts.label, X.rows, K);
    assert_true(unsupervised > 0.02 && unsupervised < 0.3);
    for (int from = 0; from < SOURCES; from++)
        for (int what = MUST; what <= BOTH; what++)
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                SCOPED(seg_constraints) pairs = list_pairs(&ctx, (kind)what, X.rows, K, counts[c]);
                SCOPED(seg_clustering) found = solve(&ctx, "auto", (source)from, &X, &W, &pairs, K);
                const double error = error_of(&ctx, found.label, X.rows, K);
                if (error > unsupervised + 0.02)
                    fail_msg("%s, %s, %d: error %.3f, N-cuts %.3f, by %s", source_names[from], kind_names[what],
                             counts[c], error, unsupervised, found.ran);
                assert_int_equal(broken(&pairs, found.label), 0);
                no_cluster_is_empty(&found);
            }
}

/* Ten overlapping clusters and 50 pairs of each kind a class: what learns must not be taken where k-means is better. */
TEST(many_overlapping_clusters) {
    enum { K = 10, EACH = 120 };
    static const char *const others[] = {"kmeans", "pckmeans", "enpakl", "ccsr"};
    SCOPED(seg_constraints) classes, pairs;
    SCOPED(seg_clustering) found;
    double best = 1, centre[K][3];
    seg_random random = seg_random_seeded(21, 1);
    for (int c = 0; c < K; c++)
        for (int t = 0; t < 3; t++)
            centre[c][t] = 10 * seg_random_uniform(&random);
    SCOPED(seg_matrix) X = new_matrix(&ctx, K * EACH, 3);
    for (size_t e = 0; e < X.rows * 3; e++)
        X.at[e] = centre[(e / 3) % K][e % 3] + 1.5 * seg_random_normal(&random);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 20);
    classes = toy_groups(&ctx, X.rows, K, EACH);
    assert_ok(&ctx, seg_constraints_sample(&ctx, &classes, 50, &pairs));
    for (size_t m = 0; m < sizeof others / sizeof others[0]; m++) {
        found = solve(&ctx, others[m], VECTORS, &X, &W, &pairs, K);
        best = fmin(best, error_of(&ctx, found.label, X.rows, K));
        seg_clustering_free(&found);
    }
    found = solve(&ctx, "auto", VECTORS, &X, &W, &pairs, K);
    if (error_of(&ctx, found.label, X.rows, K) > best + 0.02)
        fail_msg("error %.3f by %s, the best %.3f", error_of(&ctx, found.label, X.rows, K), found.ran, best);
}

/* The same bytes for pairs in another order, turned round, and for other numbers of threads. */
TEST(order_of_pairs_and_threads) {
    enum { K = 3 };
    static const int counts[] = {2, 12, 60};
    SCOPED(seg_matrix) X = toy_blobs(&ctx, K, 60, 19);
    seg_random random = seg_random_seeded(4, 4);
    for (size_t e = 0; e < X.rows * X.cols; e++)
        X.at[e] += 4 * seg_random_normal(&random);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 12);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        SCOPED(seg_constraints) pairs = list_pairs(&ctx, BOTH, X.rows, K, counts[c]);
        SCOPED(seg_constraints) turned = new_constraints(&ctx, X.rows);
        for (size_t p = pairs.pairs; p-- > 0;)
            add(&ctx, &turned, pairs.pair[p].j, pairs.pair[p].i, pairs.pair[p].sign);
        ctx.threads = 1;
        SCOPED(seg_clustering) first = solve(&ctx, "auto", VECTORS, &X, &W, &pairs, K);
        ctx.threads = 3;
        SCOPED(seg_clustering) other = solve(&ctx, "auto", VECTORS, &X, &W, &turned, K);
        assert_string_equal(first.ran, other.ran);
        assert_memory_equal(first.label, other.label, X.rows * sizeof *first.label);
        assert_memory_equal(first.score.at, other.score.at, X.rows * K * sizeof(double));
    }
}

/* Samples in another order: the same clusters under other numbers. */
TEST(order_of_samples) {
    enum { K = 3 };
    static const int counts[] = {1, 2, 30};
    SCOPED(seg_matrix) X;
    X = toy_blobs(&ctx, K, 50, 23);
    SCOPED(seg_matrix) Y = new_matrix(&ctx, X.rows, 2);
    const size_t n = X.rows;
    for (size_t i = 0; i < n; i++) /* row i becomes row (7 i + 3) mod n: 7 and 150 have no common divisor */
        memcpy(Y.at + 2 * ((7 * i + 3) % n), X.at + 2 * i, 2 * sizeof(double));
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 10);
    SCOPED(seg_csr) V = toy_knn(&ctx, &Y, 10);
    for (int what = MUST; what <= BOTH; what++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            SCOPED(seg_constraints) pairs = list_pairs(&ctx, (kind)what, n, K, counts[c]);
            SCOPED(seg_constraints) moved = new_constraints(&ctx, n);
            for (size_t p = 0; p < pairs.pairs; p++)
                add(&ctx, &moved, (int)((7 * (size_t)pairs.pair[p].i + 3) % n),
                    (int)((7 * (size_t)pairs.pair[p].j + 3) % n), pairs.pair[p].sign);
            SCOPED(seg_clustering) first = solve(&ctx, "auto", VECTORS, &X, &W, &pairs, K);
            SCOPED(seg_clustering) other = solve(&ctx, "auto", VECTORS, &Y, &V, &moved, K);
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < i; j++)
                    assert_int_equal(first.label[i] == first.label[j],
                                     other.label[(7 * i + 3) % n] == other.label[(7 * j + 3) % n]);
        }
}

/* By name ENPAKL says that it has nothing to learn from, and gives the unsupervised clusters, the must-links kept. */
TEST(enpakl_without_cannot_links) {
    static const char *const names[] = {"enpakl", "enpakl1"};
    enum { K = 2 };
    SCOPED(seg_matrix) X = toy_blobs(&ctx, K, 30, 29);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 8);
    for (size_t m = 0; m < 2; m++)
        for (int count = 1; count <= 12; count += 11) {
            SCOPED(seg_constraints) pairs = list_pairs(&ctx, MUST, X.rows, K, count);
            SCOPED(seg_clustering) cuts = solve(&ctx, "ncut", VECTORS, &X, &W, NULL, K);
            check_listen(&ctx);
            SCOPED(seg_clustering) found = solve(&ctx, names[m], VECTORS, &X, &W, &pairs, K);
            assert_int_equal(check_warned, 1);
            assert_non_null(strstr(check_warnings, "must-links alone"));
            assert_string_equal(found.ran, "ncut");
            assert_memory_equal(found.label, cuts.label, X.rows * sizeof *cuts.label);
        }
}

/* Labels that break pairs: only samples that pairs name move, must-links first, and no cluster is left empty. */
TEST(kept_pairs) {
    enum { N = 7, K = 3 };
    int32_t label[N] = {0, 0, 0, 1, 1, 1, 2}, before[N];
    double score[N * K] = {0};
    seg_clustering found = {.n = N, .k = K, .label = label, .score = {N, K, score}};
    size_t moved = 0;
    for (int i = 0; i < N; i++)
        for (int c = 0; c < K; c++)
            score[i * K + c] = label[i] == c ? 0.6 : 0.2;
    score[3 * K] = 0.35;
    score[3 * K + 1] = 0.4; /* the least sure of its cluster */
    SCOPED(seg_constraints) pairs = new_constraints(&ctx, N);
    add(&ctx, &pairs, 0, 3, 1);
    add(&ctx, &pairs, 4, 5, -1);
    add(&ctx, &pairs, 2, 6, 1); /* 6 is alone in its cluster, which must not vanish */
    const seg_problem problem = {.n = N, .k = K, .constraints = &pairs, .restarts = 1};
    memcpy(before, label, sizeof label);
    assert_ok(&ctx, seg_keep_pairs(&ctx, &problem, &found, &moved));
    assert_int_equal(broken(&pairs, label), 0);
    assert_int_equal(label[0], 0);
    assert_int_equal(label[3], 0);
    assert_int_equal(label[2], 2);
    assert_int_equal(label[6], 2);
    assert_int_equal(label[1], before[1]);
    assert_int_equal(moved, 3);
    for (int i = 0; i < N; i++) {
        const double *s = score + (size_t)i * K;
        assert_near(s[0] + s[1] + s[2], label[i] == before[i] && i == 3 ? 0.95 : 1, 1e-12);
        assert_true(label[i] == before[i] || s[label[i]] == 1);
    }
    assert_ok(&ctx, seg_keep_pairs(&ctx, &problem, &found, &moved));
    assert_int_equal(moved, 0);
}

/* Every pair is held out once, must-links and cannot-links in every part, the same for any order; what the others imply
 * is not judged. */
TEST(pairs_held_out) {
    enum { FOLDS = 3 };
    SCOPED(seg_constraints) sorted;
    SCOPED(seg_held_out) held;
    const int32_t label[12] = {0};
    seg_judgement total = {0};
    size_t out = 0;
    SCOPED(seg_constraints) pairs = new_constraints(&ctx, 12);
    for (int i = 0; i < 5; i++)
        add(&ctx, &pairs, i + 1, i, 1); /* a chain: none implies another */
    for (int i = 6; i < 11; i++)
        add(&ctx, &pairs, i, i + 1, -1);
    add(&ctx, &pairs, 11, 10, -1); /* listed twice */
    assert_ok(&ctx, seg_pairs_in_order(&ctx, &pairs, &sorted));
    assert_ok(&ctx, seg_held_out_plan(&ctx, &sorted, FOLDS, FOLDS, &held));
    for (int part = 0; part < FOLDS; part++) {
        seg_judgement judged = {0};
        seg_held_out_judge(&held, part, label, &judged);
        assert_true(judged.must >= 1 && judged.cannot >= 1);
        out += sorted.pairs - held.others[part].pairs;
        total.must += judged.must;
        total.cannot += judged.cannot;
        total.must_broken += judged.must_broken;
        total.cannot_broken += judged.cannot_broken;
    }
    assert_int_equal(out, 11);
    assert_near(total.must, 5, 0);
    assert_near(total.cannot, 6, 0);
    assert_near(total.must_broken, 0, 0);
    assert_near(total.cannot_broken, 6, 0);
    seg_held_out_free(&held);
    add(&ctx, &pairs, 0, 5, 1); /* closes the chain: whichever is held out, the others imply it */
    seg_constraints_free(&sorted);
    assert_ok(&ctx, seg_pairs_in_order(&ctx, &pairs, &sorted));
    assert_ok(&ctx, seg_held_out_plan(&ctx, &sorted, 20, 20, &held));
    for (int part = 0; part < 20; part++) {
        seg_judgement judged = {0};
        seg_held_out_judge(&held, part, label, &judged);
        assert_near(judged.must, 0, 0);
    }
}
