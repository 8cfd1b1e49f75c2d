/* The semidefinite solver: programs with known answers, the checker against wrong solutions, csdp, refusals. */
#include "sdpa.h"

static seg_sdp_solution solve_and_check(seg_context *ctx, const seg_sdp *sdp) {
    seg_sdp_solution solution;
    seg_sdp_residuals residuals;
    assert_ok(ctx, seg_sdp_solve(ctx, sdp, 1e-7, &solution));
    assert_true(solution.converged && solution.iterations > 0);
    assert_ok(ctx, seg_sdp_check(ctx, sdp, &solution, &residuals));
    assert_true(seg_sdp_worst(&residuals) < 1e-6);
    assert_near(residuals.primal, solution.primal, 1e-6 * (1 + fabs(solution.primal)));
    assert_near(residuals.dual, solution.dual, 1e-6 * (1 + fabs(solution.dual)));
    return solution;
}

/* The relaxation of the largest cut of a cycle of n: minimise <A,X> / 2 over unit diagonals; n cos(pi - pi / n) for odd
 * n, vectors turned by as much from node to node. */
static seg_sdp cut(seg_context *ctx, int n) {
    seg_sdp sdp;
    assert_ok(ctx, seg_sdp_create(ctx, n, 1, &n, &sdp));
    for (int i = 0; i < n; i++) {
        assert_ok(ctx, seg_sdp_add(ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 0}, (size_t)i, (size_t)((i + 1) % n), 0.5));
        assert_ok(ctx, seg_sdp_add(ctx, &sdp, (seg_sdp_place){i + 1, 0}, (size_t)i, (size_t)i, 1));
        sdp.right[i] = 1;
    }
    return sdp;
}

TEST(largest_cuts_of_odd_cycles) {
    for (int n = 3; n <= 9; n += 2) {
        SCOPED(seg_sdp) sdp = cut(&ctx, n);
        SCOPED(seg_sdp_solution) solution = solve_and_check(&ctx, &sdp);
        assert_near(solution.primal, -n * cos(3.14159265358979324 / n), 1e-5);
        for (int i = 0; i < n; i++)
            assert_near(solution.X[0].at[i * n + (i + 1) % n], -cos(3.14159265358979324 / n), 1e-3);
    }
}

/* Lovasz's theta of the cycle of five is the root of five: maximise <J,X>, trace one, zero on the edges. The cost is
 * one rank-one term. */
static void theta_program(seg_context *ctx, seg_sdp *sdp) {
    const int n = 5;
    const int32_t all[5] = {0, 1, 2, 3, 4};
    assert_ok(ctx, seg_sdp_create(ctx, 1 + n, 1, &n, sdp));
    assert_ok(ctx, seg_sdp_add_rank_one(ctx, sdp, (seg_sdp_place){SEG_SDP_COST, 0}, -1, 5, all));
    sdp->right[0] = 1;
    for (size_t i = 0; i < 5; i++) {
        assert_ok(ctx, seg_sdp_add(ctx, sdp, (seg_sdp_place){1, 0}, i, i, 1));
        assert_ok(ctx, seg_sdp_add(ctx, sdp, (seg_sdp_place){2 + (int)i, 0}, i, (i + 1) % 5, 1));
    }
}

TEST(theta_of_the_pentagon) {
    SCOPED(seg_sdp) sdp;
    theta_program(&ctx, &sdp);
    SCOPED(seg_sdp_solution) solution = solve_and_check(&ctx, &sdp);
    assert_near(solution.primal, -sqrt(5), 1e-5);
}

/* Minimise 2 x_0 + 3 x_1 + z subject to x_0 + x_1 + w = 4, x_0 - x_1 + s = 1 and [z, w; w, 1] positive semidefinite.
 * There z = w^2 and s = 0: x_0 = (5 - w) / 2, x_1 = (3 - w) / 2, the cost 9.5 - 2.5 w + w^2, least at w = 1.25. */
