/* Spectral Learning against matrices written out. */
#include "toy.h"

#include "kernels/spectral_learning.h"
#include "linalg/dense.h"

/* The sparse path with hubs against the Laplacian written out pair by pair. */
TEST(spectral_learning_equals_the_matrix) {
    enum { n = 450, k = 5 };
    seg_matrix X, V;
    AUTOFREE double *L = calloc(n * n, sizeof *L), *value = malloc(n * sizeof *value),
                    *vector = malloc(n * n * sizeof *vector);
    double found[k], largest = 0;
    X = toy_blobs(&ctx, 3, 150, 5);
    for (size_t e = 0; e < 2 * n; e++)
        X.at[e] *= e % 2 ? 1 : 0.25; /* one connected part */
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 10);
    SCOPED(seg_constraints) groups = toy_groups(&ctx, n, 3, 10);
    const seg_pair extra[] = {
        {200, 203, 1, 1}, {200, 301, -1, 1}, {4, 400, 1, 1}, {(int32_t)W.column[W.start[420]], 420, -1, 1}};
    for (size_t p = 0; p < 4; p++)
        assert_ok(&ctx, seg_constraints_add(&ctx, &groups, extra[p]));
    for (size_t e = 0; e < W.start[n]; e++)
        largest = fmax(largest, W.value[e]);
    for (size_t i = 0; i < n; i++)
        for (size_t e = W.start[i]; e < W.start[i + 1]; e++)
            L[i * n + (size_t)W.column[e]] = -W.value[e] / largest;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i != j && groups.group[i] >= 0 && groups.group[j] >= 0)
                L[i * n + j] = groups.group[i] == groups.group[j] ? -1 : 0;
    for (size_t p = 0; p < 4; p++)
        L[(size_t)extra[p].i * n + (size_t)extra[p].j] = L[(size_t)extra[p].j * n + (size_t)extra[p].i] =
            extra[p].sign > 0 ? -1 : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            L[i * n + i] -= i == j ? 0 : L[i * n + j];
    assert_ok(&ctx, seg_eigen_dense(&ctx, n, L, value, vector));
    assert_ok(&ctx, seg_spectral_learning(&ctx, &W, &groups, k, &V, found));
    for (size_t c = 0; c < k; c++) {
        double residual = 0;
        assert_near(found[c], value[c], 1e-8);
        for (size_t i = 0; i < n; i++) {
            double row = -found[c] * V.at[i * k + c];
            for (size_t j = 0; j < n; j++)
                row += L[i * n + j] * V.at[j * k + c];
            residual += row * row;
        }
        assert_true(sqrt(residual) < 1e-6);
    }
    seg_matrix_free(&V);
    /* In several parts: the null vectors are the parts' indicators, the largest first. */
    seg_matrix_free(&X);
    seg_csr_free(&W);
    seg_constraints_free(&groups);
    X = toy_blobs(&ctx, 3, 100, 5);
    W = toy_knn(&ctx, &X, 6);
    groups = toy_groups(&ctx, 300, 3, 2);
    assert_ok(&ctx, seg_spectral_learning(&ctx, &W, &groups, 3, &V, found));
    for (size_t c = 0; c < 3; c++)
        assert_near(found[c], 0, 1e-9);
    for (size_t i = 3; i < 300; i++)
        for (size_t c = 0; c < 3; c++)
            assert_near(V.at[i * 3 + c], V.at[(i % 3) * 3 + c], 1e-9);
    W.value[0] = -1;
    seg_matrix_free(&V);
    assert_int_equal(seg_spectral_learning(&ctx, &W, &groups, 3, &V, found), SEG_ERR_USAGE);
    seg_matrix_free(&X);
}

/* Whether X holds eigenpairs of the Laplacian, orthonormal, with residuals below a share of its largest degree. The hub
 * of a group, written out, takes the group's sum away from each of its samples. */
