/* Clusters for neighbourhoods such that no two that lie apart share one: a colouring of the cannot-links. */
#ifndef SEG_CLUSTERING_FEASIBLE_H
#define SEG_CLUSTERING_FEASIBLE_H

#include "clustering/neighbourhoods.h"

/* Group g gets cluster g. First every neighbourhood, in the given order (those that are not groups), takes the cheapest
 * cluster left to it [wagstaff2001cop]; where that leads into a dead end, those with fewer than k cannot-links are set
 * aside, for they can always be coloured last, and the rest is searched exhaustively, the one with the fewest colours
 * left first [brelaz1979].
 * cost: count x k; label: count.
 * SEG_OK, SEG_ERR_CONTRADICTION (there is no such assignment: proved), SEG_ERR_NUMERIC (none was found before the
 * search became too long), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_feasible_labels(seg_context *ctx, const seg_neighbourhoods *neighbourhoods, int k, const double *cost,
                               const int32_t *order, int32_t *label);

#endif
