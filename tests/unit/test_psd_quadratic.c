/* The quadratic over the semidefinite cone: known answers, two solvers against each other and against the independent
 * check, refusals. */
#include "toy.h"

#include "base/base.h"
#include "solver_checks.h"

#define ORDER 15

TEST(svec_keeps_inner_products) {
    double A[9] = {1, 2, 3, 2, -4, 5, 3, 5, 6}, B[9] = {2, -1, 0.5, -1, 3, 7, 0.5, 7, -2}, x[6], y[6], back[9];
    double trace = 0, product = 0;
    seg_svec(3, A, x);
    seg_svec(3, B, y);
    for (int i = 0; i < 9; i++)
        trace += A[i] * B[i];
    for (int i = 0; i < 6; i++)
        product += x[i] * y[i];
    assert_near(trace, product, 1e-12);
    seg_svec_matrix(3, x, back);
    for (int i = 0; i < 9; i++)
        assert_near(back[i], A[i], 1e-14);
}

/* H = I: the answer is the projection of -b on the cone. */
TEST(identity_gives_the_projection) {
    /* The matrix [[1, 2], [2, 1]] has eigenvalues 3 and -1: its projection is 1.5 [[1, 1], [1, 1]]. */
    double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, A[4] = {-1, -2, -2, -1}, b[3], M[4];
    seg_psd_quadratic_result result;
    seg_svec(2, A, b);
    assert_ok(&ctx, seg_psd_quadratic(&ctx, 2, H, b, M, &result));
    assert_true(result.converged);
    for (int i = 0; i < 4; i++)
        assert_near(M[i], 1.5, 1e-7);
    assert_near(result.objective, -4.5, 1e-8);
    for (int i = 0; i < 3; i++) /* -b negative definite: M = 0 is best */
        b[i] = i == 1 ? 0 : 1;
    assert_ok(&ctx, seg_psd_quadratic(&ctx, 2, H, b, M, &result));
    for (int i = 0; i < 4; i++)
        assert_near(M[i], 0, 1e-12);
    assert_near(result.objective, 0, 1e-12);
}

/* A problem like CCSR's: rows y on the sphere pulled apart, `rows` products y_i'M y_j wanted to be 0 or 1. */
static void random_problem(seg_context *ctx, uint64_t seed, size_t m, size_t rows, double decay, double *H, double *b) {
    const size_t p = seg_svec_length(m);
    AUTOFREE double *y = seg_alloc(ctx, 2 * m, sizeof *y), *Y = seg_alloc(ctx, m, m * sizeof *Y);
    AUTOFREE double *s = seg_alloc(ctx, p, sizeof *s);
    seg_random random = seg_random_seeded(seed, 1);
    memset(H, 0, p * p * sizeof *H);
    memset(b, 0, p * sizeof *b);
    for (size_t r = 0; r < rows; r++) {
        const int square = r % 2 == 0;
        const double t = square || seg_random_uniform(&random) < 0.4 ? 1 : 0;
        for (size_t a = 0; a < m; a++) {
            double size = pow(decay, (double)a);
            y[a] = size * seg_random_normal(&random);
            y[m + a] = square ? y[a] : size * seg_random_normal(&random);
        }
        for (size_t a = 0; a < m; a++)
            for (size_t c = 0; c < m; c++)
                Y[a * m + c] = 0.5 * (y[a] * y[m + c] + y[c] * y[m + a]);
        seg_svec(m, Y, s);
        for (size_t i = 0; i < p; i++) {
            b[i] -= 2 * t * s[i];
            for (size_t j = 0; j < p; j++)
                H[i * p + j] += 2 * s[i] * s[j];
        }
    }
}

static double norm(size_t n, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* 100 random problems, well and badly conditioned, of full and of deficient rank: the gap that the check finds. */
TEST(random_problems_are_solved) {
    const size_t p = seg_svec_length(ORDER);
    const size_t rows[] = {60, 150, 400, 1500};
    const double decay[] = {1, 0.9, 0.7};
    AUTOFREE double *H = malloc(p * p * sizeof *H), *b = malloc(p * sizeof *b);
    double M[ORDER * ORDER];
    for (int t = 0; t < 100; t++) {
        seg_psd_quadratic_result result;
        seg_psd_quadratic_report report;
        random_problem(&ctx, 100 + (uint64_t)t, ORDER, rows[t % 4], decay[t % 3], H, b);
        assert_ok(&ctx, seg_psd_quadratic(&ctx, ORDER, H, b, M, &result));
        assert_ok(&ctx, seg_psd_quadratic_check(&ctx, ORDER, H, b, M, &report));
        assert_true(result.converged);
        assert_true(report.gap <= 1e-6 * fabs(report.objective));
        assert_true(report.primal_distance <= 1e-12 * norm(ORDER * ORDER, M));
        assert_near(report.objective, result.objective, 1e-9 * fabs(report.objective));
    }
}

/* The check finds what is wrong with a wrong answer. */
TEST(the_check_refuses_wrong_answers) {
    const size_t m = 4, p = 10;
    double H[100], b[10], M[16], worse[16];
    seg_psd_quadratic_result result;
    seg_psd_quadratic_report report;
    random_problem(&ctx, 5, m, 60, 1, H, b);
    assert_ok(&ctx, seg_psd_quadratic(&ctx, m, H, b, M, &result));
    for (size_t e = 0; e < 16; e++)
        worse[e] = 1.01 * M[e];
    assert_ok(&ctx, seg_psd_quadratic_check(&ctx, m, H, b, worse, &report));
    assert_true(report.gap > 1e-5 * fabs(report.objective));
    memcpy(worse, M, sizeof worse);
    worse[0] = -1;
    assert_ok(&ctx, seg_psd_quadratic_check(&ctx, m, H, b, worse, &report));
    assert_true(report.primal_distance > 0.9);
    (void)p;
}

/* Problems in any unit have the same answer. */
TEST(units_do_not_matter) {
    const size_t m = 6, p = 21;
    double H[441], b[21], G[441], c[21], M[36], N[36];
    seg_psd_quadratic_result one, other;
    random_problem(&ctx, 8, m, 100, 0.9, H, b);
    for (size_t e = 0; e < p * p; e++)
        G[e] = 1e120 * H[e];
    for (size_t e = 0; e < p; e++)
        c[e] = 1e-40 * b[e];
    assert_ok(&ctx, seg_psd_quadratic(&ctx, m, H, b, M, &one));
    assert_ok(&ctx, seg_psd_quadratic(&ctx, m, G, c, N, &other));
    for (size_t e = 0; e < m * m; e++)
        assert_near(M[e], 1e160 * N[e], 1e-6 * norm(m * m, M));
}

TEST(odd_problems_end) {
    double H[9] = {0}, b[3] = {0}, M[4];
    seg_psd_quadratic_result result;
    assert_ok(&ctx, seg_psd_quadratic(&ctx, 2, H, b, M, &result));
    assert_near(M[0], 0, 0);
    b[0] = -1; /* unbounded below: ends all the same */
    assert_ok(&ctx, seg_psd_quadratic(&ctx, 2, H, b, M, &result));
    assert_false(result.converged);
    H[0] = 1; /* no dual point at hand; the answer is [[1, 0], [0, anything]] */
    assert_ok(&ctx, seg_psd_quadratic(&ctx, 2, H, b, M, &result));
    assert_near(M[0], 1, 1e-9);
    H[4] = NAN;
    assert_int_equal(seg_psd_quadratic(&ctx, 2, H, b, M, &result), SEG_ERR_NUMERIC);
    assert_near(M[0], 0, 0);
}
