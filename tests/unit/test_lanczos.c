/* ARPACK's Lanczos method against residuals, known spectra and LAPACK, errors as sentences; and what the spectrum of a
 * graph needs besides: the Rayleigh-Ritz step, limits of a sparse factor, BLAS on one thread. */
#include "base/parallel.h"
#include "check.h"

#include "linalg/blas_threads.h"
#include "linalg/dense.h"

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

static void check_pairs(size_t n, void (*apply)(void *user, const double *x, double *y), void *user, int count,
                        int descending, const double *value, const double *vector, double tolerance) {
    AUTOFREE double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
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
}

TEST(both_ends_of_a_random_matrix) {
    enum { n = 120, count = 7 };
    AUTOFREE double *A = malloc(n * n * sizeof *A), *all = malloc(n * sizeof *all),
                    *vectors = malloc(n * n * sizeof *vectors);
    double value[count], vector[n * count];
    seg_random random = seg_random_seeded(1, 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * n + j] = A[j * n + i] = seg_random_normal(&random);
    assert_ok(&ctx, seg_eigen_dense(&ctx, n, A, all, vectors));
    for (int largest = 0; largest < 2; largest++) {
        dense_operator d = {n, A};
        seg_lanczos_options options = {.count = count, .largest = largest};
        int iterations = 0;
        assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_dense, &d}, &options, value, vector, &iterations));
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
}

TEST(known_spectrum_of_a_path) {
    size_t n = 200;
    enum { count = 5 };
    double value[count], vector[200 * count];
    seg_lanczos_options options = {.count = count, .largest = 1, .basis = 40};
    assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_path, &n}, &options, value, vector, NULL));
    for (int c = 0; c < count; c++)
        assert_near(value[c], 2 - 2 * cos(3.14159265358979 * (double)(n - (size_t)c) / (double)(n + 1)), 1e-9);
    options.count = 199; /* all but one */
    AUTOFREE double *values = malloc(199 * sizeof *values), *vectors = malloc(199 * 200 * sizeof *vectors);
    assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_path, &n}, &options, values, vectors, NULL));
    check_pairs(n, apply_path, &n, 199, 1, values, vectors, 1e-7);
}

/* One eigenvalue many times: the Krylov space ends at once and ARPACK must be given new vectors, always the same ones.
 */
TEST(exhausted_krylov_spaces_repeat_the_same_bytes) {
    enum { count = 6 };
    size_t n = 300;
    static void (*const operators[2])(void *user, const double *x, double *y) = {apply_identity, apply_nothing};
    AUTOFREE double *first = malloc(n * count * sizeof *first), *second = malloc(n * count * sizeof *second);
    double value[count];
    seg_lanczos_options options = {.count = count, .largest = 1};
    for (int o = 0; o < 2; o++) {
        assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, operators[o], &n}, &options, value, first, NULL));
        for (int c = 0; c < count; c++)
            assert_near(value[c], o == 0, 1e-14);
        check_pairs(n, operators[o], &n, count, 1, value, first, 1e-12);
        assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, operators[o], &n}, &options, value, second, NULL));
        assert_memory_equal(first, second, n * count * sizeof *first);
        ctx.seed = 2;
        assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, operators[o], &n}, &options, value, second, NULL));
        assert_true(memcmp(first, second, n * count * sizeof *first) != 0);
        ctx.seed = 1;
    }
}

enum { RUN_PAIRS = 4, RUNS = 8 };
typedef struct runs {
    double value[RUNS][RUN_PAIRS], vector[RUNS][200 * RUN_PAIRS];
    seg_status status[RUNS];
} runs;

static void one_run(void *arg, size_t r, size_t end, int worker) {
    runs *all = arg;
    size_t n = 100 + r % 2 * 100; /* neighbours differ in size */
    seg_lanczos_options options = {.count = RUN_PAIRS, .largest = 1, .basis = 30};
    (void)end, (void)worker;
    seg_context ctx = seg_context_default();
    ctx.threads = 1;
    all->status[r] =
        seg_lanczos(&ctx, &(seg_operator){n, apply_path, &n}, &options, all->value[r], all->vector[r], NULL);
    seg_context_end(&ctx);
}

TEST(two_threads_do_not_disturb_each_other) {
    enum { count = RUN_PAIRS };
    static runs all;
    seg_context two = seg_context_default();
    two.threads = 2;
    seg_parallel(&two, RUNS, 1, one_run, &all);
    seg_context_end(&two);
    for (int r = 0; r < RUNS; r++) {
        assert_int_equal(all.status[r], SEG_OK);
        assert_memory_equal(all.value[r], all.value[r % 2], sizeof all.value[r]);
        assert_memory_equal(all.vector[r], all.vector[r % 2], (100 + (size_t)(r % 2) * 100) * count * sizeof(double));
    }
}

