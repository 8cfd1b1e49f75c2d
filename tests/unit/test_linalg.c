/* Dense and sparse algebra: eigenpairs by their residuals, projections by what is nearest, solutions by residuals. */
#include "base/parallel.h"
#include "toy.h"

#include "linalg/blas_threads.h"
#include "linalg/dense.h"
#include "linalg/products.h"

#include <dirent.h>

static double *symmetric(seg_random *random, size_t n) {
    double *A = malloc(n * n * sizeof *A);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * n + j] = A[j * n + i] = seg_random_normal(random);
    return A;
}

static void multiply_slow(int ta, int tb, size_t m, size_t n, size_t k, double alpha, const double *A, const double *B,
                          double beta, double *C) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t t = 0; t < k; t++)
                sum += (ta ? A[t * m + i] : A[i * k + t]) * (tb ? B[j * k + t] : B[t * n + j]);
            C[i * n + j] = alpha * sum + beta * C[i * n + j];
        }
}

TEST(gemm_is_the_product) {
    double A[35], B[42], C[30], expected[30];
    seg_random random = seg_random_seeded(1, 0);
    for (int flags = 0; flags < 4; flags++) {
        for (int i = 0; i < 35; i++)
            A[i] = seg_random_normal(&random);
        for (int i = 0; i < 42; i++)
            B[i] = seg_random_normal(&random);
        for (int i = 0; i < 30; i++)
            C[i] = expected[i] = seg_random_normal(&random);
        seg_gemm((seg_shape){flags & 1, flags >> 1, 5, 6, 7}, 1.5, A, B, -0.5, C);
        multiply_slow(flags & 1, flags >> 1, 5, 6, 7, 1.5, A, B, -0.5, expected);
        for (int i = 0; i < 30; i++)
            assert_near(C[i], expected[i], 1e-13);
    }
    seg_gemm((seg_shape){0, 0, 2, 2, 0}, 1, A, B, 0, C); /* an empty sum */
    for (int i = 0; i < 4; i++)
        assert_true(C[i] == 0);
    seg_gemm((seg_shape){0, 0, 0, 3, 3}, 1, A, B, 0, NULL);
}

TEST(eigenpairs_solve_their_equation) {
    seg_random random = seg_random_seeded(2, 0);
    for (size_t n = 1; n <= 60; n += 7) {
        AUTOFREE double *A = symmetric(&random, n), *copy = malloc(n * n * sizeof *A),
                        *value = malloc(n * sizeof *value), *vector = malloc(n * n * sizeof *vector);
        memcpy(copy, A, n * n * sizeof *A);
        assert_ok(&ctx, seg_eigen_dense(&ctx, n, A, value, vector));
        assert_memory_equal(A, copy, n * n * sizeof *A);
        for (size_t c = 0; c < n; c++) {
            if (c)
                assert_true(value[c - 1] <= value[c]);
            for (size_t i = 0; i < n; i++) {
                double sum = 0;
                for (size_t j = 0; j < n; j++)
                    sum += A[i * n + j] * vector[j * n + c];
                assert_near(sum, value[c] * vector[i * n + c], 1e-12);
            }
            for (size_t other = 0; other <= c; other++) {
                double dot = 0;
                for (size_t i = 0; i < n; i++)
                    dot += vector[i * n + c] * vector[i * n + other];
                assert_near(dot, c == other, 1e-13);
            }
        }
    }
}

static double distance2(size_t n, const double *A, const double *B) {
    double sum = 0;
    for (size_t e = 0; e < n * n; e++)
        sum += (A[e] - B[e]) * (A[e] - B[e]);
    return sum;
}

