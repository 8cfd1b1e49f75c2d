/* Spectra of graphs: known ones, residuals, the null space of graphs in several parts, isolated nodes, and
 * multiplicities that a Krylov space of one vector misses. */
#include "toy.h"

#include "graph/spectrum/spectrum.h"

#include <lapacke.h>

static const double PI = 3.14159265358979323846;

static void join(double *W, size_t n, size_t i, size_t j, double w) {
    W[i * n + j] = W[j * n + i] = w;
}

/* Residuals, order, orthonormality and the rule of signs. */
static void check_spectrum(const seg_csr *W, const seg_spectrum *s, double tolerance) {
    size_t n = W->rows, count = (size_t)s->count;
    AUTOFREE double *degree = calloc(n, sizeof *degree);
    assert_int_equal(s->n, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
            degree[i] += W->value[e];
        if (degree[i] == 0)
            degree[i] = 1;
    }
    for (size_t c = 0; c < count; c++) {
        double residual = 0, largest = 0, signed_largest = 0;
        assert_true(s->value[c] >= 0 && s->value[c] <= 2);
        if (c)
            assert_true(s->value[c] >= s->value[c - 1] - 1e-13);
        for (size_t i = 0; i < n; i++) {
            double x = s->vector[i * count + c], r = (1 - s->value[c]) * x;
            for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
                r -= W->value[e] / sqrt(degree[i]) / sqrt(degree[W->column[e]]) *
                     s->vector[(size_t)W->column[e] * count + c];
            residual += r * r;
            if (fabs(x) > largest) {
                largest = fabs(x);
                signed_largest = x;
            }
        }
        assert_near(sqrt(residual), 0, tolerance);
        assert_true(signed_largest > 0);
        for (size_t other = 0; other <= c; other++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += s->vector[i * count + c] * s->vector[i * count + other];
            assert_near(dot, c == other, 1e-10);
        }
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Solve, check, and compare with `expected` (n values in any order; sorted here). */
static void check_known(size_t n, const double *W, int count, double *expected) {
    SCOPED(seg_spectrum) s;
    SCOPED(seg_csr) A = toy_sparse(&ctx, n, W);
    qsort(expected, n, sizeof *expected, ascending);
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &s));
    check_spectrum(&A, &s, 2e-7);
    for (int c = 0; c < count; c++)
        assert_near(s.value[c], expected[c], 1e-9);
}

/* 90 nodes take the dense path, 300 the sparse one. */
TEST(paths_cycles_and_complete_graphs) {
    for (size_t n = 90; n <= 300; n += 210)
        for (int kind = 0; kind < 3; kind++) {
            AUTOFREE double *W = calloc(n * n, sizeof *W), *expected = malloc(n * sizeof *expected);
            for (size_t i = 0; i < n; i++) {
                if (kind < 2 && (i + 1 < n || kind == 1))
                    join(W, n, i, (i + 1) % n, 0.7);
                for (size_t j = 0; kind == 2 && j < i; j++)
                    join(W, n, i, j, 0.3);
                expected[i] = kind == 0   ? 1 - cos(PI * (double)i / (double)(n - 1))
                              : kind == 1 ? 1 - cos(2 * PI * (double)i / (double)n)
                              : i == 0    ? 0
                                          : 1 + 1.0 / (double)(n - 1);
            }
            check_known(n, W, 12, expected);
        }
}

/* The product of two paths with loops at the ends is regular: a grid's spectrum in closed form, with every
 * eigenvalue but the diagonal's at least twice. */
TEST(square_grid_with_multiplicities) {
    for (size_t side = 8; side <= 20; side += 12) {
        size_t n = side * side;
        AUTOFREE double *W = calloc(n * n, sizeof *W), *expected = malloc(n * sizeof *expected);
        for (size_t y = 0; y < side; y++)
            for (size_t x = 0; x < side; x++) {
                size_t i = y * side + x;
                if (x + 1 < side)
                    join(W, n, i, i + 1, 1);
                if (y + 1 < side)
                    join(W, n, i, i + side, 1);
                W[i * n + i] = (double)((x == 0) + (x + 1 == side) + (y == 0) + (y + 1 == side));
                expected[i] = 1 - 0.5 * (cos(PI * (double)x / (double)side) + cos(PI * (double)y / (double)side));
            }
        check_known(n, W, 20, expected);
    }
}

/* Without borders every eigenvalue is (cos a + cos b) / 2, most of them four or eight times: far more than one Krylov
 * space holds. Counts that end within a multiplicity and between two. */
