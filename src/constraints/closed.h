/* The transitive closure of constraints is computed once and stored with them: a caller that passes constraints to
 * several functions closes them first, and the functions use that closure. If there is none, it is computed. */
#pragma once

#include <segment/constraints.h>

/* Components of samples joined by must-links (groups and pairs), and the cannot-links between the components. */
typedef struct seg_closure {
    size_t n;           /* samples */
    int32_t *component; /* n entries: -1 for a sample in no constraint, else its component number; owned */
    int components;     /* numbered in the order of their smallest member */
    int32_t *cannot;    /* cannots x 2 component numbers, first < second, sorted, unique, groups included; owned */
    size_t cannots;     /* pairs of components that cannot link */
} seg_closure;

/* Additional data of constraints. A function may lend the parts to other constraints for a time. */
typedef struct seg_constraints_notes {
    struct seg_pair_origins *origins; /* of the pairs that seg_constraints_read appended; NULL if none; owned */
    seg_closure *closure;             /* from seg_constraints_close; NULL if not computed; owned */
} seg_constraints_notes;
/* The notes of the constraints, allocated if there are none; NULL if out of memory. */
seg_constraints_notes *seg_constraints_note(seg_context *ctx, seg_constraints *constraints);
/* A copy of the notes, zeros if there are none. constraints: may be NULL. */
static inline seg_constraints_notes seg_constraints_noted(const seg_constraints *constraints) {
    return constraints && constraints->notes ? *constraints->notes : (seg_constraints_notes){NULL, NULL};
}
void seg_constraints_forget_closure(seg_constraints *constraints);

/* Compute the closure without storing it; `out` is zeroed on failure. As seg_constraints_close. */
seg_status seg_closure_compute(seg_context *ctx, seg_constraints *constraints, seg_contradictions policy,
                               seg_closure *out);
void seg_closure_free(seg_closure *closure);

/* *out: the stored closure, else one computed into `own`, which is zeroed or filled and must be freed. Contradictions
 * are refused. As seg_closure_compute. */
seg_status seg_closure_of(seg_context *ctx, const seg_constraints *constraints, seg_closure *own,
                          const seg_closure **out);

/* A copy on n samples; `from` may be NULL. Free `out` in every case. SEG_OK, SEG_ERR_USAGE, SEG_ERR_MEMORY. */
seg_status seg_constraints_copy(seg_context *ctx, size_t n, const seg_constraints *from, seg_constraints *out);
/* Append the groups (if `from` has any) and pairs of constraints on the same number of samples; `from` may be NULL.
 * SEG_OK, SEG_ERR_USAGE (pairs out of range), SEG_ERR_MEMORY. */
seg_status seg_constraints_append(seg_context *ctx, const seg_constraints *from, seg_constraints *out);

/* Merge pairs that are listed several times, in either order of their ends, into the first one, with the mean of their
 * weights. repeated: number of pairs removed. The closure stays. SEG_OK, SEG_ERR_MEMORY. Cost O(pairs log pairs). */
seg_status seg_constraints_once(seg_context *ctx, seg_constraints *constraints, size_t *repeated);

/* Check a caller's constraints in O(n + pairs). SEG_OK, or SEG_ERR_USAGE naming the first that is out of range. */
seg_status seg_constraints_check(seg_context *ctx, const seg_constraints *constraints);

/* Whether a weight is within the limits, so that sums and squares of weights never overflow. */
static inline int seg_is_weight(double weight) {
    return weight >= SEG_LEAST_WEIGHT && weight <= SEG_LARGEST_WEIGHT;
}

/* ---- A hash set of pairs of samples, so that no pair is drawn twice. ---- */

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
/* Add a key; *added = 0 if the set has it already. */
seg_status seg_pair_set_put(seg_context *ctx, seg_pair_set *set, uint64_t key, int *added);