TEST(psd_projection_is_nearest) {
    enum { n = 12 };
    double P[n * n], again[n * n], value[n], vector[n * n];
    seg_random random = seg_random_seeded(3, 0);
    for (int t = 0; t < 12; t++) {
        AUTOFREE double *A = symmetric(&random, n);
        for (int i = 0; i < n; i++) /* from nearly all eigenvalues negative to nearly all positive */
            A[i * n + i] += t - 6;
        memcpy(P, A, sizeof P);
        assert_ok(&ctx, seg_psd_project(&ctx, n, P));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                assert_true(P[i * n + j] == P[j * n + i]);
        assert_ok(&ctx, seg_eigen_dense(&ctx, n, P, value, vector));
        assert_true(value[0] > -1e-13);
        memcpy(again, P, sizeof P);
        assert_ok(&ctx, seg_psd_project(&ctx, n, again));
        assert_near(distance2(n, P, again), 0, 1e-24);
        double least = distance2(n, A, P);
        for (int other = 0; other < 50;
             other++) { /* no PSD matrix nearby is nearer to A: P + small, P mixed with GG' */
            double Q[n * n], G[n * n], share = pow(10, -1 - other % 5);
            for (int e = 0; e < n * n; e++)
                G[e] = seg_random_normal(&random);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int k = 0; k < n; k++)
                        sum += G[i * n + k] * G[j * n + k];
                    Q[i * n + j] = (1 - share) * P[i * n + j] + share * sum / n;
                }
            assert_true(distance2(n, A, Q) >= least * (1 - 1e-12));
        }
        /* Nearest in a cone: A - P is orthogonal to P and has no positive eigenvalue. */
        double dot = 0;
        for (int e = 0; e < n * n; e++) {
            dot += (A[e] - P[e]) * P[e];
            again[e] = A[e] - P[e];
        }
        assert_near(dot, 0, 1e-11);
        assert_ok(&ctx, seg_eigen_dense(&ctx, n, again, value, vector));
        assert_true(value[n - 1] < 1e-12);
    }
    double keep[4] = {2, 1, 1, 2}, drop[4] = {-1, 0, 0, -2};
    assert_ok(&ctx, seg_psd_project(&ctx, 2, keep));
    assert_true(keep[0] == 2 && keep[1] == 1 && keep[3] == 2); /* untouched */
    assert_ok(&ctx, seg_psd_project(&ctx, 2, drop));
    for (int i = 0; i < 4; i++)
        assert_true(drop[i] == 0);
    assert_ok(&ctx, seg_psd_project(&ctx, 0, NULL));
}

TEST(unfit_matrices_are_refused) {
    double A[4] = {1, NAN, NAN, 1}, B[4] = {1, INFINITY, INFINITY, 1}, value[2], vector[4];
    assert_fails(&ctx, seg_eigen_dense(&ctx, 2, A, value, vector), SEG_ERR_NUMERIC, "not finite");
    assert_int_equal(seg_psd_project(&ctx, 2, B), SEG_ERR_NUMERIC);
    assert_int_equal(seg_eigen_dense(&ctx, 1u << 20, A, value, vector), SEG_ERR_MEMORY);
}

/* Random rows with 0 .. 200 entries: enough for several threads. */
static seg_csr random_sparse(seg_context *ctx, seg_random *random, size_t n) {
    seg_csr A = new_csr(ctx, n, n, n * 200);
    for (size_t i = 0; i < n; i++) {
        size_t at = A.start[i], wanted = seg_random_below(random, 201);
        for (size_t j = 0; j < n && at < A.start[i] + wanted; j++)
            if (seg_random_below(random, n) < 200) {
                A.column[at] = (int32_t)j;
                A.value[at++] = seg_random_normal(random);
            }
        A.start[i + 1] = at;
    }
    return A;
}

TEST(sparse_products) {
    enum { n = 2000 };
    seg_random random = seg_random_seeded(4, 0);
    SCOPED(seg_csr) A = random_sparse(&ctx, &random, n);
    for (size_t cols = 1; cols <= 19; cols += 3) {
        AUTOFREE double *X = malloc(n * cols * sizeof *X), *one = malloc(n * cols * sizeof *X),
                        *two = malloc(n * cols * sizeof *X), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y),
                        *y2 = malloc(n * sizeof *y);
        for (size_t e = 0; e < n * cols; e++)
            X[e] = seg_random_normal(&random);
        ctx.threads = 1;
        seg_csr_times_matrix(&ctx, &A, cols, X, one);
        ctx.threads = 2;
        seg_csr_times_matrix(&ctx, &A, cols, X, two);
        assert_memory_equal(one, two, n * cols * sizeof *X);
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < cols; c++) {
                double sum = 0;
                for (size_t e = A.start[i]; e < A.start[i + 1]; e++)
                    sum += A.value[e] * X[(size_t)A.column[e] * cols + c];
                assert_near(one[i * cols + c], sum, 1e-12);
            }
        for (size_t i = 0; i < n; i++)
            x[i] = X[i * cols];
        seg_csr_times_vector(&ctx, &A, x, y);
        ctx.threads = 1;
        seg_csr_times_vector(&ctx, &A, x, y2);
        assert_memory_equal(y, y2, n * sizeof *y);
        for (size_t i = 0; i < n; i++)
            assert_near(y[i], one[i * cols], 1e-12);
    }
}

