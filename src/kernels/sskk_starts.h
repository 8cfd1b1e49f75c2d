/* Clusters from constraints for the start of kernel k-means [kulis2009sskk, Algorithm 3]. */
#pragma once

#include "clustering/kernel_kmeans.h"

#include <segment/constraints.h>

/* How the components that start clusters are chosen. */
typedef enum seg_seeds {
    SEG_SEEDS_FARTHEST = 0, /* farthest-first, from the largest (run 0) or a random one (other runs) */
    SEG_SEEDS_RANDOM        /* drawn with the squared distance of their samples to the seeds so far as probability */
} seg_seeds;

typedef struct seg_seeding {
    int k;
    seg_seeds how;
    uint64_t run;
} seg_seeding;

/* label: n numbers 0..k-1, a start. Seeds are, in this order: the groups (group g starts cluster g); components of the
 * must-links' closure, the largest or a random one first, then always the one with the largest sum of distances to the
 * seeds so far (equal ones by their smallest member); single samples, the farthest each time (run 0) or drawn with
 * their squared distance as probability (other runs) [arthur2007kmeanspp]. Everything else then goes to the nearest
 * seed. With random seeds a drawn sample makes its whole component a seed, and components without a drawn sample start
 * no cluster. Distances are those of the similarities to the seeds' means; on a sparse graph, where most similarities
 * are zero, they are lengths of shortest paths. seeded: how many seeds were not drawn; may be NULL. The constraints
 * must be free of contradictions. SEG_OK, SEG_ERR_USAGE (fewer than k seeds), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_farthest_first(seg_context *ctx, const seg_similarities *similarities,
                              const seg_constraints *constraints, const seg_seeding *seeding, int32_t *label,
                              int *seeded);
