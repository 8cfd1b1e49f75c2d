/* Weights of pairs and edges at the ends of what is taken: no method overflows, and those that keep pairs whole or
 * weigh them against each other answer the same for every unit of the weights. */
#include "toy.h"

#include "constraints/closed.h"

enum { CLUSTERS = 3, EACH = 20, COUNT = CLUSTERS * EACH };

/* Of each test. */
static seg_matrix X;
static seg_csr W;
static seg_constraints pairs;

BEFORE_EACH {
    ctx.threads = 1;
    X = toy_blobs(&ctx, CLUSTERS, EACH, 3);
    W = toy_knn(&ctx, &X, 10);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, COUNT, CLUSTERS, 3);
    pairs = toy_list_pairs(&ctx, &groups);
}

AFTER_EACH {
    seg_matrix_free(&X);
    seg_csr_free(&W);
    seg_constraints_free(&pairs);
}

static seg_status solve(const seg_method *method, double weight, seg_clustering *out) {
    const seg_problem problem = toy_problem(CLUSTERS, &X, &W, &pairs, 3);
    for (size_t p = 0; p < pairs.pairs; p++)
        pairs.pair[p].weight = weight;
    return seg_cluster(&ctx, method, NULL, &problem, out);
}

TEST(the_unit_of_weights_does_not_matter) {
    static const char *const methods[] = {"auto",       "enpakl",   "enpakl1",           "hmrf-kmeans",
                                          "cop-kmeans", "pckmeans", "constrained-kmeans"};
    static const double weights[] = {SEG_LEAST_WEIGHT, 1e-20, 1e20, SEG_LARGEST_WEIGHT};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const seg_method *method = seg_method_find(methods[m]);
        seg_clustering plain, other;
        assert_non_null(method);
        assert_ok(&ctx, solve(method, 1, &plain));
        for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
            assert_ok(&ctx, solve(method, weights[w], &other));
            if (memcmp(plain.label, other.label, COUNT * sizeof *plain.label) != 0)
                fail_msg("%s answers another sample where the pairs weigh %g", methods[m], weights[w]);
            seg_clustering_free(&other);
        }
        seg_clustering_free(&plain);
    }
}

/* Two wrong pairs, which would join two blobs and part one: of little confidence, by itself or beside the others, they
 * change nothing where pairs join samples. */
TEST(pairs_of_little_confidence_are_left_out) {
    for (int m = 0; seg_method_at(m); m++) {
        const seg_method *method = seg_method_at(m);
        const size_t given = pairs.pairs;
        seg_clustering without, with;
        if (method->needs & SEG_WEIGHS_PAIRS)
            continue;
        assert_ok(&ctx, solve(method, 0.7, &without));
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){30, 31, 1, 1}));
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){33, 36, -1, 1}));
        for (double scale = 1; scale > 1e-3; scale *= 0.1) {
            seg_problem problem = toy_problem(CLUSTERS, &X, &W, &pairs, 3);
            for (size_t p = 0; p < pairs.pairs; p++)
                pairs.pair[p].weight = scale * (p < given ? 0.7 : 0.3);
            assert_ok(&ctx, seg_cluster(&ctx, method, NULL, &problem, &with));
            if (memcmp(without.label, with.label, COUNT * sizeof *with.label) != 0)
                fail_msg("%s: pairs that are left out change a label", method->name);
            seg_clustering_free(&with);
        }
        pairs.pairs = given;
        seg_constraints_forget_closure(&pairs);
        seg_clustering_free(&without);
    }
}

