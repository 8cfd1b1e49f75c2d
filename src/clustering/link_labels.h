/* Clusters for neighbourhoods under cannot-links. */
#ifndef SEG_CLUSTERING_LINK_LABELS_H
#define SEG_CLUSTERING_LINK_LABELS_H

#include "clustering/linked_samples.h"

/* ---- Without a broken cannot-link: a colouring (feasible.c). ---- */

/* Group g gets cluster g. First every neighbourhood, in the given order (those that are not groups), takes the cheapest
 * cluster left to it [wagstaff2001cop]; where that leads into a dead end, those with fewer than k cannot-links are set
 * aside, for they can always be coloured last, and the rest is searched exhaustively, the one with the fewest colours
 * left first [brelaz1979].
 * cost: count x k; label: count.
 * SEG_OK, SEG_ERR_CONTRADICTION (there is no such assignment: proved), SEG_ERR_NUMERIC (none was found before the
 * search became too long), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_feasible_labels(seg_context *ctx, const seg_neighbourhoods *neighbourhoods, int k, const double *cost,
                               const int32_t *order, int32_t *label);

/* ---- The largest sum of scores: a search by moves that is fast enough for every step of another iteration. ---- */

typedef struct seg_link_scores {
    const seg_neighbourhoods *near;
    size_t k;
    const double *score; /* count x k, the larger the better */
    int warm;            /* 1: `label` holds labels to start from */
} seg_link_scores;

/* label: count entries; group g's is g. Few broken cannot-links come first, then a large sum of scores. Two starts: the
 * labels given (where `warm`), and a greedy one, the surest neighbourhood first. From both, single neighbourhoods move,
 * and neighbourhoods of two clusters that cannot-links join change places as a whole (which for two clusters is exact
 * where the links hold together) until nothing improves; the better result is kept. Groups stay.
 * broken: cannot-links that the labels break, those between two groups not counted; may be NULL.
 * The same for any order of the listed pairs. SEG_OK, SEG_ERR_MEMORY. Cost of a sweep O(k (count + cannot-links)). */
seg_status seg_link_labels(seg_context *ctx, const seg_link_scores *scores, int32_t *label, size_t *broken);

#endif
