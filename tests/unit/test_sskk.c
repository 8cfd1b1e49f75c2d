/* SS-Kernel-KMeans and what it is made of: sums of similarities, the model against listed pairs, monotone objectives,
 * the paper's two circles. */
#include "toy.h"

#include "kernels/sskk.h"
#include "kernels/sskk_starts.h"
#include "linalg/dense.h"

/* A random graph, constraints that a random truth implies (groups and pairs), and a start. */
typedef struct toy {
    size_t n;
    int k;
    seg_csr W;
    seg_matrix X, dense;
    seg_constraints constraints, listed; /* listed: the same, groups as pairs */
    int32_t *start;
} toy;

static toy toy_make(seg_context *ctx, uint64_t seed, size_t n, int k) {
    toy t;
    seg_random random = seg_random_seeded(seed, 7);
    t.n = n;
    t.k = k;
    t.X = new_matrix(ctx, n, 3);
    for (size_t e = 0; e < 3 * n; e++)
        t.X.at[e] = seg_random_normal(&random);
    t.dense = new_matrix(ctx, n, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (seg_random_uniform(&random) < 0.3)
                t.dense.at[i * n + j] = t.dense.at[j * n + i] = seg_random_uniform(&random);
    t.W = toy_sparse(ctx, n, t.dense.at);
    t.constraints = new_constraints(ctx, n);
    const int with_groups = seed % 3 != 0;
    t.constraints.groups = with_groups ? k : 0;
    for (size_t i = 0; with_groups && i < n; i++) /* truth of sample i: i % k */
        t.constraints.group[i] = i < (size_t)k || seg_random_uniform(&random) < 0.2 ? (int16_t)(i % (size_t)k) : -1;
    t.listed = toy_list_pairs(ctx, &t.constraints);
    for (int p = 0; p < 8; p++) {
        seg_pair pair = {(int32_t)seg_random_below(&random, n), (int32_t)seg_random_below(&random, n), 1,
                         0.5 + seg_random_uniform(&random)};
        if (pair.i == pair.j || (with_groups && t.constraints.group[pair.i] >= 0 && t.constraints.group[pair.j] >= 0))
            continue;
        pair.sign = pair.i % k == pair.j % k ? 1 : -1;
        assert_ok(ctx, seg_constraints_add(ctx, &t.constraints, pair));
        assert_ok(ctx, seg_constraints_add(ctx, &t.listed, pair));
    }
    t.start = malloc(n * sizeof *t.start);
    for (size_t i = 0; i < n; i++)
        t.start[i] = i < (size_t)k ? (int32_t)i : (int32_t)seg_random_below(&random, (uint64_t)k);
    return t;
}

static void toy_free(toy *t) {
    seg_csr_free(&t->W);
    seg_matrix_free(&t->X);
    seg_matrix_free(&t->dense);
    seg_constraints_free(&t->constraints);
    seg_constraints_free(&t->listed);
    free(t->start);
}

static double similarity(const seg_similarities *B, size_t i, size_t j) {
    double value = 0;
    if (B->dense)
        value = B->dense->at[i * B->n + j];
    else if (B->sparse) {
        for (size_t e = B->sparse->start[i]; e < B->sparse->start[i + 1]; e++)
            if ((size_t)B->sparse->column[e] == j)
                value = B->sparse->value[e];
    } else
        for (size_t t = 0; t < B->features->cols; t++) {
            double x = B->features->at[i * B->features->cols + t], y = B->features->at[j * B->features->cols + t];
            value += B->width > 0 ? (x - y) * (x - y) : x * y;
        }
    if (B->width > 0)
        value = exp(-value / (2 * B->width * B->width));
    return B->scale ? value * B->scale[i] * B->scale[j] : value;
}

/* Products of matrices in place of differences: the same sums, and a sample like itself to the last bit. */
TEST(products_give_the_same_sums) {
    enum { N = 300, D = 20, K = 4 };
    int32_t label[N], moved[40], from[40], to[40];
    double half[N] = {0}, plain[N * K], fast[N * K];
    seg_random random = seg_random_seeded(5, 5);
    SCOPED(seg_matrix) X = new_matrix(&ctx, N, D);
    for (size_t e = 0; e < N * D; e++) {
        X.at[e] = seg_random_normal(&random);
        half[e / D] += 0.5 * X.at[e] * X.at[e];
    }
    for (size_t i = 0; i < N; i++)
        label[i] = (int32_t)(i % 7 % K);
    for (int narrow = 0; narrow < 2; narrow++) {
        seg_similarities B = {.n = N, .features = &X, .width = narrow ? 1e-3 : 4};
        assert_ok(&ctx, seg_kernel_sums(&ctx, &B, label, K, plain));
        B.half_square = half;
        assert_ok(&ctx, seg_kernel_sums(&ctx, &B, label, K, fast));
        for (size_t e = 0; e < N * K; e++)
            assert_near(fast[e], plain[e], narrow ? 0 : 1e-11);
        for (int count = 1; count <= 40; count += 39) {
            for (int m = 0; m < count; m++) {
                moved[m] = 7 * m;
                from[m] = label[moved[m]];
                to[m] = label[moved[m]] = (from[m] + 1) % K;
            }
            assert_ok(&ctx,
                      seg_kernel_sums_update(&ctx, &B, &(seg_kernel_moves){(size_t)count, moved, from, to}, K, fast));
            assert_ok(&ctx, seg_kernel_sums(&ctx, &B, label, K, plain));
            for (size_t e = 0; e < N * K; e++)
                assert_near(fast[e], plain[e], 1e-11);
        }
    }
}

TEST(sums_follow_moves) {
    SCOPED(toy) t = toy_make(&ctx, 1, 700, 5);
    AUTOFREE double *scale = malloc(t.n * sizeof *scale), *sum = malloc(t.n * 5 * sizeof *sum),
                    *again = malloc(t.n * 5 * sizeof *again);
    for (size_t i = 0; i < t.n; i++)
        scale[i] = 1 + (double)(i % 3);
    for (int kind = 0; kind < 8; kind++) {
        const seg_similarities B = {.n = t.n,
                                    .dense = kind % 4 == 0 ? &t.dense : NULL,
                                    .sparse = kind % 4 == 1 ? &t.W : NULL,
                                    .features = kind % 4 >= 2 ? &t.X : NULL,
                                    .width = kind % 4 == 3 ? 0.7 : 0,
                                    .scale = kind >= 4 ? scale : NULL};
        int32_t moved[3] = {9, 300, 699}, from[3], to[3] = {2, -1, 4};
        t.start[300] = 3;
        t.start[77] = -1;
        assert_ok(&ctx, seg_kernel_sums(&ctx, &B, t.start, 5, sum));
        for (size_t i = 0; i < t.n; i += 50) { /* the plain sum */
            double plain[5] = {0};
            for (size_t j = 0; j < t.n; j++)
                if (t.start[j] >= 0)
                    plain[t.start[j]] += similarity(&B, i, j);
            for (size_t c = 0; c < 5; c++)
                assert_near(sum[i * 5 + c], plain[c], 1e-10 * (1 + fabs(plain[c])));
            assert_near(seg_similarities_diagonal(&B, i), similarity(&B, i, i), 1e-12);
        }
        for (int m = 0; m < 3; m++) {
            from[m] = t.start[moved[m]];
            t.start[moved[m]] = to[m];
        }
        assert_ok(&ctx, seg_kernel_sums_update(&ctx, &B, &(seg_kernel_moves){3, moved, from, to}, 5, sum));
        assert_ok(&ctx, seg_kernel_sums(&ctx, &B, t.start, 5, again));
        for (size_t e = 0; e < t.n * 5; e++)
            assert_near(sum[e], again[e], 1e-9 * (1 + fabs(again[e])));
    }
}

/* The model's matrix written out, group links pair by pair. */
static void write_out(const seg_sskk_model *model, size_t n, double *B) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double value = similarity(&model->B, i, j);
            for (size_t e = model->pairs.start ? model->pairs.start[i] : 0;
                 model->pairs.start && e < model->pairs.start[i + 1]; e++)
                if ((size_t)model->pairs.column[e] == j)
                    value += model->pairs.value[e];
            if (i != j && model->links.group && model->links.group[i] >= 0 && model->links.group[j] >= 0)
                value += model->links.group[i] == model->links.group[j] ? model->links.weight : -model->links.weight;
            if (i == j && model->diagonal)
                value += model->diagonal[i];
            B[i * n + j] = value;
        }
}

