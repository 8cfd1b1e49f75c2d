/* The Krylov space of several vectors: spectra that are known, multiplicities up to the block, what it refuses; and the
 * solution for several vectors at once against the one for each. */
#include "check.h"

#include "base/random.h"
#include "linalg/block_krylov.h"
#include "linalg/sparse.h"

#include <stdlib.h>
#include <string.h>

enum { N = 403, B = SEG_KRYLOV_BLOCK };

/* A diagonal matrix, reflected by I - 2uu', so that no unit vector is an eigenvector. */
typedef struct known {
    double value[N], u[N];
    int calls, failing; /* the call that fails; 0: none */
} known;

static void reflect(const known *k, double *x) {
    double along = 0;
    for (size_t i = 0; i < N; i++)
        along += k->u[i] * x[i];
    for (size_t i = 0; i < N; i++)
        x[i] -= 2 * along * k->u[i];
}

static seg_status times(void *user, const double *X, double *Y) {
    known *k = user;
    if (++k->calls == k->failing)
        return SEG_ERR_CANCELLED;
    memcpy(Y, X, B * N * sizeof *X);
    for (size_t v = 0; v < B; v++) {
        reflect(k, Y + v * N);
        for (size_t i = 0; i < N; i++)
            Y[v * N + i] *= k->value[i];
        reflect(k, Y + v * N);
    }
    return SEG_OK;
}

static known *make(double (*value)(size_t i)) {
    known *k = calloc(1, sizeof *k);
    double square = 0;
    for (size_t i = 0; i < N; i++) {
        k->value[i] = value(i);
        k->u[i] = 1 + (double)(i % 5);
        square += k->u[i] * k->u[i];
    }
    for (size_t i = 0; i < N; i++)
        k->u[i] /= sqrt(square);
    return k;
}

/* Values that fall as the inverse of a graph's do, each once. */
static double single(size_t i) {
    return 1 / (1e-3 + 1e-3 * (double)i);
}

/* The same four times over. */
static double fourfold(size_t i) {
    return single(i / B * B);
}

static double two_values(size_t i) {
    return i < 30 ? 2 : 1;
}

static double no_number(size_t i) {
    return i == 7 ? NAN : 1;
}

/* Values, residuals and orthonormality against what the matrix was made of; value holds them in falling order. */
static void check_found(known *k, size_t count, double tolerance, const double *value, const double *vector) {
    AUTOFREE double *X = calloc(B * N, sizeof *X), *Y = calloc(B * N, sizeof *Y);
    for (size_t c = 0; c < count; c++) {
        double square = 0;
        assert_near(value[c], k->value[c], 1e-9 * k->value[c]);
        for (size_t i = 0; i < N; i++)
            X[i] = vector[i * count + c];
        assert_int_equal(times(k, X, Y), SEG_OK);
        for (size_t i = 0; i < N; i++)
            square += (Y[i] - value[c] * X[i]) * (Y[i] - value[c] * X[i]);
        assert_true(sqrt(square) <= 1.01 * tolerance * value[c]);
        for (size_t other = 0; other <= c; other++) {
            double dot = 0;
            for (size_t i = 0; i < N; i++)
                dot += vector[i * count + c] * vector[i * count + other];
            assert_near(dot, c == other, 1e-12);
        }
    }
}

TEST(spectra_are_found_with_every_multiplicity) {
    double (*const spectra[])(size_t) = {single, fourfold};
    const size_t counts[] = {1, 12, 19, 40};
    for (size_t s = 0; s < 2; s++)
        for (size_t c = 0; c < 4; c++) {
            const size_t count = counts[c];
            AUTOFREE known *k = make(spectra[s]);
            AUTOFREE double *value = calloc(2 * count, sizeof *value), *vector = calloc(2 * N * count, sizeof *vector);
            seg_block_operator op = {.n = N, .apply = times, .user = k}, again = op;
            assert_ok(&ctx, seg_block_krylov(&ctx, &op, count, 1e-7, value, vector));
            const int products = op.products;
            assert_int_equal(products, B * k->calls);
            assert_true((size_t)products >= count && (size_t)products <= seg_krylov_most(count) + 2 * B);
            check_found(k, count, 1e-7, value, vector);
            ctx.threads = 3;
            assert_ok(&ctx, seg_block_krylov(&ctx, &again, count, 1e-7, value + count, vector + N * count));
            ctx.threads = 1;
            assert_int_equal(again.products, products);
            assert_memory_equal(vector, vector + N * count, N * count * sizeof *vector);
        }
}

