/* seg_cluster for callers inside the library, and its memory (estimate.c). */
#pragma once

#include "methods/method.h"

/* Refuse k where the constraints, which are closed, leave fewer clusters, or have more groups or an empty one. */
seg_status seg_check_k(seg_context *ctx, const seg_problem *problem, const seg_constraints *closed);

/* seg_cluster, but a method that learns from constraints also runs where there are none, which is where its own curve
 * begins. Those whose program has no solution then fail with SEG_ERR_USAGE. */
seg_status seg_cluster_any(seg_context *ctx, const seg_method *method, const seg_params *params,
                           const seg_problem *problem, seg_clustering *out);

/* The size of a problem. */
typedef struct seg_problem_size {
    size_t n, k;
    size_t columns;             /* of the features, 0 where there are none */
    const seg_graph_spec *spec; /* of a graph that is built of them, or NULL */
    size_t entries;             /* of a graph that is given, both directions */
    int kernel;                 /* 1: a kernel matrix is given */
    int pairs_alone;            /* 1: constraints are pairs, no groups */
} seg_problem_size;

/* Bytes that features, graph and clustering use together at most, roughly, by what the method needs and its parameter
 * `m`, the number of eigenvectors. It is enough to choose a first plan and nothing relies on it: every allocation is
 * counted against the limit (base/memory.c), and a plan that passes the limit is followed by a smaller one. */
size_t seg_estimate_clustering(const seg_method *method, const seg_params *params, const seg_problem_size *size);

/* --- The methods that choose among others, and the row of any method (registry.c). --- */

extern const seg_method_row seg_method_auto;

/* The row of a public method; NULL where the registry does not have it. */
const seg_method_row *seg_method_row_of(const seg_method *method);
