/* Where the curves of the experiments begin: a method without constraints is itself, not another one. */
#include "toy.h"

#include "methods/method.h"
#include "selection/cluster.h"

enum { K = 3, EACH = 30, N = K * EACH };

static double objective(seg_context *ctx, const seg_problem *problem, const char *method, const char *parameter) {
    const seg_method *row = seg_method_find(method);
    seg_params params;
    seg_clustering found;
    seg_params_default(row, &params);
    if (parameter)
        assert_ok(ctx, seg_params_set(ctx, row, parameter, &params));
    assert_ok(ctx, seg_cluster_any(ctx, row, &params, problem, &found));
    const double value = found.objective;
    seg_clustering_free(&found);
    return value;
}

static void methods_run_without_constraints(void **state) {
    static const char *const learners[] = {"sskk", "kernel-hmrf-kmeans", "spectral-learning"};
    seg_context ctx;
    seg_matrix X;
    seg_csr W;
    seg_constraints none;
    (void)state;
    seg_context_init(&ctx);
    toy_blobs(&ctx, K, EACH, 4, &X);
    toy_knn(&ctx, &X, 40, &W);
    assert_ok(&ctx, seg_constraints_create(&ctx, N, &none));
    const seg_problem problem = {.n = N, .k = K, .features = &X, .affinity = &W, .constraints = &none, .restarts = 5};
    for (size_t m = 0; m < 3; m++) {
        seg_clustering found;
        assert_int_equal(seg_cluster(&ctx, seg_method_find(learners[m]), NULL, &problem, &found), SEG_ERR_USAGE);
        assert_ok(&ctx, seg_cluster_any(&ctx, seg_method_find(learners[m]), NULL, &problem, &found));
        assert_string_equal(found.ran, learners[m]);
        for (size_t i = 0; i < N; i++)
            assert_int_equal(found.label[i] == found.label[i % K], 1);
        seg_clustering_free(&found);
    }
    /* Each objective is its own; without penalties the kernel's is kernel k-means'. */
    const double cut = objective(&ctx, &problem, "sskk", "objective=normalized-cut");
    const double ratio = objective(&ctx, &problem, "sskk", "objective=ratio-cut");
    const double association = objective(&ctx, &problem, "sskk", "objective=association");
    assert_true(fabs(cut - ratio) > 1e-6 && fabs(cut - association) > 1e-6);
    assert_true(cut <= objective(&ctx, &problem, "ncut", NULL) + 1e-9); /* the same, of a start of its own */
    assert_near(objective(&ctx, &problem, "kernel-hmrf-kmeans", NULL), objective(&ctx, &problem, "kernel-kmeans", NULL),
                1e-9);
    seg_matrix_free(&X);
    seg_csr_free(&W);
    seg_constraints_free(&none);
    seg_context_end(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods_run_without_constraints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
