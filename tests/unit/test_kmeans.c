/* k-means: known answers, the plain iteration as slow twin, constrained rows, empty clusters, same bytes for any
 * threads. */
#include "check.h"

#include "base/base.h"
#include "clustering/kmeans.h"
#include "clustering/kmeans_step.h"
#include "linalg/dense.h"

/* n rows around `blobs` random centres. */
static seg_matrix blobs(seg_context *ctx, uint64_t seed, size_t n, size_t d, int count, double spread) {
    AUTOFREE double *middle = malloc((size_t)count * d * sizeof *middle);
    seg_random random = seg_random_seeded(seed, 0);
    seg_matrix X = new_matrix(ctx, n, d);
    for (size_t e = 0; e < (size_t)count * d; e++)
        middle[e] = 10 * seg_random_normal(&random);
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < d; t++)
            X.at[i * d + t] = middle[i % (size_t)count * d + t] + spread * seg_random_normal(&random);
    return X;
}

static double objective(const seg_matrix *X, const int32_t *label, const double *centre) {
    double sum = 0;
    for (size_t i = 0; i < X->rows; i++)
        for (size_t t = 0; t < X->cols; t++) {
            double u = X->at[i * X->cols + t] - centre[(size_t)label[i] * X->cols + t];
            sum += u * u;
        }
    return sum;
}

TEST(blobs_are_found) {
    enum { n = 600, d = 3, k = 6 };
    int32_t label[n];
    double centre[k * d];
    seg_kmeans_options options = {.k = k, .restarts = 5, .iterations = 100, .stream = 3};
    seg_kmeans_result result;
    SCOPED(seg_matrix) X = blobs(&ctx, 1, n, d, k, 0.1);
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
    assert_int_equal(result.converged, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 50; j++)
            assert_int_equal(label[i] == label[j], i % k == j % k);
    assert_near(result.objective, objective(&X, label, centre), 1e-10 * result.objective);
    assert_near(result.objective, 0.01 * n * d, 4); /* variance times degrees of freedom */
    /* The order of the rows does not matter to the best partition. */
    for (size_t i = 0; i < n / 2; i++)
        for (size_t t = 0; t < d; t++) {
            double swap = X.at[i * d + t];
            X.at[i * d + t] = X.at[(n - 1 - i) * d + t];
            X.at[(n - 1 - i) * d + t] = swap;
        }
    seg_kmeans_result turned;
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &turned));
    assert_near(turned.objective, result.objective, 1e-10 * result.objective);
}

/* Lloyd's iteration as one would write it down, from given centres. Objectives fall from step to step. */
static int plain_lloyd(const seg_matrix *X, const int16_t *group, int k, int limit, int32_t *label, double *centre) {
    size_t n = X->rows, d = X->cols;
    double before = INFINITY;
    for (size_t i = 0; i < n; i++)
        label[i] = -1;
    for (int round = 1; round <= limit; round++) {
        int changed = 0;
        for (size_t i = 0; i < n; i++) {
            double best = INFINITY;
            int32_t at = -1;
            if (group && group[i] >= 0)
                at = group[i];
            else {
                if (label[i] >= 0) {
                    at = label[i];
                    best = seg_distance2(d, X->at + i * d, centre + (size_t)at * d);
                }
                for (int32_t c = 0; c < k; c++) {
                    double distance = seg_distance2(d, X->at + i * d, centre + (size_t)c * d);
                    if (distance < best) {
                        best = distance;
                        at = c;
                    }
                }
            }
            changed += at != label[i];
            label[i] = at;
        }
        double now = objective(X, label, centre);
        assert_true(now <= before * (1 + 1e-12));
        before = now;
        if (!changed)
            return round;
        for (int32_t c = 0; c < k; c++) {
            size_t members = 0;
            for (size_t i = 0; i < n; i++)
                members += label[i] == c;
            assert_true(members > 0); /* these problems leave no cluster empty */
            for (size_t t = 0; t < d; t++) {
                double sum = 0;
                for (size_t i = 0; i < n; i++)
                    if (label[i] == c)
                        sum += X->at[i * d + t];
                centre[(size_t)c * d + t] = sum / (double)members;
            }
        }
    }
    return limit;
}