TEST(what_it_cannot_do_is_said) {
    AUTOFREE double *value = calloc(N, sizeof *value), *vector = calloc((size_t)N * N, sizeof *vector);
    known *k = make(two_values); /* two blocks are all there is */
    seg_block_operator op = {.n = N, .apply = times, .user = k};
    assert_int_equal(seg_block_krylov(&ctx, &op, 12, 1e-7, value, vector), SEG_ERR_NUMERIC);
    free(k);
    op.user = k = make(no_number);
    assert_int_equal(seg_block_krylov(&ctx, &op, 12, 1e-7, value, vector), SEG_ERR_NUMERIC);
    free(k);
    op.user = k = make(single);
    assert_int_equal(seg_block_krylov(&ctx, &op, 12, 1e-30, value, vector), SEG_ERR_NUMERIC);
    assert_true((size_t)op.products >= seg_krylov_most(12));
    k->failing = k->calls + 3;
    assert_int_equal(seg_block_krylov(&ctx, &op, 12, 1e-7, value, vector), SEG_ERR_CANCELLED);
    assert_int_equal(seg_block_krylov(&ctx, &op, N / 4, 1e-7, value, vector), SEG_ERR_USAGE);
    free(k);
}

/* The Laplacian, plus a hundredth, of a grid whose nodes are also joined to `far` drawn ones each. */
static seg_csr joined_grid(seg_context *ctx, size_t side, size_t far) {
    const size_t n = side * side;
    double *W = calloc(n * n, sizeof *W);
    size_t entries = 0;
    seg_random random;
    seg_csr A;
    seg_random_seed(&random, 5, 0);
    for (size_t i = 0; i < n; i++) {
        if (i % side + 1 < side)
            W[i * n + i + 1] = W[(i + 1) * n + i] = -1;
        if (i + side < n)
            W[i * n + i + side] = W[(i + side) * n + i] = -0.5;
        for (size_t f = 0; f < far; f++) {
            const size_t j = seg_random_below(&random, n);
            if (j != i)
                W[i * n + j] = W[j * n + i] = -0.1;
        }
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0.01;
        for (size_t j = 0; j < n; j++)
            sum -= i != j ? W[i * n + j] : 0;
        W[i * n + i] = sum;
        for (size_t j = 0; j < n; j++)
            entries += W[i * n + j] != 0;
    }
    assert_ok(ctx, seg_csr_create(ctx, n, n, entries, &A));
    entries = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            if (W[i * n + j] != 0) {
                A.column[entries] = (int32_t)j;
                A.value[entries++] = W[i * n + j];
            }
        A.start[i + 1] = entries;
    }
    free(W);
    return A;
}

/* Sparse factors, factors of blocks and one that is full, of sizes that no block divides; other numbers of vectors go
 * another way. */
TEST(several_vectors_are_solved_as_each) {
    const size_t sides[] = {1, 5, 13, 27, 31}, far[] = {0, 1, 200, 3, 1};
    for (size_t p = 0; p < 5; p++) {
        SCOPED(seg_csr) A = joined_grid(&ctx, sides[p], far[p]);
        seg_cholesky *factor = NULL;
        const size_t n = A.rows;
        AUTOFREE double *X = calloc(n * 5, sizeof *X), *Y = calloc(n * 5, sizeof *Y), *back = calloc(n, sizeof *back);
        assert_ok(&ctx, seg_cholesky_create(&ctx, &A, &factor));
        for (size_t count = 3; count <= 5; count++) {
            for (size_t e = 0; e < n * count; e++)
                X[e] = Y[e] = sin((double)(e * e % 1009));
            assert_ok(&ctx, seg_cholesky_solve_vectors(&ctx, factor, count, Y, Y)); /* in place */
            for (size_t v = 0; v < count; v++) {
                seg_csr_times_vector(&ctx, &A, Y + v * n, back);
                for (size_t i = 0; i < n; i++)
                    assert_near(back[i], X[v * n + i], 1e-11);
                assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, 1, X + v * n, X + v * n));
                for (size_t i = 0; i < n; i++)
                    assert_near(Y[v * n + i], X[v * n + i], 1e-10);
            }
        }
        seg_cholesky_free(factor);
    }
}