static double weight_of(const seg_sskk_model *model, size_t i) {
    return model->weight ? model->weight[i] : 1;
}

static double plain_objective(const seg_sskk_model *model, size_t n, int k, const double *B, const int32_t *label) {
    double objective = 0;
    for (int c = 0; c < k; c++) {
        double inside = 0, mass = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; label[i] == c && j < n; j++)
                inside += label[j] == c ? B[i * n + j] : 0;
        for (size_t i = 0; i < n; i++)
            mass += label[i] == c ? weight_of(model, i) : 0;
        objective += mass > 0 ? inside / mass : 0;
    }
    return objective;
}

/* Algorithm 1 as printed, on the kernel matrix written out: one step. Returns 0 where a cluster ran empty. */
static int plain_step(const seg_sskk_model *model, size_t n, int k, const double *B, double shift, int32_t *label) {
    AUTOFREE int32_t *next = malloc(n * sizeof *next);
    int full = 1;
    for (size_t i = 0; i < n; i++) {
        double least = INFINITY;
        for (int step = 0; step <= k; step++) {
            const int c = step ? step - 1 : label[i];
            double mass = 0, cross = 0, inside = 0, distance;
            for (size_t j = 0; j < n; j++) {
                if (label[j] != c)
                    continue;
                const double aj = weight_of(model, j);
                mass += aj;
                cross += aj * (B[i * n + j] / (weight_of(model, i) * aj) + (i == j ? shift / aj : 0));
                for (size_t l = 0; l < n; l++)
                    if (label[l] == c) /* a_j a_l K_jl */
                        inside += B[j * n + l] + (j == l ? shift * aj : 0);
            }
            distance = -2 * cross / mass + inside / (mass * mass);
            if (step == 0 || distance < least - 1e-12 * fabs(least)) { /* ties: stay */
                least = distance;
                next[i] = c;
            }
        }
    }
    memcpy(label, next, n * sizeof *next);
    for (int c = 0; c < k; c++) {
        size_t size = 0;
        for (size_t i = 0; i < n; i++)
            size += label[i] == c;
        full &= size > 0;
    }
    return full;
}