TEST(blocks_of_one_beside_a_block) {
    const int size[4] = {2, 1, 1, 1};
    SCOPED(seg_sdp) sdp;
    assert_ok(&ctx, seg_sdp_create(&ctx, 3, 4, size, &sdp));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 2}, 0, 0, 3));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 1}, 0, 0, 1.5));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 1}, 0, 0, 0.5)); /* adds up to 2 */
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 0}, 0, 0, 1));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){1, 1}, 0, 0, 1));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){1, 2}, 0, 0, 1));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){1, 0}, 0, 1, 0.5));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){2, 1}, 0, 0, 1));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){2, 2}, 0, 0, -1));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){2, 3}, 0, 0, 1));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){3, 0}, 1, 1, 1));
    sdp.right[0] = 4;
    sdp.right[1] = 1;
    sdp.right[2] = 1;
    SCOPED(seg_sdp_solution) solution = solve_and_check(&ctx, &sdp);
    assert_near(solution.primal, 7.9375, 1e-5);
    assert_near(solution.X[1].at[0], 1.875, 2e-3);
    assert_near(solution.X[2].at[0], 0.875, 2e-3);
    assert_near(solution.X[3].at[0], 0, 2e-3);
    assert_near(solution.X[0].at[1], 1.25, 4e-3);
}

/* Rank-one terms and the same matrices spelt out entry by entry give the same solution. */
TEST(rank_one_terms_equal_their_entries) {
    const int n = 12;
    SCOPED(seg_sdp) terms, entries;
    seg_random random = seg_random_seeded(7, 1);
    assert_ok(&ctx, seg_sdp_create(&ctx, n + 3, 1, &n, &terms));
    assert_ok(&ctx, seg_sdp_create(&ctx, n + 3, 1, &n, &entries));
    for (int row = 0; row <= n + 3; row++)
        for (int k = 0; k < (row == 0 ? 4 : row > n ? 2 : 0); k++) {
            double weight = seg_random_normal(&random);
            int32_t index[6];
            for (int e = 0; e < 6; e++) {
                index[e] = 2 * e + k % 2;
            }
            assert_ok(&ctx, seg_sdp_add_rank_one(&ctx, &terms, (seg_sdp_place){row, 0}, weight, 6, index));
            for (size_t p = 0; p < 6; p++)
                for (size_t q = 0; q <= p; q++)
                    assert_ok(&ctx, seg_sdp_add(&ctx, &entries, (seg_sdp_place){row, 0}, (size_t)index[p],
                                                (size_t)index[q], weight));
            if (row > 0) /* what the identity has: feasible */
                terms.right[row - 1] = entries.right[row - 1] += 6 * weight;
        }
    for (int i = 0; i < n; i++) {
        assert_ok(&ctx, seg_sdp_add(&ctx, &terms, (seg_sdp_place){i + 1, 0}, (size_t)i, (size_t)i, 1));
        assert_ok(&ctx, seg_sdp_add(&ctx, &entries, (seg_sdp_place){i + 1, 0}, (size_t)i, (size_t)i, 1));
        terms.right[i] = entries.right[i] = 1;
    }
    SCOPED(seg_sdp_solution) a = solve_and_check(&ctx, &terms);
    SCOPED(seg_sdp_solution) b = solve_and_check(&ctx, &entries);
    assert_near(a.primal, b.primal, 1e-5 * (1 + fabs(b.primal)));
    for (int e = 0; e < n * n; e++)
        assert_near(a.X[0].at[e], b.X[0].at[e], 1e-3);
}

/* The checker must see each way of being wrong. */
TEST(the_checker_finds_wrong_solutions) {
    seg_sdp_residuals r;
    SCOPED(seg_sdp) sdp = cut(&ctx, 5);
    SCOPED(seg_sdp_solution) solution = solve_and_check(&ctx, &sdp);
    double *x = solution.X[0].at, kept = x[6];
    x[6] += 0.01;
    assert_ok(&ctx, seg_sdp_check(&ctx, &sdp, &solution, &r));
    assert_near(r.constraints, 0.005, 1e-4); /* divided by 1 + |b| = 2 */
    x[6] = kept;
    kept = x[1];
    x[1] = x[5] = 1.5;
    assert_ok(&ctx, seg_sdp_check(&ctx, &sdp, &solution, &r));
    assert_true(r.psd > 0.05);
    x[1] = x[5] = kept;
    kept = solution.y[2];
    solution.y[2] += 0.1;
    assert_ok(&ctx, seg_sdp_check(&ctx, &sdp, &solution, &r));
    assert_true(r.dual_psd > 1e-3 && r.gap > 1e-3);
    solution.y[2] = NAN;
    assert_int_equal(seg_sdp_check(&ctx, &sdp, &solution, &r), SEG_ERR_NUMERIC);
    solution.y[2] = kept;
    r.gap = NAN;
    assert_true(isinf(seg_sdp_worst(&r)));
}

