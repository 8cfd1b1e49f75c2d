/* Start clusters for kernel k-means from constraints [kulis2009sskk, Algorithm 3]. */
#ifndef SEG_KERNELS_FARTHEST_FIRST_H
#define SEG_KERNELS_FARTHEST_FIRST_H

#include "clustering/kernel_sums.h"

#include <segment/constraints.h>

/* How the components that start clusters are chosen. */
typedef enum seg_seeds {
    SEG_SEEDS_FARTHEST = 0, /* farthest-first, from the largest (run 0) or from one that is drawn (other runs) */
    SEG_SEEDS_RANDOM        /* drawn, each with its samples' squared distance to the seeds so far as probability */
} seg_seeds;

/* label: n numbers 0..k-1, a start. Seeds are, in this order: the groups (group g starts cluster g); components of the
 * must-links' closure, the largest first (or one drawn), then always the one whose samples are, summed, farthest from
 * the seeds so far, equal ones by their smallest member; single samples, the farthest each time (run 0) or drawn with
 * their squared distance as probability (other runs) [arthur2007kmeanspp]. Everything else then goes to the nearest
 * seed. With random seeds a drawn sample brings the whole component that it is in, and components that none was drawn
 * from start nothing. Distances are those of the similarities, to the seeds' means; over a sparse graph, where most
 * similarities are zero and say nothing, lengths of shortest paths. seeded: how many seeds needed no draw; may be NULL.
 * The constraints must be free of contradictions. SEG_OK, SEG_ERR_USAGE (k seeds there are not), SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
seg_status seg_farthest_first(seg_context *ctx, const seg_similarities *similarities,
                              const seg_constraints *constraints, int k, seg_seeds how, uint64_t run, int32_t *label,
                              int *seeded);

#endif
