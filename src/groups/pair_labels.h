/* The samples that listed pairs name and the labels they get: what the steps of seg_groups_from_pairs share. */
#pragma once

#include "clustering/linked_samples.h"
#include "linalg/sparse.h"

#include <segment/methods.h>

#include <string.h>

#define SEG_PAIR_LABELS_ITERATIONS 100 /* of k-means */
#define SEG_PAIR_LABELS_SWEEPS     50

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

/* Count the samples of each cluster again. */
void seg_pair_labels_count(seg_pair_labels *l);
/* The label of a neighbourhood. */
int32_t seg_pair_label(const seg_pair_labels *l, int32_t which);
/* The cost of all samples with their labels. Each broken cannot-link counts once. */
double seg_pair_labels_cost(const seg_pair_labels *l, double apart);
/* Copy the labels to `to` if their cost is below *least, which it then becomes. */
static inline void seg_pair_labels_note(const seg_pair_labels *l, double cost, double *least, int32_t *to) {
    if (!(cost < *least))
        return;
    *least = cost;
    memcpy(to, l->label, l->count * sizeof *to);
}
/* Move each neighbourhood to where it costs least, then the two ends of each cannot-link at once; no cluster is left
 * empty. @return whether any moved */
int seg_pair_labels_move(seg_pair_labels *l, double apart);

/* Labels by the kernel: the start with the least sum of distances and costs of broken cannot-links. */
seg_status seg_labels_by_kernel(seg_context *ctx, const seg_problem *problem, int starts, seg_pair_labels *l);
/* Labels by the votes of the named samples that walks meet first, and by appearance. *found: 0, and nothing is done,
 * where walks from the samples seldom meet others. */
seg_status seg_labels_by_vote(seg_context *ctx, const seg_problem *problem, seg_pair_labels *l, int *found);

/* Labels by k-means on the rows, scaled to norm one, of the k largest eigenvectors of a signed graph of the
 * neighbourhoods, as [ng2002spectral] does without signs: D^(-1/2) M D^(-1/2) - repel E^(-1/2) C E^(-1/2), M the sums
 * of `met`, C the cannot-links, D and E their degrees. met: of the samples; of: the neighbourhood of each. The labels
 * stay where there are too few neighbourhoods for that, or the eigenvectors are not found. SEG_OK, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
seg_status seg_labels_by_spectrum(seg_context *ctx, const seg_problem *problem, const seg_csr *met, const int32_t *of,
                                  double repel, seg_pair_labels *l);
