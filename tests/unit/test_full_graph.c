/* The complete Gaussian graph: its weights against plain ones, its spectrum against a known one, what must not change
 * it, and what it refuses. */
#include "toy.h"

#include "graph/spectrum/spectrum.h"

static seg_matrix make_points(seg_context *ctx, size_t n, size_t d) {
    seg_random random = seg_random_seeded(7, 0);
    seg_matrix X = new_matrix(ctx, n, d);
    for (size_t e = 0; e < n * d; e++)
        X.at[e] = seg_random_uniform(&random);
    return X;
}

static double distance(const seg_matrix *X, size_t i, size_t j) {
    double square = 0;
    for (size_t c = 0; c < X->cols; c++) {
        const double t = X->at[i * X->cols + c] - X->at[j * X->cols + c];
        square += t * t;
    }
    return sqrt(square);
}

/* From widths at which few pairs weigh anything to widths at which all weigh the same; width 0: the mean distance. */
TEST(weights_are_the_plain_ones) {
    enum { N = 150 };
    static const double widths[] = {0, 0.003, 0.02, 0.1, 0.5, 100};
    for (size_t d = 1; d <= 5; d += 2)
        for (size_t s = 0; s < sizeof widths / sizeof *widths; s++) {
            const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma = widths[s], .sigma_scale = 0.5};
            SCOPED(seg_csr) W;
            double sigma, mean = 0;
            SCOPED(seg_matrix) X = make_points(&ctx, N, d);
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < i; j++)
                    mean += distance(&X, i, j) / (N * (N - 1) / 2);
            assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, &sigma));
            assert_near(sigma, widths[s] > 0 ? widths[s] : 0.5 * mean, 1e-12);
            for (size_t i = 0; i < N; i++) {
                size_t e = W.start[i];
                for (size_t j = 0; j < N; j++) {
                    const double t = distance(&X, i, j) / sigma, weight = i == j ? 0 : exp(-0.5 * t * t);
                    if (e < W.start[i + 1] && (size_t)W.column[e] == j)
                        assert_near(W.value[e++], weight, 1e-13 * weight * (1 + t * t));
                    else
                        assert_true(weight < 1e-290);
                }
                assert_true(e == W.start[i + 1]);
            }
        }
}

/* m nodes at each of two places, q the weight between them: (m - 1 - m q) / (m - 1 + m q) belongs to the cut, and
 * -1 / degree to everything inside a place. */
TEST(two_places_have_a_known_spectrum) {
    enum { M = 150, COUNT = 6 };
    static const double apart[] = {1, 3, 0};
    for (int t = 0; t < 3; t++) {
        const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma = 1, .sigma_scale = 1};
        const double q = exp(-0.5 * apart[t] * apart[t]), degree = M - 1 + M * q;
        SCOPED(seg_csr) W;
        SCOPED(seg_spectrum) s;
        SCOPED(seg_matrix) X = new_matrix(&ctx, 2 * M, 2);
        for (size_t i = 0; i < 2 * M; i++)
            X.at[2 * i] = (double)(i % 2) * apart[t];
        assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL));
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &W, COUNT, &s));
        assert_near(s.value[0], 0, 1e-12);
        assert_near(s.value[1], 1 - (M - 1 - M * q) / degree, 1e-8);
        for (int c = 2; c < COUNT; c++)
            assert_near(s.value[c], 1 + 1 / degree, 1e-8);
        for (size_t i = 0; i < 2 * M && t < 2; i++) /* the cut: equal inside, opposite across */
            assert_near(s.vector[i * COUNT + 1], (i % 2 ? -1 : 1) * s.vector[1], 1e-6);
    }
}

/* The width from the data: neither their order nor a shift matters, also where not all pairs are measured. */
TEST(order_and_place_do_not_matter) {
    enum { N = 2101, COUNT = 3 };
    const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma_scale = 1};
    SCOPED(seg_csr) V, W;
    SCOPED(seg_spectrum) a, b;
    double one, other;
    SCOPED(seg_matrix) X = make_points(&ctx, N, 3);
    SCOPED(seg_matrix) Y = new_matrix(&ctx, N, 3);
    for (size_t i = 0; i < N; i++)
        for (size_t c = 0; c < 3; c++)
            Y.at[(i * 707 % N) * 3 + c] = X.at[i * 3 + c] + 64 * (double)(c + 1);
    assert_ok(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &V, &one));
    ctx.threads = 3;
    assert_ok(&ctx, seg_graph_build(&ctx, &Y, NULL, &spec, &W, &other));
    assert_near(one, other, 1e-12);
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &V, COUNT, &a));
    assert_ok(&ctx, seg_spectrum_compute(&ctx, &W, COUNT, &b));
    for (size_t c = 0; c < COUNT; c++)
        assert_near(a.value[c], b.value[c], 1e-6);
}

TEST(what_cannot_be_is_refused) {
    seg_csr W;
    seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma_scale = 1};
    SCOPED(seg_matrix) X = make_points(&ctx, SEG_FULL_NODES + 1, 3);
    assert_fails(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL), SEG_ERR_USAGE, "larger patches");
    X.rows = 500;
    spec.sigma = -1;
    assert_int_equal(seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL), SEG_ERR_USAGE);
    spec.sigma = 1e-300;
    assert_int_equal(seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL), SEG_ERR_USAGE);
    spec.sigma = 0;
    X.at[700] = NAN;
    assert_fails(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL), SEG_ERR_USAGE, "column 2 of row 234");
    X.at[700] = 0.5;
    int none = 0;
    ctx.progress = check_stop;
    ctx.progress_user = &none;
    assert_fails(&ctx, seg_graph_build(&ctx, &X, NULL, &spec, &W, NULL), SEG_ERR_CANCELLED, "cancelled");
    assert_null(W.start);
}
