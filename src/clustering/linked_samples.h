/* Neighbourhoods: the samples that the closure of the constraints puts together, and which of them lie apart
 * [basu2004active, Sec. 3]. Groups are neighbourhoods as they stand; that any two of them cannot link is known without
 * being listed. */
#ifndef SEG_CLUSTERING_LINKED_SAMPLES_H
#define SEG_CLUSTERING_LINKED_SAMPLES_H

#include "base/random.h"
#include "linalg/wide_rows.h"

#include <segment/constraints.h>

typedef struct seg_neighbourhoods {
    size_t n;
    int32_t count, groups; /* numbers 0 .. groups-1 are the groups, the others in the order of their smallest member */
    int32_t *of;           /* n entries: the neighbourhood, -1 for a sample in no constraint */
    size_t *start;         /* members of f: member[start[f]] .. member[start[f + 1] - 1], ascending */
    int32_t *member;
    double *must;         /* weight of each must-link inside: the mean of those listed, 1 in a group */
    size_t *cannot_start; /* neighbourhoods that lie apart from f, ascending; two groups never list each other */
    int32_t *cannot;
    double *apart; /* weight of each cannot-link between them: the mean of those listed */
} seg_neighbourhoods;

/* SEG_OK, SEG_ERR_CONTRADICTION, SEG_ERR_USAGE (as seg_closure_compute), SEG_ERR_MEMORY. Does not depend on the order
 * of the listed pairs; the closure that the constraints carry is used. Cost O(n + pairs log pairs). */
seg_status seg_neighbourhoods_create(seg_context *ctx, const seg_constraints *constraints, seg_neighbourhoods *out);
void seg_neighbourhoods_free(seg_neighbourhoods *neighbourhoods);

static inline size_t seg_neighbourhood_size(const seg_neighbourhoods *f, int32_t which) {
    return f->start[which + 1] - f->start[which];
}

typedef enum seg_start_rule {
    /* the largest, equals by draw; then single samples apart from all chosen [basu2004active, Sec. 3] */
    SEG_START_LARGEST,
    SEG_START_FARTHEST /* farthest-first by the total distance between the points [kulis2009sskk, Algorithm 3] */
} seg_start_rule;

typedef struct seg_starts {
    int k;
    seg_start_rule rule;
    seg_random *random;
} seg_starts;

/* Which neighbourhoods start a cluster: group g starts cluster g, others fill up the free clusters.
 * start: n entries, the cluster a sample helps to start or -1. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_neighbourhoods_start(seg_context *ctx, const seg_neighbourhoods *neighbourhoods, const seg_matrix *X,
                                    const seg_starts *how, int16_t *start);

/* ---- Listed constraints by sample. ---- */

/* out (n x n, symmetric): weight * unit for a must-link, -weight * unit for a cannot-link; columns of a row ascend, and
 * a pair that is listed twice has two entries. The same for any order of the list. SEG_OK, SEG_ERR_MEMORY. Cost O(n +
 * pairs log pairs). */
seg_status seg_pairs_by_sample(seg_context *ctx, const seg_constraints *constraints, double unit, seg_csr *out);

#endif
