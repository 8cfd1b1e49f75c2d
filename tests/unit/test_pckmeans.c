/* k-means with pairwise constraints: penalties against listed pairs, objectives by hand and by exhaustive search, the
 * limits w = 0 and w large, a monotone objective, invariances. */
#include "constrained_problems.h"

#include "clustering/pckmeans.h"
#include "clustering/pckmeans_step.h"

static seg_pckmeans_options soft(int k, double w) {
    return (seg_pckmeans_options){.kind = SEG_PCKMEANS_SOFT,
                                  .k = k,
                                  .restarts = 3,
                                  .iterations = 200,
                                  .stream = 5,
                                  .w = w,
                                  .distortion = 0.5,
                                  .closure = 1,
                                  .whole = 1};
}

static seg_kmeans_result solve(const seg_matrix *X, const seg_constraints *c, const seg_pckmeans_options *options,
                               int32_t *label, double *centre) {
    seg_kmeans_result result;
    assert_ok(&ctx, seg_pckmeans(&ctx, X, c, options, (seg_clusters){label, centre}, &result));
    return result;
}

/* Counted penalties are those of the pairs written down, for any partial labelling. */
TEST(counts_equal_listed_pairs) {
    enum { n = 30, k = 4 };
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const int closure = seed % 2 == 0;
        SCOPED(seg_neighbourhoods) f;
        SCOPED(seg_penalties) p;
        double row[k], constraints = 0;
        int32_t label[n];
        seg_random random = seg_random_seeded(seed, 1);
        SCOPED(random_problem) problem = problem_make(&ctx, seed, n, 1, k, 25, (int)(seed % 4), !closure);
        size_t kept = 0; /* as seg_cluster hands them on: no pair that the groups imply */
        for (size_t e = 0; e < problem.constraints.pairs; e++) {
            seg_pair *pair = &problem.constraints.pair[e];
            int grouped = (problem.constraints.group[pair->i] >= 0) + (problem.constraints.group[pair->j] >= 0);
            if (grouped == 0 || (grouped == 1 && pair->sign < 0))
                problem.constraints.pair[kept++] = *pair;
        }
        problem.constraints.pairs = kept;
        AUTOFREE double *W = closure ? weights_closed(&problem.constraints) : weights_listed(&problem.constraints);
        assert_ok(&ctx, seg_neighbourhoods_create(&ctx, &problem.constraints, &f));
        assert_ok(&ctx, seg_penalties_create(&ctx, &problem.constraints, &f, k, closure, &p));
        for (size_t i = 0; i < n; i++)
            label[i] = -1;
        for (int move = 0; move < 200; move++) {
            size_t i = (size_t)seg_random_below(&random, n);
            double expected[k] = {0};
            for (size_t j = 0; j < n; j++)
                for (int32_t h = 0; h < k; h++)
                    if (label[j] >= 0 && j != i && (W[i * n + j] > 0 ? label[j] != h : label[j] == h))
                        expected[h] += fabs(W[i * n + j]);
            seg_penalties_of_sample(&p, (int32_t)i, row);
            for (int h = 0; h < k; h++)
                assert_near(row[h], expected[h], 1e-12);
            if (f.of[i] >= 0)
                seg_penalties_move(&p, (int32_t)i, label[i] = (int32_t)seg_random_below(&random, k));
        }
        for (size_t i = 0; i < n; i++)
            if (f.of[i] >= 0)
                seg_penalties_move(&p, (int32_t)i, label[i] = (int32_t)seg_random_below(&random, k));
        for (size_t i = 0; i < n; i++) /* free samples are in no pair */
            if (f.of[i] < 0)
                label[i] = 0;
        assert_near(seg_penalties_total(&p), broken_weight(W, n, label), 1e-10);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                constraints += W[i * n + j] != 0;
        if (closure)
            assert_near(seg_penalties_constraints(&p), constraints, 0);
        for (int32_t a = 0; a < p.counted; a++) { /* a neighbourhood in one cluster, moved to another, as a whole */
            double before, now[k];
            for (size_t m = f.start[a]; m < f.start[a + 1]; m++)
                seg_penalties_move(&p, f.member[m], label[f.member[m]] = 0);
            seg_penalties_of_neighbourhood(&p, a, now);
            before = broken_weight(W, n, label);
            for (size_t m = f.start[a]; m < f.start[a + 1]; m++)
                seg_penalties_move(&p, f.member[m], label[f.member[m]] = 2);
            assert_near(now[2] - now[0], broken_weight(W, n, label) - before, 1e-10);
        }
    }
}

