/* TRAGEK and PCP: known answers, Eq. 19 term by term, sums against lists, csdp, the two synthetic sets, refusals. */
#include "sdpa.h"
#include "toy.h"

#include "kernels/sdp_kernels.h"
#include "kernels/smoother.h"

static const seg_tragek_options ones = {1, 1, 1, 1e-7};

static double kernel(const seg_matrix *Z, size_t i, size_t j) {
    double k = 0;
    for (size_t c = 0; c < Z->cols; c++)
        k += Z->at[i * Z->cols + c] * Z->at[j * Z->cols + c];
    return k;
}

static double smoothness(const seg_csr *S, const seg_matrix *Z) {
    double sum = 0;
    for (size_t i = 0; i < S->rows; i++)
        for (size_t e = S->start[i]; e < S->start[i + 1]; e++)
            sum += S->value[e] * kernel(Z, i, (size_t)S->column[e]);
    return sum;
}

static seg_csr blobs(seg_context *ctx, size_t each) {
    seg_csr S;
    SCOPED(seg_matrix) X = toy_blobs(ctx, 3, each, 4);
    for (size_t i = 0; i < X.rows; i++) { /* move the blobs together until the graph connects them */
        double angle = 6.283185307179586 * (double)(i % 3) / 3;
        X.at[2 * i] -= 8.5 * cos(angle);
        X.at[2 * i + 1] -= 8.5 * sin(angle);
    }
    SCOPED(seg_csr) W = toy_knn(ctx, &X, 9);
    assert_ok(ctx, seg_normalized_laplacian(ctx, &W, &S));
    return S;
}

static void add(seg_context *ctx, seg_constraints *c, int i, int j, int sign, double weight) {
    seg_pair pair = {i, j, sign, weight};
    assert_ok(ctx, seg_constraints_add(ctx, c, pair));
}

/* The cone at work: 0 = 1 and 1 = 2 but 0 != 2, no smoothness. By symmetry K_01 = K_12 = c and K_02 = 2 c^2 - 1, so
 * that <L,K> = 4 (1 - c), <L^p,K> = 4 (1 - c^2), t = (1 - c) / (1 + c); the best c is found by trying them all. */
TEST(the_cone_balances_both_kinds_of_links) {
    SCOPED(seg_unit_kernel) found;
    const seg_tragek_options options = {0, 0.02, 0.01, 1e-8};
    double best = INFINITY, best_c = 0;
    SCOPED(seg_csr) S = new_csr(&ctx, 3, 3, 0);
    SCOPED(seg_constraints) c = new_constraints(&ctx, 3);
    add(&ctx, &c, 0, 1, 1, 1);
    add(&ctx, &c, 1, 2, 1, 1);
    add(&ctx, &c, 0, 2, -1, 1);
    for (double a = 0; a < 1; a += 1e-6) {
        double value = (1 - a) / (1 + a) - 4 * options.lambda1 * a + 2 * options.lambda2 * (2 * a * a - 1);
        if (value < best) {
            best = value;
            best_c = a;
        }
    }
    const seg_tragek_options strong = {0, 0, 0.2, 1e-8};
    assert_ok(&ctx, seg_tragek_learn(&ctx, &S, &c, &options, &found));
    assert_near(found.objective, best, 1e-5);
    assert_near(kernel(&found.factor, 0, 1), best_c, 1e-2);
    seg_unit_kernel_free(&found);
    /* a solution well inside: 0.2 on the cannot-link */
    best = INFINITY;
    for (double a = 0; a < 1; a += 1e-6) {
        double value = (1 - a) / (1 + a) + 0.4 * (2 * a * a - 1);
        if (value < best) {
            best = value;
            best_c = a;
        }
    }
    assert_true(best_c > 0.2 && best_c < 0.9);
    assert_ok(&ctx, seg_tragek_learn(&ctx, &S, &c, &strong, &found));
    assert_near(found.objective, best, 1e-6);
    assert_near(kernel(&found.factor, 0, 1), best_c, 1e-3);
    assert_near(kernel(&found.factor, 1, 2), best_c, 1e-3);
    assert_near(kernel(&found.factor, 0, 2), 2 * best_c * best_c - 1, 1e-3);
    assert_near(found.must, 4 * (1 - best_c), 4e-3);
    assert_near(found.cannot, 4 * (1 - best_c * best_c), 4e-3);
}

