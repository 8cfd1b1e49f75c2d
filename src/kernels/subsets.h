/* Which constrained samples a sub-kernel is learned over [chen2011npkl, Algorithm 3]. */
#ifndef SEG_KERNELS_SUBSETS_H
#define SEG_KERNELS_SUBSETS_H

#include <segment/constraints.h>

typedef struct seg_subsets {
    size_t count;    /* subsets */
    size_t *start;   /* count + 1 offsets into member; owned */
    int32_t *member; /* sample numbers; owned */
    double *degree;  /* count: total number of constraints of each subset's samples; owned */
} seg_subsets;

/* Samples in any constraint, sorted by their degree (most first; equal degrees take the groups in turn, so that every
 * subset sees every label). The first `landmarks` (B) are in every subset; the rest come in portions of `portion` (R).
 * landmarks = 0: one subset of all. */
seg_status seg_subsets_pick(seg_context *ctx, const seg_constraints *constraints, size_t landmarks, size_t portion,
                            seg_subsets *out);
void seg_subsets_free(seg_subsets *subsets);

#endif
