/* The constrained samples that each sub-kernel is learned from [chen2011npkl, Algorithm 3]. */
#ifndef SEG_KERNELS_SUBSETS_H
#define SEG_KERNELS_SUBSETS_H

#include <segment/constraints.h>

typedef struct seg_subsets {
    size_t count;    /* subsets */
    size_t *start;   /* count + 1 offsets into member; owned */
    int32_t *member; /* sample indices; owned */
    double *degree;  /* count: total number of constraints of each subset's samples; owned */
} seg_subsets;

/* The constrained samples, sorted by decreasing degree (with equal degrees the groups take turns, so that every subset
 * has every label). The first `landmarks` (B) are in every subset; each subset has `portion` (R) of the rest. landmarks
 * = 0: one subset of all. */
seg_status seg_subsets_pick(seg_context *ctx, const seg_constraints *constraints, size_t landmarks, size_t portion,
                            seg_subsets *out);
void seg_subsets_free(seg_subsets *subsets);

#endif