/* The objective is Eq. 19's, added up pair by pair; the kernel is one; no feasible kernel nearby is better. */
TEST(objective_is_equation_19) {
    enum { N = 30 };
    SCOPED(seg_unit_kernel) found;
    const seg_tragek_options options = {0.5, 0.2, 0.3, 1e-8};
    SCOPED(seg_csr) S = blobs(&ctx, N / 3);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, N, 3, 3);
    SCOPED(seg_constraints) listed = toy_list_pairs(&ctx, &groups);
    add(&ctx, &listed, 20, 21, 1, 2.5);
    add(&ctx, &groups, 20, 21, 1, 2.5);
    add(&ctx, &listed, 20, 25, -1, 0.5);
    add(&ctx, &groups, 20, 25, -1, 0.5);
    assert_ok(&ctx, seg_tragek_learn(&ctx, &S, &groups, &options, &found));
    double must = 0, cannot = 0, w = 0, wp = 0;
    for (size_t p = 0; p < listed.pairs; p++) {
        double k = kernel(&found.factor, (size_t)listed.pair[p].i, (size_t)listed.pair[p].j);
        *(listed.pair[p].sign > 0 ? &must : &cannot) += listed.pair[p].weight * (2 - 2 * k);
        *(listed.pair[p].sign > 0 ? &w : &wp) += 2 * listed.pair[p].weight * k;
    }
    double t = must * must / (4 * cannot);
    assert_near(found.must, must, 1e-3 * (1 + must));
    assert_near(found.cannot, cannot, 1e-3 * (1 + cannot));
    assert_near(found.objective, t + 0.5 * smoothness(&S, &found.factor) - 0.2 * w + 0.3 * wp, 1e-4);
    assert_true(found.converged && found.diagonal < 1e-7 && seg_sdp_worst(&found.residuals) < 1e-6);
    for (size_t i = 0; i < N; i++)
        assert_near(kernel(&found.factor, i, i), 1, 1e-12);
    SCOPED(seg_unit_kernel) list;
    assert_ok(&ctx, seg_tragek_learn(&ctx, &S, &listed, &options, &list));
    assert_near(list.objective, found.objective, 1e-6 * (1 + fabs(found.objective)));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            assert_near(kernel(&list.factor, i, j), kernel(&found.factor, i, j), 1e-3);
}

/* One kind of links only: no ratio, no cone, still a kernel. */
TEST(one_kind_of_links_suffices) {
    SCOPED(seg_csr) S = blobs(&ctx, 8);
    for (int sign = -1; sign <= 1; sign += 2) {
        SCOPED(seg_unit_kernel) found;
        SCOPED(seg_constraints) c = new_constraints(&ctx, 24);
        add(&ctx, &c, 0, 1, sign, 10);
        assert_ok(&ctx, seg_tragek_learn(&ctx, &S, &c, &ones, &found));
        assert_near(kernel(&found.factor, 0, 1), sign, 0.05);
        assert_near(found.objective, smoothness(&S, &found.factor) - 20 * sign * kernel(&found.factor, 0, 1) * 1, 1e-3);
    }
}

/* A path 0 - 1 - 2 whose ends cannot link: the middle lies halfway, K_01 = K_12 = cos 45 degrees, <S,K> = 1. */
TEST(pcp_halves_a_right_angle) {
    SCOPED(seg_csr) S;
    SCOPED(seg_unit_kernel) found;
    SCOPED(seg_csr) W = new_csr(&ctx, 3, 3, 4);
    const size_t start[4] = {0, 1, 3, 4};
    const int32_t column[4] = {1, 0, 2, 1};
    memcpy(W.start, start, sizeof start);
    memcpy(W.column, column, sizeof column);
    for (int e = 0; e < 4; e++)
        W.value[e] = 0.7;
    assert_ok(&ctx, seg_normalized_laplacian(&ctx, &W, &S));
    SCOPED(seg_constraints) c = new_constraints(&ctx, 3);
    add(&ctx, &c, 2, 0, -1, 1);
    assert_ok(&ctx, seg_pcp_learn(&ctx, &S, &c, 1e-7, &found));
    assert_near(found.objective, 1, 1e-6);
    assert_near(kernel(&found.factor, 0, 1), sqrt(0.5), 1e-4);
    assert_near(kernel(&found.factor, 1, 2), sqrt(0.5), 1e-4);
    assert_near(kernel(&found.factor, 0, 2), 0, 1e-6);
    assert_true(found.samples == 3 && found.cannots == 1);
}

