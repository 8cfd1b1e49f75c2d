/* Where the curves of the experiments begin: a method without constraints is itself, not another one. */
#include "toy.h"

#include "selection/cluster.h"

enum { K = 3, EACH = 30, N = K * EACH };

static double objective(seg_context *ctx, const seg_problem *problem, const char *method, const char *parameter) {
    const seg_method *row = seg_method_find(method);
    SCOPED(seg_clustering) found;
    const seg_params params = toy_params(ctx, row, parameter);
    assert_ok(ctx, seg_cluster_any(ctx, row, &params, problem, &found));
    return found.objective;
}

TEST(methods_run_without_constraints) {
    static const char *const learners[] = {"sskk", "kernel-hmrf-kmeans", "spectral-learning"};
    SCOPED(seg_matrix) X = toy_blobs(&ctx, K, EACH, 4);
    SCOPED(seg_csr) W = toy_knn(&ctx, &X, 40);
    SCOPED(seg_constraints) none = new_constraints(&ctx, N);
    const seg_problem problem = toy_problem(K, &X, &W, &none, 5);
    for (size_t m = 0; m < 3; m++) {
        SCOPED(seg_clustering) found;
        assert_int_equal(seg_cluster(&ctx, seg_method_find(learners[m]), NULL, &problem, &found), SEG_ERR_USAGE);
        assert_ok(&ctx, seg_cluster_any(&ctx, seg_method_find(learners[m]), NULL, &problem, &found));
        assert_string_equal(found.ran, learners[m]);
        for (size_t i = 0; i < N; i++)
            assert_int_equal(found.label[i] == found.label[i % K], 1);
    }
    /* Each objective is its own; without penalties the kernel's is kernel k-means'. */
    const double cut = objective(&ctx, &problem, "sskk", "objective=normalized-cut");
    const double ratio = objective(&ctx, &problem, "sskk", "objective=ratio-cut");
    const double association = objective(&ctx, &problem, "sskk", "objective=association");
    assert_true(fabs(cut - ratio) > 1e-6 && fabs(cut - association) > 1e-6);
    assert_true(cut <= objective(&ctx, &problem, "ncut", NULL) + 1e-9); /* the same, of a start of its own */
    assert_near(objective(&ctx, &problem, "kernel-hmrf-kmeans", NULL), objective(&ctx, &problem, "kernel-kmeans", NULL),
                1e-9);
}
