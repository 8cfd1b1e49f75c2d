/* Iterative eigensolvers: ARPACK's Lanczos method and the Chebyshev-filtered subspace iteration, against residuals,
 * known spectra and LAPACK; errors come back as sentences. */
#include "check.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/arpack_codes.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"
#include "linalg/subspace.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

typedef struct dense_operator {
    size_t n;
    const double *A;
} dense_operator;

static void apply_dense(void *user, const double *x, double *y) {
    const dense_operator *d = user;
    for (size_t i = 0; i < d->n; i++) {
        y[i] = 0;
        for (size_t j = 0; j < d->n; j++)
            y[i] += d->A[i * d->n + j] * x[j];
    }
}

static void apply_path(void *user, const double *x, double *y) { /* tridiagonal -1 2 -1 */
    size_t n = *(size_t *)user;
    for (size_t i = 0; i < n; i++)
        y[i] = 2 * x[i] - (i ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0);
}

static void apply_identity(void *user, const double *x, double *y) {
    memcpy(y, x, *(size_t *)user * sizeof *x);
}

static void apply_nothing(void *user, const double *x, double *y) {
    (void)x;
    memset(y, 0, *(size_t *)user * sizeof *y);
}

static void apply_nan(void *user, const double *x, double *y) {
    memcpy(y, x, *(size_t *)user * sizeof *x);
    y[3] = NAN;
}

static void check_pairs(size_t n, seg_operator apply, void *user, int count, int descending, const double *value,
                        const double *vector, double tolerance) {
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    size_t stride = (size_t)count;
    for (size_t c = 0; c < stride; c++) {
        for (size_t i = 0; i < n; i++)
            x[i] = vector[i * stride + c];
        apply(user, x, y);
        double residual = 0;
        for (size_t i = 0; i < n; i++)
            residual += (y[i] - value[c] * x[i]) * (y[i] - value[c] * x[i]);
        assert_near(sqrt(residual), 0, tolerance);
        if (c)
            assert_true(descending ? value[c] <= value[c - 1] : value[c] >= value[c - 1]);
        for (size_t other = 0; other <= c; other++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += vector[i * stride + c] * vector[i * stride + other];
            assert_near(dot, c == other, 1e-10);
        }
    }
    free(x);
    free(y);
}

static void both_ends_of_a_random_matrix(void **state) {
    (void)state;
    enum { n = 120, count = 7 };
    seg_context ctx;
    seg_random random;
    double *A = malloc(n * n * sizeof *A), *all = malloc(n * sizeof *all), *vectors = malloc(n * n * sizeof *vectors),
           value[count], vector[n * count];
    seg_context_init(&ctx);
    seg_random_seed(&random, 1, 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * n + j] = A[j * n + i] = seg_random_normal(&random);
    assert_ok(&ctx, seg_eigen_dense(&ctx, n, A, all, vectors));
    for (int largest = 0; largest < 2; largest++) {
        dense_operator d = {n, A};
        seg_lanczos_options options = {.count = count, .largest = largest};
        int iterations = 0;
        assert_ok(&ctx, seg_lanczos(&ctx, n, apply_dense, &d, &options, value, vector, &iterations));
        assert_true(iterations > count);
        check_pairs(n, apply_dense, &d, count, largest, value, vector, 1e-7);
        for (int c = 0; c < count; c++)
            assert_near(value[c], all[largest ? n - 1 - c : c], 1e-8);
        /* The angle between the subspaces: all of each vector lies in LAPACK's. */
        for (int c = 0; c < count; c++) {
            double inside = 0;
            for (int k = 0; k < count; k++) {
                double dot = 0;
                for (size_t i = 0; i < n; i++)
                    dot += vector[i * count + (size_t)c] * vectors[i * n + (size_t)(largest ? n - 1 - k : k)];
                inside += dot * dot;
            }
            assert_near(inside, 1, 1e-10);
        }
    }
    free(A);
    free(all);
    free(vectors);
}