/* Laplacian of a random geometric graph plus `ground`: a grid of n nodes with random weights and some long edges. */
static seg_csr laplacian(seg_context *ctx, seg_random *random, size_t side, double ground) {
    size_t n = side * side;
    AUTOFREE double *W = calloc(n * n, sizeof *W);
    for (size_t i = 0; i < n; i++) {
        size_t next[3] = {i + 1, i + side, seg_random_below(random, n)};
        for (int t = 0; t < 3; t++)
            if (next[t] < n && next[t] != i && (t != 0 || next[t] % side))
                W[i * n + next[t]] = W[next[t] * n + i] = 0.1 + seg_random_uniform(random);
    }
    for (size_t i = 0; i < n; i++) {
        double degree = 0;
        for (size_t j = 0; j < n; j++)
            degree += W[i * n + j];
        for (size_t j = 0; j < n; j++)
            W[i * n + j] = i == j ? degree + ground : -W[i * n + j];
    }
    return toy_sparse(ctx, n, W);
}

TEST(cholesky_solves) {
    seg_random random = seg_random_seeded(5, 0);
    /* 5: simplicial, 30: supernodal as soon as the long edges fill the factor */
    for (size_t side = 1; side <= 31; side += 10) {
        size_t n = side * side;
        SCOPED_CHOLESKY *factor = NULL, *other = NULL;
        SCOPED(seg_csr) A = laplacian(&ctx, &random, side, 0.01);
        assert_ok(&ctx, seg_cholesky_create(&ctx, &A, &factor));
        assert_ok(&ctx, seg_cholesky_create(&ctx, &A, &other));
        for (size_t cols = 1; cols <= 17; cols += 8) {
            AUTOFREE double *X = malloc(n * cols * sizeof *X), *B = malloc(n * cols * sizeof *B),
                            *again = malloc(n * cols * sizeof *B);
            for (size_t e = 0; e < n * cols; e++)
                B[e] = seg_random_normal(&random);
            assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, cols, B, X));
            for (size_t i = 0; i < n; i++)
                for (size_t c = 0; c < cols; c++) {
                    double sum = 0, size = 1;
                    for (size_t e = A.start[i]; e < A.start[i + 1]; e++) {
                        sum += A.value[e] * X[(size_t)A.column[e] * cols + c];
                        size += fabs(A.value[e] * X[(size_t)A.column[e] * cols + c]);
                    }
                    assert_near(sum, B[i * cols + c], 1e-12 * size);
                }
            memcpy(again, B, n * cols * sizeof *B); /* in place, and by another factor: the same bytes */
            assert_ok(&ctx, seg_cholesky_solve(&ctx, other, cols, again, again));
            assert_memory_equal(again, X, n * cols * sizeof *X);
        }
        assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, 0, NULL, NULL));
    }
    seg_cholesky_free(NULL);
}

/* Against a dense solution by eigenvectors. */
TEST(cholesky_agrees_with_dense) {
    enum { n = 49 };
    double A[n * n] = {0}, value[n], vector[n * n], b[n], x[n];
    SCOPED_CHOLESKY *factor = NULL;
    seg_random random = seg_random_seeded(6, 0);
    SCOPED(seg_csr) S = laplacian(&ctx, &random, 7, 0.5);
    for (size_t i = 0; i < n; i++) {
        b[i] = seg_random_normal(&random);
        for (size_t e = S.start[i]; e < S.start[i + 1]; e++)
            A[i * n + (size_t)S.column[e]] = S.value[e];
    }
    assert_ok(&ctx, seg_eigen_dense(&ctx, n, A, value, vector));
    assert_ok(&ctx, seg_cholesky_create(&ctx, &S, &factor));
    assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, 1, b, x));
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t c = 0; c < n; c++) {
            double dot = 0;
            for (size_t j = 0; j < n; j++)
                dot += vector[j * n + c] * b[j];
            sum += vector[i * n + c] * dot / value[c];
        }
        assert_near(x[i], sum, 1e-11);
    }
}