/* A graph's weights have no unit: the methods that see one answer the same, from groups and from pairs. */
TEST(the_unit_of_edges_does_not_matter) {
    static const double units[] = {1e-99, 1e-50, 1e-30, 1e30, 1e50, 1e99};
    int failed = 0;
    seg_constraints groups = toy_groups(&ctx, COUNT, CLUSTERS, 3);
    const size_t edges = W.start[COUNT];
    double *given = malloc(edges * sizeof *given);
    memcpy(given, W.value, edges * sizeof *given);
    for (int m = 0; seg_method_at(m); m++)
        for (int by_groups = 0; by_groups < 2; by_groups++) {
            const seg_method *method = seg_method_at(m);
            const seg_problem problem = toy_problem(CLUSTERS, &X, &W, by_groups ? &groups : &pairs, 3);
            seg_clustering plain, other;
            /* sskk's penalties are in the unit of the edges, as printed [kulis2009sskk, Algorithm 4] */
            if (!(method->needs & SEG_NEEDS_GRAPH) || strcmp(method->name, "sskk") == 0)
                continue;
            memcpy(W.value, given, edges * sizeof *given);
            assert_ok(&ctx, seg_cluster(&ctx, method, NULL, &problem, &plain));
            for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
                double worst = 0;
                for (size_t e = 0; e < edges; e++)
                    W.value[e] = given[e] * units[u];
                const seg_status status = seg_cluster(&ctx, method, NULL, &problem, &other);
                for (size_t e = 0; !status && e < (size_t)COUNT * CLUSTERS; e++)
                    worst = fmax(worst, fabs(plain.score.at[e] - other.score.at[e]));
                if (status || memcmp(plain.label, other.label, COUNT * sizeof *plain.label) != 0 || !(worst < 1e-4)) {
                    print_error("%s by %s, edges times %g: %s, scores differ by %g\n", method->name,
                                by_groups ? "groups" : "pairs", units[u], status ? ctx.message : "another answer",
                                worst);
                    failed++;
                }
                seg_clustering_free(&other);
            }
            seg_clustering_free(&plain);
        }
    free(given);
    seg_constraints_free(&groups);
    assert_int_equal(failed, 0);
}

/* Pairs listed again, either way round, in any place and number: the bytes of pairs that are listed once. */
TEST(pairs_listed_twice_count_once) {
    int failed = 0;
    const size_t once = pairs.pairs;
    for (int way = 0; way < 3; way++) /* all again; one seven times; all turned round, of other weights */
        for (int m = 0; seg_method_at(m); m++) {
            SCOPED(seg_clustering) plain, other;
            pairs.pairs = once;
            assert_ok(&ctx, solve(seg_method_at(m), way == 2 ? 2 : 1, &plain));
            for (size_t p = 0; p < once; p++) {
                seg_pair pair = pairs.pair[p];
                if (way == 2)
                    pair = (seg_pair){pair.j, pair.i, pair.sign, 3}; /* the mean of 1, 3 is 2 */
                for (int times = 0; way != 1 ? times < 1 : p == 4 && times < 6; times++)
                    assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, pair));
            }
            for (size_t p = 0; p < once; p++)
                pairs.pair[p].weight = 1;
            const seg_problem problem = toy_problem(CLUSTERS, &X, &W, &pairs, 3);
            assert_ok(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &problem, &other));
            if (memcmp(plain.label, other.label, COUNT * sizeof *plain.label) != 0 ||
                memcmp(plain.score.at, other.score.at, COUNT * CLUSTERS * sizeof *plain.score.at) != 0 ||
                memcmp(&plain.objective, &other.objective, sizeof plain.objective) != 0) {
                print_error("way %d, %s: objective %g, not %g\n", way, seg_method_at(m)->name, other.objective,
                            plain.objective);
                failed++;
            }
        }
    assert_int_equal(failed, 0);
}

TEST(every_method_ends_orderly) {
    static const double weights[] = {SEG_LEAST_WEIGHT, SEG_LARGEST_WEIGHT};
    for (int m = 0; seg_method_at(m); m++)
        for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
            SCOPED(seg_clustering) out;
            ctx.message[0] = 0;
            if (solve(seg_method_at(m), weights[w], &out) != SEG_OK) {
                assert_true(ctx.message[0]);
                continue;
            }
            for (size_t i = 0; i < COUNT; i++)
                assert_in_range(out.label[i], 0, CLUSTERS - 1);
            for (size_t e = 0; e < (size_t)COUNT * CLUSTERS; e++)
                assert_true(isfinite(out.score.at[e]));
        }
}

TEST(what_overflows_is_refused) {
    for (int m = 0; seg_method_at(m); m++) {
        seg_clustering out;
        assert_int_equal(solve(seg_method_at(m), 1e308, &out), SEG_ERR_USAGE);
    }
}
