/* The two constraint graphs of graph embedding restricted to a subset of the samples: L of the must-links, L^p of the
 * cannot-links [chen2011npkl, Eqs. 1-2]. The pairs of groups are not listed: with s_g the sum of v over group g,
 * row i of L V is n_g v_i - s_g, row i of L^p V is (N - n_g) v_i - (s - s_g). */
#ifndef SEG_KERNELS_LINKS_H
#define SEG_KERNELS_LINKS_H

#include <segment/constraints.h>

typedef struct seg_links {
    size_t m; /* samples in the subset */
    int groups;
    int16_t *group;     /* m: group of each, -1: none */
    size_t *group_size; /* groups: members within the subset */
    size_t grouped;     /* sum of group_size */
    seg_pair *pair;     /* listed pairs with both ends in the subset, indices in the subset */
    size_t pairs;
    double must_trace, cannot_trace; /* tr L, tr L^p */
} seg_links;

/* member: the m sample indices of the subset, in any order, none twice. */
seg_status seg_links_create(seg_context *ctx, const seg_constraints *constraints, const int32_t *member, size_t m,
                            seg_links *out);
void seg_links_free(seg_links *links);

/* out = L V (sign +1) or L^p V (sign -1), V and out m x cols row-major. Cost O((m + pairs) cols). */
seg_status seg_links_apply(seg_context *ctx, const seg_links *links, int sign, size_t cols, const double *V,
                           double *out);

/* The number of constraints of each of the n samples (pairs of groups and listed pairs) [chen2011npkl,
 * Algorithm 3, step 1]. */
void seg_constraint_degrees(const seg_constraints *constraints, double *degree);

#endif