/* Two samples, one cluster, one cannot-link of weight 3: the objective is known. */
TEST(objectives_by_hand) {
    seg_kmeans_result result;
    seg_pckmeans_options options = soft(1, 5);
    seg_pair pair = {1, 0, -1, 3};
    int32_t label[3];
    double centre[2];
    SCOPED(seg_matrix) X = new_matrix(&ctx, 2, 1);
    SCOPED(seg_constraints) c = new_constraints(&ctx, 2);
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, pair));
    X.at[1] = 2;
    for (int closure = 0; closure < 2; closure++) {
        options.closure = closure;
        options.unit = SEG_PCKMEANS_ONE;
        result = solve(&X, &c, &options, label, centre);
        assert_near(result.objective, 0.5 * 2 + 5 * 3, 1e-12);
        assert_near(result.broken, 3, 1e-12);
        assert_near(centre[0], 1, 1e-12);
        options.unit = SEG_PCKMEANS_DISTANCE; /* the one distance is 4 */
        result = solve(&X, &c, &options, label, centre);
        assert_near(result.objective, 1 + 5 * 4 * 3, 1e-12);
        options.unit = SEG_PCKMEANS_CONSTRAINTS; /* n / (k C) = 2 */
        result = solve(&X, &c, &options, label, centre);
        assert_near(result.objective, 1 + 5 * 2 * 3, 1e-12);
    }
    seg_constraints_free(&c);
    seg_matrix_free(&X);
    /* 0, 2.2 and 3 on a line; 0 must go with 2.2. w = 0: {0}, {2.2, 3}; w dear: {0, 2.2}, {3}. */
    X = new_matrix(&ctx, 3, 1);
    c = new_constraints(&ctx, 3);
    pair = (seg_pair){0, 1, 1, 1};
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, pair));
    X.at[1] = 2.2;
    X.at[2] = 3;
    options = soft(2, 0);
    options.restarts = 10;
    result = solve(&X, &c, &options, label, centre);
    assert_true(label[0] != label[1] && label[1] == label[2]);
    assert_near(result.objective, 0.16, 1e-12);
    options.w = 100;
    result = solve(&X, &c, &options, label, centre);
    assert_true(label[0] == label[1] && label[1] != label[2]);
    assert_near(result.objective, 1.21, 1e-12);
}

/* Least objective over all labellings into two clusters. */
static double exhaustive(const random_problem *p, const double *W, double w) {
    const size_t n = p->X.rows;
    double best = INFINITY;
    int32_t label[16];
    for (uint32_t code = 0; code < 1u << n; code++) {
        double sum[2] = {0}, square[2] = {0}, size[2] = {0}, value = 0;
        for (size_t i = 0; i < n; i++) {
            int32_t h = label[i] = (int32_t)(code >> i & 1);
            sum[h] += p->X.at[i];
            square[h] += p->X.at[i] * p->X.at[i];
            size[h]++;
        }
        for (int h = 0; h < 2; h++)
            value += size[h] > 0 ? 0.5 * (square[h] - sum[h] * sum[h] / size[h]) : 0;
        value += w > 0 ? w * broken_weight(W, n, label) : 0;
        best = fmin(best, value);
    }
    return best;
}