static void assert_eigenpairs(seg_context *ctx, const seg_csr *W, const seg_constraints *constraints,
                              const seg_matrix *X, const double *value) {
    const size_t n = X->rows, k = X->cols;
    double largest = 0;
    SCOPED(seg_csr) L;
    assert_ok(ctx, seg_spectral_learning_laplacian(ctx, W, constraints, &L));
    for (size_t c = 0; c < k; c++) {
        double residual = 0, sum[SEG_MAX_LABELS] = {0};
        for (size_t i = 0; i < n; i++)
            if (constraints->groups > 0 && constraints->group[i] >= 0)
                sum[constraints->group[i]] += X->at[i * k + c];
        for (size_t i = 0; i < n; i++) {
            const int grouped = constraints->groups > 0 && constraints->group[i] >= 0;
            double row = -value[c] * X->at[i * k + c] - (grouped ? sum[constraints->group[i]] : 0);
            for (size_t e = L.start[i]; e < L.start[i + 1]; e++)
                if ((size_t)L.column[e] < n) {
                    row += L.value[e] * X->at[(size_t)L.column[e] * k + c];
                    largest = fmax(largest, L.value[e]);
                }
            residual += row * row;
        }
        assert_true(sqrt(residual) < 1e-6 * largest);
        for (size_t other = 0; other <= c; other++) {
            double product = 0;
            for (size_t i = 0; i < n; i++)
                product += X->at[i * k + c] * X->at[i * k + other];
            assert_near(product, other == c, 1e-7);
        }
    }
}

/* Edges that hardly weigh anything, as the papers' narrowest graphs have them: no iteration tells their eigenvalues
 * apart, and there is an answer all the same. */
TEST(edges_of_next_to_nothing) {
    static const double widths[] = {0.1, 0.2, 0.3, 0.5};
    enum { n = 270, d = 13, k = 2 };
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 20, .sigma = widths[w], .sigma_scale = 1};
        SCOPED(seg_matrix) V;
        SCOPED(seg_csr) W;
        double value[k];
        seg_random random = seg_random_seeded(7, 7);
        SCOPED(seg_matrix) X = new_matrix(&ctx, n, d);
        for (size_t e = 0; e < n * d; e++) /* some lie close together, most far apart */
            X.at[e] = seg_random_normal(&random) * (e / d % 3 ? 1 : 0.1 * (1 + (double)(e / d % 7)));
        assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL));
        SCOPED(seg_constraints) pairs = new_constraints(&ctx, n);
        for (int p = 0; p < 80; p++)
            assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, (seg_pair){3 * p, 3 * p + 1 + p % 2, p % 2 ? 1 : -1, 1}));
        assert_ok(&ctx, seg_spectral_learning(&ctx, &W, &pairs, k, &V, value));
        assert_eigenpairs(&ctx, &W, &pairs, &V, value);
    }
}

/* More samples than LAPACK is given, the pixels of noise: hundreds of parts that hardly touch. One of
 * three groups has no samples. */
TEST(many_parts_that_hardly_touch) {
    enum { side = 40, n = side * side, k = 4 };
    const seg_graph_spec spec = {.kind = SEG_GRAPH_BOTH, .neighbours = 1, .sigma_scale = 1};
    const seg_patch_grid grid = seg_patch_grid_make(side, side, 1);
    SCOPED(seg_matrix) V, other;
    SCOPED(seg_csr) W;
    double value[k];
    seg_random random = seg_random_seeded(7, 7);
    SCOPED(seg_matrix) X = new_matrix(&ctx, n, 3);
    for (size_t e = 0; e < (size_t)n * 3; e++)
        X.at[e] = seg_random_uniform(&random);
    assert_ok(&ctx, seg_graph_build(&ctx, &X, &grid, &spec, &W, NULL));
    SCOPED(seg_constraints) groups = new_constraints(&ctx, n);
    groups.groups = 3;
    for (int i = 0; i < n; i++)
        groups.group[i] = (int16_t)(i % 100 == 0 ? 0 : i % 100 == 50 ? 2 : -1);
    ctx.threads = 1;
    assert_ok(&ctx, seg_spectral_learning(&ctx, &W, &groups, k, &V, value));
    assert_eigenpairs(&ctx, &W, &groups, &V, value);
    ctx.threads = 3;
    assert_ok(&ctx, seg_spectral_learning(&ctx, &W, &groups, k, &other, value));
    assert_memory_equal(V.at, other.at, n * k * sizeof *V.at);
}