static void known_spectrum_of_a_path(void **state) {
    (void)state;
    size_t n = 200;
    enum { count = 5 };
    seg_context ctx;
    double value[count], vector[200 * count];
    seg_lanczos_options options = {.count = count, .largest = 1, .basis = 40};
    seg_context_init(&ctx);
    assert_ok(&ctx, seg_lanczos(&ctx, n, apply_path, &n, &options, value, vector, NULL));
    for (int c = 0; c < count; c++)
        assert_near(value[c], 2 - 2 * cos(3.14159265358979 * (double)(n - (size_t)c) / (double)(n + 1)), 1e-9);
    options.count = 199; /* all but one */
    double *values = malloc(199 * sizeof *values), *vectors = malloc(199 * 200 * sizeof *vectors);
    assert_ok(&ctx, seg_lanczos(&ctx, n, apply_path, &n, &options, values, vectors, NULL));
    check_pairs(n, apply_path, &n, 199, 1, values, vectors, 1e-7);
    free(values);
    free(vectors);
}

/* One eigenvalue many times: the Krylov space ends at once and ARPACK must be given new vectors, always the same ones.
 */
static void exhausted_krylov_spaces_repeat_the_same_bytes(void **state) {
    (void)state;
    enum { count = 6 };
    size_t n = 300;
    seg_context ctx;
    static const seg_operator operators[2] = {apply_identity, apply_nothing};
    double *first = malloc(n * count * sizeof *first), *second = malloc(n * count * sizeof *second), value[count];
    seg_lanczos_options options = {.count = count, .largest = 1};
    seg_context_init(&ctx);
    for (int o = 0; o < 2; o++) {
        assert_ok(&ctx, seg_lanczos(&ctx, n, operators[o], &n, &options, value, first, NULL));
        for (int c = 0; c < count; c++)
            assert_near(value[c], o == 0, 1e-14);
        check_pairs(n, operators[o], &n, count, 1, value, first, 1e-12);
        assert_ok(&ctx, seg_lanczos(&ctx, n, operators[o], &n, &options, value, second, NULL));
        assert_memory_equal(first, second, n * count * sizeof *first);
        ctx.seed = 2;
        assert_ok(&ctx, seg_lanczos(&ctx, n, operators[o], &n, &options, value, second, NULL));
        assert_true(memcmp(first, second, n * count * sizeof *first) != 0);
        ctx.seed = 1;
    }
    free(first);
    free(second);
}

static void two_threads_do_not_disturb_each_other(void **state) {
    (void)state;
    enum { count = 4, runs = 8 };
    double value[runs][count];
    static double vector[runs][200 * count];
    seg_status status[runs];
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int r = 0; r < runs; r++) {
        size_t n = 100 + (size_t)(r % 2) * 100; /* neighbours differ in size */
        seg_context ctx;
        seg_lanczos_options options = {.count = count, .largest = 1, .basis = 30};
        seg_context_init(&ctx);
        ctx.threads = 1;
        status[r] = seg_lanczos(&ctx, n, apply_path, &n, &options, value[r], vector[r], NULL);
    }
    for (int r = 0; r < runs; r++) {
        assert_int_equal(status[r], SEG_OK);
        assert_memory_equal(value[r], value[r % 2], sizeof value[r]);
        assert_memory_equal(vector[r], vector[r % 2], (100 + (size_t)(r % 2) * 100) * count * sizeof(double));
    }
}

static void failures_are_sentences(void **state) {
    (void)state;
    size_t n = 400;
    seg_context ctx;
    double value[8], *vector = malloc(n * 8 * sizeof *vector);
    seg_lanczos_options options = {.count = 8, .largest = 0, .basis = 10, .restarts = 1, .tolerance = 1e-14};
    seg_context_init(&ctx);
    assert_int_equal(seg_lanczos(&ctx, n, apply_path, &n, &options, value, vector, NULL), SEG_ERR_NUMERIC);
    assert_non_null(strstr(ctx.message, "limit of restarts"));
    assert_true(value[0] == 0 && vector[0] == 0);
    options.restarts = 0;
    assert_int_equal(seg_lanczos(&ctx, n, apply_nan, &n, &options, value, vector, NULL), SEG_ERR_NUMERIC);
    assert_non_null(strstr(ctx.message, "not finite"));
    options.count = 0;
    assert_int_equal(seg_lanczos(&ctx, n, apply_path, &n, &options, value, vector, NULL), SEG_ERR_USAGE);
    options.count = (int)n;
    assert_int_equal(seg_lanczos(&ctx, n, apply_path, &n, &options, value, vector, NULL), SEG_ERR_USAGE);
    options = (seg_lanczos_options){.count = 2, .largest = 1};
    assert_ok(&ctx,
              seg_lanczos(&ctx, n, apply_path, &n, &options, value, vector, NULL)); /* failures left nothing behind */
    free(vector);
    static const int dsaupd[] = {1, 2, 3, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -9999};
    static const int dseupd[] = {-1, -2, -3, -5, -6, -7, -8, -9, -10, -11, -12, -14, -15, -16, -17};
    for (size_t i = 0; i < sizeof dsaupd / sizeof *dsaupd; i++) {
        assert_string_not_equal(seg_dsaupd_text(dsaupd[i]), "unknown code");
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(seg_dsaupd_text(dsaupd[i]), seg_dsaupd_text(dsaupd[j]));
    }
    for (size_t i = 0; i < sizeof dseupd / sizeof *dseupd; i++) {
        assert_string_not_equal(seg_dseupd_text(dseupd[i]), "unknown code");
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(seg_dseupd_text(dseupd[i]), seg_dseupd_text(dseupd[j]));
    }
    assert_string_equal(seg_dsaupd_text(77), "unknown code");
    assert_string_equal(seg_dseupd_text(77), "unknown code");
}