TEST(small_problems_reach_the_optimum) {
    enum { n = 9 };
    int reached = 0, problems = 60;
    for (uint64_t seed = 1; seed <= (uint64_t)problems; seed++) {
        int32_t label[n];
        double centre[2];
        SCOPED(random_problem) p = problem_make(&ctx, seed, n, 1, 2, 5, 0, 1);
        AUTOFREE double *W = weights_listed(&p.constraints);
        const double w = 0.4 * (double)(seed % 5);
        seg_pckmeans_options options = soft(2, w);
        options.closure = 0;
        options.restarts = 30;
        const seg_kmeans_result result = solve(&p.X, &p.constraints, &options, label, centre);
        const double best = exhaustive(&p, W, w);
        assert_true(result.objective >= best - 1e-9);
        reached += result.objective <= best + 1e-9;
    }
    assert_true(reached >= problems * 3 / 4); /* a local search: not always, but mostly */
}

/* Seeded-KMeans as one would write it down. */
static void plain_seeded(const seg_matrix *X, const seg_constraints *c, int k, int32_t *label) {
    const size_t n = X->rows, d = X->cols;
    AUTOFREE double *centre = calloc((size_t)k * d, sizeof *centre), *size = calloc((size_t)k, sizeof *size);
    for (size_t i = 0; i < n; i++)
        label[i] = c->group[i];
    for (int changed = 1; changed;) {
        memset(centre, 0, (size_t)k * d * sizeof *centre);
        memset(size, 0, (size_t)k * sizeof *size);
        for (size_t i = 0; i < n; i++)
            for (size_t t = 0; label[i] >= 0 && t < d; t++) {
                centre[(size_t)label[i] * d + t] += X->at[i * d + t];
                size[label[i]] += t == 0;
            }
        changed = 0;
        for (size_t i = 0; i < n; i++) {
            int32_t best = 0;
            double least = INFINITY;
            for (int32_t h = 0; h < k; h++) {
                double distance = 0;
                for (size_t t = 0; t < d; t++) {
                    double u = X->at[i * d + t] - centre[(size_t)h * d + t] / size[h];
                    distance += u * u;
                }
                if (distance < least) {
                    least = distance;
                    best = h;
                }
            }
            changed |= best != label[i];
            label[i] = best;
        }
    }
}

TEST(without_weight_it_is_seeded_kmeans) {
    enum { n = 300, k = 4, d = 3 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        seg_kmeans_result result;
        int32_t plain[n], label[n];
        double centre[k * d], first[k * d];
        SCOPED(random_problem) p = problem_make(&ctx, seed, n, d, k, 0, k, 0);
        seg_pckmeans_options options = soft(k, 0);
        plain_seeded(&p.X, &p.constraints, k, plain);
        result = solve(&p.X, &p.constraints, &options, label, centre);
        assert_memory_equal(label, plain, sizeof plain);
        assert_int_equal(result.converged, 1);
        options.kind = SEG_PCKMEANS_SEEDED;
        result = solve(&p.X, &p.constraints, &options, label, first);
        assert_memory_equal(label, plain, sizeof plain);
        assert_memory_equal(centre, first, sizeof centre);
        /* A weight too small to matter goes the long way to the same place. */
        for (int whole = 0; whole < 2; whole++) {
            options = soft(k, 1e-13);
            options.whole = whole;
            result = solve(&p.X, &p.constraints, &options, label, centre);
            assert_memory_equal(label, plain, sizeof plain);
        }
    }
}

TEST(with_a_large_weight_it_is_constrained_kmeans) {
    enum { n = 300, k = 4, d = 3 };
    int differ = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        seg_kmeans_result result;
        int32_t held[n], label[n];
        double first[k * d], centre[k * d];
        SCOPED(random_problem) p = problem_make(&ctx, seed, n, d, k, 0, k, 0);
        seg_pckmeans_options options = soft(k, 0);
        options.kind = SEG_PCKMEANS_SEEDED;
        result = solve(&p.X, &p.constraints, &options, label, centre);
        options.kind = SEG_PCKMEANS_CONSTRAINED;
        result = solve(&p.X, &p.constraints, &options, held, first);
        differ += memcmp(label, held, sizeof held) != 0; /* the seeds matter */
        for (size_t i = 0; i < n; i++)
            assert_true(p.constraints.group[i] < 0 || held[i] == p.constraints.group[i]);
        for (int whole = 0; whole < 2; whole++) {
            options = soft(k, 1e12);
            options.whole = whole;
            result = solve(&p.X, &p.constraints, &options, label, centre);
            assert_memory_equal(label, held, sizeof held);
            assert_memory_equal(centre, first, sizeof first);
            assert_true(result.broken == 0);
        }
        options.kind = SEG_PCKMEANS_HARD;
        result = solve(&p.X, &p.constraints, &options, label, centre);
        assert_memory_equal(label, held, sizeof held);
    }
    assert_true(differ > 0);
}