static void apply_crowd(void *user, const double *x, double *y) { /* eigenvalues within a thousandth below 1 */
    const size_t n = *(size_t *)user;
    for (size_t i = 0; i < n; i++)
        y[i] = (1 - 1e-3 * (double)i / (double)n) * x[i];
}

/* In a crowd it ends after 50 restarts where it is told to, and goes on where it is not. */
TEST(crowds_end_the_search) {
    size_t n = 4000;
    double value[2], *vector = malloc(n * 2 * sizeof *vector);
    int products = 0;
    seg_lanczos_options options = {.count = 2, .largest = 1, .basis = 8, .restarts = 60, .tolerance = 1e-12};
    options.crowd = 0.99;
    assert_fails(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_crowd, &n}, &options, value, vector, NULL),
                 SEG_ERR_NUMERIC, "so close to others");
    for (int c = 0; c < 2; c++) {
        options.crowd = c ? 1.01 : 0;
        assert_fails(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_crowd, &n}, &options, value, vector, &products),
                     SEG_ERR_NUMERIC, "61 restarts");
        assert_true(products > 300);
    }
    free(vector);
}

TEST(failures_are_sentences) {
    size_t n = 400;
    double value[8], *vector = malloc(n * 8 * sizeof *vector);
    seg_lanczos_options options = {.count = 8, .largest = 0, .basis = 10, .restarts = 1, .tolerance = 1e-14};
    assert_fails(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_path, &n}, &options, value, vector, NULL),
                 SEG_ERR_NUMERIC, "limit of restarts");
    assert_true(value[0] == 0 && vector[0] == 0);
    options.restarts = 0;
    assert_fails(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_nan, &n}, &options, value, vector, NULL),
                 SEG_ERR_NUMERIC, "not finite");
    options.count = 0;
    assert_int_equal(seg_lanczos(&ctx, &(seg_operator){n, apply_path, &n}, &options, value, vector, NULL),
                     SEG_ERR_USAGE);
    options.count = (int)n;
    assert_int_equal(seg_lanczos(&ctx, &(seg_operator){n, apply_path, &n}, &options, value, vector, NULL),
                     SEG_ERR_USAGE);
    options = (seg_lanczos_options){.count = 2, .largest = 1};
    assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_path, &n}, &options, value, vector,
                                NULL)); /* failures left nothing behind */
    free(vector);
}

/* Another start vector leads to other bytes of the same pairs, and each start repeats itself. */
TEST(starts_differ_and_repeat) {
    enum { count = 3 };
    size_t n = 150;
    double value[2][count], vector[3][150 * count];
    seg_lanczos_options options = {.count = count, .largest = 1, .basis = 30};
    for (int r = 0; r < 3; r++) {
        options.start = r % 2;
        assert_ok(&ctx, seg_lanczos(&ctx, &(seg_operator){n, apply_path, &n}, &options, value[r % 2], vector[r], NULL));
    }
    assert_memory_equal(vector[0], vector[2], sizeof vector[0]);
    assert_true(memcmp(vector[0], vector[1], sizeof vector[0]) != 0);
    for (int c = 0; c < count; c++)
        assert_near(value[0][c], value[1][c], 1e-9);
}

static seg_csr path_matrix(seg_context *ctx, size_t n) {
    seg_csr S = new_csr(ctx, n, n, 3 * n);
    for (size_t i = 0, at = 0; i < n; i++) {
        for (size_t j = i ? i - 1 : 0; j <= i + 1 && j < n; j++) {
            S.column[at] = (int32_t)j;
            S.value[at++] = i == j ? 2 : -1;
        }
        S.start[i + 1] = at;
    }
    return S;
}

/* The span of eigenvectors, mixed by a regular matrix, gives them back; a perturbed span gives residuals that are
 * those of its Ritz vectors; dependent columns and NaN are refused. */
