/* Clusters without samples get some. */
#ifndef SEG_METHODS_FILL_H
#define SEG_METHODS_FILL_H

#include <segment/methods.h>

/* A sample's label has its largest score, the first of equals. Each empty cluster takes the samples that fit their own
 * cluster least (by their mean score), with all that must link to them, from clusters that keep others; groups stay.
 * That breaks no constraint that held. Where samples that must link lie apart and nothing else can move, they are
 * brought together first. What was done is logged as a warning; `method` names what left the clusters empty. The
 * problem's constraints are closed and leave problem->k or more samples when those that must link count as one. label
 * and score of `out` change. SEG_OK, SEG_ERR_MEMORY. Cost O(n) an empty cluster, nothing but a count where there is
 * none. */
seg_status seg_fill_clusters(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out);

/* Samples that must link come together, all in the cluster that has most of them; what that empties is filled as above.
 */
seg_status seg_join_linked(seg_context *ctx, const char *method, const seg_problem *problem, seg_clustering *out);

#endif