/* Was a sample put into an empty cluster? Then its centre follows only in the next step. */
static int was_refilled(const seg_pck *pck) {
    for (size_t i = 0; i < pck->lloyd.n; i++)
        if (pck->hold[i] < 0 && isinf(pck->lloyd.upper[i]))
            return 1;
    return 0;
}

TEST(the_objective_never_rises) {
    int steps = 0, refilled = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        SCOPED(seg_neighbourhoods) f;
        SCOPED(seg_pck) pck;
        size_t changed = 1;
        double before = INFINITY, broken;
        seg_random random = seg_random_seeded(seed, 3);
        const int k = 2 + (int)seg_random_below(&random, 5), groups = (int)seg_random_below(&random, (uint64_t)k + 1);
        const size_t n = 10 + (size_t)seg_random_below(&random, 60), pairs = (size_t)seg_random_below(&random, 60);
        const int closure = (int)(seed & 1);
        SCOPED(random_problem) p = problem_make(&ctx, seed, n, 1 + seed % 3, k, pairs, groups, 1);
        seg_pckmeans_options options = soft(k, pow(10, 4 * seg_random_uniform(&random) - 2));
        options.closure = closure;
        options.whole = (int)(seed >> 1 & 1);
        options.start = seed % 3 ? SEG_START_LARGEST : SEG_START_FARTHEST;
        options.perturbed = seed % 5 == 0;
        options.unit = (seg_pckmeans_unit)(seed % 3);
        if (seed % 7 == 0)
            options.w = 1e12;
        assert_ok(&ctx, seg_neighbourhoods_create(&ctx, &p.constraints, &f));
        const seg_pck_problem problem = {.X = &p.X,
                                         .plain = {.k = k, .restarts = 1, .iterations = options.iterations},
                                         .constraints = &p.constraints,
                                         .f = &f,
                                         .soft = &options};
        assert_ok(&ctx, seg_pck_create(&ctx, &problem, NULL, &pck));
        assert_ok(&ctx, seg_pck_begin(&pck, &random));
        for (int round = 0; changed && round < 200; round++) {
            assert_ok(&ctx, seg_pck_assign(&pck, &changed));
            double now = seg_pck_objective(&pck, &broken);
            if (was_refilled(&pck))
                refilled++;
            else
                assert_true(now <= before + 1e-12 * fabs(before));
            seg_lloyd_update(&pck.lloyd);
            double after = seg_pck_objective(&pck, &broken);
            assert_true(after <= now + 1e-12 * fabs(now));
            assert_true(after <= before + 1e-12 * fabs(before));
            before = after;
            steps++;
        }
        assert_true(changed == 0);
        for (size_t i = 0; i < n; i++) /* the counts kept step */
            assert_true(f.of[i] < 0 || pck.lloyd.label[i] == pck.penalties.label[i]);
    }
    assert_true(steps > 3000 && refilled < steps / 10);
}

/* Groups, and the same groups with every pair listed: the same objective and clusters. */
TEST(groups_equal_listed_pairs) {
    enum { n = 120, k = 3, d = 2 };
    for (uint64_t seed = 1; seed <= 10; seed++) {
        int32_t label[n], other[n];
        double centre[k * d];
        SCOPED(random_problem) p = problem_make(&ctx, seed, n, d, k, 0, k, 0);
        SCOPED(seg_constraints) pairs = toy_list_pairs(&ctx, &p.constraints);
        for (int closure = 0; closure < 2; closure++) {
            seg_pckmeans_options options = soft(k, 0.02);
            options.closure = closure;
            options.whole = 0; /* whole moves know the groups only where the closure is not taken */
            options.restarts = 20;
            const seg_kmeans_result of_groups = solve(&p.X, &p.constraints, &options, label, centre);
            const seg_kmeans_result of_pairs = solve(&p.X, &pairs, &options, other, centre);
            assert_near(of_pairs.objective, of_groups.objective, 1e-9 * of_groups.objective);
            assert_near(of_pairs.broken, of_groups.broken, 1e-9);
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < i; j++)
                    assert_int_equal(label[i] == label[j], other[i] == other[j]);
        }
    }
}

