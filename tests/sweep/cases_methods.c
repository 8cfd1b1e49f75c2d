/* Every method of the registry, and the kernels learned in more than one way. */
#include "sweep.h"

#include "methods/method.h"
#include "optim/sdp.h"

enum { N = 48, K = 3, MANY = 40 };

/* "METHOD", "METHOD NAME=VALUE" "METHOD NAME=VALUE HOW": with a parameter; with pairs
 * or groups only, or a kernel; in a unit far from one; with many clusters, which the method leaves empty. */
CASE(cluster, argument) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 5, .sigma_scale = 1};
    char name[64] = "", parameter[96] = "", how[64] = "";
    SCOPED(seg_matrix) kernel = {0};
    SCOPED(seg_csr) W;
    seg_status status = SEG_OK;
    sscanf(argument, "%63s %95s %63s", name, parameter, how);
    SCOPED(seg_matrix) X = blobs(N, K);
    for (size_t e = 0; strcmp(how, "far") == 0 && e < X.rows * X.cols; e++)
        X.at[e] *= 1e150;
    SCOPED(seg_constraints) c = groups_of(N, K, strcmp(how, "pairs") == 0 || strcmp(how, "many") == 0 ? 0 : 3);
    if (strcmp(how, "groups") == 0)
        c.pairs = 0;
    must(&own, seg_graph_build(&own, &X, NULL, &spec, &W, NULL));
    if (strcmp(how, "kernel") == 0) {
        must(&own, seg_matrix_create(&own, N, N, &kernel));
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++)
                kernel.at[i * N + j] = X.at[2 * i] * X.at[2 * j] + X.at[2 * i + 1] * X.at[2 * j + 1] + (i == j);
    }
    const seg_method *method = GET(seg_method_find, name);
    if (!method) {
        fprintf(stderr, "no method %s\n", name);
        exit(1);
    }
    seg_params params = seg_params_default(method);
    for (char *one = strtok(parameter, "+"); one && strchr(one, '=') && status == SEG_OK; one = strtok(NULL, "+"))
        status = seg_params_set(ctx, method, one, &params);
    seg_clustering out = DIRTY(seg_clustering);
    if (status == SEG_OK) {
        const int k = strcmp(how, "many") == 0 ? MANY : K;
        seg_problem problem = {.n = N, .k = k, .features = &X, .affinity = &W, .constraints = &c, .restarts = 2};
        problem.kernel = kernel.at ? &kernel : NULL;
        size_t bytes = 0;
        status = CALL(seg_cluster_plan, ctx, method, &params, &problem, NULL, &bytes);
        if (status == SEG_OK)
            status = CALL(seg_cluster, ctx, method, &params, &problem, &out);
        if (status == SEG_OK) {
            told(out.label, out.n * sizeof *out.label);
            told_matrix(&out.score);
            told_matrix(&out.embedding);
            told_number(out.objective);
            seg_kept kept;
            DO(seg_kept_count, ctx, method, &c, &out, &kept);
            told_number((double)kept.smallest);
        } else {
            ZEROED(out);
        }
        DO(seg_clustering_free, &out);
    }
    return status;
}

static const sweep_case vector_cases[] = {
    {"ncut", cluster, "ncut", 1},
    {"ncut-many", cluster, "ncut - many", 1},
    {"kmeans", cluster, "kmeans", 2},
    {"kmeans-far", cluster, "kmeans - far", 1},
    {"seeded-kmeans", cluster, "seeded-kmeans", 1},
    {"constrained-kmeans", cluster, "constrained-kmeans", 1},
    {"constrained-kmeans-pairs", cluster, "constrained-kmeans - pairs", 1},
    {"pckmeans", cluster, "pckmeans", 1},
    {"pckmeans-pairs", cluster, "pckmeans - pairs", 2},
    {"mpck-means-pairs", cluster, "mpck-means - pairs", 1},
    {"cop-kmeans", cluster, "cop-kmeans", 1},
    {"cop-kmeans-pairs", cluster, "cop-kmeans - pairs", 1},
    {"hmrf-kmeans", cluster, "hmrf-kmeans", 1},
    {"forest", cluster, "forest trees=3", 2},
    {"forest-pairs", cluster, "forest trees=3 pairs", 1},
    {"kernel-kmeans", cluster, "kernel-kmeans", 1},
    {"kernel-kmeans-kernel", cluster, "kernel-kmeans - kernel", 1},
    {"kernel-hmrf-kmeans", cluster, "kernel-hmrf-kmeans - pairs", 1},
    {"spectral-learning", cluster, "spectral-learning", 1},
    {"sskk", cluster, "sskk", 1},
    {"sskk-kernel", cluster, "sskk objective=association kernel", 1},
};
const sweep_topic sweep_methods = {"methods", vector_cases, sizeof vector_cases / sizeof *vector_cases};

