/* Must-links and cannot-links drawn from a ground truth, as in the papers' experiments. */
#ifndef SEG_EVALUATION_SETS_TRUTH_PAIRS_H
#define SEG_EVALUATION_SETS_TRUTH_PAIRS_H

#include <segment/constraints.h>

/* Draw `per_cluster` must-links inside each true label and as many cannot-links from it to the others among the patches
 * (context's seed) [chen2011npkl, Sec. 5.5]. A patch has the label that more than half of its pixels have, else none,
 * and is then never drawn. SEG_OK, SEG_ERR_INPUT (no pair can be drawn), SEG_ERR_MEMORY. */
seg_status seg_truth_pairs(seg_context *ctx, const seg_mask *truth, const seg_patch_grid *grid, int per_cluster,
                           seg_constraints *out);

#endif