TEST(bounds_change_nothing) {
    for (int t = 0; t < 12; t++) {
        size_t n = t % 2 ? 250 : 1000, d = 1 + (size_t)t;
        int k = 2 + t;
        SCOPED(seg_matrix) X = blobs(&ctx, 20 + (uint64_t)t, n, d, 9, t % 3 ? 5 : 20);
        AUTOFREE int16_t *group = malloc(n * sizeof *group);
        for (size_t i = 0; i < n; i++)
            group[i] = i % 10 ? -1 : (int16_t)(i / 10 % 2);
        seg_kmeans_options options = {
            .k = k, .restarts = 1, .iterations = 500, .stream = 5, .group = t % 4 ? NULL : group};
        AUTOFREE int32_t *label = malloc(n * sizeof *label), *plain = malloc(n * sizeof *plain);
        AUTOFREE double *centre = malloc((size_t)k * d * sizeof *centre);
        seg_kmeans_result result;
        assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
        /* The same start again, for the twin. */
        SCOPED(seg_lloyd) lloyd;
        seg_random random = seg_random_seeded(ctx.seed, options.stream);
        assert_ok(&ctx, seg_lloyd_create(&ctx, &X, &options, NULL, &lloyd));
        seg_kmeans_seed(&lloyd, &random);
        int rounds = plain_lloyd(&X, options.group, k, 500, plain, lloyd.centre);
        assert_int_equal(rounds, result.iterations);
        assert_memory_equal(plain, label, n * sizeof *label);
        for (size_t e = 0; e < (size_t)k * d; e++)
            assert_near(centre[e], lloyd.centre[e], 1e-10);
    }
}

TEST(same_bytes_for_any_threads) {
    enum { n = 20000, d = 7, k = 9 };
    seg_kmeans_options options = {.k = k, .restarts = 3, .iterations = 30, .stream = 1};
    seg_kmeans_result one, two;
    AUTOFREE int32_t *label = malloc(2 * n * sizeof *label);
    double centre[2][k * d];
    SCOPED(seg_matrix) X = blobs(&ctx, 2, n, d, 5, 6);
    ctx.threads = 1;
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre[0], &one));
    ctx.threads = 2;
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label + n, centre[1], &two));
    assert_memory_equal(label, label + n, n * sizeof *label);
    assert_memory_equal(centre[0], centre[1], sizeof centre[0]);
    assert_true(one.objective == two.objective && one.iterations == two.iterations);
    options.restarts = 1; /* now rows are split, not runs */
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre[0], &two));
    ctx.threads = 1;
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label + n, centre[1], &one));
    assert_memory_equal(label, label + n, n * sizeof *label);
    assert_memory_equal(centre[0], centre[1], sizeof centre[0]);
    ctx.seed = 77; /* another start, hardly worse after restarts */
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label + n, centre[1], &two));
    assert_true(memcmp(label, label + n, n * sizeof *label) != 0);
}

TEST(restarts_never_make_it_worse) {
    enum { n = 400, d = 2, k = 8 };
    int32_t label[n];
    double centre[k * d], before = INFINITY;
    seg_kmeans_result result;
    SCOPED(seg_matrix) X = blobs(&ctx, 3, n, d, 12, 1);
    for (int restarts = 1; restarts <= 16; restarts *= 2) {
        seg_kmeans_options options = {.k = k, .restarts = restarts, .iterations = 100, .stream = 3};
        assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
        assert_true(result.objective <= before);
        before = result.objective;
    }
}

TEST(constrained_rows_stay) {
    enum { n = 300, d = 2, k = 4 };
    int16_t group[n];
    int32_t label[n];
    double centre[k * d];
    seg_kmeans_result result;
    SCOPED(seg_matrix) X = blobs(&ctx, 4, n, d, 4, 0.1);
    for (size_t i = 0; i < n; i++)
        group[i] = -1;
    for (size_t i = 0; i < 40; i++) /* blob 2 is named 0, blob 0 is named 1; one row of blob 3 is claimed by 0 */
        group[i] = i % 4 == 2 ? 0 : i % 4 == 0 ? 1 : -1;
    group[3] = 0;
    seg_kmeans_options options = {.k = k, .restarts = 4, .iterations = 100, .stream = 9, .group = group};
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result)); /* group 2 has no rows */
    for (size_t i = 0; i < n; i++) {
        if (group[i] >= 0)
            assert_int_equal(label[i], group[i]);
        if (i % 4 == 2)
            assert_int_equal(label[i], 0);
        if (i % 4 == 0)
            assert_int_equal(label[i], 1);
        if (i % 4 == 1)
            assert_int_equal(label[i], label[1]);
        if (i % 4 == 3 && i != 3)
            assert_int_equal(label[i], label[7]);
    }
    assert_true(label[1] >= 2 && label[7] >= 2 && label[1] != label[7]);
    for (size_t i = 0; i < n; i++) /* everyone tied */
        group[i] = (int16_t)(i % 3);
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(label[i], i % 3);
    assert_int_equal(result.converged, 1);
}

