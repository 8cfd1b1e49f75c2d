/* Where the kernel k-means methods with constraints start: k seeded neighbourhoods are a choice, not the answer. */
#include "toy.h"

enum { K = 10, EACH = 40, N = K * EACH, COLUMNS = 8 };

/* Blobs of different widths that overlap a little, and pairs that their labels answer: enough must-links for more than
 * k neighbourhoods, several of them of one blob. */
typedef struct problem {
    seg_matrix X;
    seg_csr W;
    seg_constraints pairs;
} problem;

static problem problem_make(seg_context *ctx, uint64_t seed) {
    problem p;
    double middle[K * COLUMNS];
    seg_random random = seg_random_seeded(seed, 5);
    for (size_t e = 0; e < K * COLUMNS; e++)
        middle[e] = 1.5 * seg_random_normal(&random);
    p.X = new_matrix(ctx, N, COLUMNS);
    for (size_t i = 0; i < N; i++)
        for (size_t t = 0; t < COLUMNS; t++)
            p.X.at[i * COLUMNS + t] =
                middle[i % K * COLUMNS + t] + (0.8 + 0.2 * (double)(i % K)) * seg_random_normal(&random);
    p.W = toy_knn(ctx, &p.X, 10);
    SCOPED(seg_constraints) classes = toy_groups(ctx, N, K, EACH);
    assert_ok(ctx, seg_constraints_sample(ctx, &classes, 15, &p.pairs));
    return p;
}

static void problem_free(problem *p) {
    seg_matrix_free(&p->X);
    seg_csr_free(&p->W);
    seg_constraints_free(&p->pairs);
}

static seg_status run(seg_context *ctx, const problem *p, const char *method, const char *parameter, int restarts,
                      seg_clustering *out) {
    const seg_method *row = seg_method_find(method);
    const seg_problem given = toy_problem(K, &p->X, &p->W, &p->pairs, restarts);
    const seg_params params = toy_params(ctx, row, parameter);
    return seg_cluster(ctx, row, &params, &given, out);
}

static double objective(seg_context *ctx, const problem *p, const char *method, const char *parameter, int restarts) {
    SCOPED(seg_clustering) found;
    assert_ok(ctx, run(ctx, p, method, parameter, restarts, &found));
    return found.objective;
}

/* Eq. 7 as it is written: cuts over degrees, less kept must-links and plus broken cannot-links over them. */
static double normalized_cut(const problem *p, const int32_t *label) {
    double cut[K] = {0}, degree[K] = {0}, linked[K] = {0}, sum = 0;
    const double cost = (double)N / (K * (double)p->pairs.pairs);
    for (size_t i = 0; i < N; i++)
        for (size_t e = p->W.start[i]; e < p->W.start[i + 1]; e++) {
            degree[label[i]] += p->W.value[e];
            if (label[p->W.column[e]] != label[i])
                cut[label[i]] += p->W.value[e];
        }
    for (size_t c = 0; c < p->pairs.pairs; c++) {
        const seg_pair *pair = &p->pairs.pair[c];
        if (label[pair->i] == label[pair->j])
            linked[label[pair->i]] += 2 * pair->sign * pair->weight * cost;
    }
    for (size_t c = 0; c < K; c++)
        sum += (cut[c] - linked[c]) / degree[c];
    return sum;
}

/* No worse than the labels of N-cuts, by a formula of its own, where Algorithm 3's start alone is worse. */
TEST(the_default_reaches_the_cuts) {
    int worse = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        SCOPED(seg_clustering) cuts, found;
        ctx.seed = seed;
        SCOPED(problem) p = problem_make(&ctx, seed);
        assert_ok(&ctx, run(&ctx, &p, "ncut", NULL, 1, &cuts));
        assert_ok(&ctx, run(&ctx, &p, "sskk", NULL, 1, &found));
        assert_near(found.objective, normalized_cut(&p, found.label), 1e-9);
        assert_true(found.objective <= normalized_cut(&p, cuts.label) + 1e-9);
        worse += objective(&ctx, &p, "sskk", "start=farthest", 1) > normalized_cut(&p, cuts.label) + 1e-9;
    }
    print_message("Algorithm 3's start alone is worse than N-cuts on %d of 8\n", worse);
    assert_true(worse > 2);
}

/* N-cuts tells the cut of its labels, never below the relaxed one, and more starts lower it or leave everything as it
 * is; with one thread and with two. */
TEST(ncut_keeps_the_least_cut) {
    int lower = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        seg_clustering one, found, again;
        ctx.seed = seed;
        SCOPED(problem) p = problem_make(&ctx, seed);
        p.pairs.pairs = 0;
        assert_ok(&ctx, run(&ctx, &p, "ncut", NULL, 1, &one));
        for (int restarts = 5; restarts <= 20; restarts += 15) {
            ctx.threads = 1;
            assert_ok(&ctx, run(&ctx, &p, "ncut", NULL, restarts, &found));
            assert_near(found.objective, normalized_cut(&p, found.label), 1e-12 * (double)found.k);
            assert_true(found.objective_bound <= found.objective + 1e-9);
            assert_true(found.objective_bound == one.objective_bound);
            assert_true(found.objective <= one.objective);
            if (found.objective == one.objective)
                assert_memory_equal(found.label, one.label, found.n * sizeof *found.label);
            lower += restarts == 20 && found.objective < one.objective;
            ctx.threads = 2;
            assert_ok(&ctx, run(&ctx, &p, "ncut", NULL, restarts, &again));
            assert_memory_equal(found.label, again.label, found.n * sizeof *found.label);
            assert_memory_equal(found.score.at, again.score.at, found.n * (size_t)found.k * sizeof *found.score.at);
            seg_clustering_free(&found);
            seg_clustering_free(&again);
        }
        seg_clustering_free(&one);
    }
    assert_true(lower > 2);
}

/* More runs are never worse, whatever they start from, and somewhere better; the best of all starts is at least as good
 * as each. */
TEST(restarts_count) {
    static const char *const methods[] = {"sskk", "kernel-hmrf-kmeans"};
    static const char *const starts[] = {"start=farthest", "start=random", "start=best"};
    for (size_t m = 0; m < 2; m++) {
        int better[3] = {0}, beaten = 0;
        for (uint64_t seed = 1; seed <= 8; seed++) {
            double found[3];
            ctx.seed = seed;
            SCOPED(problem) p = problem_make(&ctx, seed);
            for (size_t s = 0; s < 3; s++) {
                const double one = objective(&ctx, &p, methods[m], starts[s], 1);
                found[s] = objective(&ctx, &p, methods[m], starts[s], 10);
                assert_true(found[s] <= one + 1e-9);
                better[s] += found[s] < one - 1e-9;
            }
            const double printed = objective(&ctx, &p, methods[m], "start=farthest", 1);
            assert_true(found[2] <= printed + 1e-9);
            beaten += found[2] < printed - 1e-9;
        }
        print_message("%s: more runs are better on %d, %d, %d of 8; all starts beat Algorithm 3's on %d\n", methods[m],
                      better[0], better[1], better[2], beaten);
        assert_true(better[0] > 0 && better[1] > 0 && beaten > 2);
    }
}
