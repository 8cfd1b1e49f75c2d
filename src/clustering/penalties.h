/* What broken constraints cost [basu2004active, Eq. 2.1], by counting members of neighbourhoods in clusters: a sample's
 * penalties for all clusters cost O(k) however large its group is. */
#ifndef SEG_CLUSTERING_PENALTIES_H
#define SEG_CLUSTERING_PENALTIES_H

#include "clustering/linked_samples.h"

typedef struct seg_penalties {
    seg_context *ctx;
    const seg_neighbourhoods *f; /* borrowed */
    size_t n, k;
    int32_t counted;   /* neighbourhoods whose pairs are all there: every one (closure), or the groups only (listed) */
    int32_t *label;    /* n: cluster of each constrained sample, -1 before its first assignment */
    uint32_t *count;   /* counted x k: members of a neighbourhood in a cluster */
    uint32_t *grouped; /* k: members of all groups in a cluster */
    seg_csr pairs;     /* the listed ones by sample (seg_pairs_by_sample), where they are not counted */
} seg_penalties;

/* closure 1: all pairs that the closure implies; 0: the groups' and the listed pairs, each with its own weight. Free
 * `out` in any case. */
seg_status seg_penalties_create(seg_context *ctx, const seg_constraints *constraints,
                                const seg_neighbourhoods *neighbourhoods, int k, int closure, seg_penalties *out);
void seg_penalties_free(seg_penalties *penalties);
/* Forget all labels. */
void seg_penalties_clear(seg_penalties *penalties);
/* Put a sample into a cluster. */
void seg_penalties_move(seg_penalties *penalties, int32_t sample, int32_t to);
/* row[h]: weight of the constraints to samples with a label that the sample would break in cluster h. */
void seg_penalties_of_sample(const seg_penalties *penalties, int32_t sample, double *row);
/* The same for all members of a counted neighbourhood together. */
void seg_penalties_of_neighbourhood(const seg_penalties *penalties, int32_t which, double *row);
/* Weight of all broken constraints. */
double seg_penalties_total(const seg_penalties *penalties);
/* Number of constraints, broken or not. */
double seg_penalties_constraints(const seg_penalties *penalties);

#endif
