/* Mistakes among drawn pairs, as a person makes them. */
#ifndef SEG_EVALUATION_SETS_WRONG_PAIRS_H
#define SEG_EVALUATION_SETS_WRONG_PAIRS_H

#include <segment/constraints.h>

/* Turn must-links into cannot-links and the other way round: `share` (0 to 1) of the pairs, rounded, chosen by chance
 * of ctx->seed. A turned pair contradicts none of the others, for a mistake that does is refused by every reader of
 * pairs and found by the person who made it; where no further pair can be turned so, fewer are. SEG_OK, SEG_ERR_MEMORY.
 * Cost O(pairs (n + pairs)). */
seg_status seg_wrong_pairs_put(seg_context *ctx, double share, seg_constraints *constraints);

#endif
