/* Spherical k-means, and the constrained methods on it: an example by hand, the optimum by all partitions, lengths of
 * rows that do not matter, a falling objective, zero rows. */
#include "toy.h"

#include "clustering/kmeans.h"

static const char *const methods[] = {"kmeans", "seeded-kmeans", "constrained-kmeans", "cop-kmeans", "pckmeans"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* n rows around `count` random directions, of random lengths. */
static seg_matrix directions(seg_context *ctx, uint64_t seed, size_t n, size_t d, size_t count, double spread) {
    AUTOFREE double *middle = malloc(count * d * sizeof *middle);
    seg_random random = seg_random_seeded(seed, 0);
    seg_matrix X = new_matrix(ctx, n, d);
    for (size_t e = 0; e < count * d; e++)
        middle[e] = seg_random_normal(&random);
    for (size_t i = 0; i < n; i++) {
        const double length = exp(2 * seg_random_normal(&random));
        for (size_t t = 0; t < d; t++)
            X.at[i * d + t] = length * (middle[i % count * d + t] + spread * seg_random_normal(&random));
    }
    return X;
}

/* The least sum of 1 - cos of a partition: each cluster has its size less the length of the sum of its directions. */
static double of_partition(const seg_matrix *X, int k, const int32_t *label) {
    const size_t d = X->cols;
    double total = (double)X->rows, *sum = calloc((size_t)k * d, sizeof *sum);
    for (size_t i = 0; i < X->rows; i++) {
        double square = 0;
        for (size_t t = 0; t < d; t++)
            square += X->at[i * d + t] * X->at[i * d + t];
        for (size_t t = 0; t < d; t++)
            sum[(size_t)label[i] * d + t] += X->at[i * d + t] / sqrt(square);
    }
    for (int c = 0; c < k; c++) {
        double square = 0;
        for (size_t t = 0; t < d; t++)
            square += sum[(size_t)c * d + t] * sum[(size_t)c * d + t];
        total -= sqrt(square);
    }
    free(sum);
    return total;
}

static seg_clustering run(seg_context *ctx, const char *name, const seg_matrix *X, int k,
                          const seg_constraints *constraints) {
    const seg_problem problem = toy_problem(k, X, NULL, constraints, 20);
    return toy_cluster(ctx, name, "distance=cosine", &problem);
}

TEST(an_example_by_hand) {
    double at[] = {3, 0, 100, 0, 0, 2, 0.3, 0.4, 0, 1e-9};
    const seg_matrix X = {.rows = 5, .cols = 2, .at = at};
    for (size_t m = 0; m < METHODS; m++) {
        SCOPED(seg_clustering) found = run(&ctx, methods[m], &X, 2, NULL);
        assert_true(found.label[0] == found.label[1] && found.label[2] == found.label[4]);
        assert_true(found.label[3] == found.label[2] && found.label[0] != found.label[2]);
        /* (0, 1), (0.6, 0.8), (0, 1): the sum is (0.6, 2.8). */
        assert_near(found.objective, 3 - sqrt(0.36 + 7.84), 1e-12);
    }
}

TEST(the_best_of_all_partitions) {
    enum { n = 9, k = 3 };
    for (uint64_t seed = 1; seed <= 8; seed++) {
        SCOPED(seg_matrix) X = directions(&ctx, seed, n, 3, 4, 0.4);
        int32_t label[n];
        double least = INFINITY;
        for (int code = 0; code < 19683; code++) { /* 3^9 */
            for (int i = 0, rest = code; i < n; i++, rest /= k)
                label[i] = rest % k;
            least = fmin(least, of_partition(&X, k, label));
        }
        SCOPED(seg_clustering) found = run(&ctx, "kmeans", &X, k, NULL);
        assert_near(found.objective, of_partition(&X, k, found.label), 1e-12);
        assert_near(found.objective, least, 1e-9);
    }
}

TEST(lengths_do_not_matter) {
    enum { n = 90, d = 4, k = 3 };
    SCOPED(seg_constraints) pairs = new_constraints(&ctx, n);
    for (int32_t i = 0; i < 12; i++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){i, i + 3, 1, 1}));
    for (int32_t i = 0; i < 12; i++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){i, i + 1, -1, 1}));
    for (int kind = 0; kind < 2; kind++) {
        SCOPED(seg_matrix) X = directions(&ctx, 5, n, d, k, 0.5), Y = directions(&ctx, 5, n, d, k, 0.5);
        for (size_t i = 0; i < n; i++)
            for (size_t t = 0; t < d; t++)
                Y.at[i * d + t] *= kind ? ldexp(1, (int)(i % 40) - 20) : 0.1 + 3.7 * (double)i;
        for (size_t m = 0; m < METHODS; m++) {
            SCOPED(seg_clustering) a = run(&ctx, methods[m], &X, k, &pairs), b = run(&ctx, methods[m], &Y, k, &pairs);
            assert_memory_equal(a.label, b.label, n * sizeof *a.label);
            if (kind) /* powers of two change no bit */
                assert_memory_equal(a.score.at, b.score.at, n * k * sizeof *a.score.at);
            assert_near(a.objective, b.objective, 1e-10);
        }
    }
}

