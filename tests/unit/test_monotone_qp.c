/* The quadratic program over ordered eigenvalues: optimal on every kind of problem, equal to known answers and to the
 * slow twin; what has no minimum is refused. */
#include "check.h"
#include "solver_checks.h"

#include "base/base.h"

enum { LARGEST = 30 };

typedef struct problem {
    size_t m;
    double A[LARGEST * LARGEST], b[LARGEST];
} problem;

/* A = G'G with G of `rank` rows, b = -A x + r for a chosen unconstrained minimum x, all scaled by row. */
static void make(seg_random *random, size_t m, size_t rank, const double *x, const double *scale, problem *p) {
    double G[LARGEST * LARGEST];
    p->m = m;
    for (size_t i = 0; i < rank * m; i++)
        G[i] = seg_random_normal(random) * scale[i % m];
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double sum = 0;
            for (size_t r = 0; r < rank; r++)
                sum += G[r * m + i] * G[r * m + j];
            p->A[i * m + j] = sum;
        }
    for (size_t i = 0; i < m; i++) {
        p->b[i] = 0;
        for (size_t j = 0; j < m; j++)
            p->b[i] -= p->A[i * m + j] * x[j];
    }
}

enum { PLAIN, DEFICIENT, BAD_SCALE, AT_ZERO, ALL_EQUAL, INTERIOR, PUSHED, TIES, TINY, HUGE_NUMBERS, KINDS };

static void draw(seg_random *random, int kind, problem *p) {
    size_t m = 1 + seg_random_below(random, LARGEST), rank = m;
    double x[LARGEST] = {0}, scale[LARGEST] = {0};
    for (size_t i = 0; i < m; i++) {
        x[i] = seg_random_normal(random);
        scale[i] = 1;
    }
    if (kind == DEFICIENT)
        rank = 1 + seg_random_below(random, m);
    for (size_t i = 0; i < m; i++) {
        if (kind == BAD_SCALE)
            scale[i] = pow(10, 6 * seg_random_uniform(random) - 3);
        if (kind == AT_ZERO)
            x[i] = -fabs(x[i]) - 1;
        if (kind == ALL_EQUAL)
            x[i] = 2;
        if (kind == INTERIOR)
            x[i] = (double)(m - i);
        if (kind == TIES)
            x[i] = (double)((m - i) / 3);
        if (kind == TINY)
            scale[i] = 1e-7;
        if (kind == HUGE_NUMBERS)
            scale[i] = 1e6;
    }
    make(random, m, rank, x, scale, p);
    for (size_t i = 0; kind == PUSHED && i < m; i++)
        p->b[i] += seg_random_normal(random);
}

static double objective(const problem *p, const double *z) {
    double sum = 0;
    for (size_t i = 0; i < p->m; i++) {
        double inner = 0;
        for (size_t j = 0; j < p->m; j++)
            inner += p->A[i * p->m + j] * z[j];
        sum += z[i] * (0.5 * inner + p->b[i]);
    }
    return sum;
}

TEST(random_problems_are_optimal) {
    problem p;
    double z[LARGEST], worst = 0;
    seg_random random = seg_random_seeded(7, 0);
    for (int t = 0; t < 2000; t++) {
        int iterations = -1;
        draw(&random, t % KINDS, &p);
        assert_ok(&ctx, seg_monotone_qp(&ctx, p.m, p.A, p.b, z, &iterations));
        assert_true(iterations >= 0);
        double residual = seg_monotone_qp_residual(p.m, p.A, p.b, z);
        if (!(residual <= 1e-8))
            print_error("problem %d of kind %d, m = %zu: residual %g\n", t, t % KINDS, p.m, residual);
        assert_near(residual, 0, 1e-8);
        worst = fmax(worst, residual);
    }
    print_message("largest residual %g\n", worst);
}

TEST(as_good_as_the_slow_twin) {
    problem p;
    double z[LARGEST], slow[LARGEST];
    seg_random random = seg_random_seeded(8, 0);
    for (int t = 0; t < 100; t++) {
        draw(&random, t % KINDS, &p);
        assert_ok(&ctx, seg_monotone_qp(&ctx, p.m, p.A, p.b, z, NULL));
        assert_ok(&ctx, seg_monotone_qp_slow(&ctx, p.m, p.A, p.b, 5000, slow));
        double fast_value = objective(&p, z), slow_value = objective(&p, slow), size = 0;
        for (size_t i = 0; i < p.m; i++)
            size += fabs(p.b[i] * z[i]);
        assert_true(fast_value <= slow_value + 1e-10 * (size + 1e-300));
        if (t % KINDS != BAD_SCALE && t % KINDS != DEFICIENT) /* the twin has not arrived yet on some of these */
            assert_true(slow_value <= fast_value + 1e-4 * size);
    }
}

