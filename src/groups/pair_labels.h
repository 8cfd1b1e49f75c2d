/* The samples that listed pairs name and the labels they get: what the steps of seg_groups_from_pairs share. */
#ifndef SEG_GROUPS_PAIR_LABELS_H
#define SEG_GROUPS_PAIR_LABELS_H

#include "clustering/linked_samples.h"

#include <segment/methods.h>

/* The samples that pairs name, with indices 0 .. count-1 of their own. */
typedef struct seg_pair_labels {
    size_t count, k;
    size_t *sample;          /* index in the problem */
    seg_neighbourhoods near; /* of these samples by their own indices, except near.of */
    seg_matrix rows;         /* of Z, count x r */
    double *cost;            /* count x k: of a sample in a cluster, without its pairs */
    double *centre;          /* k x r */
    int32_t *label, *best, *kept;
    size_t *size; /* of each cluster */
} seg_pair_labels;

/* Z: n x r, rows of a learned kernel's factor. Free it whatever is returned. SEG_OK, SEG_ERR_CONTRADICTION,
 * SEG_ERR_MEMORY. */
seg_status seg_pair_labels_create(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z,
                                  seg_pair_labels *l);
void seg_pair_labels_free(seg_pair_labels *l);
void seg_pair_labels_count_sizes(seg_pair_labels *l);

/* The label of a neighbourhood. */
static inline int32_t seg_pair_labels_of(const seg_pair_labels *l, int32_t which) {
    return l->label[l->near.member[l->near.start[which]]];
}

/* The cost of a neighbourhood in cluster `c`: its samples' costs, and `apart` for each cannot-link that this breaks. */
double seg_pair_labels_cost(const seg_pair_labels *l, int32_t which, int32_t c, double apart);
/* The cost of all samples with their labels. Each broken cannot-link counts once. */
double seg_pair_labels_total(const seg_pair_labels *l, double apart);
/* Move each neighbourhood to where it costs least, then the two ends of each cannot-link at once; no cluster is left
 * empty. @return whether any moved */
int seg_pair_labels_move(seg_pair_labels *l, double apart);

/* ---- Ways to find labels. ---- */

/* Labels by the kernel, the best of `starts` starts of k-means. */
seg_status seg_labels_by_kernel(seg_context *ctx, const seg_problem *problem, int starts, seg_pair_labels *l);

/* Labels by the votes of the named samples that walks meet first, and by appearance. *found: 0, and nothing is done,
 * where walks from the samples seldom meet others. SEG_OK, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_labels_by_vote(seg_context *ctx, const seg_problem *problem, seg_pair_labels *l, int *found);

#endif