static seg_kernel_kmeans_options run_of(const seg_sskk_model *model, int k, seg_kernel_shift use, int iterations,
                                        int sweeps) {
    return (seg_kernel_kmeans_options){
        .k = k, .weight = model->weight, .shift = model->shift, .use = use, .iterations = iterations, .sweeps = sweeps};
}

TEST(groups_equal_listed_pairs) {
    for (uint64_t seed = 1; seed <= 24; seed++) {
        SCOPED(seg_sskk_model) grouped, listed;
        const int kind = (int)(seed / 4) % 3;
        const seg_sskk_options options = {
            .k = 3, .objective = (seg_sskk_objective)(seed % 4), .penalty = 1.5, .sweeps = 20, .restarts = 1};
        SCOPED(toy) t = toy_make(&ctx, seed, 40, 3);
        const seg_similarities A = {.n = t.n,
                                    .sparse = kind == 0 ? &t.W : NULL,
                                    .dense = kind == 1 ? &t.dense : NULL,
                                    .features = kind == 2 ? &t.X : NULL,
                                    .width = kind == 2 ? 1 : 0};
        if (kind == 1) { /* a kernel must be positive semidefinite */
            const seg_similarities gauss = {.n = t.n, .features = &t.X, .width = 1};
            for (size_t e = 0; e < t.n * t.n; e++)
                t.dense.at[e] = similarity(&gauss, e / t.n, e % t.n);
        }
        AUTOFREE double *B = malloc(1600 * sizeof *B), *C = malloc(1600 * sizeof *C);
        double sum[120];
        int32_t one[40], two[40], twin[40];
        seg_kernel_kmeans_result result, other;
        assert_ok(&ctx,
                  seg_sskk_model_create(&ctx, &(seg_sskk_problem){&A, kind > 0, &t.constraints}, &options, &grouped));
        assert_ok(&ctx, seg_sskk_model_create(&ctx, &(seg_sskk_problem){&A, kind > 0, &t.listed}, &options, &listed));
        write_out(&grouped, t.n, B);
        write_out(&listed, t.n, C);
        for (size_t e = 0; e < 1600; e++)
            assert_near(B[e], C[e], 1e-12);
        /* Step by step the clusters of the plain algorithm on the matrix written out. */
        memcpy(twin, t.start, sizeof twin);
        for (int steps = 1, full = 1; steps < 6 && full; steps++) {
            const seg_kernel_kmeans_options batch = run_of(&grouped, 3, SEG_SHIFT_BOUND, steps, 0);
            full = plain_step(&grouped, t.n, 3, B, grouped.shift, twin);
            memcpy(one, t.start, sizeof one);
            assert_ok(&ctx, seg_kernel_kmeans(&ctx, &(seg_kernel_problem){&grouped.B, &grouped.links}, &batch, one, sum,
                                              &result));
            if (full)
                assert_memory_equal(one, twin, sizeof one);
            assert_near(result.objective, plain_objective(&grouped, t.n, 3, B, one),
                        1e-10 * (1 + fabs(result.objective)));
            for (size_t i = 0; i < t.n; i++)
                for (int c = 0; c < 3; c++) {
                    double plain = 0;
                    for (size_t j = 0; j < t.n; j++)
                        plain += one[j] == c ? B[i * t.n + j] : 0;
                    assert_near(sum[i * 3 + (size_t)c], plain, 1e-10 * (1 + fabs(plain)));
                }
        }
        /* With single moves too, groups and listed pairs end alike. */
        const seg_kernel_kmeans_options whole = run_of(&grouped, 3, SEG_SHIFT_BOUND, 50, 50);
        memcpy(one, t.start, sizeof one);
        memcpy(two, t.start, sizeof two);
        assert_ok(&ctx, seg_kernel_kmeans(&ctx, &(seg_kernel_problem){&grouped.B, &grouped.links}, &whole, one, NULL,
                                          &result));
        assert_ok(&ctx,
                  seg_kernel_kmeans(&ctx, &(seg_kernel_problem){&listed.B, &listed.links}, &whole, two, NULL, &other));
        assert_memory_equal(one, two, sizeof one);
        assert_near(result.objective, plain_objective(&grouped, t.n, 3, B, one), 1e-10 * (1 + fabs(result.objective)));
    }
}

