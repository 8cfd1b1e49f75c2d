/* The closure of constraints is computed once and kept with them: the caller that makes constraints for several
 * functions closes them, and the functions use that closure. Constraints without one are closed on demand. */
#ifndef SEG_CONSTRAINTS_CLOSED_H
#define SEG_CONSTRAINTS_CLOSED_H

#include <segment/constraints.h>

/* Components of samples joined by must-links (groups and pairs), and the cannot-links between the components. */
typedef struct seg_closure {
    size_t n;           /* samples */
    int32_t *component; /* n entries: -1 for a sample in no constraint, else its component number; owned */
    int components;     /* numbered in the order of their smallest member */
    int32_t *cannot;    /* cannots x 2 component numbers, first < second, sorted, none twice; group-to-group ones
                           included; owned */
    size_t cannots;     /* pairs of components that cannot link */
} seg_closure;

/* What is known of constraints besides. A function may lend the parts to other constraints for a time. */
typedef struct seg_constraints_notes {
    struct seg_pair_origins *origins; /* of the pairs that seg_constraints_read appended; NULL none; owned */
    seg_closure *closure;             /* of seg_constraints_close; NULL where it is not known; owned */
} seg_constraints_notes;
/* The notes of the constraints, made where there are none; NULL without memory. */
seg_constraints_notes *seg_constraints_note(seg_context *ctx, seg_constraints *constraints);
/* What is noted, zeros where there is nothing. constraints: may be NULL. */
static inline seg_constraints_notes seg_constraints_noted(const seg_constraints *constraints) {
    return constraints && constraints->notes ? *constraints->notes : (seg_constraints_notes){NULL, NULL};
}
void seg_constraints_forget_closure(seg_constraints *constraints);

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

/* ---- A hash set of pairs of samples, for drawing none twice. ---- */

typedef struct seg_pair_set {
    uint64_t *key;   /* capacity slots, UINT64_MAX = free */
    size_t capacity; /* a power of two */
    size_t used;
} seg_pair_set;

seg_status seg_pair_set_create(seg_context *ctx, seg_pair_set *out);
void seg_pair_set_free(seg_pair_set *set);
/* The key of the unordered pair i, j. */
static inline uint64_t seg_pair_key(int32_t i, int32_t j) {
    return i < j ? (uint64_t)i << 32 | (uint32_t)j : (uint64_t)j << 32 | (uint32_t)i;
}
int seg_pair_set_has(const seg_pair_set *set, uint64_t key);
/* Put in; *added = 0 where it was in already. */
seg_status seg_pair_set_put(seg_context *ctx, seg_pair_set *set, uint64_t key, int *added);

#endif
