/* Small problems that several tests share. */
#ifndef TESTS_TOY_H
#define TESTS_TOY_H

#include "check.h"

#include "features/grid.h"
#include "image/mask.h"
#include "linalg/sparse.h"
#include "methods/method.h"
#include "pipeline/option_fields.h"

/* `clusters` Gaussian blobs of `each` points in the plane, centres on a circle of radius 10, spread 1; row i belongs to
 * blob i % clusters. */
static inline seg_matrix toy_blobs(seg_context *ctx, int clusters, size_t each, uint64_t seed) {
    seg_random random = seg_random_seeded(seed, 99);
    seg_matrix made = new_matrix(ctx, each * (size_t)clusters, 2);
    for (size_t i = 0; i < made.rows; i++) {
        double angle = 6.283185307179586 * (double)(i % (size_t)clusters) / clusters;
        made.at[2 * i] = 10 * cos(angle) + seg_random_normal(&random);
        made.at[2 * i + 1] = 10 * sin(angle) + seg_random_normal(&random);
    }
    return made;
}

/* Two spirals of n / 2 points each in the plane; row i belongs to spiral i % 2. */
static inline seg_matrix toy_spirals(seg_context *ctx, int n) {
    seg_matrix made = new_matrix(ctx, (size_t)n, 2);
    for (int i = 0; i < n; i++) {
        const double turn = 1 + 6.0 * (i / 2) / (n / 2), at = turn + (i % 2 ? 3.14159265 : 0);
        made.at[2 * i] = turn * cos(at);
        made.at[2 * i + 1] = turn * sin(at);
    }
    return made;
}

static inline seg_matrix toy_normal_rows(seg_context *ctx, size_t n, size_t columns, seg_random random) {
    seg_matrix made = new_matrix(ctx, n, columns);
    for (size_t e = 0; e < n * columns; e++)
        made.at[e] = seg_random_normal(&random);
    return made;
}

/* What is not 0 of a dense n x n array. */
static inline seg_csr toy_sparse(seg_context *ctx, size_t n, const double *dense) {
    size_t entries = 0, at = 0;
    for (size_t e = 0; e < n * n; e++)
        entries += dense[e] != 0;
    seg_csr made = new_csr(ctx, n, n, entries);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            if (dense[i * n + j] != 0) {
                made.column[at] = (int32_t)j;
                made.value[at++] = dense[i * n + j];
            }
        made.start[i + 1] = at;
    }
    return made;
}

/* The Laplacian of a graph, D - W, and `extra` on its diagonal. */
static inline seg_csr toy_laplacian(seg_context *ctx, const seg_csr *W, const double *extra) {
    seg_csr made = new_csr(ctx, W->rows, W->rows, W->start[W->rows] + W->rows);
    for (size_t i = 0, at = 0; i < W->rows; i++) {
        size_t diagonal = SIZE_MAX;
        double degree = extra[i];
        for (size_t e = W->start[i]; e <= W->start[i + 1]; e++) {
            const int end = e == W->start[i + 1];
            if (diagonal == SIZE_MAX && (end || (size_t)W->column[e] > i))
                made.column[diagonal = at++] = (int32_t)i;
            if (!end) {
                degree += W->value[e];
                made.column[at] = W->column[e];
                made.value[at++] = -W->value[e];
            }
        }
        made.value[diagonal] = degree;
        made.start[i + 1] = at;
    }
    return made;
}

/* The first `marked` rows of each blob form its group. */
static inline seg_constraints toy_groups(seg_context *ctx, size_t n, int clusters, size_t marked) {
    seg_constraints made = new_constraints(ctx, n);
    made.groups = clusters;
    for (size_t i = 0; i < n; i++)
        made.group[i] = i / (size_t)clusters < marked ? (int16_t)(i % (size_t)clusters) : -1;
    return made;
}

/* Every pair that the groups imply, listed with weight one. */
static inline seg_constraints toy_list_pairs(seg_context *ctx, const seg_constraints *groups) {
    seg_constraints made = new_constraints(ctx, groups->n);
    for (size_t i = 0; i < groups->n; i++)
        for (size_t j = 0; j < i; j++)
            if (groups->group[i] >= 0 && groups->group[j] >= 0) {
                seg_pair pair = {(int32_t)j, (int32_t)i, groups->group[i] == groups->group[j] ? 1 : -1, 1};
                assert_ok(ctx, seg_constraints_add(ctx, &made, pair));
            }
    return made;
}

static inline seg_csr toy_knn(seg_context *ctx, const seg_matrix *X, int neighbours) {
    seg_csr made = {0};
    seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = neighbours, .sigma = 0, .sigma_scale = 1};
    assert_ok(ctx, seg_graph_build(ctx, X, NULL, &spec, &made, NULL));
    return made;
}

/* Clustering rows with their graph and constraints. */
static inline seg_problem toy_problem(int k, const seg_matrix *X, const seg_csr *W, const seg_constraints *constraints,
                                      int restarts) {
    return (seg_problem){
        .n = X->rows, .k = k, .features = X, .affinity = W, .constraints = constraints, .restarts = restarts};
}

/* A method's parameters: its defaults but for "NAME=VALUE NAME=VALUE", which may be NULL. */
static inline seg_params toy_params(seg_context *ctx, const seg_method *method, const char *settings) {
    char text[128], *rest;
    seg_params made = seg_params_default(method);
    assert_in_range(snprintf(text, sizeof text, "%s", settings ? settings : ""), 0, sizeof text - 1);
    for (char *one = strtok_r(text, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
        assert_ok(ctx, seg_params_set(ctx, method, one, &made));
    return made;
}

static inline seg_clustering toy_cluster(seg_context *ctx, const char *name, const char *settings,
                                         const seg_problem *problem) {
    const seg_method *method = seg_method_find(name);
    seg_clustering made;
    assert_non_null(method);
    const seg_params params = toy_params(ctx, method, settings);
    assert_ok(ctx, seg_cluster(ctx, method, &params, problem, &made));
    return made;
}

#endif