/* 1,000 random problems, a quarter for each objective: the shift makes the kernel positive semidefinite (checked by its
 * least eigenvalue); a plain step with it never lowers the objective; and no step of any setting does. */
TEST(objective_never_falls) {
    double least = INFINITY, shift = 0, excess = 0;
    int steps = 0, problems[4] = {0};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        enum { n = 24 };
        const int k = 2 + (int)(seed % 4);
        const seg_sskk_options options = {.k = k,
                                          .objective = (seg_sskk_objective)(seed / 4 % 4),
                                          .penalty = 0.2 * (double)(seed % 11),
                                          .sweeps = 20,
                                          .restarts = 1};
        double B[n * n], scaled[n * n], value[n], vector[n * n], before, after;
        int32_t label[n];
        SCOPED(seg_sskk_model) model;
        SCOPED(toy) t = toy_make(&ctx, seed, n, k);
        const seg_similarities A = {.n = n, .sparse = &t.W};
        assert_ok(&ctx, seg_sskk_model_create(&ctx, &(seg_sskk_problem){&A, 0, &t.constraints}, &options, &model));
        write_out(&model, n, B);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                scaled[i * n + j] = B[i * n + j] / sqrt(weight_of(&model, i) * weight_of(&model, j));
        assert_ok(&ctx, seg_eigen_dense(&ctx, n, scaled, value, vector));
        assert_true(value[0] + model.shift >= -1e-9);
        least = fmin(least, value[0]);
        shift = fmax(shift, model.shift);
        excess += (model.shift + value[0]) / 1000;
        memcpy(label, t.start, sizeof label);
        before = plain_objective(&model, n, k, B, label);
        for (int step = 0; step < 4 && plain_step(&model, n, k, B, model.shift, label); step++) {
            after = plain_objective(&model, n, k, B, label);
            assert_true(after >= before - 1e-10 * (1 + fabs(before)));
            before = after;
        }
        for (int use = 0; use < 2; use++) {
            seg_kernel_kmeans_result result = {0};
            memcpy(label, t.start, sizeof label);
            before = plain_objective(&model, n, k, B, label);
            for (int sweeps = 0; sweeps < 2; sweeps++) {
                result.converged = 0;
                for (int limit = 1; limit < (sweeps ? 50 : 200) && !result.converged; limit++) { /* steps or sweeps */
                    const seg_kernel_kmeans_options run =
                        run_of(&model, k, (seg_kernel_shift)use, sweeps ? 200 : limit, sweeps ? limit : 0);
                    memcpy(label, t.start, sizeof label);
                    assert_ok(&ctx, seg_kernel_kmeans(&ctx, &(seg_kernel_problem){&model.B, &model.links}, &run, label,
                                                      NULL, &result));
                    after = plain_objective(&model, n, k, B, label);
                    assert_true(after >= before - 1e-10 * (1 + fabs(before)));
                    before = after;
                    steps++;
                }
                assert_true(result.converged);
            }
        }
        problems[options.objective]++;
    }
    for (int objective = 0; objective < 4; objective++)
        assert_true(problems[objective] >= 240);
    print_message("1000 problems, %d steps, none lowers the objective; least eigenvalue %.2f, largest shift %.2f, on "
                  "average %.2f more than needed\n",
                  steps, least, shift, excess);
}