TEST(programs_without_solution_are_told_apart) {
    const int n = 2;
    SCOPED(seg_sdp) sdp;
    SCOPED(seg_sdp_solution) solution;
    /* K_11 = K_22 = 1 and K_12 = 2 */
    assert_ok(&ctx, seg_sdp_create(&ctx, 3, 1, &n, &sdp));
    for (size_t i = 0; i < 2; i++)
        assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){(int)i + 1, 0}, i, i, 1));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){3, 0}, 0, 1, 0.5));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 0}, 0, 0, 1));
    sdp.right[0] = sdp.right[1] = 1;
    sdp.right[2] = 2;
    assert_fails(&ctx, seg_sdp_solve(&ctx, &sdp, 1e-7, &solution), SEG_ERR_NUMERIC, "cannot hold together");
    assert_null(solution.X);
    seg_sdp_free(&sdp);
    /* minimise -K_22 with K_11 = 1 */
    assert_ok(&ctx, seg_sdp_create(&ctx, 1, 1, &n, &sdp));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){1, 0}, 0, 0, 1));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 0}, 1, 1, -1));
    sdp.right[0] = 1;
    assert_fails(&ctx, seg_sdp_solve(&ctx, &sdp, 1e-7, &solution), SEG_ERR_NUMERIC, "no bound");
}

/* A normalized Laplacian as the cost and a unit diagonal: what PCP solves. Points near each other by chance, so that
 * weights span many orders of magnitude and parts of the graph hardly hold together. */
static void laplacian_program(seg_context *ctx, uint64_t seed, double sigma, seg_sdp *sdp) {
    enum { N = 29 };
    const int n = N;
    double x[N], y[N], degree[N] = {0};
    seg_random random = seg_random_seeded(seed, 0);
    for (int i = 0; i < N; i++) {
        x[i] = seg_random_uniform(&random);
        y[i] = seg_random_uniform(&random);
    }
    assert_ok(ctx, seg_sdp_create(ctx, n, 1, &n, sdp));
#define WEIGHT(i, j) exp(-((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j])) / (2 * sigma * sigma))
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            degree[i] += i == j ? 0 : WEIGHT(i, j);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j <= i; j++)
            assert_ok(ctx, seg_sdp_add(ctx, sdp, (seg_sdp_place){SEG_SDP_COST, 0}, i, j,
                                       i == j ? 1 : -WEIGHT(i, j) / sqrt(degree[i] * degree[j])));
        assert_ok(ctx, seg_sdp_add(ctx, sdp, (seg_sdp_place){(int)i + 1, 0}, i, i, 1));
        sdp->right[i] = 1;
    }
}

/* What is called converged is: by the checker, at any tolerance asked for. */
TEST(converged_is_true) {
    static const double sigma[] = {0.3, 0.1, 0.05};
    for (uint64_t seed = 1; seed <= 2; seed++)
        for (size_t w = 0; w < sizeof sigma / sizeof *sigma; w++) {
            SCOPED(seg_sdp) sdp;
            SCOPED(seg_sdp_solution) loose;
            laplacian_program(&ctx, seed, sigma[w], &sdp);
            SCOPED(seg_sdp_solution) best = solve_and_check(&ctx, &sdp);
            assert_ok(&ctx, seg_sdp_solve(&ctx, &sdp, 1e-4, &loose));
            assert_true(loose.converged && seg_sdp_worst(&loose.residuals) <= 1e-4);
            assert_near(loose.residuals.primal, best.residuals.primal, 1e-3 * (1 + fabs(best.residuals.primal)));
        }
}

