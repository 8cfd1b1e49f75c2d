/* The closure of constraints is computed once and kept with them: the caller that makes constraints for several
 * functions closes them, and the functions use that closure. Constraints without one are closed on demand. */
#ifndef SEG_CONSTRAINTS_CLOSED_H
#define SEG_CONSTRAINTS_CLOSED_H

#include <segment/constraints.h>

/* Compute the closure by itself; `out` is zeroed on failure. As seg_constraints_close. */
seg_status seg_closure_compute(seg_context *ctx, seg_constraints *constraints, seg_contradictions policy,
                               seg_closure *out);
void seg_closure_free(seg_closure *closure);

/* *out: the closure that is known, else the one computed into `own`, which is zeroed or filled and to be freed.
 * Contradictions are refused. As seg_closure_compute. */
seg_status seg_closure_of(seg_context *ctx, const seg_constraints *constraints, seg_closure *own,
                          const seg_closure **out);

/* Append groups (where `from` has any) and pairs of constraints among as many samples; `from` may be NULL.
 * SEG_OK, SEG_ERR_USAGE (pairs out of range), SEG_ERR_MEMORY. */
seg_status seg_constraints_append(seg_context *ctx, const seg_constraints *from, seg_constraints *out);

/* A pair that is listed several times, in either order of its ends, is listed once, where it was first, with the mean
 * of its weights. repeated: pairs that went. The closure stays what it was. SEG_OK, SEG_ERR_MEMORY. Cost O(pairs log
 * pairs). */
seg_status seg_constraints_once(seg_context *ctx, seg_constraints *constraints, size_t *repeated);

/* Whether a constraint set that any program may have filled is valid. SEG_OK, or SEG_ERR_USAGE naming the first group
 * or pair out of range. Cost O(n + pairs). */
seg_status seg_constraints_check(seg_context *ctx, const seg_constraints *constraints);

/* Within the limits: no method's sums and squares of weights overflow. */
static inline int seg_is_weight(double weight) {
    return weight >= SEG_LEAST_WEIGHT && weight <= SEG_LARGEST_WEIGHT;
}

#endif