TEST(start_obeys_the_constraints) {
    int32_t label[90], other[90];
    int seeded;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 3, 30, 8);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 8);
    SCOPED(seg_constraints) c = new_constraints(&ctx, 90);
    /* Components {0, 3, 6} and {9, 12} of blob 0, {1, 4} of blob 1: the largest first, then the farthest. */
    const seg_pair pairs[] = {{0, 3, 1, 1}, {3, 6, 1, 1}, {9, 12, 1, 1}, {1, 4, 1, 1}};
    for (size_t p = 0; p < 4; p++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &c, pairs[p]));
    const seg_similarities kinds[] = {
        {.n = 90, .features = &X}, {.n = 90, .features = &X, .width = 3}, {.n = 90, .sparse = &W}};
    for (size_t kind = 0; kind < 3; kind++) {
        assert_ok(&ctx,
                  seg_farthest_first(&ctx, &kinds[kind], &c, &(seg_seeding){2, SEG_SEEDS_FARTHEST, 0}, label, &seeded));
        assert_int_equal(seeded, 2);
        for (size_t i = 0; i < 90; i += 3) {
            assert_int_equal(label[i], 0);
            assert_int_equal(label[i + 1], 1);
        }
        /* The list's order does not matter. */
        for (size_t p = 0; p < 2; p++) {
            seg_pair swap = c.pair[p];
            c.pair[p] = c.pair[3 - p];
            c.pair[3 - p] = swap;
        }
        assert_ok(&ctx,
                  seg_farthest_first(&ctx, &kinds[kind], &c, &(seg_seeding){2, SEG_SEEDS_FARTHEST, 0}, other, NULL));
        assert_memory_equal(label, other, sizeof label);
    }
}