TEST(torus_with_every_multiplicity) {
    static const size_t sides[2] = {16, 24};
    static const int counts[4] = {3, 5, 21, 45};
    for (int s = 0; s < 2; s++) {
        size_t side = sides[s], n = side * side;
        AUTOFREE double *W = calloc(n * n, sizeof *W), *expected = malloc(n * sizeof *expected);
        for (size_t y = 0; y < side; y++)
            for (size_t x = 0; x < side; x++) {
                join(W, n, y * side + x, y * side + (x + 1) % side, 1);
                join(W, n, y * side + x, (y + 1) % side * side + x, 1);
                expected[y * side + x] =
                    1 - 0.5 * (cos(2 * PI * (double)x / (double)side) + cos(2 * PI * (double)y / (double)side));
            }
        for (int c = 0; c < 4; c++)
            check_known(n, W, counts[c], expected);
    }
}

TEST(parts_come_first_in_order) {
    enum { n = 330 };
    SCOPED(seg_spectrum) s;
    AUTOFREE double *W = calloc(n * n, sizeof *W);
    /* Three interleaved cycles: node i is in part i % 3; part 0 has heavier edges. */
    for (size_t i = 0; i < n; i++)
        join(W, n, i, (i + 3) % n, i % 3 == 0 ? 1e-3 : 1);
    SCOPED(seg_csr) A = toy_sparse(&ctx, n, W);
    for (int count = 1; count <= 9; count += 2) {
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &s));
        check_spectrum(&A, &s, 2e-7);
        for (int c = 0; c < count; c++) {
            /* then each of cos(2 pi j / 110) for j = 1, 2.. six times: two a part */
            int level = c < 3 ? 0 : (c - 3) / 6 + 1;
            assert_near(s.value[c], 1 - cos(2 * PI * level / 110), 1e-10);
            for (size_t i = 0; c < 3 && i < n; i++)
                assert_near(s.vector[i * (size_t)count + (size_t)c], i % 3 == (size_t)c ? 1 / sqrt(110) : 0, 1e-14);
        }
        seg_spectrum_free(&s);
    }
    seg_csr_free(&A);
    /* Pairs only: more parts than asked for; then all eigenvectors, 0 half the time and 2 the other half. */
    memset(W, 0, n * n * sizeof *W);
    for (size_t i = 0; i < n; i += 2)
        join(W, n, i, i + 1, (double)(i + 1));
    A = toy_sparse(&ctx, n, W);
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, 10, &s));
    check_spectrum(&A, &s, 1e-12);
    for (size_t c = 0; c < 10; c++)
        assert_near(s.vector[2 * c * 10 + c], sqrt(0.5), 1e-14);
    seg_spectrum_free(&s);
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, n, &s));
    check_spectrum(&A, &s, 1e-12);
    for (size_t c = 0; c < n; c++)
        assert_near(s.value[c], c < n / 2 ? 0 : 2, 1e-12);
}

TEST(isolated_nodes_have_eigenvalue_one) {
    enum { n = 10 };
    SCOPED(seg_spectrum) s;
    double W[n * n] = {0};
    /* 1-3-5 a path (0, 1, 2), 7-8 a pair (0, 2), nodes 0 2 4 6 9 alone (1). */
    join(W, n, 1, 3, 1);
    join(W, n, 3, 5, 1);
    join(W, n, 7, 8, 0.2);
    SCOPED(seg_csr) A = toy_sparse(&ctx, n, W);
    static const double expected[n] = {0, 0, 1, 1, 1, 1, 1, 1, 2, 2};
    static const size_t alone[5] = {0, 2, 4, 6, 9};
    for (int count = 1; count <= n; count++) {
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &s));
        check_spectrum(&A, &s, 1e-12);
        for (int c = 0; c < count; c++)
            assert_near(s.value[c], expected[c], 1e-13);
        for (size_t c = 0; c < 5 && (int)c + 3 < count; c++) { /* maybe one place earlier: 1 is also the path's */
            size_t node = alone[c];
            assert_true(s.vector[node * (size_t)count + c + 2] == 1 || s.vector[node * (size_t)count + c + 3] == 1);
        }
        seg_spectrum_free(&s);
    }
    seg_csr_free(&A);
    memset(W, 0, sizeof W); /* nothing but isolated nodes */
    A = toy_sparse(&ctx, n, W);
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, 4, &s));
    check_spectrum(&A, &s, 0);
    for (size_t c = 0; c < 4; c++)
        assert_true(s.value[c] == 1 && s.vector[c * 4 + c] == 1);
}

