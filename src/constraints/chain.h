/* Why two samples must link: the shortest chain of must-links between them, in words. */
#ifndef SEG_CONSTRAINTS_CHAIN_H
#define SEG_CONSTRAINTS_CHAIN_H

#include <segment/constraints.h>

/* A cannot-link whose ends must link. Members of a group count as linked.
 * Leaves the sentence and returns SEG_ERR_CONTRADICTION (SEG_ERR_MEMORY where there is no room to search). */
seg_status seg_chain_of_pair(seg_context *ctx, const seg_constraints *constraints, const seg_pair *cannot);

/* A component that holds two groups: the first `pairs` listed pairs lead from a sample of `group` to one of another. */
seg_status seg_chain_of_group(seg_context *ctx, const seg_constraints *constraints, size_t pairs, int group);

#endif
