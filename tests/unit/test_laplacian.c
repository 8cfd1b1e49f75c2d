/* Systems with a graph's Laplacian: against the sparse Cholesky factorisation, by residual, and whatever the threads.
 */
#include "toy.h"

#include "graph/harmonic.h"
#include "graph/hierarchy.h"
#include "graph/laplacian.h"

FREED_BY(seg_laplacian, seg_laplacian_free)
#define SCOPED_LAPLACIAN SCOPED_POINTER(seg_laplacian)

/* Blobs so far apart that the edges between them nearly vanish: what is hard for an iteration. */
static seg_csr far_blobs(seg_context *ctx, size_t each, int neighbours) {
    SCOPED(seg_matrix) X = toy_blobs(ctx, 5, each, 3);
    return toy_knn(ctx, &X, neighbours);
}

/* (D + absorb) X - W X - B by the graph itself; the largest entry beside the largest of B. */
static double residual(const seg_csr *W, const double *absorb, size_t cols, const double *B, const double *X) {
    double worst = 0, largest = 0;
    for (size_t i = 0; i < W->rows; i++) {
        if (isinf(absorb[i]))
            continue;
        for (size_t c = 0; c < cols; c++) {
            double sum = absorb[i] * X[i * cols + c] - B[i * cols + c];
            for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
                sum += W->value[e] * (X[i * cols + c] - X[(size_t)W->column[e] * cols + c]);
            worst = fmax(worst, fabs(sum));
            largest = fmax(largest, fabs(B[i * cols + c]));
        }
    }
    return worst / fmax(largest, 1);
}

/* Absorption that varies, a few fixed nodes, thirteen right sides: as the factorisation of the same matrix says. */
TEST(it_agrees_with_the_factorisation) {
    enum { EACH = 700, COLS = 13 };
    SCOPED_LAPLACIAN *laplacian;
    SCOPED_CHOLESKY *factor;
    int steps = 0;
    SCOPED(seg_csr) W = far_blobs(&ctx, EACH, 12);
    const size_t n = W.rows;
    AUTOFREE double *absorb = calloc(n, sizeof *absorb), *B = calloc(n * COLS, sizeof *B),
                    *X = calloc(n * COLS, sizeof *X);
    AUTOFREE double *exact = calloc(n * COLS, sizeof *exact);
    seg_random random = seg_random_seeded(6, 6);
    for (size_t i = 0; i < n; i++) {
        absorb[i] = seg_random_uniform(&random) < 0.1 ? seg_random_uniform(&random) : 0;
        for (size_t c = 0; c < COLS; c++)
            B[i * COLS + c] = absorb[i] * seg_random_uniform(&random);
    }
    SCOPED(seg_csr) A = toy_laplacian(&ctx, &W, absorb);
    assert_ok(&ctx, seg_cholesky_create(&ctx, &A, &factor));
    assert_ok(&ctx, seg_cholesky_solve(&ctx, factor, COLS, B, exact));
    assert_ok(&ctx, seg_laplacian_create(&ctx, &W, &laplacian));
    assert_ok(&ctx, seg_laplacian_solve(&ctx, laplacian, &(seg_laplacian_system){absorb, COLS, 1e-9, B, X, &steps}));
    assert_true(steps > 1 && steps < 100);
    for (size_t e = 0; e < n * COLS; e++)
        assert_near(X[e], exact[e], 1e-5);
    assert_true(residual(&W, absorb, COLS, B, X) < 1e-6);
    /* In place, on other threads, after another problem: the same bytes. */
    ctx.threads = 3;
    absorb[7] = SEG_FIXED;
    assert_ok(&ctx, seg_laplacian_solve(&ctx, laplacian, &(seg_laplacian_system){absorb, 2, 1e-6, B, exact, NULL}));
    assert_near(exact[7 * 2], B[7 * 2], 0); /* fixed */
    absorb[7] = 0;
    for (size_t c = 0; c < COLS; c++)
        B[7 * COLS + c] = 0;
    assert_ok(&ctx, seg_laplacian_solve(&ctx, laplacian, &(seg_laplacian_system){absorb, COLS, 1e-9, B, X, NULL}));
    ctx.threads = 1;
    assert_ok(&ctx, seg_laplacian_solve(&ctx, laplacian, &(seg_laplacian_system){absorb, COLS, 1e-9, B, B, NULL}));
    assert_memory_equal(B, X, n * COLS * sizeof *X);
}