TEST(cancellation_is_noticed) {
    int left = 1;
    seg_sdp_solution solution;
    ctx.progress = check_stop;
    ctx.progress_user = &left;
    SCOPED(seg_sdp) sdp = cut(&ctx, 9);
    assert_int_equal(seg_sdp_solve(&ctx, &sdp, 1e-7, &solution), SEG_ERR_CANCELLED);
    assert_true(left < 0 && left > -5);
}

TEST(refusals) {
    const int n = 3;
    SCOPED(seg_sdp) sdp;
    seg_sdp_solution solution;
    assert_ok(&ctx, seg_sdp_create(&ctx, 2, 1, &n, &sdp));
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){1, 0}, 0, 0, 1));
    assert_fails(&ctx, seg_sdp_solve(&ctx, &sdp, 1e-7, &solution), SEG_ERR_USAGE, "constraint 2 ");
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){2, 0}, 1, 1, 1));
    sdp.right[1] = INFINITY;
    assert_int_equal(seg_sdp_solve(&ctx, &sdp, 1e-7, &solution), SEG_ERR_NUMERIC);
    sdp.right[1] = 1;
    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){SEG_SDP_COST, 0}, 2, 2, 1e300));
    assert_fails(&ctx, seg_sdp_solve(&ctx, &sdp, 1e-7, &solution), SEG_ERR_NUMERIC, "weights nearer to one");
}

TEST(the_same_bytes_twice) {
    SCOPED(seg_sdp) sdp;
    SCOPED(seg_sdp_solution) a, b;
    theta_program(&ctx, &sdp);
    ctx.threads = 1;
    assert_ok(&ctx, seg_sdp_solve(&ctx, &sdp, 1e-7, &a));
    ctx.threads = 4;
    assert_ok(&ctx, seg_sdp_solve(&ctx, &sdp, 1e-7, &b));
    assert_memory_equal(a.X[0].at, b.X[0].at, 25 * sizeof(double));
    assert_memory_equal(a.y, b.y, 6 * sizeof(double));
}

/* Random feasible programs of several blocks, some of one row, against csdp. */
TEST(random_programs_agree_with_csdp) {
    const int size[7] = {6, 1, 9, 1, 1, 1, 1};
    seg_random random = seg_random_seeded(3, 1);
    if (!csdp_installed()) {
        print_message("SKIPPED: csdp is not installed (Debian: coinor-csdp); nothing was compared with it\n");
        skip();
    }
    for (int trial = 0; trial < 5; trial++) {
        SCOPED(seg_sdp) sdp;
        assert_ok(&ctx, seg_sdp_create(&ctx, 8, 7, size, &sdp));
        for (int row = 0; row <= 8; row++) {
            for (int b = 0; b < 3; b++)
                for (size_t i = 0; i < (size_t)size[b]; i++) {
                    size_t j = (size_t)seg_random_below(&random, (uint64_t)size[b]);
                    double value = seg_random_normal(&random);
                    /* positive multiples of the identity in the first row, for a bounded feasible set */
                    assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){row, b}, i, row == 1 ? i : j,
                                                row == 1 ? 1 : value));
                    if (row > 0 && (row == 1 || i == j))
                        sdp.right[row - 1] += row == 1 ? 1 : value; /* the identity is feasible */
                }
            for (size_t i = 0; i < 4; i++) {
                double value = row == 1 ? 1 : seg_random_normal(&random);
                assert_ok(&ctx, seg_sdp_add(&ctx, &sdp, (seg_sdp_place){row, 3 + (int)i}, 0, 0, value));
                if (row > 0)
                    sdp.right[row - 1] += value;
            }
        }
        SCOPED(seg_sdp_solution) solution = solve_and_check(&ctx, &sdp);
        double other = csdp_solve(&sdp, "random", NULL);
        assert_near(solution.primal, other, 1e-5 * (1 + fabs(other)));
    }
}