TEST(known_answers) {
    double z[3], eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    /* A = I is the projection of -b: pools and cuts at zero. */
    assert_ok(&ctx, seg_monotone_qp(&ctx, 3, eye, (double[]){-1, -4, -1}, z, NULL));
    assert_near(z[0], 2.5, 1e-15);
    assert_near(z[1], 2.5, 1e-15);
    assert_near(z[2], 1, 1e-15);
    assert_ok(&ctx, seg_monotone_qp(&ctx, 3, eye, (double[]){-1, 3, -1}, z, NULL));
    assert_near(z[0], 1, 1e-15);
    assert_true(z[1] == 0 && z[2] == 0);
    assert_ok(&ctx, seg_monotone_qp(&ctx, 3, eye, (double[]){1, 1, 1}, z, NULL));
    assert_true(z[0] == 0 && z[1] == 0 && z[2] == 0);
    /* One variable: max(0, -b / a). */
    assert_ok(&ctx, seg_monotone_qp(&ctx, 1, (double[]){4}, (double[]){-2}, z, NULL));
    assert_near(z[0], 0.5, 1e-16);
    /* Nothing to minimise. */
    assert_ok(&ctx, seg_monotone_qp(&ctx, 2, (double[]){0, 0, 0, 0}, (double[]){0, 0}, z, NULL));
    assert_true(z[0] == 0 && z[1] == 0);
    /* Rank one, many minima: the value counts. */
    assert_ok(&ctx, seg_monotone_qp(&ctx, 2, (double[]){1, 1, 1, 1}, (double[]){-3, -3}, z, NULL));
    assert_near(z[0] + z[1], 3, 1e-15);
}

TEST(scaling_the_objective_changes_nothing) {
    problem p;
    double z[LARGEST], scaled[LARGEST];
    seg_random random = seg_random_seeded(9, 0);
    for (int t = 0; t < 50; t++) {
        draw(&random, PLAIN, &p);
        assert_ok(&ctx, seg_monotone_qp(&ctx, p.m, p.A, p.b, z, NULL));
        for (size_t i = 0; i < p.m * p.m; i++)
            p.A[i] *= 0x1p-40;
        for (size_t i = 0; i < p.m; i++)
            p.b[i] *= 0x1p-40;
        assert_ok(&ctx, seg_monotone_qp(&ctx, p.m, p.A, p.b, scaled, NULL));
        for (size_t i = 0; i < p.m; i++)
            assert_near(scaled[i], z[i], 1e-9 * (1 + z[0]));
    }
}

/* The check must see each kind of fault. */
TEST(residual_sees_faults) {
    double eye[4] = {1, 0, 0, 1}, b[2] = {-2, -1};
    assert_true(seg_monotone_qp_residual(2, eye, b, (double[]){2, 1}) == 0);
    assert_true(seg_monotone_qp_residual(2, eye, b, (double[]){1, 2}) > 0.1);
    assert_true(seg_monotone_qp_residual(2, eye, b, (double[]){2, -1}) > 0.1);
    assert_true(seg_monotone_qp_residual(2, eye, b, (double[]){1, 1}) > 0.1);
    assert_true(seg_monotone_qp_residual(2, eye, b, (double[]){3, 1}) > 0.1);
    assert_true(seg_monotone_qp_residual(2, eye, b, (double[]){0, 0}) > 0.1);
    assert_true(seg_monotone_qp_residual(2, eye, b, (double[]){NAN, 0}) > 0.1);
}

TEST(unbounded_and_unfit_are_refused) {
    double z[2] = {7, 7};
    assert_fails(&ctx, seg_monotone_qp(&ctx, 2, (double[]){0, 0, 0, 0}, (double[]){-1, 0}, z, NULL), SEG_ERR_NUMERIC,
                 "no lower bound");
    /* Flat along (1, 0) only, downhill there. */
    assert_int_equal(seg_monotone_qp(&ctx, 2, (double[]){0, 0, 0, 1}, (double[]){-1, -1}, z, NULL), SEG_ERR_NUMERIC);
    assert_int_equal(seg_monotone_qp(&ctx, 2, (double[]){1, 0, 0, NAN}, (double[]){-1, -1}, z, NULL), SEG_ERR_NUMERIC);
    assert_int_equal(seg_monotone_qp(&ctx, 2, (double[]){1, 0, 0, 1}, (double[]){-1, INFINITY}, z, NULL),
                     SEG_ERR_NUMERIC);
}

TEST(twenty_eigenvalues_take_no_time) {
    problem p;
    double z[LARGEST], x[LARGEST], scale[LARGEST];
    seg_random random = seg_random_seeded(10, 0);
    double spent = 0;
    for (int t = 0; t < 200; t++) {
        for (size_t i = 0; i < 20; i++) {
            x[i] = seg_random_normal(&random) + (20.0 - (double)i) / 10;
            scale[i] = 1;
        }
        make(&random, 20, 20, x, scale, &p);
        double started = seg_now();
        assert_ok(&ctx, seg_monotone_qp(&ctx, 20, p.A, p.b, z, NULL));
        spent += seg_now() - started;
    }
    print_message("m = 20: %.1f microseconds\n", spent / 200 * 1e6);
    assert_true(spent / 200 < 0.02); /* generous: sanitizers, busy machines */
}