/* Every constraint holds in the kernel over all samples, and its objective is that of the whole. */
TEST(pcp_keeps_every_constraint) {
    enum { N = 60 };
    SCOPED(seg_unit_kernel) found, again;
    SCOPED(seg_csr) S = blobs(&ctx, N / 3);
    SCOPED(seg_constraints) c = toy_groups(&ctx, N, 2, 5);
    add(&ctx, &c, 40, 41, 1, 1);
    add(&ctx, &c, 41, 42, 1, 7); /* weights mean nothing to PCP */
    add(&ctx, &c, 42, 0, -1, 1);
    add(&ctx, &c, 50, 51, -1, 1);
    add(&ctx, &c, 55, 54, 1, 1);
    add(&ctx, &c, 54, 40, -1, 1);
    assert_ok(&ctx, seg_pcp_learn(&ctx, &S, &c, 1e-7, &found));
    assert_int_equal(found.samples, N - 8 - 2 - 1);
    assert_int_equal(found.cannots, 1 + 1 + 1 + 1);
    assert_true(found.converged && found.diagonal < 1e-7 && seg_sdp_worst(&found.residuals) < 1e-6);
    for (size_t i = 0; i < N; i++) {
        assert_near(kernel(&found.factor, i, i), 1, 1e-12);
        for (size_t j = 0; j < N; j++)
            if (c.group[i] >= 0 && c.group[j] >= 0)
                assert_near(kernel(&found.factor, i, j), c.group[i] == c.group[j], 1e-5);
    }
    for (size_t p = 0; p < c.pairs; p++)
        assert_near(kernel(&found.factor, (size_t)c.pair[p].i, (size_t)c.pair[p].j), c.pair[p].sign > 0, 1e-5);
    assert_near(kernel(&found.factor, 40, 42), 1, 1e-12); /* by the closure */
    assert_near(found.objective, smoothness(&S, &found.factor), 1e-4);
    /* the order of the constraints changes nothing */
    for (size_t p = 0; p < c.pairs / 2; p++) {
        seg_pair kept = c.pair[p];
        c.pair[p] = c.pair[c.pairs - 1 - p];
        c.pair[c.pairs - 1 - p] = kept;
    }
    assert_ok(&ctx, seg_pcp_learn(&ctx, &S, &c, 1e-7, &again));
    assert_memory_equal(again.factor.at, found.factor.at, N * found.factor.cols * sizeof(double));
}

static void compare_with_csdp(seg_context *ctx, const seg_sdp *sdp, const char *name) {
    const size_t n = (size_t)sdp->size[0];
    double *X = malloc(n * n * sizeof *X), other = csdp_solve(sdp, name, X);
    SCOPED(seg_sdp_solution) solution;
    seg_sdp_residuals residuals;
    const double sharp = 1e-8;
    assert_ok(ctx, seg_sdp_solve(ctx, sdp, sharp, &solution));
    assert_ok(ctx, seg_sdp_check(ctx, sdp, &solution, &residuals));
    assert_true(seg_sdp_worst(&residuals) < 1e-6);
    assert_near(solution.primal, other, 1e-6 * (1 + fabs(other)));
    double apart = 0;
    for (size_t e = 0; e < n * n; e++)
        apart = fmax(apart, fabs(solution.X[0].at[e] - X[e]));
    print_message("%s, n = %zu: objective %.9g, csdp's %.9g; kernels apart by %.1e; PSD %.1e, constraints %.1e\n", name,
                  n, solution.primal, other, apart, residuals.psd, residuals.constraints);
    assert_true(apart < 1e-4);
    free(X);
}

TEST(tragek_and_pcp_agree_with_csdp) {
    enum { N = 60 };
    if (!csdp_installed()) {
        print_message("SKIPPED: csdp is not installed (Debian: coinor-csdp); nothing was compared with it\n");
        skip();
    }
    SCOPED(seg_csr) S = blobs(&ctx, N / 3);
    for (int trial = 0; trial < 3; trial++) {
        SCOPED(seg_constraints) groups, sampled;
        SCOPED(seg_sdp) sdp;
        double constant;
        int32_t sample[N];
        groups = toy_groups(&ctx, N, 3, trial == 0 ? 4 : 20);
        ctx.seed = (uint64_t)trial;
        assert_ok(&ctx, seg_constraints_sample(&ctx, &groups, 6, &sampled));
        const seg_constraints *use = trial == 0 ? &groups : &sampled;
        assert_ok(&ctx, seg_tragek_program(&ctx, &S, use, &ones, &sdp, &constant));
        compare_with_csdp(&ctx, &sdp, "tragek");
        seg_sdp_free(&sdp);
        assert_ok(&ctx, seg_pcp_program(&ctx, &S, use, &sdp, sample));
        compare_with_csdp(&ctx, &sdp, "pcp");
    }
}

