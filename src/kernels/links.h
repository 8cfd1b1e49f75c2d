/* The two constraint graphs of graph embedding restricted to a subset of the samples: L of the must-links, L^p of the
 * cannot-links [chen2011npkl, Eqs. 1-2]. The pairs of groups are not listed: with s_g the sum of v over group g,
 * row i of L V is n_g v_i - s_g, row i of L^p V is (N - n_g) v_i - (s - s_g). */
#pragma once

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

/* member: the m sample indices of the subset, in any order, none twice; NULL: the first m. Free `out` in any case. */
seg_status seg_links_create(seg_context *ctx, const seg_constraints *constraints, const int32_t *member, size_t m,
                            seg_links *out);
void seg_links_free(seg_links *links);

/* out = L V (sign +1) or L^p V (sign -1), V and out m x cols row-major. Cost O((m + pairs) cols). */
seg_status seg_links_apply(seg_context *ctx, const seg_links *links, int sign, size_t cols, const double *V,
                           double *out);

/* How many samples each group has. */
void seg_group_sizes(const seg_constraints *constraints, double size[SEG_MAX_LABELS]);

/* Each sample's number of constraints (pairs of groups and listed pairs) [chen2011npkl, Algorithm 3, step 1]. */
void seg_constraint_degrees(const seg_constraints *constraints, double *degree);

enum { SEG_DIAGONAL_PRINTED = 20000 };

/* CCSKL and CCSR: the weight of each of the n terms (k_ii - 1)^2 relative to a constraint of weight 1. share 0: 1, as
 * printed in the papers. share > 0: at most 1, and so that all terms together have at most `share` times the weight of
 * all constraints. share < 0: as 0 up to SEG_DIAGONAL_PRINTED samples and as 1 beyond, where n terms of weight 1 would
 * outweigh the constraints. Without constraints: 1. */
double seg_diagonal_weight(const seg_constraints *constraints, size_t n, double share);

/* What CCSKL and CCSR learn from. */
typedef struct seg_spectral_problem {
    const seg_matrix *F; /* n x m, the smoothest eigenvectors in its columns */
    const seg_constraints *constraints;
    double diagonal; /* weight of each (k_ii - 1)^2, see seg_diagonal_weight */
} seg_spectral_problem;