TEST(invariances) {
    enum { n = 3000, k = 4, d = 3 };
    AUTOFREE int32_t *label = malloc(n * sizeof *label), *other = malloc(n * sizeof *other);
    double centre[k * d], second[k * d];
    seg_random random = seg_random_seeded(8, 8);
    SCOPED(random_problem) p = problem_make(&ctx, 77, n, d, k, 400, 2, 1);
    const seg_pckmeans_kind kinds[] = {SEG_PCKMEANS_SEEDED, SEG_PCKMEANS_CONSTRAINED, SEG_PCKMEANS_SOFT,
                                       SEG_PCKMEANS_HARD};
    for (int kind = 0; kind < 4; kind++)
        for (int closure = 0; closure < 2; closure++) {
            seg_pckmeans_options options = soft(k, 0.3);
            options.kind = kinds[kind];
            options.closure = closure;
            options.unit = SEG_PCKMEANS_DISTANCE;
            ctx.threads = 1;
            const seg_kmeans_result plain = solve(&p.X, &p.constraints, &options, label, centre);
            ctx.threads = 3; /* any number of threads */
            seg_kmeans_result again = solve(&p.X, &p.constraints, &options, other, second);
            assert_memory_equal(label, other, n * sizeof *label);
            assert_memory_equal(centre, second, sizeof centre);
            for (size_t e = p.constraints.pairs; e > 1; e--) { /* any order of the pairs, and of their ends */
                size_t f = (size_t)seg_random_below(&random, e);
                seg_pair swap = p.constraints.pair[e - 1];
                p.constraints.pair[e - 1] = p.constraints.pair[f];
                p.constraints.pair[f] = (seg_pair){swap.j, swap.i, swap.sign, swap.weight};
            }
            again = solve(&p.X, &p.constraints, &options, other, second);
            assert_memory_equal(label, other, n * sizeof *label);
            assert_memory_equal(centre, second, sizeof centre);
            assert_memory_equal(&plain, &again, sizeof plain);
            for (size_t e = 0; e < n * d; e++) /* any scale, where w is in the data's unit */
                p.X.at[e] *= 0x1p-10;
            again = solve(&p.X, &p.constraints, &options, other, second);
            assert_memory_equal(label, other, n * sizeof *label);
            for (size_t e = 0; e < n * d; e++)
                p.X.at[e] *= 0x1p10;
            /* Renamed groups rename their clusters and change nothing else where every group's cluster is fixed. */
            if (kinds[kind] == SEG_PCKMEANS_SEEDED || kinds[kind] == SEG_PCKMEANS_CONSTRAINED) {
                for (size_t i = 0; i < n; i++)
                    if (p.constraints.group[i] >= 0)
                        p.constraints.group[i] = (int16_t)(1 - p.constraints.group[i]);
                again = solve(&p.X, &p.constraints, &options, other, second);
                for (size_t i = 0; i < n; i++)
                    assert_int_equal(other[i], label[i] < 2 ? 1 - label[i] : label[i]);
                for (size_t i = 0; i < n; i++)
                    if (p.constraints.group[i] >= 0)
                        p.constraints.group[i] = (int16_t)(1 - p.constraints.group[i]);
            }
        }
}