TEST(not_positive_definite_is_told) {
    seg_random random = seg_random_seeded(7, 0);
    for (size_t side = 2; side <= 32; side += 30) /* simplicial and supernodal */
        for (int fault = 0; fault < 3; fault++) {
            seg_cholesky *factor = (seg_cholesky *)&ctx;
            SCOPED(seg_csr) A = laplacian(&ctx, &random, side, fault == 0 ? -0.5 : 0.5);
            if (fault == 1) { /* one negative pivot */
                for (size_t e = A.start[side]; e < A.start[side + 1]; e++)
                    if (A.column[e] == (int32_t)side)
                        A.value[e] = -1;
            }
            if (fault == 2)
                A.value[0] = NAN;
            ctx.message[0] = 0;
            assert_int_equal(seg_cholesky_create(&ctx, &A, &factor), SEG_ERR_NUMERIC);
            assert_null(factor);
            assert_says(&ctx, fault == 2 ? "not finite" : "not positive definite");
        }
    seg_cholesky *factor;
    SCOPED(seg_csr) wide = new_csr(&ctx, 2, 3, 1);
    assert_int_equal(seg_cholesky_create(&ctx, &wide, &factor), SEG_ERR_USAGE);
}

TEST(blas_threads_come_back) {
    int before = seg_blas_begin(), inside = seg_blas_begin();
    assert_int_equal(inside, before);
    seg_blas_end(inside);
    seg_blas_end(before);
    int after = seg_blas_begin();
    seg_blas_end(after);
    assert_int_equal(after, before);
}

/* A = U S V', both factors orthonormal, values descending; known values of a diagonal matrix; products by hand. */
TEST(singular_values_rebuild_the_matrix) {
    enum { N = 6 };
    double A[N * N], U[N * N], V[N * N], singular[N], diagonal[4] = {0, -3, 2, 0}, x[N], y[N], z[N];
    seg_random random = seg_random_seeded(2, 7);
    for (int e = 0; e < N * N; e++)
        A[e] = seg_random_normal(&random);
    assert_ok(&ctx, seg_svd_dense(&ctx, N, A, U, singular, V));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double rebuilt = 0, u = 0, v = 0;
            for (int s = 0; s < N; s++) {
                rebuilt += U[i * N + s] * singular[s] * V[j * N + s];
                u += U[s * N + i] * U[s * N + j];
                v += V[s * N + i] * V[s * N + j];
            }
            assert_near(rebuilt, A[i * N + j], 1e-12);
            assert_near(u, i == j, 1e-12);
            assert_near(v, i == j, 1e-12);
        }
    for (int s = 1; s < N; s++)
        assert_true(singular[s] <= singular[s - 1]);
    assert_ok(&ctx, seg_svd_dense(&ctx, 2, diagonal, U, singular, V));
    assert_near(singular[0], 3, 1e-14);
    assert_near(singular[1], 2, 1e-14);
    A[7] = NAN;
    assert_int_equal(seg_svd_dense(&ctx, N, A, U, singular, V), SEG_ERR_NUMERIC);
    A[7] = 1;
    for (int i = 0; i < N; i++) {
        x[i] = i - 2;
        y[i] = z[i] = 1;
    }
    seg_gemv((seg_shape){0, 0, N, N, 0}, 2, A, x, 3, y);
    seg_gemv((seg_shape){1, 0, N, N, 0}, 2, A, x, 0, z);
    for (int i = 0; i < N; i++) {
        double row = 0, column = 0;
        for (int j = 0; j < N; j++) {
            row += A[i * N + j] * x[j];
            column += A[j * N + i] * x[j];
        }
        assert_near(y[i], 2 * row + 3, 1e-12);
        assert_near(z[i], 2 * column, 1e-12);
    }
}

static int threads_of_process(void) {
    DIR *dir = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return count;
}