TEST(the_objective_never_rises) {
    enum { n = 700, d = 5, k = 6 };
    int32_t label[n];
    double centre[k * d], before = INFINITY, first = 0;
    SCOPED(seg_matrix) U;
    seg_kmeans_result result = {0};
    SCOPED(seg_matrix) X = directions(&ctx, 3, n, d, k, 0.9);
    assert_ok(&ctx, seg_sphere_create(&ctx, &X, &U));
    for (int limit = 1; limit <= 60 && !result.converged; limit++) {
        const seg_kmeans_options options = {.k = k, .restarts = 1, .iterations = limit, .stream = 9, .cosine = 1};
        assert_ok(&ctx, seg_kmeans(&ctx, &U, &options, label, centre, &result));
        assert_true(result.objective <= before + 1e-9);
        before = result.objective;
        first = limit == 1 ? before : first;
    }
    assert_int_equal(result.converged, 1);
    assert_true(before < first);
    assert_near(before, of_partition(&X, k, label), 1e-9);
    for (size_t c = 0; c < k; c++) {
        double square = 0;
        for (size_t t = 0; t < d; t++)
            square += centre[c * d + t] * centre[c * d + t];
        assert_near(square, 1, 1e-12);
    }
    for (size_t i = 0; i < n; i++) { /* every row is at the centre of the largest cosine */
        double cosine[k] = {0};
        for (size_t c = 0; c < k; c++)
            for (size_t t = 0; t < d; t++)
                cosine[c] += U.at[i * d + t] * centre[c * d + t];
        for (size_t c = 0; c < k; c++)
            assert_true(cosine[c] <= cosine[label[i]] + 1e-12);
    }
}

TEST(constraints_are_kept) {
    enum { n = 60, k = 3 };
    SCOPED(seg_matrix) X = directions(&ctx, 7, n, 3, k, 0.2);
    SCOPED(seg_constraints) pairs = new_constraints(&ctx, n);
    assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){0, 3, -1, 1})); /* of one blob */
    assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){1, 2, 1, 1}));  /* of two */
    SCOPED(seg_clustering) hard = run(&ctx, "cop-kmeans", &X, k, &pairs);
    assert_true(hard.label[0] != hard.label[3] && hard.label[1] == hard.label[2]);
    assert_near(hard.objective, of_partition(&X, k, hard.label), 1e-9);
    SCOPED(seg_clustering) free_of_them = run(&ctx, "kmeans", &X, k, NULL);
    assert_true(hard.objective > free_of_them.objective + 0.01);
    SCOPED(seg_clustering) soft = run(&ctx, "pckmeans", &X, k, &pairs);
    double broken = (soft.label[0] == soft.label[3]) + (soft.label[1] != soft.label[2]);
    double unit = 0; /* twice the mean squared distance to the mean of the unit rows, over n - 1 */
    SCOPED(seg_matrix) U;
    assert_ok(&ctx, seg_sphere_create(&ctx, &X, &U));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t t = 0; t < 3; t++)
                unit += pow(U.at[i * 3 + t] - U.at[j * 3 + t], 2) / (n * (n - 1.0));
    assert_near(soft.objective, of_partition(&X, k, soft.label) + unit * broken, 1e-9);
}

TEST(same_bytes_for_any_threads) {
    enum { n = 3000, k = 5 };
    SCOPED(seg_matrix) X = directions(&ctx, 11, n, 20, k, 1);
    for (size_t m = 0; m < METHODS; m++) {
        ctx.threads = 1;
        SCOPED(seg_clustering) one = run(&ctx, methods[m], &X, k, NULL);
        ctx.threads = 4;
        SCOPED(seg_clustering) four = run(&ctx, methods[m], &X, k, NULL);
        assert_memory_equal(one.label, four.label, n * sizeof *one.label);
        assert_memory_equal(one.score.at, four.score.at, n * k * sizeof *one.score.at);
        assert_true(one.objective == four.objective);
    }
}

TEST(odd_directions) {
    double opposite[] = {1, 0, -2, 0}, alike[] = {1, 2, 2, 4, 0.5, 1}, zero[] = {1, 0, 0, 1, 0, 0};
    const seg_matrix A = {.rows = 2, .cols = 2, .at = opposite}, B = {.rows = 3, .cols = 2, .at = alike};
    const seg_matrix Z = {.rows = 3, .cols = 2, .at = zero}, one = {.rows = 1, .cols = 2, .at = alike};
    for (size_t m = 0; m < METHODS; m++) {
        seg_clustering out = run(&ctx, methods[m], &A, 1, NULL);
        assert_near(out.objective, 2, 1e-12); /* their mean has no direction, and no centre is better than another */
        seg_clustering_free(&out);
        out = run(&ctx, methods[m], &A, 2, NULL);
        assert_near(out.objective, 0, 1e-15);
        assert_true(out.label[0] != out.label[1]);
        seg_clustering_free(&out);
        out = run(&ctx, methods[m], &B, 2, NULL);
        assert_near(out.objective, 0, 1e-15);
        seg_clustering_free(&out);
        out = run(&ctx, methods[m], &one, 1, NULL);
        assert_near(out.objective, 0, 1e-15);
        seg_clustering_free(&out);

        const seg_method *method = seg_method_find(methods[m]);
        const seg_problem problem = {.n = 3, .k = 2, .features = &Z, .restarts = 1};
        const seg_params params = toy_params(&ctx, method, "distance=cosine");
        assert_ok(&ctx, seg_cluster(&ctx, method, NULL, &problem, &out)); /* Euclidean: a point like any other */
        seg_clustering_free(&out);
        assert_fails(&ctx, seg_cluster(&ctx, method, &params, &problem, &out), SEG_ERR_USAGE, "row 3 is all zeros");
    }
}
