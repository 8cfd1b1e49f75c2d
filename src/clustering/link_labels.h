/* Clusters for neighbourhoods where each has a score in each cluster and cannot-links are to hold: a search by moves
 * that is fast enough to be run in every step of another iteration. */
#ifndef SEG_CLUSTERING_LINK_LABELS_H
#define SEG_CLUSTERING_LINK_LABELS_H

#include "clustering/neighbourhoods.h"

/* score: count x k, the larger the better. label: count entries; group g's is g.
 * What is sought has few broken cannot-links first and then the largest sum of scores. Two starts: the labels given
 * (where `warm`), and a greedy one, the surest neighbourhood first; from both, single neighbourhoods move and
 * neighbourhoods of two clusters that cannot-links join change places as a whole (which for two clusters is exact where
 * the links hold together) until nothing improves; the better result is kept. Groups stay.
 * broken: cannot-links that the labels break, those between two groups not counted; may be NULL.
 * The same for any order of the listed pairs. SEG_OK, SEG_ERR_MEMORY. Cost of a sweep O(k (count + cannot-links)). */
seg_status seg_link_labels(seg_context *ctx, const seg_neighbourhoods *near, size_t k, const double *score, int warm,
                           int32_t *label, size_t *broken);

#endif