TEST(as_many_clusters_as_rows) {
    enum { n = 40, d = 3 };
    int32_t label[n];
    int seen[n] = {0};
    double centre[n * d];
    seg_kmeans_options options = {.k = n, .restarts = 1, .iterations = 100};
    seg_kmeans_result result;
    SCOPED(seg_matrix) X = blobs(&ctx, 5, n, d, 5, 1);
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
    assert_true(result.objective == 0 && result.converged);
    for (size_t i = 0; i < n; i++)
        seen[label[i]]++;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(seen[i], 1);
    options.k = 1; /* one cluster: the mean */
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
    for (size_t t = 0; t < d; t++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += X.at[i * d + t];
        assert_near(centre[t], sum / n, 1e-12);
    }
}

/* Fewer distinct rows than clusters: no cluster stays empty while a row can be spared, and it ends. */
TEST(duplicates_fill_empty_clusters) {
    enum { n = 60, k = 5 };
    int32_t label[n];
    int seen[k] = {0};
    double centre[k * 2];
    seg_kmeans_options options = {.k = k, .restarts = 2, .iterations = 50};
    seg_kmeans_result result;
    SCOPED(seg_matrix) X = new_matrix(&ctx, n, 2);
    for (size_t i = 0; i < n; i++)
        X.at[2 * i] = (double)(i % 2);
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
    assert_true(result.objective == 0);
    assert_int_equal(result.converged, 1);
    for (size_t i = 0; i < n; i++) {
        seen[label[i]]++;
        assert_near(centre[2 * label[i]], X.at[2 * i], 0);
    }
    for (int c = 0; c < k; c++)
        assert_true(seen[c] > 0);
}

/* A group far from its own rows' mean can lose a free cluster: it gets the farthest free row. */
TEST(empty_cluster_gets_the_farthest_row) {
    enum { n = 6 };
    SCOPED(seg_lloyd) lloyd;
    seg_kmeans_options options = {.k = 3, .restarts = 1, .iterations = 10};
    static const double rows[n] = {0, 1, 2, 10, 11, 25};
    SCOPED(seg_matrix) X = new_matrix(&ctx, n, 1);
    memcpy(X.at, rows, sizeof rows);
    assert_ok(&ctx, seg_lloyd_create(&ctx, &X, &options, NULL, &lloyd));
    lloyd.centre[0] = 1;
    lloyd.centre[1] = 12;
    lloyd.centre[2] = 1000; /* nobody comes here */
    seg_lloyd_begin(&lloyd);
    assert_true(seg_lloyd_assign(&lloyd) > 0);
    assert_int_equal(lloyd.label[5], 2);
    assert_int_equal(lloyd.label[3], 1);
    assert_int_equal(lloyd.label[0], 0);
    seg_lloyd_update(&lloyd);
    assert_near(lloyd.centre[2], 25, 0);
    assert_near(lloyd.centre[1], 10.5, 0);
    assert_true(seg_lloyd_assign(&lloyd) == 0);
}

TEST(unfit_requests_are_refused) {
    int32_t label[4];
    int16_t group[4] = {-1, 0, 1, -1};
    double centre[8];
    seg_kmeans_result result;
    seg_kmeans_options good = {.k = 2, .restarts = 1, .iterations = 10, .group = group};
    SCOPED(seg_matrix) X = new_matrix(&ctx, 4, 2);
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &good, label, centre, &result));
    X.at[3] = NAN;
    assert_int_equal(seg_kmeans(&ctx, &X, &good, label, centre, &result), SEG_ERR_USAGE);
    X.at[3] = 1e300;
    assert_int_equal(seg_kmeans(&ctx, &X, &good, label, centre, &result), SEG_ERR_USAGE);
    seg_matrix_free(&X);
    X = new_matrix(&ctx, 4, 0); /* rows without columns are all alike */
    assert_ok(&ctx, seg_kmeans(&ctx, &X, &good, label, centre, &result));
    assert_true(result.objective == 0);
}

/* Rows that the cache does not hold: runs go through them together. Each must be what it is alone, by steps that share
 * nothing and sums that are made anew each time. */
typedef struct together {
    const char *what;
    size_t n, d;
    int k, restarts, distinct; /* distinct: rows that differ, 0: all */
    double offset, unit;
} together;

static seg_matrix table_of(seg_context *ctx, const together *c) {
    seg_matrix X = blobs(ctx, 5, c->n, c->d, 7, 4);
    for (size_t e = 0; e < c->n * c->d; e++)
        X.at[e] = c->unit * (X.at[e] + c->offset);
    for (size_t i = (size_t)c->distinct; c->distinct && i < c->n; i++)
        memcpy(X.at + i * c->d, X.at + i % (size_t)c->distinct * c->d, c->d * sizeof *X.at);
    return X;
}