/* Absorption probabilities: as by elimination of the free nodes, 0 where nothing is fixed, at most one in sum. */
TEST(harmonic_extension_is_the_direct_one) {
    for (size_t each = 1; each <= 900; each = each * 6 + 3) {
        SCOPED_LAPLACIAN *laplacian;
        SCOPED(seg_csr) W = far_blobs(&ctx, each, each > 20 ? 8 : 3);
        const size_t n = W.rows;
        AUTOFREE uint8_t *fixed = calloc(n, 1);
        SCOPED(seg_matrix) F = new_matrix(&ctx, n, 3);
        SCOPED(seg_matrix) G = new_matrix(&ctx, n, 3);
        for (size_t i = 0; i < n; i++)
            if (i % 5 < 3 && i / 5 >= (each > 1) &&
                i / 5 <= 1 + each / 30) { /* in three of the five blobs, not node 0 */
                fixed[i] = 1;
                F.at[3 * i + i % 5] = G.at[3 * i + i % 5] = 1;
            }
        assert_ok(&ctx, seg_harmonic_directly(&ctx, &W, fixed, &G));
        assert_ok(&ctx, seg_laplacian_create(&ctx, &W, &laplacian));
        assert_ok(&ctx, seg_harmonic_extend(&ctx, &W, laplacian, fixed, SEG_HARMONIC_FINE, &F));
        for (size_t e = 0; e < 3 * n; e++) {
            assert_near(F.at[e], G.at[e], 1e-5);
            if (fixed[e / 3])
                assert_near(F.at[e], G.at[e], 0);
        }
        assert_ok(&ctx, seg_harmonic_extend(&ctx, &W, laplacian, fixed, SEG_HARMONIC_LABELS, &F));
        for (size_t e = 0; e < 3 * n; e++)
            assert_near(F.at[e], G.at[e], 1e-2); /* parts hang by weights of 1e-6 */
    }
}

/* Each graph holds the edges of the one before that are not inside its nodes, and all nodes. */
TEST(coarse_graphs_hold_the_fine_one) {
    SCOPED(seg_hierarchy) h;
    SCOPED(seg_csr) W = far_blobs(&ctx, 500, 8);
    assert_ok(&ctx, seg_hierarchy_create(&ctx, &W, 50, &h));
    assert_true(h.levels >= 3);
    for (int l = 0; l < h.levels; l++) {
        const seg_graph_level *g = &h.level[l];
        double outside = 0, total = 0;
        for (size_t i = 0; i < g->n; i++) {
            const size_t block = (i + 1) * SEG_SWEEP_BLOCKS - 1;
            for (size_t e = g->start[i]; e < g->start[i + 1]; e++) {
                const size_t j = (size_t)g->column[e];
                const int before = e < g->start[i] + g->lower[i], own = e < g->start[i] + g->own[i];
                assert_true(j != i && j < g->n && (!before || j < i));
                assert_int_equal(own, block / g->n == ((j + 1) * SEG_SWEEP_BLOCKS - 1) / g->n);
                total += (double)g->weight[e];
                if (g->parent && g->parent[i] != g->parent[j])
                    outside += (double)g->weight[e];
            }
            if (g->parent)
                assert_true(i >= g[1].child[g->parent[i]] && i < g[1].child[g->parent[i] + 1]);
        }
        if (g->parent) {
            double next = 0;
            for (size_t i = 0; i < g[1].n; i++)
                next += g[1].degree[i];
            assert_near(next, outside, 1e-5 * total);
            assert_true(g[1].n < g->n);
        }
    }
}

/* Weights, absorption and right sides in another unit: the same solution; by powers of two beyond the ordinary range
 * the same bytes as each other. */
TEST(the_unit_of_weights_does_not_matter) {
    static const int exponent[] = {0, -3, 40, -400, -166, 166, 400};
    enum { EACH = 150, COLS = 3, UNITS = sizeof exponent / sizeof *exponent };
    seg_random random;
    SCOPED(seg_csr) W = far_blobs(&ctx, EACH, 10);
    const size_t n = W.rows, edges = W.start[n];
    AUTOFREE double *given = malloc(edges * sizeof *given), *absorb = malloc(n * sizeof *absorb);
    double *B = malloc(n * COLS * sizeof *B), *X[UNITS];
    memcpy(given, W.value, edges * sizeof *given);
    for (int u = 0; u < UNITS; u++) {
        SCOPED_LAPLACIAN *laplacian;
        random = seg_random_seeded(3, 3);
        for (size_t e = 0; e < edges; e++)
            W.value[e] = ldexp(given[e], exponent[u]);
        for (size_t i = 0; i < n; i++) {
            const int fixed = i % 97 == 0;
            const double own = seg_random_uniform(&random);
            absorb[i] = fixed ? SEG_FIXED : ldexp(1e-3 * own, exponent[u]);
            for (size_t c = 0; c < COLS; c++)
                B[i * COLS + c] = ldexp(seg_random_uniform(&random), fixed ? 0 : exponent[u]);
        }
        X[u] = malloc(n * COLS * sizeof **X);
        assert_ok(&ctx, seg_laplacian_create(&ctx, &W, &laplacian));
        assert_ok(&ctx,
                  seg_laplacian_solve(&ctx, laplacian, &(seg_laplacian_system){absorb, COLS, 1e-8, B, X[u], NULL}));
        for (size_t e = 0; e < n * COLS; e++)
            assert_near(X[u][e], X[0][e], 1e-5 * fmax(1, fabs(X[0][e])));
        if (u > 3)
            assert_memory_equal(X[u], X[3], n * COLS * sizeof **X);
    }
    for (int u = 0; u < UNITS; u++)
        free(X[u]);
    free(B);
}