/* Many rows: the steps themselves run in parallel. */
TEST(large_problems_split_their_rows) {
    enum { n = 400000, k = 4, d = 5 };
    AUTOFREE int32_t *label = malloc(n * sizeof *label), *other = malloc(n * sizeof *other);
    double centre[k * d], second[k * d];
    SCOPED(random_problem) p = problem_make(&ctx, 3, n, d, k, 50, k, 0);
    seg_pckmeans_options options = soft(k, 0.001);
    assert_true((double)n * k * d >= SEG_PCK_SMALL_WORK);
    options.restarts = 1;
    options.iterations = 6;
    ctx.threads = 1;
    const seg_kmeans_result plain = solve(&p.X, &p.constraints, &options, label, centre);
    ctx.threads = 2;
    const seg_kmeans_result again = solve(&p.X, &p.constraints, &options, other, second);
    assert_memory_equal(label, other, n * sizeof *label);
    assert_memory_equal(centre, second, sizeof centre);
    assert_memory_equal(&plain, &again, sizeof plain);
}

/* Sizes 1, 3, 2 and single samples: who starts clusters is known. */
TEST(starts_are_the_printed_ones) {
    SCOPED(seg_neighbourhoods) f;
    int16_t start[10];
    static const seg_pair pairs[] = {{1, 2, 1, 1},  {2, 3, 1, 4},  {4, 5, 1, 1}, {6, 1, -1, 1},
                                     {6, 4, -1, 1}, {7, 1, -1, 1}, {8, 6, -1, 1}};
    seg_random random = seg_random_seeded(1, 1);
    SCOPED(seg_matrix) X = new_matrix(&ctx, 10, 1);
    SCOPED(seg_constraints) c = new_constraints(&ctx, 10);
    for (size_t e = 0; e < sizeof pairs / sizeof pairs[0]; e++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &c, pairs[e]));
    assert_ok(&ctx, seg_neighbourhoods_create(&ctx, &c, &f));
    assert_int_equal(f.count, 5);
    assert_int_equal(f.of[0], -1);
    assert_near(f.must[f.of[1]], 2.5, 1e-15); /* the mean of 1 and 4 */
    const int16_t two[10] = {-1, 0, 0, 0, 1, 1, -1, -1, -1, -1}, four[10] = {-1, 0, 0, 0, 1, 1, 2, -1, -1, -1};
    assert_ok(&ctx, seg_neighbourhoods_start(&ctx, &f, &X, &(seg_starts){2, SEG_START_LARGEST, &random}, start));
    assert_memory_equal(start, two, sizeof two);
    /* 6 lies apart from both; 7 from one only, 8 from none. */
    assert_ok(&ctx, seg_neighbourhoods_start(&ctx, &f, &X, &(seg_starts){4, SEG_START_LARGEST, &random}, start));
    assert_memory_equal(start, four, sizeof four);
    /* Farthest-first: 1 2 3 at 0, 4 5 at 1, 7 at 100. */
    X.at[4] = X.at[5] = 1;
    X.at[7] = 100;
    assert_ok(&ctx, seg_neighbourhoods_start(&ctx, &f, &X, &(seg_starts){2, SEG_START_FARTHEST, &random}, start));
    assert_int_equal(start[1], 0);
    assert_int_equal(start[7], 1);
    assert_int_equal(start[4], -1);
}

TEST(unfit_requests_are_refused) {
    seg_kmeans_result result;
    seg_pckmeans_options good = soft(2, 1);
    int32_t label[4];
    double centre[8];
    int left = 0;
    SCOPED(seg_matrix) X = new_matrix(&ctx, 4, 2);
    SCOPED(seg_constraints) c = new_constraints(&ctx, 4);
    result = solve(&X, &c, &good, label, centre); /* all alike, no constraints */
    ctx.progress = check_stop;
    ctx.progress_user = &left;
    assert_int_equal(seg_pckmeans(&ctx, &X, &c, &good, (seg_clusters){label, centre}, &result), SEG_ERR_CANCELLED);
    left = 99;
    result = solve(&X, &c, &good, label, centre);
    X.at[5] = NAN;
    assert_fails(&ctx, seg_pckmeans(&ctx, &X, &c, &good, (seg_clusters){label, centre}, &result), SEG_ERR_USAGE,
                 "row 2");
    X.at[5] = 0;
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){0, 1, 1, 1}));
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, (seg_pair){1, 0, -1, 1}));
    assert_int_equal(seg_pckmeans(&ctx, &X, &c, &good, (seg_clusters){label, centre}, &result), SEG_ERR_CONTRADICTION);
}
