/* seg_cluster for callers inside the library. */
#ifndef SEG_SELECTION_CLUSTER_H
#define SEG_SELECTION_CLUSTER_H

#include <segment/methods.h>

/* Refuse k where the constraints, which are closed, leave fewer clusters, or have more groups or an empty one. */
seg_status seg_check_k(seg_context *ctx, const seg_problem *problem, const seg_constraints *closed);

/* seg_cluster, but a method that learns from constraints also runs where there are none, which is where its own curve
 * begins. Those whose program has no solution then fail with SEG_ERR_USAGE. */
seg_status seg_cluster_any(seg_context *ctx, const seg_method *method, const seg_params *params,
                           const seg_problem *problem, seg_clustering *out);

#endif