/* The semidefinite solver: a unit diagonal, a rank-one cost, a block of one row. */
CASE(solve_sdp, unused) {
    static const int32_t all[3] = {0, 1, 2};
    const int n = 3, size[2] = {3, 1};
    SCOPED(seg_sdp) sdp;
    SCOPED(seg_sdp_solution) solution;
    must(&own, seg_sdp_create(&own, 3, 2, size, &sdp));
    must(&own, seg_sdp_add_rank_one(&own, &sdp, (seg_sdp_place){SEG_SDP_COST, 0}, 1, 3, all));
    must(&own, seg_sdp_add(&own, &sdp, (seg_sdp_place){SEG_SDP_COST, 1}, 0, 0, 1));
    for (int i = 0; i < n; i++) {
        must(&own, seg_sdp_add(&own, &sdp, (seg_sdp_place){i + 1, 0}, (size_t)i, (size_t)i, 1));
        must(&own, seg_sdp_add(&own, &sdp, (seg_sdp_place){i + 1, 1}, 0, 0, 0.5));
        sdp.right[i] = 1;
    }
    const seg_status status = CALL_INSIDE(seg_sdp_solve, ctx, &sdp, 1e-7, &solution);
    if (status)
        ZEROED(solution);
    else
        told_matrix(&solution.X[0]);
    return status;
}

CASE(variants, unused) {
    const seg_method *method = NULL;
    seg_method_variant variant = SEG_VARIANT_IMPROVED;
    seg_params params;
    seg_cluster_settings settings = {0};
    SCOPED(seg_matrix) X = blobs(30, 3);
    seg_status status = CALL_INSIDE(seg_method_parse, ctx, "ccskl:paper", &method, &variant);
    if (status == SEG_OK)
        status = CALL_INSIDE(seg_params_variant, ctx, method, variant, &params);
    if (status == SEG_OK)
        status = CALL(seg_cluster_settings_fill, ctx, method, variant, &X, &settings);
    if (status == SEG_OK)
        told(&settings.graph.sigma, sizeof settings.graph.sigma);
    return status;
}

static const sweep_case kernel_cases[] = {
    {"variants", variants, NULL, 1},
    {"auto", cluster, "auto", 1},
    {"auto-trees", cluster, "auto trees=3 groups", 2},
    {"auto-far", cluster, "auto trees=3 far", 1},
    {"auto-pairs", cluster, "auto - pairs", 1},
    {"walk", cluster, "walk", 1},
    {"walk-many", cluster, "walk - many", 1},
    {"walk-pairs", cluster, "walk - pairs", 1},
    {"enpakl", cluster, "enpakl", 1},
    {"enpakl-printed", cluster, "enpakl solver=project+iterations=2", 1},
    {"enpakl-sdp", cluster, "enpakl solver=pcp", 1},
    {"enpakl-pairs", cluster, "enpakl - pairs", 2},
    {"enpakl1", cluster, "enpakl1", 1},
    {"enpakl-paper", cluster,
     "enpakl solver=project+weights=lle+B=12+R=6+smoother=0+cannot=sum+extras=off+iterations=2", 1},
    {"tragek", cluster, "tragek", 1},
    {"pcp", cluster, "pcp", 1},
    {"sdp", solve_sdp, NULL, 1},
    {"ccskl", cluster, "ccskl m=5", 1},
    {"ccsr", cluster, "ccsr m=5", 1},
};
const sweep_topic sweep_kernels = {"kernels", kernel_cases, sizeof kernel_cases / sizeof *kernel_cases};