/* `parts` clusters of random geometric graphs, each held together by a chain of edges of at least `chain`, joined in a
 * ring by edges of weight `bridge`. */
static seg_csr clusters(seg_context *ctx, size_t parts, size_t each, double bridge, double chain) {
    size_t n = parts * each;
    AUTOFREE double *W = calloc(n * n, sizeof *W), *x = malloc(2 * n * sizeof *x);
    seg_random random = seg_random_seeded(11, 0);
    for (size_t i = 0; i < 2 * n; i++)
        x[i] = seg_random_uniform(&random);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double u = x[2 * i] - x[2 * j], v = x[2 * i + 1] - x[2 * j + 1], d2 = u * u + v * v;
            if (i / each == j / each && (d2 < 0.03 || i == j + 1))
                join(W, n, i, j, i == j + 1 ? fmax(chain, exp(-d2 / 0.02)) : exp(-d2 / 0.02));
        }
    for (size_t p = 0; p < parts; p++)
        join(W, n, p * each, (p + 1) % parts * each, bridge);
    return toy_sparse(ctx, n, W);
}

/* The first parts vectors span the same space in both: each lies in that of the others. */
static void check_span(const seg_spectrum *s, const seg_spectrum *dense, size_t parts) {
    for (size_t c = 0; c < parts; c++) {
        double inside = 0;
        for (size_t k = 0; k < parts; k++) {
            double dot = 0;
            for (size_t i = 0; i < s->n; i++)
                dot += s->vector[i * s->count + c] * dense->vector[i * dense->count + k];
            inside += dot * dot;
        }
        assert_near(inside, 1, 1e-9);
    }
}

/* Nearly cut graphs have a crowd of eigenvalues near 0: the sparse path must find as many as LAPACK does. */
TEST(crowds_near_zero_are_complete) {
    enum { count = 16, parts = 11, each = 40, n = parts * each };
    static const double bridges[] = {1e-18, 1e-13, 1e-9, 1e-5, 1e-2};
    seg_spectrum s, dense;
    for (int b = 0; b < 5; b++) {
        SCOPED(seg_csr) A = clusters(&ctx, parts, each, bridges[b], 0.2);
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &s));
        assert_true(s.iterations > 0);
        check_spectrum(&A, &s, 2e-7);
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, n / 2, &dense)); /* so many are LAPACK's */
        assert_int_equal(dense.iterations, 0);
        check_spectrum(&A, &dense, 1e-11);
        for (int c = 0; c < count; c++)
            assert_near(s.value[c], dense.value[c], 1e-10); /* residual^2 over the gap */
        check_span(&s, &dense, parts);
        seg_spectrum_free(&s);
        seg_spectrum_free(&dense);
    }
}

/* An image's graph: a 4-neighbour grid whose edges are strong inside `regions` x `regions` squares and nearly 0
 * across their borders, with a few strong far edges inside each. `cut` is the weight across. */
static seg_csr near_cut_picture(seg_context *ctx, size_t side, size_t regions, double cut) {
    size_t n = side * side;
    AUTOFREE double *W = calloc(n * n, sizeof *W);
    seg_random random = seg_random_seeded(3, 0);
    for (size_t i = 0; i < n; i++) {
        size_t x = i % side, y = i / side, region = y * regions / side * regions + x * regions / side;
        for (int a = 0; a < 8; a++) {
            size_t far = seg_random_below(&random, n), j = a == 0 ? i + 1 : a == 1 ? i + side : far;
            if (j >= n || j == i || (a == 0 && x + 1 == side))
                continue;
            int inside = j / side * regions / side * regions + j % side * regions / side == region;
            if (inside || a < 2)
                join(W, n, i, j, inside ? 0.2 + 0.8 * seg_random_uniform(&random) : cut * seg_random_uniform(&random));
        }
    }
    return toy_sparse(ctx, n, W);
}

/* Eigenvalues, all of them, against LAPACK; and the space they span up to the widest gap. */
TEST(near_cut_pictures_agree_with_lapack) {
    enum { side = 24, n = side * side, count = 20 };
    static const double cuts[] = {1e-12, 1e-8, 1e-6, 1e-4, 1e-2};
    seg_spectrum s, dense;
    for (int c = 0; c < 5; c++)
        for (size_t regions = 2; regions <= 4; regions++) {
            SCOPED(seg_csr) A = near_cut_picture(&ctx, side, regions, cuts[c]);
            size_t parts = regions * regions;
            assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &s));
            assert_true(s.iterations > 0);
            check_spectrum(&A, &s, 1e-6);
            assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, n / 2, &dense));
            for (int v = 0; v < count; v++)
                assert_near(s.value[v], dense.value[v], 1e-9);
            check_span(&s, &dense, parts);
            seg_spectrum_free(&s);
            seg_spectrum_free(&dense);
        }
}