/* Draw constraints, cluster, and count the samples that lie wrong. */
static size_t wrong(seg_context *ctx, const seg_method *method, const seg_matrix *X, const int *truth, size_t per) {
    const size_t n = X->rows;
    SCOPED(seg_constraints) sampled;
    SCOPED(seg_clustering) found;
    size_t direct = 0;
    SCOPED(seg_constraints) groups = new_constraints(ctx, n);
    groups.groups = 2;
    for (size_t i = 0; i < n; i++)
        groups.group[i] = (int16_t)truth[i];
    assert_ok(ctx, seg_constraints_sample(ctx, &groups, per, &sampled));
    SCOPED(seg_csr) W = toy_knn(ctx, X, 3);
    seg_problem problem = toy_problem(2, X, &W, &sampled, 10);
    assert_ok(ctx, seg_cluster(ctx, method, NULL, &problem, &found));
    for (size_t i = 0; i < n; i++)
        direct += found.label[i] != truth[i];
    return direct < n - direct ? direct : n - direct;
}

/* `cells` x `cells` fields of random points, a margin between them; colours as on a chessboard. */
static void chessboard(seg_context *ctx, int cells, size_t each, seg_matrix *X, int *truth) {
    size_t i = 0;
    seg_random random = seg_random_seeded(6, 1);
    *X = new_matrix(ctx, (size_t)(cells * cells) * each, 2);
    for (int a = 0; a < cells; a++)
        for (int b = 0; b < cells; b++)
            for (size_t p = 0; p < each; p++, i++) {
                X->at[2 * i] = a + 0.15 + 0.7 * seg_random_uniform(&random);
                X->at[2 * i + 1] = b + 0.15 + 0.7 * seg_random_uniform(&random);
                truth[i] = (a + b) % 2;
            }
}

/* Two arms of a turn and a quarter opposite to each other, with some noise. */
static void double_spiral(seg_context *ctx, size_t each, seg_matrix *X, int *truth) {
    seg_random random = seg_random_seeded(6, 1);
    *X = new_matrix(ctx, 2 * each, 2);
    for (size_t i = 0; i < 2 * each; i++) {
        double turn = sqrt(4 + 93 * (double)(i / 2) / (double)each), side = i % 2 ? -1 : 1; /* evenly along it */
        X->at[2 * i] = side * turn * cos(turn) + 0.1 * seg_random_normal(&random);
        X->at[2 * i + 1] = side * turn * sin(turn) + 0.1 * seg_random_normal(&random);
        truth[i] = (int)(i % 2);
    }
}

TEST(tragek_separates_the_synthetic_sets) {
    int truth[200];
    seg_matrix X;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        ctx.seed = seed;
        chessboard(&ctx, 2, 25, &X, truth);
        assert_int_equal(wrong(&ctx, seg_method_find("tragek"), &X, truth, 10), 0);
        seg_matrix_free(&X);
        chessboard(&ctx, 4, 6, &X, truth);
        assert_int_equal(wrong(&ctx, seg_method_find("tragek"), &X, truth, 40), 0);
        seg_matrix_free(&X);
        double_spiral(&ctx, 50, &X, truth);
        assert_int_equal(wrong(&ctx, seg_method_find("tragek"), &X, truth, 10), 0);
        seg_matrix_free(&X);
    }
}

TEST(limits_and_contradictions_say_what_helps) {
    seg_unit_kernel tragek, pcp;
    const size_t n = SEG_TRAGEK_SAMPLES + 40;
    SCOPED(seg_csr) S = new_csr(&ctx, n, n, 0);
    SCOPED(seg_constraints) c = new_constraints(&ctx, n);
    add(&ctx, &c, 0, 1, 1, 1);
    assert_fails(&ctx, seg_tragek_learn(&ctx, &S, &c, &ones, &tragek), SEG_ERR_USAGE, "600");
    assert_says(&ctx, "enpakl");
    assert_fails(&ctx, seg_pcp_learn(&ctx, &S, &c, 1e-7, &pcp), SEG_ERR_USAGE, "600");
    assert_says(&ctx, "enpakl1");
    add(&ctx, &c, 1, 2, 1, 1);
    add(&ctx, &c, 0, 2, -1, 1);
    assert_fails(&ctx, seg_pcp_learn(&ctx, &S, &c, 1e-7, &pcp), SEG_ERR_CONTRADICTION, "0 != 2");
    assert_null(pcp.factor.at);
    c.pairs = 0;
    for (int i = 0; i < 80; i++)
        for (int j = 0; j < i; j++)
            add(&ctx, &c, i, j, -1, 1);
    c.n = S.rows = S.cols = 80;
    assert_fails(&ctx, seg_pcp_learn(&ctx, &S, &c, 1e-7, &pcp), SEG_ERR_USAGE, "3160 pairs");
    S.rows = S.cols = n;
}