/* The paper's two circles: 100 points each, an inner and an outer one. */
static void two_circles(seg_context *ctx, uint64_t seed, seg_matrix *X, int *truth) {
    seg_random random = seg_random_seeded(seed, 12);
    *X = new_matrix(ctx, 200, 2);
    for (size_t i = 0; i < 200; i++) {
        const double angle = 6.283185307179586 * seg_random_uniform(&random);
        const double radius = (i % 2 ? 3 : 1) + 0.1 * seg_random_normal(&random);
        X->at[2 * i] = radius * cos(angle);
        X->at[2 * i + 1] = radius * sin(angle);
        truth[i] = (int)(i % 2);
    }
}

static double circles_nmi(seg_context *ctx, const char *method, const char *settings, const seg_matrix *X,
                          const seg_constraints *constraints, const int *truth) {
    SCOPED(seg_contingency) table;
    int label[200];
    seg_scores scores;
    SCOPED(seg_csr) W = toy_knn(ctx, X, 8);
    const seg_problem problem = toy_problem(2, X, &W, constraints, 5);
    SCOPED(seg_clustering) found = toy_cluster(ctx, method, settings, &problem);
    for (size_t i = 0; i < 200; i++)
        label[i] = found.label[i];
    assert_ok(ctx, seg_contingency_count(ctx, label, truth, 200, &table));
    assert_ok(ctx, seg_score(ctx, &table, &scores));
    return scores.nmi;
}

/* [kulis2009sskk, Fig. 3]: the exponential kernel separates the circles, the linear one cannot. */
TEST(two_circles_come_apart) {
    const char *const exponential = "kernel=exponential", *const linear = "kernel=linear";
    for (uint64_t seed = 1; seed <= 5; seed++) {
        int truth[200];
        SCOPED(seg_matrix) X;
        two_circles(&ctx, seed, &X, truth);
        seg_random random = seg_random_seeded(seed, 5);
        SCOPED(seg_constraints) pairs = new_constraints(&ctx, 200);
        while (pairs.pairs < 200) {
            seg_pair pair = {(int32_t)seg_random_below(&random, 200), (int32_t)seg_random_below(&random, 200), 1, 1};
            pair.sign = truth[pair.i] == truth[pair.j] ? 1 : -1;
            if (pair.i != pair.j)
                assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, pair));
        }
        print_message(
            "two circles, 200 constraints: exponential %.3f (paper's algorithm %.3f), linear %.3f, sskk %.3f, "
            "spectral-learning %.3f, ccsr %.3f\n",
            circles_nmi(&ctx, "kernel-hmrf-kmeans", exponential, &X, &pairs, truth),
            circles_nmi(&ctx, "kernel-hmrf-kmeans", "kernel=exponential sweeps=0", &X, &pairs, truth),
            circles_nmi(&ctx, "kernel-hmrf-kmeans", linear, &X, &pairs, truth),
            circles_nmi(&ctx, "sskk", NULL, &X, &pairs, truth),
            circles_nmi(&ctx, "spectral-learning", NULL, &X, &pairs, truth),
            circles_nmi(&ctx, "ccsr", NULL, &X, &pairs, truth));
        assert_near(circles_nmi(&ctx, "kernel-hmrf-kmeans", exponential, &X, &pairs, truth), 1, 1e-12);
        assert_near(circles_nmi(&ctx, "sskk", NULL, &X, &pairs, truth), 1, 1e-12);
        assert_true(circles_nmi(&ctx, "kernel-hmrf-kmeans", linear, &X, &pairs, truth) < 0.5);
    }
}

/* Every objective and shift on blobs; a kernel matrix in place of the graph; order of pairs; a cancelled call. */
static int refuse(void *user, double done, const char *stage) {
    (void)user, (void)stage;
    return done > 0;
}

