/* Whether a constraint set that anybody may have filled keeps its own promises. */
#ifndef SEG_CONSTRAINTS_CHECK_H
#define SEG_CONSTRAINTS_CHECK_H

#include <segment/constraints.h>

/* SEG_OK, or SEG_ERR_USAGE naming the first group or pair out of range. Cost O(n + pairs). */
seg_status seg_constraints_check(seg_context *ctx, const seg_constraints *constraints);

/* Within the limits: no method's sums and squares of weights overflow. */
static inline int seg_is_weight(double weight) {
    return weight >= SEG_LEAST_WEIGHT && weight <= SEG_LARGEST_WEIGHT;
}

#endif