static void apply_csr(void *user, const double *x, double *y) {
    seg_csr_times_vector(NULL, user, x, y);
}

/* Mean of neighbours on a square grid of side x side with wrap-around: every eigenvalue is cos a + cos b over 2, most
 * of them four or eight times. */
static seg_csr torus(seg_context *ctx, size_t side) {
    seg_csr S;
    assert_ok(ctx, seg_csr_create(ctx, side * side, side * side, 4 * side * side, &S));
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            size_t i = y * side + x, at = S.start[i];
            size_t near[4] = {y * side + (x + 1) % side, y * side + (x + side - 1) % side, (y + 1) % side * side + x,
                              (y + side - 1) % side * side + x};
            for (int a = 0; a < 4; a++) {
                size_t to = at;
                while (to > S.start[i] && S.column[to - 1] > (int32_t)near[a]) {
                    S.column[to] = S.column[to - 1];
                    to--;
                }
                S.column[to] = (int32_t)near[a];
                S.value[at++] = 0.25;
            }
            S.start[i + 1] = at;
        }
    return S;
}

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

static void subspace_sees_every_multiplicity(void **state) {
    (void)state;
    enum { side = 24, count = 21 };
    seg_context ctx;
    double value[count], expected[side * side], *vector = malloc(side * side * count * sizeof *vector),
                                                *again = malloc(side * side * count * sizeof *again);
    int products, converged;
    seg_subspace_options options = {.count = count, .lower = -1, .upper = 1, .tolerance = 1e-8, .rounds = 60};
    seg_context_init(&ctx);
    seg_csr S = torus(&ctx, side);
    for (int a = 0; a < side; a++)
        for (int b = 0; b < side; b++)
            expected[a * side + b] =
                0.5 * (cos(2 * 3.14159265358979 * a / side) + cos(2 * 3.14159265358979 * b / side));
    qsort(expected, side * side, sizeof *expected, descending);
    ctx.threads = 1;
    assert_ok(&ctx, seg_subspace_largest(&ctx, &S, &options, value, vector, &products, &converged));
    assert_int_equal(converged, 1);
    assert_true(products > 0);
    check_pairs(side * side, apply_csr, &S, count, 1, value, vector, 1e-8);
    for (int c = 0; c < count; c++)
        assert_near(value[c], expected[c], 1e-10);
    ctx.threads = 2;
    assert_ok(&ctx, seg_subspace_largest(&ctx, &S, &options, value, again, &products, &converged));
    assert_memory_equal(vector, again, side * side * count * sizeof *vector);
    options.rounds = 0;
    assert_ok(&ctx, seg_subspace_largest(&ctx, &S, &options, value, again, &products, &converged));
    assert_int_equal(converged, 0);
    S.value[5] = NAN;
    options.rounds = 10;
    assert_int_equal(seg_subspace_largest(&ctx, &S, &options, value, again, &products, &converged), SEG_ERR_NUMERIC);
    free(vector);
    free(again);
    seg_csr_free(&S);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_of_a_random_matrix),
        cmocka_unit_test(known_spectrum_of_a_path),
        cmocka_unit_test(exhausted_krylov_spaces_repeat_the_same_bytes),
        cmocka_unit_test(two_threads_do_not_disturb_each_other),
        cmocka_unit_test(failures_are_sentences),
        cmocka_unit_test(subspace_sees_every_multiplicity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
