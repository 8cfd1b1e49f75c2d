/* Assignment of neighbourhoods to clusters under cannot-links. */
#pragma once

#include "clustering/linked_samples.h"

/* ---- Without a broken cannot-link: a colouring (feasible.c). ---- */

/* Group g gets cluster g. First every other neighbourhood, in the given order, gets the cheapest cluster that is still
 * allowed [wagstaff2001cop]. If that leads to a dead end, neighbourhoods with fewer than k cannot-links are set aside,
 * since they can always be coloured last, and the rest is searched exhaustively, the neighbourhood with the fewest
 * colours left first [brelaz1979]. cost: count x k; label: count. SEG_OK, SEG_ERR_CONTRADICTION (proved: there is
 * none), SEG_ERR_NUMERIC (none was found before the search became too long), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_feasible_labels(seg_context *ctx, const seg_neighbourhoods *neighbourhoods, int k, const double *cost,
                               const int32_t *order, int32_t *label);

/* ---- The largest sum of scores: a local search, fast enough for every step of an outer iteration. ---- */

typedef struct seg_link_scores {
    const seg_neighbourhoods *near;
    size_t k;
    const double *score; /* count x k, the larger the better */
    int warm;            /* 1: `label` holds labels to start from */
} seg_link_scores;

/* label: count entries; group g gets label g. Minimises the number of broken cannot-links first, then maximises the sum
 * of scores. Two starts: the given labels (if `warm`), and a greedy start, the neighbourhood with the largest margin
 * first. From both, single neighbourhoods move, and the neighbourhoods of two clusters that are connected by
 * cannot-links swap clusters as a whole (for k = 2 this is exact if the cannot-links can all be kept) until nothing
 * improves; the better result is kept. Groups keep their labels. broken: number of cannot-links that the labels break,
 * without those between two groups; may be NULL. The same for any order of the listed pairs. SEG_OK, SEG_ERR_MEMORY.
 * Cost of a sweep O(k (count + cannot-links)). */
seg_status seg_link_labels(seg_context *ctx, const seg_link_scores *scores, int32_t *label, size_t *broken);