TEST(settings_and_refusals) {
    static const char *const settings[] = {"objective=association",
                                           "objective=ratio-cut",
                                           "objective=normalized-cut",
                                           "shift=bound",
                                           "shift=0",
                                           "shift=0 sweeps=0 iterations=0",
                                           "sweeps=0",
                                           "penalty=0",
                                           "penalty=20"};
    const seg_method *sskk = seg_method_find("sskk");
    seg_clustering found, again;
    SCOPED(seg_matrix) X = toy_blobs(&ctx, 3, 50, 4);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, 150, 3, 4);
    SCOPED(seg_constraints) pairs = toy_list_pairs(&ctx, &groups);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 10);
    SCOPED(seg_matrix) K = new_matrix(&ctx, 150, 150);
    for (size_t i = 0; i < 150; i++)
        for (size_t j = 0; j < 150; j++)
            K.at[i * 150 + j] =
                exp(-0.02 * (pow(X.at[2 * i] - X.at[2 * j], 2) + pow(X.at[2 * i + 1] - X.at[2 * j + 1], 2)));
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        for (int kernel = 0; kernel < 2; kernel++) {
            const seg_problem problem = {
                .n = 150, .k = 3, .affinity = &W, .kernel = kernel ? &K : NULL, .constraints = &groups, .restarts = 1};
            found = toy_cluster(&ctx, "sskk", settings[s], &problem);
            int wrong_ones = 0;
            for (size_t i = 0; i < 150; i++)
                wrong_ones += found.label[i] != (int32_t)(i % 3);
            /* Ratio association of a graph gains by giving a cluster's loose ends to the least dense cluster. */
            if (wrong_ones > (s == 0 && !kernel ? 8 : 0)) {
                print_error("%s, kernel %d: %d label\n", settings[s], kernel, wrong_ones);
                fail();
            }
            seg_clustering_free(&found);
        }
    /* Listed pairs in the reverse order: the same bytes. */
    seg_problem problem = {.n = 150, .k = 3, .affinity = &W, .constraints = &pairs, .restarts = 1};
    assert_ok(&ctx, seg_cluster(&ctx, sskk, NULL, &problem, &found));
    for (size_t p = 0; p < pairs.pairs / 2; p++) {
        seg_pair swap = pairs.pair[p];
        pairs.pair[p] = pairs.pair[pairs.pairs - 1 - p];
        pairs.pair[pairs.pairs - 1 - p] = swap;
    }
    assert_ok(&ctx, seg_cluster(&ctx, sskk, NULL, &problem, &again));
    assert_memory_equal(found.label, again.label, 150 * sizeof *found.label);
    assert_near(found.objective, again.objective, 0);
    seg_clustering_free(&found);
    seg_clustering_free(&again);
    /* A kernel with rows that sum below zero has no cut. */
    for (size_t i = 0; i < 150; i++)
        K.at[i] = K.at[150 * i] = -1;
    problem.kernel = &K;
    assert_fails(&ctx, seg_cluster(&ctx, sskk, NULL, &problem, &found), SEG_ERR_USAGE, "association");
    assert_null(found.label);
    problem.kernel = NULL;
    ctx.progress = refuse;
    ctx.progress_last = 0.5;
    assert_int_equal(seg_cluster(&ctx, sskk, NULL, &problem, &found), SEG_ERR_CANCELLED);
    int32_t label[150] = {0};
    const seg_similarities A = {.n = 150, .sparse = &W};
    const seg_kernel_kmeans_options options = {.k = 3, .iterations = 5};
    seg_kernel_kmeans_result result;
    ctx.progress = NULL;
    /* all in one cluster: the others are filled */
    assert_ok(&ctx, seg_kernel_kmeans(&ctx, &(seg_kernel_problem){&A, NULL}, &options, label, NULL, &result));
    int seen[3] = {0};
    for (size_t i = 0; i < 150; i++)
        seen[label[i]] = 1;
    assert_true(seen[0] && seen[1] && seen[2]);
}