/* Two equal parts of random far edges, each with every eigenvalue but the first twice. */
static void check_far_edges(size_t half, size_t each, int count) {
    const size_t n = 2 * half;
    SCOPED(seg_spectrum) s;
    seg_random random = seg_random_seeded(9, 0);
    /* The sum of `each` random cyclic shifts in each half, and back: a circulant, whose spectrum is known. */
    AUTOFREE size_t *shift = malloc(each * sizeof *shift);
    for (size_t a = 0; a < each; a++)
        shift[a] = 1 + seg_random_below(&random, half / 2 - 1);
    SCOPED(seg_csr) A = new_csr(&ctx, n, n, n * (2 * each));
    AUTOFREE double *row = malloc(2 * each * sizeof *row);
    for (size_t i = 0, at = 0; i < n; i++) {
        for (size_t a = 0; a < each; a++) {
            row[2 * a] = (double)((i % half + shift[a]) % half);
            row[2 * a + 1] = (double)((i % half + half - shift[a]) % half);
        }
        qsort(row, 2 * each, sizeof *row, ascending);
        for (size_t a = 0; a < 2 * each; a++)
            if (a > 0 && row[a] == row[a - 1])
                A.value[at - 1] += 1;
            else {
                A.column[at] = (int32_t)(i / half * half + (size_t)row[a]);
                A.value[at++] = 1;
            }
        A.start[i + 1] = at;
    }
    AUTOFREE double *expected = malloc(n * sizeof *expected);
    for (size_t k = 0; k < half; k++) {
        double sum = 0;
        for (size_t a = 0; a < each; a++)
            sum += cos(2 * PI * (double)(k * shift[a] % half) / (double)half);
        expected[k] = expected[half + k] = 1 - sum / (double)each;
    }
    qsort(expected, n, sizeof *expected, ascending);
    ctx.threads = 1;
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &s));
    check_spectrum(&A, &s, 1e-6);
    for (int c = 0; c < count; c++)
        assert_near(s.value[c], expected[c], 1e-9);
}

/* Far edges fill the factor (here some 10^10 operations); where there are many edges the plain operator takes over, and
 * beyond some number of nodes nothing is asked of the factor. */
TEST(a_filled_factor_is_not_made) {
    check_far_edges(3000, 12, 8);
    check_far_edges(3000, 13, 4);
    check_far_edges(25500, 13, 3);
}

/* Equal paths, all but cut: crowds of equal eigenvalues at 0 and above, far larger than the count that is asked for.
 * Wherever the count ends, the values are LAPACK's, but for the millionth within which a crowd may be mixed up. */
TEST(small_counts_of_equal_parts) {
    enum { part = 12, n = 21 * part };
    static const double bridges[] = {1e-14, 1e-13, 1e-11, 1e-7};
    seg_spectrum s, dense;
    AUTOFREE double *W = calloc(n * n, sizeof *W);
    for (int b = 0; b < 4; b++) {
        for (size_t i = 0; i + 1 < n; i++)
            join(W, n, i, i + 1, i % part == part - 1 ? bridges[b] : 1);
        SCOPED(seg_csr) A = toy_sparse(&ctx, n, W);
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, n, &dense));
        for (int count = 1; count <= 50; count += count < 5 ? 1 : 15) {
            assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &s));
            check_spectrum(&A, &s, 1e-6);
            for (int c = 0; c < count; c++)
                assert_near(s.value[c], dense.value[c], 1e-6 * dense.value[c] + 2e-9);
            seg_spectrum_free(&s);
        }
        seg_spectrum_free(&dense);
    }
}

/* The `count` smallest eigenvalues of I - D^-1/2 W D^-1/2 by LAPACK; no node is isolated. W is overwritten. */
static void smallest_by_lapack(size_t n, double *W, size_t count, double *value) {
    AUTOFREE double *degree = calloc(n, sizeof *degree);
    lapack_int found;
    for (size_t e = 0; e < n * n; e++)
        degree[e / n] += W[e];
    for (size_t e = 0; e < n * n; e++)
        W[e] = (e / n == e % n) - W[e] / sqrt(degree[e / n]) / sqrt(degree[e % n]);
    assert_int_equal(LAPACKE_dsyevx(LAPACK_ROW_MAJOR, 'N', 'I', 'L', (lapack_int)n, W, (lapack_int)n, 0, 0, 1,
                                    (lapack_int)count, 0, &found, value, NULL, (lapack_int)count, NULL),
                     0);
}