TEST(rayleigh_ritz_finds_the_best_of_a_span) {
    enum { n = 60, count = 4 };
    size_t order = n;
    double X[n * count], mix[count][count], value[count], residual[count];
    seg_random random = seg_random_seeded(5, 0);
    SCOPED(seg_csr) S = path_matrix(&ctx, n);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            mix[a][b] = seg_random_normal(&random);
    for (int perturbed = 0; perturbed < 2; perturbed++) {
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < count; c++) {
                X[i * count + c] = perturbed ? 0.1 * seg_random_normal(&random) : 0;
                for (size_t k = 0; k < count; k++) /* the four largest pairs */
                    X[i * count + c] +=
                        mix[c][k] * sin(3.14159265358979 * (double)((n - k) * (i + 1)) / (double)(n + 1));
            }
        assert_ok(&ctx,
                  seg_rayleigh_ritz(&ctx, &(seg_symmetric){.n = S.rows, .sparse = &S}, count, X, value, residual));
        double worst = 0;
        for (int c = 0; c < count; c++) {
            double exact = 2 - 2 * cos(3.14159265358979 * (double)(n - c) / (double)(n + 1)), square = 0;
            assert_near(value[c], exact, perturbed ? 0.2 : 1e-12);
            assert_true(value[c] <= exact + 1e-12); /* from below */
            for (size_t i = 0; i < n; i++) {
                double r = (2 - value[c]) * X[i * count + (size_t)c];
                r -= i ? X[(i - 1) * count + (size_t)c] : 0;
                r -= i + 1 < n ? X[(i + 1) * count + (size_t)c] : 0;
                square += r * r;
            }
            assert_near(residual[c], sqrt(square), 1e-12);
            worst = fmax(worst, residual[c]);
        }
        assert_true(perturbed ? worst > 1e-3 : worst < 1e-12);
        check_pairs(n, apply_path, &order, count, 1, value, X, perturbed ? 1 : 1e-12);
    }
    for (size_t i = 0; i < n; i++)
        X[i * count + 1] = X[i * count];
    X[1] = X[0] = 0; /* exactly dependent even in floating point: two equal columns */
    for (size_t i = 0; i < n; i++)
        for (size_t c = 2; c < count; c++)
            X[i * count + c] = 0;
    assert_fails(&ctx, seg_rayleigh_ritz(&ctx, &(seg_symmetric){.n = S.rows, .sparse = &S}, count, X, value, residual),
                 SEG_ERR_NUMERIC, "dependent");
    X[7] = NAN;
    assert_fails(&ctx, seg_rayleigh_ritz(&ctx, &(seg_symmetric){.n = S.rows, .sparse = &S}, count, X, value, residual),
                 SEG_ERR_NUMERIC, "not finite");
}

/* A factor that is allowed solves, one that is not costs nothing and is not an error. */
TEST(factors_keep_to_their_limits) {
    enum { n = 60 };
    SCOPED_CHOLESKY *factor;
    size_t order = n;
    double b[n], x[n], back[n];
    SCOPED(seg_csr) A = path_matrix(&ctx, n);
    assert_ok(&ctx, seg_cholesky_create_within(&ctx, &A, 10, 1e9, &factor));
    assert_null(factor);
    assert_ok(&ctx, seg_cholesky_create_within(&ctx, &A, 1e9, n, &factor));
    assert_null(factor);
    assert_ok(&ctx, seg_cholesky_create_within(&ctx, &A, 1e9, 2 * n, &factor));
    assert_non_null(factor);
    for (size_t i = 0; i < n; i++)
        b[i] = (double)(i % 7);
    assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, 1, b, x));
    apply_path(&order, x, back);
    for (size_t i = 0; i < n; i++)
        assert_near(back[i], b[i], 1e-10);
}

/* Nested and overlapping use leaves OpenBLAS's number of threads as it was. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int threads) __attribute__((weak));
static void begin_and_end(void *arg, size_t first, size_t last, int worker) {
    (void)arg, (void)first, (void)last, (void)worker;
    seg_blas_end(seg_blas_begin());
}

TEST(blas_threads_are_put_back) {
    if (!openblas_get_num_threads || !openblas_set_num_threads)
        skip();
    int own = openblas_get_num_threads();
    openblas_set_num_threads(2);
    int two = openblas_get_num_threads();
    int first = seg_blas_begin();
    assert_int_equal(openblas_get_num_threads(), 1);
    int second = seg_blas_begin();
    assert_int_equal(second, first);
    seg_blas_end(first); /* the first user leaves before the second, as threads do */
    assert_int_equal(openblas_get_num_threads(), 1);
    seg_blas_end(second);
    assert_int_equal(openblas_get_num_threads(), two);
    seg_context four = seg_context_default();
    four.threads = 4;
    seg_parallel(&four, 4000, 1, begin_and_end, NULL);
    seg_context_end(&four);
    assert_int_equal(openblas_get_num_threads(), two);
    openblas_set_num_threads(own);
}
