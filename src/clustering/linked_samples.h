/* Neighbourhoods: sets of samples joined by the transitive closure of the must-links, and the cannot-links between them
 * [basu2004active, Sec. 3]. Each group belongs to one neighbourhood; the cannot-links between any two groups are
 * implied and not listed. */
#pragma once

#include "base/random.h"
#include "linalg/wide_rows.h"

#include <segment/constraints.h>

typedef struct seg_neighbourhoods {
    size_t n;
    int32_t count, groups; /* 0 .. groups-1 are those of the groups, the others are ordered by smallest member */
    int32_t *of;           /* n entries: the neighbourhood, -1 for a sample in no constraint */
    size_t *start;         /* members of f: member[start[f]] .. member[start[f + 1] - 1], ascending */
    int32_t *member;
    double *must;         /* weight of each must-link inside: the mean of the listed ones, 1 in a group */
    size_t *cannot_start; /* neighbourhoods with a cannot-link to f, ascending; pairs of groups are not listed */
    int32_t *cannot;
    double *apart; /* weight of each cannot-link between them: the mean of the listed ones */
} seg_neighbourhoods;

/* SEG_OK, SEG_ERR_CONTRADICTION, SEG_ERR_USAGE (as seg_closure_compute), SEG_ERR_MEMORY. Does not depend on the order
 * of the listed pairs; the closure that the constraints carry is used. Cost O(n + pairs log pairs). */
seg_status seg_neighbourhoods_create(seg_context *ctx, const seg_constraints *constraints, seg_neighbourhoods *out);
void seg_neighbourhoods_free(seg_neighbourhoods *neighbourhoods);

static inline size_t seg_neighbourhood_size(const seg_neighbourhoods *f, int32_t which) {
    return f->start[which + 1] - f->start[which];
}

typedef enum seg_start_rule {
    /* the largest, ties at random; then single samples with cannot-links to all chosen [basu2004active, Sec. 3] */
    SEG_START_LARGEST,
    SEG_START_FARTHEST /* farthest-first by the total distance between the points [kulis2009sskk, Algorithm 3] */
} seg_start_rule;

typedef struct seg_starts {
    int k;
    seg_start_rule rule;
    seg_random *random;
} seg_starts;

/* Choose the neighbourhoods that start a cluster: group g starts cluster g, others start the remaining clusters. start:
 * n entries, the cluster that a sample helps to start, or -1. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_neighbourhoods_start(seg_context *ctx, const seg_neighbourhoods *neighbourhoods, const seg_matrix *X,
                                    const seg_starts *how, int16_t *start);

/* ---- Listed constraints. ---- */

/* How many constraints are given: the listed pairs, and all pairs of the grouped samples. */
double seg_constraints_given(const seg_constraints *constraints);

/* out (n x n, symmetric): weight * unit for a must-link, -weight * unit for a cannot-link; columns of a row ascend, a
 * pair listed twice has two entries. Any order gives this. SEG_OK, SEG_ERR_MEMORY. Cost O(n + pairs log pairs). */
seg_status seg_pairs_by_sample(seg_context *ctx, const seg_constraints *constraints, double unit, seg_csr *out);
