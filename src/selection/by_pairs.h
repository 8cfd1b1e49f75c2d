/* Which method a problem with listed pairs gets: chosen by the pairs themselves. */
#ifndef SEG_SELECTION_BY_PAIRS_H
#define SEG_SELECTION_BY_PAIRS_H

#include "methods/random_walk.h"

#define SEG_LEARN_FROM 8 /* pairs per cluster, where nothing else is asked for */

typedef struct seg_by_pairs_options {
    seg_random_walk_options walk; /* of the candidate that ends in a random walk */
    double learn_from;            /* pairs per cluster from which on methods that learn are candidates */
    int folds;                    /* the pairs are held out in so many parts, >= 2 */
} seg_by_pairs_options;

/* The problem has listed pairs, no groups, an affinity graph, and features or not. Candidates, in this order:
 *   ncut; with features that are not an image's (no context features) kmeans and pckmeans;
 *   where there are cannot-links and learn_from pairs per cluster, ccsr (not for images) and the random walk from the
 *   groups that a kernel learned from the pairs shows [ENPAKL with features, CCSR without]. For images the walk is a
 *   candidate from 2 pairs per cluster on, and from learn_from pairs per cluster on it is taken unjudged where pairs
 * name samples of all of N-cuts' clusters. Each is run once. What counts is the pairs' F that the shares of broken
 * must-links and cannot-links let expect: of the pairs that runs without them are judged by, and, as far as pairs name
 * the samples (at most by half), of those that it knew; ncut and kmeans know none. To the loss of what learns comes the
 * share of the samples in clusters of N-cuts that no pair names a sample of. N-cuts stay unless kmeans or pckmeans lose
 * half a pair less; a method that learns must lose less than the best of these. Then samples that pairs name move where
 * a clustering other than the walk's breaks pairs (seg_keep_pairs). out->ran names the taken one. The same for any
 * order of the pairs. A candidate that fails numerically is passed over. SEG_OK, or the error of the last candidate
 * where none is left. Cost: each candidate once, those that know pairs seg_held_out_parts times more with single starts
 * and without a forest. */
seg_status seg_by_pairs(seg_context *ctx, const seg_problem *problem, const seg_by_pairs_options *options,
                        seg_clustering *out);

#endif