/* CHOLMOD's dense blocks would be factored on four threads of OpenMP, which then wait in a loop. */
TEST(factors_start_no_threads) {
    enum { ROWS = 800, BAND = 200 };
    SCOPED_CHOLESKY *factor = NULL;
    size_t at = 0;
    AUTOFREE double *x = malloc(ROWS * sizeof *x);
    ctx.threads = 1;
    const int before = threads_of_process();
    SCOPED(seg_csr) A = new_csr(&ctx, ROWS, ROWS, ROWS * (2 * BAND + 1));
    for (int i = 0; i < ROWS; i++) {
        for (int j = i - BAND; j <= i + BAND; j++)
            if (j >= 0 && j < ROWS) {
                A.column[at] = j;
                A.value[at++] = i == j ? 2 * BAND + 1 : -1;
            }
        A.start[i + 1] = at;
        x[i] = 1;
    }
    assert_ok(&ctx, seg_cholesky_create(&ctx, &A, &factor));
    assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, 1, x, x));
    assert_true(before > 0);
    assert_int_equal(threads_of_process(), before);
}

enum { M = 30, N = 30, K = 7, TIMES = 200000 };
typedef struct products_at_once {
    double A[M * K], B[N * K], right[M * N];
    int wrong; /* atomic */
} products_at_once;

static void multiply_often(void *arg, size_t first, size_t last, int worker) {
    products_at_once *all = arg;
    AUTOFREE double *C = malloc(sizeof all->right);
    int wrong = C == NULL;
    (void)worker;
    for (size_t t = first; C && t < last; t++) {
        seg_gemm((seg_shape){0, 1, M, N, K}, 1, all->A, all->B, 0, C);
        wrong += memcmp(C, all->right, sizeof all->right) != 0;
    }
    __atomic_fetch_add(&all->wrong, wrong, __ATOMIC_RELAXED);
}

/* OpenBLAS built without threads gives one wrong product in fifty here, let in by several threads. */
TEST(many_threads_may_multiply_at_once) {
    static products_at_once all;
    seg_context four = seg_context_default();
    four.threads = 4;
    for (int e = 0; e < M * K; e++)
        all.A[e] = sin(e);
    for (int e = 0; e < N * K; e++)
        all.B[e] = cos(3 * e);
    seg_gemm((seg_shape){0, 1, M, N, K}, 1, all.A, all.B, 0, all.right);
    seg_parallel(&four, TIMES, TIMES / 4, multiply_often, &all);
    seg_context_end(&four);
    assert_int_equal(all.wrong, 0);
}

/* Rows with blocks of columns, any length; rows given twice. */
TEST(products_of_blocks) {
    enum { D = 37 };
    float x[3 * D], y[D * SEG_SINGLE_LANES], out[SEG_PRODUCT_ROWS * SEG_SINGLE_LANES];
    double u[3 * D], v[D * SEG_DOUBLE_LANES], product[SEG_PRODUCT_ROWS * SEG_DOUBLE_LANES];
    for (int e = 0; e < 3 * D; e++)
        u[e] = x[e] = (float)(e * 7 % 19 - 9); /* whole numbers: exact in any order */
    for (int e = 0; e < D * SEG_SINGLE_LANES; e++)
        y[e] = (float)(e * 5 % 23 - 11);
    for (int e = 0; e < D * SEG_DOUBLE_LANES; e++)
        v[e] = e * 11 % 29 - 14;
    for (size_t d = 0; d <= D; d += d < 5 ? 1 : 8) {
        const float *const rows[SEG_PRODUCT_ROWS] = {x, x + D, x + 2 * D, x + D};
        const double *const same[SEG_PRODUCT_ROWS] = {u, u + D, u + 2 * D, u + D};
        seg_products_single(d, rows, y, out);
        seg_products_double(d, same, v, product);
        for (size_t r = 0; r < SEG_PRODUCT_ROWS; r++) {
            for (size_t l = 0; l < SEG_SINGLE_LANES; l++) {
                double sum = 0;
                for (size_t c = 0; c < d; c++)
                    sum += (double)rows[r][c] * (double)y[c * SEG_SINGLE_LANES + l];
                assert_true((double)out[r * SEG_SINGLE_LANES + l] == sum);
            }
            for (size_t l = 0; l < SEG_DOUBLE_LANES; l++) {
                double sum = 0;
                for (size_t c = 0; c < d; c++)
                    sum += same[r][c] * v[c * SEG_DOUBLE_LANES + l];
                assert_true(product[r * SEG_DOUBLE_LANES + l] == sum);
            }
        }
    }
}
