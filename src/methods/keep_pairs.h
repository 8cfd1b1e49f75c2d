/* A clustering that did not look at the listed pairs, changed where they ask for it. */
#ifndef SEG_METHODS_KEEP_PAIRS_H
#define SEG_METHODS_KEEP_PAIRS_H

#include <segment/methods.h>

/* Samples that must link move to one cluster, and away from those they cannot link with, each set of linked samples
 * where its scores cost least, a broken cannot-link costing more than any score can (sweeps of [basu2004active, Sec.
 * 3]). Only samples that pairs name move, and none that is the last of its cluster where that can be helped; all others
 * keep label and score. A moved sample has score 1 in its cluster. Groups stay.
 * moved (may be NULL): how many samples changed their cluster. SEG_OK, SEG_ERR_CONTRADICTION, SEG_ERR_MEMORY. Does not
 * depend on the order of the pairs. */
seg_status seg_keep_pairs(seg_context *ctx, const seg_problem *problem, seg_clustering *out, size_t *moved);

#endif