/* A tree whose weights are spread evenly over thirteen orders of magnitude: hundreds of eigenvalues between 1e-13 and
 * 1e-6, with no gap anywhere. Lanczos' method fails; up to 1500 nodes LAPACK solves it, beyond a block of vectors. */
TEST(trees_of_vanishing_weights) {
    enum { count = 20 };
    static const size_t sizes[] = {700, 1550};
    seg_spectrum s, two;
    seg_random random = seg_random_seeded(5, 0);
    for (int t = 0; t < 2; t++) {
        const size_t n = sizes[t];
        double expected[1550]; /* LAPACK's room, of which `count` are used */
        AUTOFREE double *W = calloc(n * n, sizeof *W);
        for (size_t i = 1; i < n; i++)
            join(W, n, i, seg_random_below(&random, i), exp(-30 * seg_random_uniform(&random)));
        SCOPED(seg_csr) A = toy_sparse(&ctx, n, W);
        smallest_by_lapack(n, W, count, expected);
        ctx.threads = 1;
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &s));
        check_spectrum(&A, &s, n <= 1500 ? 1e-13 : 1e-8);
        for (size_t e = 0; e < count; e++)
            assert_near(s.value[e], expected[e], n <= 1500 ? 1e-14 : 1e-8);
        ctx.threads = 2;
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &two));
        assert_memory_equal(s.vector, two.vector, n * count * sizeof *s.vector);
        seg_spectrum_free(&two);
        seg_spectrum_free(&s);
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, 2, &two));
        assert_near(two.value[1], expected[1], n <= 1500 ? 1e-14 : 1e-8);
        seg_spectrum_free(&two);
    }
}

TEST(same_bytes_for_any_threads_and_scale) {
    enum { count = 24 };
    SCOPED(seg_spectrum) one, two;
    SCOPED(seg_csr) A = clusters(&ctx, 20, 40, 0.1, 0); /* with chains of tiny weights inside */
    ctx.threads = 1;
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &one));
    ctx.threads = 2;
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &two));
    assert_memory_equal(one.vector, two.vector, one.n * count * sizeof(double));
    assert_memory_equal(one.value, two.value, count * sizeof(double));
    seg_spectrum_free(&two);
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &two)); /* and again */
    assert_memory_equal(one.vector, two.vector, one.n * count * sizeof(double));
    seg_spectrum_free(&two);
    for (size_t e = 0; e < A.start[A.rows]; e++)
        A.value[e] *= 1e-200; /* tiny weights are not a reason to lose anything */
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &A, count, &two));
    check_spectrum(&A, &two, 2e-7);
    for (int c = 0; c < count; c++)
        assert_near(one.value[c], two.value[c], 1e-9); /* crowded closer than the tolerance */
}

TEST(unfit_graphs_are_refused) {
    seg_spectrum s;
    double W[9] = {0, 1, 0, 1, 0, 1, 0, 1, 0};
    SCOPED(seg_csr) A = toy_sparse(&ctx, 3, W);
    assert_int_equal(seg_spectrum_compute(&ctx, &A, 0, &s), SEG_ERR_USAGE);
    assert_int_equal(seg_spectrum_compute(&ctx, &A, 4, &s), SEG_ERR_USAGE);
    assert_null(s.vector);
    static const double bad[] = {-1, NAN, INFINITY};
    for (int b = 0; b < 3; b++) {
        A.value[0] = bad[b];
        assert_int_equal(seg_spectrum_compute(&ctx, &A, 1, &s), SEG_ERR_USAGE);
    }
    A.value[0] = A.value[1] = A.value[2] = A.value[3] = 1.7e308;
    assert_int_equal(seg_spectrum_compute(&ctx, &A, 1, &s), SEG_ERR_NUMERIC);
    A.value[0] = 1;
    A.column[0] = 9;
    assert_int_equal(seg_spectrum_compute(&ctx, &A, 1, &s), SEG_ERR_USAGE);
    A.cols = 2;
    assert_int_equal(seg_spectrum_compute(&ctx, &A, 1, &s), SEG_ERR_USAGE);
    A.cols = 3;
}
