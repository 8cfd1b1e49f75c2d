/* The method of a problem with listed pairs, chosen by the pairs. */
#pragma once

#include "methods/steps.h"

typedef struct seg_by_pairs_options {
    seg_random_walk_options walk; /* of the candidate that is a random walk */
    double learn_from;            /* methods that learn are candidates from this number of pairs per cluster on */
    int folds;                    /* number of parts that the pairs are held out in, >= 2 */
} seg_by_pairs_options;

/* Run the candidates and keep the best. The problem is a graph or an image: it has listed pairs, no groups, an affinity
 * graph, and features if it is an image. Candidates, in this order: ncut; with cannot-links and learn_from pairs per
 * cluster, ccsr (not for images) and the random walk from the groups that a kernel learned from the pairs shows (ENPAKL
 * with features, CCSR without). For images the walk is a candidate from 2 pairs per cluster on; from learn_from pairs
 * per cluster on it is used without a comparison if pairs name samples of all clusters of N-cuts. The loss is 1 - F of
 * the pairs, estimated from the shares of broken must-links and cannot-links (seg_pair_loss). It is the mean of two
 * losses: over pairs that were held out, and over pairs that the candidate knew, the weight of these being the share of
 * samples that pairs name, at most a half. ncut knows no pairs. Samples in clusters of N-cuts where no pair names a
 * sample add their share to the loss of the others, which must lose less than ncut. Then samples that pairs name move
 * if a clustering other than the walk's breaks pairs (seg_keep_pairs). out->ran names the method. The result does not
 * depend on the order of the pairs. A candidate that fails numerically is left out. SEG_OK, or the error of the last
 * candidate if none is left. Cost: each candidate once, and ccsr and the walk seg_held_out_parts times more, with
 * single starts and without a forest. */
seg_status seg_by_pairs(seg_context *ctx, const seg_problem *problem, const seg_by_pairs_options *options,
                        seg_clustering *out);
