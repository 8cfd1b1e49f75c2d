/* Start centres of k-means. */
#ifndef SEG_CLUSTERING_KMEANS_SEED_H
#define SEG_CLUSTERING_KMEANS_SEED_H

#include "base/random.h"
#include "clustering/kmeans_step.h"

/* Set lloyd->centre: groups with rows start at their mean, the others by k-means++ [arthur2007kmeanspp] among the free
 * rows, each drawn in proportion to the squared distance to the nearest centre so far. Overwrites labels and bounds.
 * Cost O(n k d). */
void seg_kmeans_seed(seg_lloyd *lloyd, seg_random *random);
/* The same for several runs on the same rows, each with its own random numbers. */
void seg_kmeans_seed_all(seg_lloyd *const *run, size_t count, seg_random *random);

#endif