/* The best of the runs one by one. */
static double best_alone(seg_context *ctx, const seg_matrix *X, const seg_kmeans_options *options, int32_t *label,
                         double *centre) {
    double best = INFINITY;
    SCOPED(seg_lloyd) lloyd;
    assert_ok(ctx, seg_lloyd_create(ctx, X, options, NULL, &lloyd));
    for (int run = 0; run < options->restarts; run++) {
        seg_random random = seg_random_seeded(ctx->seed, options->stream + ((uint64_t)run << 32));
        seg_kmeans_seed(&lloyd, &random);
        seg_lloyd_begin(&lloyd);
        for (int step = 0; step < options->iterations && seg_lloyd_assign(&lloyd) > 0; step++)
            seg_lloyd_update(&lloyd);
        const double now = (options->cosine ? 0.5 : 1) * seg_lloyd_objective(&lloyd);
        if (now < best) {
            best = now;
            memcpy(label, lloyd.label, X->rows * sizeof *label);
            memcpy(centre, lloyd.centre, (size_t)options->k * X->cols * sizeof *centre);
        }
    }
    return best;
}

TEST(runs_together_are_runs_alone) {
    static const together all[] = {{"usual", 3000, 50, 12, 9, 0, 0, 1},
                                   {"more runs than go together", 2700, 50, 5, 18, 0, 0, 1},
                                   {"one run", 3000, 50, 12, 1, 0, 0, 1},
                                   {"one cluster", 2700, 50, 1, 3, 0, 0, 1},
                                   {"as many clusters as rows", 370, 370, 370, 2, 0, 0, 1},
                                   {"duplicates, and so empty clusters", 2700, 50, 12, 4, 9, 0, 1},
                                   {"far from the origin", 3000, 50, 12, 4, 0, 1e9, 1},
                                   {"another unit", 3000, 50, 12, 4, 0, 0, 1024},
                                   {"a small unit", 3000, 50, 12, 4, 0, 0, 1.0 / (1 << 30)},
                                   {"one column", 140000, 1, 6, 4, 0, 0, 1}};
    for (size_t a = 0; a < sizeof all / sizeof *all; a++) {
        const together *c = &all[a];
        const size_t cells = (size_t)c->k * c->d;
        seg_kmeans_options options = {.k = c->k, .restarts = c->restarts, .iterations = 15, .stream = 3};
        SCOPED(seg_matrix) X = table_of(&ctx, c);
        int32_t *label = malloc(2 * c->n * sizeof *label), *alone = label + c->n;
        double *centre = malloc(2 * cells * sizeof *centre), *alone_centre = centre + cells;
        const double objective_alone = best_alone(&ctx, &X, &options, alone, alone_centre);
        for (int threads = a ? 3 : 1; threads <= 4; threads += threads < 3 ? 2 : 1) {
            seg_kmeans_result result;
            ctx.threads = threads;
            /* The last time with room for a run or two at a time. */
            ctx.max_memory = threads == 4 ? seg_memory_held() + ((size_t)10 << 20) : 0;
            assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
            if (memcmp(label, alone, c->n * sizeof *label) != 0 ||
                memcmp(centre, alone_centre, cells * sizeof *centre) != 0 || result.objective != objective_alone)
                fail_msg("%s, %d threads: other labels, centres or objective than alone", c->what, threads);
            assert_near(result.objective, objective(&X, label, centre),
                        1e-12 * result.objective + 1e-13 * (double)(c->n * c->d) * c->unit * c->unit * c->offset);
        }
        ctx.threads = 1;
        ctx.max_memory = 0;
        free(label);
        free(centre);
    }
}

/* The plain iteration from the same starts finds the same labels; a unit of a power of two changes no bit of them. */
TEST(runs_together_are_the_plain_iteration) {
    enum { n = 2700, d = 50, k = 7 };
    int32_t label[n], plain[n];
    AUTOFREE double *centre = malloc((size_t)k * d * sizeof *centre), *start = malloc((size_t)k * d * sizeof *start);
    seg_kmeans_options options = {.k = k, .restarts = 1, .iterations = 300, .stream = 8};
    seg_kmeans_result result;
    seg_random random;
    seg_lloyd lloyd;
    for (int unit = 0; unit < 2; unit++) {
        SCOPED(seg_matrix) X = table_of(&ctx, &(together){"", n, d, k, 1, 0, 0, unit ? 4096 : 1});
        assert_ok(&ctx, seg_lloyd_create(&ctx, &X, &options, NULL, &lloyd));
        random = seg_random_seeded(ctx.seed, options.stream);
        seg_kmeans_seed(&lloyd, &random);
        memcpy(start, lloyd.centre, (size_t)k * d * sizeof *start);
        seg_lloyd_free(&lloyd);
        plain_lloyd(&X, NULL, k, options.iterations, plain, start);
        assert_ok(&ctx, seg_kmeans(&ctx, &X, &options, label, centre, &result));
        assert_memory_equal(label, plain, sizeof label);
        assert_near(result.objective, objective(&X, plain, start), 1e-10 * result.objective);
    }
}
